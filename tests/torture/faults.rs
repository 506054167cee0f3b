use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    net::Ipv4Addr,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::sleep,
};

use crate::{
    Row, Setting, Trial, Tried,
    client::{ask, connect_from, once, other, receive, request},
    server::{Server, ended_within},
};

const GOOD: &str = "/v1/jurisdictions/resolve?lat=44.9773&lon=-93.2655";
const SNAPSHOT: &str = "snapshots/default.platbook";

pub const TRIALS: &[Trial] = &[
    ("SIGTERM at saturation", |setting| Box::pin(stop_at_work(setting))),
    ("SIGTERM with 100 half heads", |setting| Box::pin(stop_with_half_heads(setting))),
    ("a second SIGINT", |setting| Box::pin(second_signal(setting))),
    ("SIGHUP, USR1, USR2, PIPE", |setting| Box::pin(signals(setting))),
    ("cp over the served file", |setting| {
        Box::pin(over_the_file(setting, |path| fs::copy(SNAPSHOT, path).map(drop)))
    }),
    ("the served file truncated", |setting| {
        Box::pin(over_the_file(setting, |path| OpenOptions::new().write(true).open(path)?.set_len(1_000)))
    }),
    ("random bytes into the served file", |setting| Box::pin(over_the_file(setting, make_noise))),
    ("the served file removed", |setting| Box::pin(over_the_file(setting, |path| fs::remove_file(path)))),
    ("pipes and devices for files", |setting| Box::pin(pipes_and_devices(setting))),
    ("a request followed by its end", |setting| Box::pin(half_closed(setting))),
    ("two lengths, invalid Host", |setting| Box::pin(doubtful_requests(setting))),
    ("wrong keys without end", |setting| Box::pin(wrong_keys(setting))),
];

/// Clients that ask one request after the other when the service is told to stop: each request that was sent is answered.
async fn stop_at_work(setting: &Setting) -> Tried {
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
    let result = format!("{lost} of 64 lost a request, {told} were told; {}", said_of_end(ended));
    let holds = lost == 0 && exit.is_some_and(|(is_well, took)| is_well && took <= 10.0);
    Ok(Row::new("0 lost, within 10 s", result, holds))
}

async fn stop_with_half_heads(setting: &Setting) -> Tried {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = Vec::new();
    for _ in 0..100 {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        stream.write_all(b"GET /v1/topics HTTP/1.1\r\nHost:").await?;
        half.push(stream);
    }
    server.signal("TERM")?;
    let ended = server.end(Duration::from_secs(15)).await;
    let holds = ended.is_some_and(|(_, took)| took <= Duration::from_secs(10));
    Ok(Row::new("within 10 s", said_of_end(ended), holds))
}

async fn second_signal(setting: &Setting) -> Tried {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    half.write_all(b"GET /").await?;
    server.signal("INT")?;
    sleep(Duration::from_millis(200)).await;
    server.signal("INT")?;
    let ended = server.end(Duration::from_secs(5)).await;
    let holds = ended.is_some_and(|(_, took)| took < Duration::from_secs(1));
    Ok(Row::new("at once", said_of_end(ended), holds))
}

fn said_of_end(ended: Option<(ExitStatus, Duration)>) -> String {
    ended.map_or("did not end".to_owned(), |(status, took)| {
        let code = status.code().map_or("by a signal".to_owned(), |code| format!("with {code}"));
        format!("ended {code} after {:.2} s", took.as_secs_f64())
    })
}

async fn signals(setting: &Setting) -> Tried {
    let mut server = Server::start(setting, &[]).await?;
    for name in ["HUP", "USR1", "USR2", "PIPE"] {
        server.signal(name)?;
        sleep(Duration::from_millis(100)).await;
    }
    let lives = server.lives() && once(server.address, GOOD).await?.status == 200;
    Ok(Row::new("lives", format!("lives: {lives}"), lives))
}

fn make_noise(path: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let mut state = 1_u64;
    let noise = (0..50 << 20).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 56) as u8
    });
    file.write_all(&noise.collect::<Vec<u8>>())
}

async fn over_the_file(setting: &Setting, harm: fn(&Path) -> io::Result<()>) -> Tried {
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
    Ok(Row::new("200 of 200", result, right == 200 && server.lives()))
}

/// Nothing hangs where a file is none.
async fn pipes_and_devices(setting: &Setting) -> Tried {
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
    Ok(Row::new("all refused", result, refused == tries.len()))
}

async fn half_closed(setting: &Setting) -> Tried {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let mut answered = 0;
    for _ in 0..100 {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        stream.write_all(request(GOOD).as_bytes()).await?;
        stream.shutdown().await?;
        answered += usize::from(receive(&mut stream).await.is_ok_and(|answer| answer.status == 200));
    }
    Ok(Row::new("100 of 100", format!("{answered} of 100"), answered == 100))
}

async fn doubtful_requests(setting: &Setting) -> Tried {
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
    Ok(Row::new("400 and close", format!("{refused} of 3"), refused == 3))
}

async fn wrong_keys(setting: &Setting) -> Tried {
    let server = Server::start(setting, &[]).await?;
    let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    let mut statuses = Vec::new();
    for _ in 0..100 {
        let asked = "GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer pbk_none\r\n\r\n";
        statuses.push(ask(&mut stream, asked).await?.status);
    }
    let tried = statuses.iter().filter(|status| **status == 401).count();
    let result = format!("{tried} of 100 tried, then 429");
    Ok(Row::new("30 a minute", result, tried == 30 && statuses[30..].iter().all(|status| *status == 429)))
}
