use std::{
    error::Error,
    net::{Ipv4Addr, SocketAddr},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, sleep, sleep_until},
};

use crate::{
    Row, Setting, Trial, Tried,
    client::{ask, connect_from, connect_narrow, once_from, other, percentile_ms, request},
    server::{Server, kernel_mib},
};

const GOOD: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";

/// Most connections of one wave, from so many addresses that none is crowded.
const WAVE: u32 = 9_900;
const ADDRESSES: u32 = 20;

pub const TRIALS: &[Trial] = &[
    ("9,900 silent connections", |setting| Box::pin(wave(setting, String::new()))),
    ("9,900 half heads", |setting| Box::pin(wave(setting, "GET /v1/topics HTTP/1.1\r\nHost:".to_owned()))),
    ("9,900 heads of 8 KB", |setting| {
        Box::pin(wave(setting, format!("GET / HTTP/1.1\r\nX: {}", "x".repeat(8 << 10))))
    }),
    ("9,900 half bodies, reopened when cut", |setting| Box::pin(reopened(setting))),
    ("12,000 silent, more than the slots", |setting| Box::pin(more_than_the_slots(setting))),
    ("10,200 busy connections of one address", |setting| Box::pin(one_address(setting))),
    ("1,000 slow readers", |setting| Box::pin(slow_readers(setting))),
];

async fn open(to: SocketAddr, count: u32, begin: &str) -> Vec<TcpStream> {
    let mut open = Vec::new();
    for number in 0..count {
        let Ok(mut stream) = connect_from(other(number % ADDRESSES), to).await else { break };
        let _ = stream.write_all(begin.as_bytes()).await;
        open.push(stream);
    }
    open
}

/// A request each 10 ms from an address of its own.
async fn good_client(to: SocketAddr, time: Duration) -> Result<Vec<Duration>, Box<dyn Error>> {
    let mut stream = connect_from(Ipv4Addr::LOCALHOST, to).await?;
    let (mut times, until) = (Vec::new(), Instant::now() + time);
    while Instant::now() < until {
        let begin = Instant::now();
        ask(&mut stream, &request(GOOD)).await?;
        times.push(begin.elapsed());
        sleep_until(begin + Duration::from_millis(10)).await;
    }
    Ok(times)
}

async fn wave(setting: &Setting, begin: String) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let idle = server.own_mib();
    let slow = open(server.address, WAVE, &begin).await;
    let times = good_client(server.address, Duration::from_secs(3)).await?;
    let (above, p99) = (server.own_mib() - idle, percentile_ms(&times, 99));
    let result = format!("{above:.0} MiB for {}; a good client's p99 {p99:.1} ms", slow.len());
    Ok(Row::new("200 MiB, 5 ms", result, above <= 200.0 && p99 <= 5.0))
}

async fn reopened(setting: &Setting) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let (idle, to) = (server.own_mib(), server.address);
    let until = Instant::now() + setting.time;
    let clients: Vec<_> = (0..WAVE)
        .map(|number| {
            tokio::spawn(async move {
                while Instant::now() < until {
                    let Ok(mut stream) = connect_from(other(number % ADDRESSES), to).await else {
                        sleep(Duration::from_millis(100)).await;
                        continue;
                    };
                    let _ = stream.write_all(b"GET /v1/topics HTTP/1.1\r\nContent-Length: 9\r\n").await;
                    // Until the service cuts it.
                    let _ = stream.read(&mut [0; 64]).await;
                }
            })
        })
        .collect();
    sleep(Duration::from_secs(2)).await;
    let times = good_client(to, setting.time.saturating_sub(Duration::from_secs(2))).await?;
    let (above, p99) = (server.own_mib() - idle, percentile_ms(&times, 99));
    clients.into_iter().for_each(|client| client.abort());
    let result = format!("{above:.0} MiB; a good client's p99 {p99:.1} ms");
    Ok(Row::new("200 MiB, 5 ms", result, above <= 200.0 && p99 <= 5.0))
}

async fn more_than_the_slots(setting: &Setting) -> Tried {
    let mut server = Server::start(setting, &["--limits", "off"]).await?;
    let slow = open(server.address, 12_000, "").await;
    let (mut times, mut lost) = (Vec::new(), 0);
    for number in 0..300 {
        let begin = Instant::now();
        match once_from(other(300 + number % 50), server.address, GOOD).await {
            Ok(_) => times.push(begin.elapsed()),
            Err(_) => lost += 1,
        }
        sleep(Duration::from_millis(10)).await;
    }
    let p99 = percentile_ms(&times, 99);
    let result = format!("{} of 300 answered or told busy, p99 {p99:.0} ms, {lost} lost", times.len());
    drop(slow);
    Ok(Row::new("none lost, 100 ms", result, lost == 0 && p99 <= 100.0 && server.lives()))
}

/// The first defect: one address that takes all slots and keeps them busy, limits on.
async fn one_address(setting: &Setting) -> Tried {
    let server = Server::start(setting, &[]).await?;
    let to = server.address;
    let crowd: Vec<_> = (0..10_200)
        .map(|_| {
            tokio::spawn(async move {
                loop {
                    if let Ok(mut stream) = connect_from(Ipv4Addr::LOCALHOST, to).await {
                        while ask(&mut stream, &request("/v1/topics")).await.is_ok() {
                            sleep(Duration::from_secs(4)).await;
                        }
                    }
                    sleep(Duration::from_secs(4)).await;
                }
            })
        })
        .collect();
    sleep(Duration::from_secs(5)).await;
    let mut times = Vec::new();
    for number in 0..500 {
        let begin = Instant::now();
        if once_from(other(number), to, GOOD).await.is_ok_and(|answer| answer.status == 200) {
            times.push(begin.elapsed());
        }
    }
    crowd.into_iter().for_each(|client| client.abort());
    let in_time = times.iter().filter(|time| **time <= Duration::from_millis(100)).count();
    let p99 = percentile_ms(&times, 99);
    let result = format!("{in_time} of 500 other clients within 100 ms, p99 {p99:.1} ms");
    Ok(Row::new("500 of 500", result, in_time == 500))
}

/// They have hardly room themselves, so that what the kernel holds is the service's.
async fn slow_readers(setting: &Setting) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let before = kernel_mib();
    let asked = request("/openapi.json").repeat(20);
    let mut readers = Vec::new();
    for number in 0..1_000 {
        let mut stream = connect_narrow(other(number % ADDRESSES), server.address).await?;
        let _ = stream.write_all(asked.as_bytes()).await;
        readers.push(stream);
    }
    sleep(Duration::from_secs(2)).await;
    let pinned = kernel_mib() - before;
    sleep(Duration::from_secs(12)).await;
    let after = kernel_mib() - before;
    let result =
        format!("{pinned:.0} MiB of the kernel's, {after:.0} MiB after the cut, for {}", readers.len());
    Ok(Row::new("64 MiB after the cut", result, after <= 64.0))
}
