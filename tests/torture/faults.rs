use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    net::Ipv4Addr,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{sleep, timeout},
};

use crate::{
    client::{GOOD, ask, connect_from, get, once, receive},
    row,
    row::{Outcome, Row, Setting, Tried},
    server::{Server, ended_within, snapshot},
    sieges::outline,
};

pub fn rows() -> Vec<Row> {
    let harm = |name, harm: fn(&Path) -> io::Result<()>| row!(name, "200 of 200", over_the_file, harm);
    let doubtful =
        |name, requests: &'static [&'static str]| row!(name, "400 and close", refused_requests, requests);
    vec![
        harm("cp over the served file", |path| fs::copy(snapshot(), path).map(drop)),
        harm("the served file truncated", |path| OpenOptions::new().write(true).open(path)?.set_len(1_000)),
        harm("random bytes into the served file", make_noise),
        harm("the served file removed", |path| fs::remove_file(path)),
        row!("pipes and devices for files", "all refused within 5 s and 1 GB", pipes_and_devices),
        row!("a request followed by its end", "100 of 100", half_closed),
        doubtful(
            "two lengths, invalid Host",
            &[
                "GET /v1/topics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET /v1/topics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
                "GET /v1/topics HTTP/1.1\r\nHost: a b\r\n\r\n",
            ],
        ),
        doubtful("lines that end in LF alone", &["GET /v1/topics HTTP/1.1\nHost: x\n\n"]),
        row!("wrong keys", "401 each time, none counts", wrong_keys),
        row!("the dearest outline five times, one client alone", "200 each time", twice_alone),
    ]
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

async fn over_the_file(setting: &Setting, harm: fn(&Path) -> io::Result<()>) -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("live.platbook");
    fs::copy(snapshot(), &path)?;
    let text = path.to_str().ok_or("a path in UTF-8")?;
    let mut server = Server::start(setting, &["--limits", "off", "--snapshot", text]).await?;
    harm(&path)?;
    let mut right = 0;
    for number in 0..200 {
        let target = format!("/v1/jurisdictions/resolve?lat=44.97{number:02}&lon=-93.2655");
        right +=
            usize::from(once(server.address, &get(&target)).await.is_ok_and(|answer| answer.status == 200));
        sleep(Duration::from_millis(20)).await;
    }
    let result = format!("{right} of 200 answers, lives: {}", server.lives());
    Ok(Tried::new(result, right == 200 && server.lives()))
}

/// A pipe or a device as a file neither hangs a command nor fills the memory.
async fn pipes_and_devices(setting: &Setting) -> Outcome {
    let folder = tempfile::tempdir()?;
    let pipe = folder.path().join("pipe");
    Command::new("mkfifo").arg(&pipe).status()?;
    let pipe = pipe.to_str().ok_or("a path in UTF-8")?;
    let options = ["--keys", "--snapshot", "--config", "--layer"];
    let files = [pipe, "/dev/zero"];
    let serving = options.into_iter().flat_map(|option| files.map(|file| ["serve", option, file]));
    let (mut tried, mut taken) = (0, Vec::new());
    for args in serving.chain([["inspect", "--", "/dev/zero"]]) {
        // Without a limit, a command that reads a device to its end takes all memory of the machine.
        let mut command = Command::new("sh");
        command.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", &setting.binary]).args(args);
        command.env("PLATBOOK_LISTEN", "127.0.0.1:0");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let ended = ended_within(&mut child, Duration::from_secs(5)).await;
        let _ = child.kill();
        let said = String::from_utf8(child.wait_with_output()?.stderr)?;
        let is_refused = ended.and_then(|(status, _)| status.code()).is_some_and(|code| code > 0);
        tried += 1;
        if !is_refused || said.contains("memory") {
            taken.push(args[1..].join(" ").replace(pipe, "a pipe"));
        }
    }
    let result = format!(
        "{} of {tried} refused{}",
        tried - taken.len(),
        taken.iter().map(|file| format!("; not {file}")).collect::<String>()
    );
    Ok(Tried::new(result, taken.is_empty()))
}

async fn half_closed(setting: &Setting) -> Outcome {
    let server = Server::start(setting, &["--limits", "off"]).await?;
    let mut answered = 0;
    for _ in 0..100 {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        stream.write_all(&get(GOOD)).await?;
        stream.shutdown().await?;
        answered += usize::from(receive(&mut stream).await.is_ok_and(|answer| answer.status == 200));
    }
    Ok(Tried::new(format!("{answered} of 100"), answered == 100))
}

async fn refused_requests(setting: &Setting, requests: &[&str]) -> Outcome {
    let server = Server::start(setting, &[]).await?;
    let mut refused = 0;
    for request in requests {
        let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
        let answer = ask(&mut stream, request.as_bytes()).await?;
        let mut rest = [0; 16];
        let read = timeout(Duration::from_secs(2), stream.read(&mut rest)).await;
        let is_closed = read.is_ok_and(|read| read.unwrap_or(0) == 0);
        refused += usize::from(answer.status == 400 && is_closed);
    }
    Ok(Tried::new(format!("{refused} of {}", requests.len()), refused == requests.len()))
}

async fn wrong_keys(setting: &Setting) -> Outcome {
    let server = Server::start(setting, &[]).await?;
    let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    let mut statuses = Vec::new();
    for _ in 0..100 {
        statuses.push(ask(&mut stream, &wrong_key()).await?.status);
    }
    let refused = statuses.iter().filter(|status| **status == 401).count();
    let after = ask(&mut stream, &get("/v1/topics")).await?.status;
    let result = format!("{refused} of 100, then {after} without a key");
    Ok(Tried::new(result, refused == 100 && after == 200))
}

pub fn wrong_key() -> Vec<u8> {
    b"GET /v1/topics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer pbk_none\r\n\r\n".into()
}

/// A slow answer by itself is not an overload: no other client sends anything.
async fn twice_alone(setting: &Setting) -> Outcome {
    let server = Server::start(setting, &[]).await?;
    let mut stream = connect_from(Ipv4Addr::LOCALHOST, server.address).await?;
    let mut statuses = Vec::new();
    for _ in 0..5 {
        statuses.push(ask(&mut stream, &outline()).await?.status);
    }
    Ok(Tried::new(format!("{statuses:?}"), statuses.iter().all(|status| *status == 200)))
}
