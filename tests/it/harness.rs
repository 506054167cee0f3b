use std::{
    collections::{BTreeMap, VecDeque},
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpStream},
    process::{Child, Command},
    sync::{Arc, LazyLock},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use platbook_service::{
    edition::Edition,
    http::{Capacity, Drained, Listener, Service, serve},
    pages::Pages,
};
use tokio::{net::TcpListener, runtime, sync::oneshot};

use crate::contract;

pub const SITE: &str = "https://platbook.example";

/// Minneapolis City Hall: inside a state, a county and a city.
pub const COVERED: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";

/// Maximum time that a test waits: long enough for a loaded machine, short enough to fail in reasonable time.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Server {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<Drained>,
}

impl Server {
    pub fn start(service: Service, capacity: Capacity) -> Server {
        Server::start_shared(Arc::new(service), capacity)
    }

    /// Starts a server of a service that the test still uses.
    pub fn start_shared(service: Arc<Service>, capacity: Capacity) -> Server {
        Server::start_at(service, capacity, Listener::from)
    }

    /// Starts a server on the listener that `listen` makes from a TCP listener.
    pub fn start_at(
        service: Arc<Service>,
        capacity: Capacity,
        listen: impl FnOnce(TcpListener) -> Listener + Send + 'static,
    ) -> Server {
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                bound.send(listener.local_addr().unwrap()).unwrap();
                let stop = async { stopped.await.unwrap_or_default() };
                serve(listen(listener), service, capacity, stop).await
            })
        });
        Server { address: address.recv().unwrap(), stop, thread }
    }

    /// One server for all tests that only read.
    pub fn shared() -> &'static Server {
        static SHARED: LazyLock<Server> = LazyLock::new(|| Server::start(service(), Capacity::default()));
        &SHARED
    }

    pub fn stop(self) -> Drained {
        self.stop.send(()).unwrap();
        self.thread.join().unwrap()
    }
}

/// Polls until the condition holds; `false` if it does not hold within [`PATIENCE`].
pub fn comes_true(mut holds: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    while !holds() {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    true
}

/// Sends a signal, such as `TERM`, to a process. Uses the shell, because small systems have no program `kill`.
pub fn signal(child: &Child, name: &str) {
    let (script, id) = (format!("kill -{name} \"$0\""), child.id().to_string());
    let sent = Command::new("sh").args(["-c", &script, &id]).status().unwrap();
    assert!(sent.success());
}

/// The service with its pages, as `platbook serve` runs it. It never rejects a request because the machine is busy.
pub fn service() -> Service {
    Service::new(edition()).with_door(Box::new(Pages::new())).with_max_wait(Duration::MAX)
}

/// The edition of the built-in snapshot.
pub fn edition() -> Edition {
    Edition::new(platbook_service::embedded().unwrap(), SITE)
}

pub struct Client {
    address: SocketAddr,
    reader: BufReader<TcpStream>,
    /// Method and target of each request that has no answer yet.
    asked: VecDeque<(String, String)>,
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    /// Headers by name, in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body as text; empty if it is compressed.
    pub body: String,
    /// The body in bytes, as it was received.
    pub bytes: Vec<u8>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        // Head and body leave in separate packets: the second must not wait for the first one's acknowledgement.
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Client { address, reader: BufReader::new(stream), asked: VecDeque::new() }
    }

    pub fn send(&mut self, bytes: &str) {
        self.try_send(bytes).unwrap();
    }

    /// Closes this side of the connection, so that the server reads its end.
    pub fn send_no_more(&mut self) {
        self.reader.get_mut().shutdown(std::net::Shutdown::Write).unwrap();
    }

    pub fn try_send(&mut self, bytes: &str) -> io::Result<()> {
        self.asked.extend(bytes.split("\r\n").filter_map(request_line));
        self.reader.get_mut().write_all(bytes.as_bytes())
    }

    /// Sends bytes that may not be text, such as those of a body.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.reader.get_mut().write_all(bytes).unwrap();
    }

    /// Reads one response; the answer to a HEAD request has no body, whatever its headers say.
    pub fn receive(&mut self, to_head: bool) -> Response {
        let status_line = self.line();
        let status = status_line.split(' ').nth(1).expect("a status line has a status").parse().unwrap();
        let mut headers = BTreeMap::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            let earlier = headers.insert(name.to_lowercase(), value.to_owned());
            assert_eq!(earlier, None, "{name} is sent once");
        }
        // Responses of the service itself; the rest comes from hyper or another front end.
        if headers.contains_key("x-request-id") {
            let vary = &headers["vary"];
            if !vary.ends_with(", Origin") {
                let readers = headers.get("access-control-allow-origin").map(String::as_str);
                assert_eq!(readers, Some("*"), "{headers:?}");
                assert!(headers.contains_key("access-control-expose-headers"));
            }
        }
        let length = headers.get("content-length").map_or(0, |length| length.parse().unwrap());
        let mut bytes = vec![0; if to_head { 0 } else { length }];
        self.reader.read_exact(&mut bytes).unwrap();
        let plain = !headers.contains_key("content-encoding");
        let body = if plain { String::from_utf8(bytes.clone()).unwrap() } else { String::new() };
        let response = Response { status, headers, body, bytes };
        if let Some((method, target)) = self.asked.pop_front() {
            contract::check(&method, &target, &response, &format!("http://{}", self.address));
        }
        response
    }

    /// Sends a request with further header lines, each with its line end.
    pub fn ask(&mut self, method: &str, target: &str, lines: &str) -> Response {
        self.send(&format!("{method} {target} HTTP/1.1\r\nHost: x\r\n{lines}\r\n"));
        self.receive(method == "HEAD")
    }

    pub fn get(&mut self, target: &str) -> Response {
        self.send(&format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"));
        self.receive(false)
    }

    /// Waits until the server closes or resets the connection, and returns the bytes it sent until then.
    pub fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        match self.reader.read_to_end(&mut rest) {
            Err(error) if error.kind() != io::ErrorKind::ConnectionReset => panic!("{error}"),
            _ => String::from_utf8(rest).unwrap(),
        }
    }

    /// Waits for the end of the connection, as [`Client::rest`] does, for bytes that may not be text.
    pub fn rest_bytes(&mut self) {
        if let Err(error) = io::copy(&mut self.reader, &mut io::sink()) {
            assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.reader.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}

/// Method and target, if the line is the first of a request.
fn request_line(line: &str) -> Option<(String, String)> {
    let (method, target) =
        line.strip_suffix(" HTTP/1.1").or(line.strip_suffix(" HTTP/1.0"))?.split_once(' ')?;
    Some((method.to_owned(), target.to_owned()))
}

impl Response {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}
