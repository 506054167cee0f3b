use std::{
    error::Error,
    fs::{self, OpenOptions},
    io::Write as _,
    net::Ipv4Addr,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::sleep,
};

use crate::{
    Row, Rows, Setting,
    client::{ask, connect_from, once, other, receive, request},
    server::{Server, ended_within},
};

const GOOD: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";
const SNAPSHOT: &str = "snapshots/default.platbook";

pub async fn all(setting: &Setting) -> Rows {
    let mut rows = vec![
        stop_at_work(setting).await?,
        stop_with_half_heads(setting).await?,
        second_signal(setting).await?,
    ];
    rows.push(signals(setting).await?);
    for (what, harm) in HARMS {
        rows.push(over_the_file(setting, what, *harm).await?);
    }
    rows.push(pipes_and_devices(setting).await?);
    rows.push(half_closed(setting).await?);
    rows.push(doubtful_requests(setting).await?);
    rows.push(wrong_keys(setting).await?);
    Ok(rows)
}

/// Clients that ask one request after the other when the service is told to stop: each request that was sent is answered.
async fn stop_at_work(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let mut server = Server::start(setting, &["--limits", "off"]).await?;
    let to = server.address;
    let clients: Vec<_> = (0..64)
        .map(|number| {
            tokio::spawn(async move {
                let mut stream = connect_from(other(number), to).await.ok()?;
                loop {
                    // Nobody listens any longer where this fails; what was written before is to be answered.
                    stream.write_all(request(GOOD).as_bytes()).await.ok()?;
                    let mut bytes = vec![0; 64 << 10];
                    let read = stream.read(&mut bytes).await.unwrap_or(0);
                    if read == 0 {
                        return Some("lost");
                    }
                    let mut text = String::from_utf8_lossy(&bytes[..read]).to_ascii_lowercase();
                    while !text.ends_with('}') && !text.ends_with("}\n") {
                        let read = stream.read(&mut bytes).await.unwrap_or(0);
                        if read == 0 {
                            return Some("cut");
                        }
                        text += &String::from_utf8_lossy(&bytes[..read]);
                    }
                    if text.contains("\r\nconnection: close\r\n") {
                        return Some("told");
                    }
                }
            })
        })
        .collect();
    sleep(Duration::from_secs(2)).await;
    server.signal("TERM")?;
    let ended = server.end(Duration::from_secs(12)).await;
    let mut said = Vec::new();
    for client in clients {
        said.push(client.await?);
    }
    let lost = said.iter().filter(|one| matches!(one, Some("lost" | "cut"))).count();
    let told = said.iter().filter(|one| **one == Some("told")).count();
    let exit = ended.map(|(status, took)| (status.code() == Some(0), took.as_secs_f64()));
    let result = format!("{lost} of 64 lost a request, {told} were told; ended well and after {exit:?} s");
    let holds = lost == 0 && exit.is_some_and(|(is_well, took)| is_well && took <= 10.0);
    Ok(Row::new("SIGTERM at saturation", "0 lost, within 10 s", result, holds))
}

async fn stop_with_half_heads(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = Vec::new();
    for _ in 0..100 {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        stream.write_all(b"GET /v1/topics HTTP/1.1\r\nHost:").await?;
        half.push(stream);
    }
    server.signal("TERM")?;
    let ended = server.end(Duration::from_secs(15)).await.map(|(_, took)| took.as_secs_f64());
    let holds = ended.is_some_and(|took| took <= 10.0);
    Ok(Row::new("SIGTERM with 100 half heads", "within 10 s", format!("{ended:.1?} s"), holds))
}

async fn second_signal(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    half.write_all(b"GET /").await?;
    server.signal("INT")?;
    sleep(Duration::from_millis(200)).await;
    server.signal("INT")?;
    let ended = server.end(Duration::from_secs(5)).await.map(|(_, took)| took.as_secs_f64());
    Ok(Row::new("a second SIGINT", "at once", format!("{ended:.2?} s"), ended.is_some_and(|took| took < 1.0)))
}

async fn signals(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let mut server = Server::start(setting, &[]).await?;
    for name in ["HUP", "USR1", "USR2", "PIPE"] {
        server.signal(name)?;
        sleep(Duration::from_millis(100)).await;
    }
    let lives = server.lives() && once(server.address, GOOD).await?.status == 200;
    Ok(Row::new("SIGHUP, USR1, USR2, PIPE", "lives", format!("lives: {lives}"), lives))
}

