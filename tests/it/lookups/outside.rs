//! A service outside, on loopback, that follows a script: it replies, or it misbehaves.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    time::sleep,
};

/// A call as the service received it.
#[derive(Clone, Debug)]
pub struct Call {
    /// Method, target and header lines.
    pub head: String,
    pub body: String,
}

impl Call {
    pub fn target(&self) -> &str {
        self.head.split(' ').nth(1).unwrap()
    }

    /// Whether the call is the control question of a service: the Census Bureau's own address, or a lake in
    /// Minneapolis.
    pub fn is_control(&self) -> bool {
        let texts: String = self.pairs().into_iter().map(|(_, value)| value + " ").collect();
        texts.contains("4600 SILVER HILL RD") || texts.contains("-93.3115")
    }

    /// The parameters of the call, from its query or its body.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let query = self.target().split_once('?').map_or(self.body.as_str(), |(_, query)| query);
        url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
    }
}

/// The service's reaction to a call.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends these bytes and closes.
    Send(Vec<u8>),
    /// Sends nothing, and keeps the connection.
    Hang,
    /// Sends these bytes one at a time, slowly.
    Drip(Vec<u8>),
    /// Sends the first bytes, then the second bytes one at a time, slowly.
    DripAfter(Vec<u8>, Vec<u8>),
    /// Sends the first bytes, then the second bytes again and again, without end.
    Endless(Vec<u8>, Vec<u8>),
}

impl Act {
    /// An answer with a whole body.
    pub fn answer(status: u16, kind: &str, body: impl AsRef<[u8]>) -> Act {
        let body = body.as_ref();
        let mut bytes = format!(
            "HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend(body);
        Act::Send(bytes)
    }

    pub fn json(body: &str) -> Act {
        Act::answer(200, "application/json;charset=utf-8", body)
    }

    /// The reply of a service that has its data, to any question at any place.
    pub fn right(call: &Call) -> Act {
        let path = call.target().split('?').next().unwrap();
        let of = |name: &str| call.pairs().into_iter().find(|(key, _)| key == name).map(|(_, value)| value);
        let coordinate = |name| of(name).unwrap_or_default();
        let height = format!(
            "{{\"location\":{{\"x\":{},\"y\":{}}},\"value\":\"853.1\"}}",
            coordinate("x"),
            coordinate("y")
        );
        let features = |fields: &str| format!("{{\"features\":[{{\"attributes\":{{{fields}}}}}]}}");
        let body = match path {
            _ if path.ends_with("/locations/onelineaddress") => {
                r#"{"result":{"addressMatches":[{"coordinates":{"x":-93.2655,"y":44.9773},"matchedAddress":"1 MAIN ST"}]}}"#.to_owned()
            }
            _ if path.ends_with("/28/query") => features(r#""FLD_ZONE":"AE","SFHA_TF":"T""#),
            _ if path.ends_with("/Wetlands/MapServer/0/query") => {
                features(r#""ATTRIBUTE":"L1UBH","WETLAND_TYPE":"Lake","ACRES":400"#)
            }
            _ if path.ends_with("/1/query") => features(r#""pwi_class":"P","pw_basin_name":"Bde Maka Ska""#),
            _ if path.ends_with("/Tabular/post.rest") => {
                r#"{"Table":[["mukey","musym","muname"],["1","W","Water"]]}"#.to_owned()
            }
            _ if path.ends_with("/json") => height,
            _ => r#"{"features":[]}"#.to_owned(),
        };
        Act::json(&body)
    }
}

/// The service, with the calls that it received.
pub struct Outside {
    pub address: SocketAddr,
    calls: Arc<Mutex<Vec<Call>>>,
    connections: Arc<Mutex<usize>>,
}

impl Outside {
    /// Starts the service, which runs as long as the runtime of the test.
    pub async fn start(act: impl Fn(&Call) -> Act + Send + Sync + 'static) -> Outside {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (calls, connections) = (Arc::<Mutex<Vec<Call>>>::default(), Arc::<Mutex<usize>>::default());
        let act = Arc::new(act);
        let (seen, counted) = (Arc::clone(&calls), Arc::clone(&connections));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                *counted.lock().unwrap() += 1;
                tokio::spawn(serve(stream, Arc::clone(&act), Arc::clone(&seen)));
            }
        });
        Outside { address, calls, connections }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The calls, without control questions.
    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().iter().filter(|call| !call.is_control()).cloned().collect()
    }

    /// The number of control questions.
    pub fn controls(&self) -> usize {
        self.calls.lock().unwrap().iter().filter(|call| call.is_control()).count()
    }

    pub fn connections(&self) -> usize {
        *self.connections.lock().unwrap()
    }
}

/// Serves a connection until its client closes it.
async fn serve(
    mut stream: TcpStream,
    act: Arc<impl Fn(&Call) -> Act>,
    seen: Arc<Mutex<Vec<Call>>>,
) -> std::io::Result<()> {
    let Some(call) = read(&mut stream).await else { return Ok(()) };
    seen.lock().unwrap().push(call.clone());
    match act(&call) {
        Act::Send(bytes) => stream.write_all(&bytes).await?,
        Act::Hang => sleep(Duration::from_secs(3_600)).await,
        Act::Drip(bytes) => drip(&mut stream, bytes).await?,
        Act::DripAfter(first, second) => {
            stream.write_all(&first).await?;
            drip(&mut stream, second).await?;
        }
        Act::Endless(first, second) => {
            stream.write_all(&first).await?;
            loop {
                stream.write_all(&second).await?;
            }
        }
    }
    stream.shutdown().await
}

async fn drip(stream: &mut TcpStream, bytes: Vec<u8>) -> std::io::Result<()> {
    for byte in bytes {
        stream.write_all(&[byte]).await?;
        sleep(Duration::from_millis(100)).await;
    }
    Ok(())
}

async fn read(stream: &mut TcpStream) -> Option<Call> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            let body = &bytes[end + 4..];
            if body.len() >= length.unwrap_or(0) {
                return Some(Call { head, body: String::from_utf8(body.to_vec()).ok()? });
            }
        }
        let count = stream.read(&mut buffer).await.ok().filter(|count| *count > 0)?;
        bytes.extend_from_slice(&buffer[..count]);
    }
}
