use std::{
    net::{Ipv4Addr, SocketAddr},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, sleep},
};

use crate::{
    Row, Setting, Trial, Tried,
    client::{connect_from, once_from, other, percentile_ms, receive, request},
    server::Server,
};

const GOOD: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";

/// Connections of one wave, and of how many addresses: each may have 1,024.
const WAVE: u32 = 9_900;
const ADDRESSES: u32 = 10;

const STOPS: usize = 20;

pub const TRIALS: &[Trial] = &[
    ("9,900 bodies of 63 KB that do not end, twice", |setting| Box::pin(unended_bodies(setting))),
    ("20 stops at saturation, clients that reconnect", |setting| Box::pin(stops(setting))),
];

/// Limits on. A good client asks beside them, each time from an address that has its requests left.
async fn unended_bodies(setting: &Setting) -> Tried {
    let server = Server::start(setting, &[]).await?;
    let (idle, to) = (server.own_mib(), server.address);
    let head =
        "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 65000\r\n\r\n";
    let message = head.to_owned() + &" ".repeat(63_000);
    let (mut peaks, mut times, mut refused) = (Vec::new(), Vec::new(), 0);
    for wave in 0..2 {
        let mut open = Vec::new();
        for number in 0..WAVE {
            open.push(connect_from(other(number % ADDRESSES), to).await?);
        }
        for stream in &open {
            let _ = stream.try_write(message.as_bytes());
        }
        let (until, mut peak, mut asked) = (Instant::now() + Duration::from_secs(6), 0.0_f64, 0);
        while Instant::now() < until {
            peak = peak.max(server.own_mib() - idle);
            let begin = Instant::now();
            asked += 1;
            match once_from(other(1_000 + wave * 500 + asked % 400), to, GOOD).await?.status {
                200 => times.push(begin.elapsed()),
                _ => refused += 1,
            }
            sleep(Duration::from_millis(20)).await;
        }
        peaks.push(peak);
        drop(open);
        sleep(Duration::from_secs(2)).await;
    }
    let (after, p99) = (server.own_mib() - idle, percentile_ms(&times, 99));
    let result = format!(
        "{:.0} and {:.0} MiB, {after:.0} after; of a good client {} answered, p99 {p99:.1} ms, {refused} refused",
        peaks[0],
        peaks[1],
        times.len()
    );
    let holds = peaks.iter().all(|peak| *peak <= 200.0) && p99 <= 5.0 && refused == 0;
    Ok(Row::new("200 MiB, 5 ms, none refused", result, holds))
}

/// What becomes of requests on connections that were made.
#[derive(Default)]
struct Ends {
    answered: AtomicUsize,
    broken: AtomicUsize,
}

async fn ask_until_nobody_listens(from: Ipv4Addr, to: SocketAddr, ends: Arc<Ends>) {
    while let Ok(mut stream) = connect_from(from, to).await {
        let is_answered = asked(&mut stream).await;
        let count = if is_answered { &ends.answered } else { &ends.broken };
        count.fetch_add(1, Ordering::Relaxed);
    }
}

async fn asked(stream: &mut TcpStream) -> bool {
    stream.write_all(request(GOOD).as_bytes()).await.is_ok() && receive(stream).await.is_ok()
}

/// Whoever was let in is answered or told `busy`; whoever comes later cannot connect.
async fn stops(setting: &Setting) -> Tried {
    let (ends, mut ended) = (Arc::new(Ends::default()), 0);
    for _ in 0..STOPS {
        let mut server = Server::start(setting, &["--limits", "off"]).await?;
        let clients: Vec<_> = (0..64)
            .map(|number| {
                tokio::spawn(ask_until_nobody_listens(other(number), server.address, Arc::clone(&ends)))
            })
            .collect();
        sleep(Duration::from_secs(1)).await;
        server.signal("TERM")?;
        ended += usize::from(
            server.end(Duration::from_secs(10)).await.is_some_and(|(status, _)| status.success()),
        );
        for client in clients {
            client.await?;
        }
    }
    let (answered, broken) = (ends.answered.load(Ordering::Relaxed), ends.broken.load(Ordering::Relaxed));
    let result = format!("{broken} of {} requests broken, {ended} stops in good order", answered + broken);
    Ok(Row::new("none broken, 20 stops", result, broken == 0 && ended == STOPS))
}