type Harm = fn(&Path) -> std::io::Result<()>;

const HARMS: &[(&str, Harm)] = &[
    ("cp over the served file", |path| fs::copy(SNAPSHOT, path).map(drop)),
    ("the served file truncated", |path| OpenOptions::new().write(true).open(path)?.set_len(1_000)),
    ("random bytes into the served file", |path| {
        let mut file = OpenOptions::new().write(true).open(path)?;
        let mut state = 1_u64;
        let noise = (0..50 << 20).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        });
        file.write_all(&noise.collect::<Vec<u8>>())
    }),
    ("the served file removed", |path| fs::remove_file(path)),
];

async fn over_the_file(setting: &Setting, what: &'static str, harm: Harm) -> Result<Row, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("live.platbook");
    fs::copy(SNAPSHOT, &path)?;
    let text = path.to_str().ok_or("a path in UTF-8")?;
    let mut server = Server::start(setting, &["--limits", "off", "--snapshot", text]).await?;
    harm(&path)?;
    let mut right = 0;
    for number in 0..200 {
        let target = format!("/v1/jurisdictions/resolve?lat=44.97{number:02}&lon=-93.2655");
        right += usize::from(once(server.address, &target).await.is_ok_and(|answer| answer.status == 200));
        sleep(Duration::from_millis(20)).await;
    }
    let result = format!("{right} of 200 answers, lives: {}", server.lives());
    Ok(Row::new(what, "200 of 200", result, right == 200 && server.lives()))
}

/// Nothing hangs where a file is none.
async fn pipes_and_devices(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let pipe = folder.path().join("pipe");
    Command::new("mkfifo").arg(&pipe).status()?;
    let pipe = pipe.to_str().ok_or("a path in UTF-8")?;
    let mut refused = 0;
    let tries = [
        ["serve", "--keys", pipe],
        ["serve", "--snapshot", pipe],
        ["serve", "--keys", "/dev/zero"],
        ["serve", "--snapshot", "/dev/zero"],
        ["inspect", "--snapshot", "/dev/zero"],
    ];
    for args in tries {
        let mut command = Command::new(&setting.binary);
        let mut child = command.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let ended = ended_within(&mut child, Duration::from_secs(5)).await;
        let _ = child.kill();
        refused += usize::from(ended.and_then(|(status, _)| status.code()).is_some_and(|code| code > 0));
    }
    let result = format!("{refused} of {} refused at once", tries.len());
    Ok(Row::new("pipes and devices for files", "all refused", result, refused == tries.len()))
}

async fn half_closed(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let mut answered = 0;
    for _ in 0..100 {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        stream.write_all(request(GOOD).as_bytes()).await?;
        stream.shutdown().await?;
        answered += usize::from(receive(&mut stream).await.is_ok_and(|answer| answer.status == 200));
    }
    Ok(Row::new("a request followed by its end", "100 of 100", format!("{answered} of 100"), answered == 100))
}

async fn doubtful_requests(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let server = Server::start(setting, &[]).await?;
    let mut refused = 0;
    for lines in [
        "Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "Host: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "Host: a b\r\n\r\n",
    ] {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        let answer = ask(&mut stream, &format!("GET /v1/topics HTTP/1.1\r\n{lines}")).await?;
        let is_closed = stream.read(&mut [0; 16]).await.unwrap_or(0) == 0;
        refused += usize::from(answer.status == 400 && is_closed);
    }
    Ok(Row::new("two lengths, invalid Host", "400 and close", format!("{refused} of 3"), refused == 3))
}

async fn wrong_keys(setting: &Setting) -> Result<Row, Box<dyn Error>> {
    let server = Server::start(setting, &[]).await?;
    let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    let mut statuses = Vec::new();
    for _ in 0..100 {
        let asked = "GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer pbk_none\r\n\r\n";
        statuses.push(ask(&mut stream, asked).await?.status);
    }
    let tried = statuses.iter().filter(|status| **status == 401).count();
    let result = format!("{tried} of 100 tried, then 429");
    Ok(Row::new(
        "wrong keys without end",
        "30 a minute",
        result,
        tried == 30 && statuses[30..].iter().all(|status| *status == 429),
    ))
}
