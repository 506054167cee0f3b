use std::{
    net::SocketAddr,
    process::ExitStatus,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{io::AsyncWriteExt as _, time::sleep};

use crate::{
    client::{GOOD, ask, connect_from, get, once, other},
    overload::heavy,
    row,
    row::{Outcome, Row, Setting, Tried},
    server::Server,
};

pub fn rows() -> Vec<Row> {
    vec![
        row!("20 x SIGTERM at saturation, clients reconnect", "0 lost, each within 10 s", stops_at_work),
        row!("SIGTERM with 100 half heads", "within 10 s", stop_with_half_heads),
        row!("a second SIGINT", "within 1 s", second_signal),
        row!("SIGHUP, USR1, USR2, PIPE", "lives", signals),
    ]
}

const STOPS: u32 = 20;

/// Number of clients. Half of them keep their connection until the service ends it; the others open one for each request.
const CLIENTS: u32 = 256;

/// The fates of requests around a stop.
#[derive(Clone, Copy, Default)]
struct Fates {
    answered: usize,
    lost_before: usize,
    lost_new: usize,
    lost_kept: usize,
}

/// An accepted connection gets its answer, even if the kernel accepted it just before the stop.
async fn stops_at_work(setting: &Setting) -> Outcome {
    let (mut fates, mut slowest, mut well) = (Fates::default(), Duration::ZERO, 0);
    for stop in 0..STOPS {
        let mut server = Server::start(setting, &["--limits", "off"]).await?;
        let is_stopping = Arc::new(AtomicBool::new(false));
        let clients: Vec<_> = (0..CLIENTS)
            .map(|number| {
                let asked = stop * CLIENTS + number;
                tokio::spawn(reconnecting(server.address, number, asked as usize, Arc::clone(&is_stopping)))
            })
            .collect();
        sleep(Duration::from_millis(700)).await;
        is_stopping.store(true, Ordering::Relaxed);
        server.signal("TERM")?;
        if let Some((status, took)) = server.end(Duration::from_secs(12)).await {
            well += u32::from(status.code() == Some(0));
            slowest = slowest.max(took);
        }
        drop(server);
        for client in clients {
            let of_client = client.await?;
            fates.answered += of_client.answered;
            fates.lost_before += of_client.lost_before;
            fates.lost_new += of_client.lost_new;
            fates.lost_kept += of_client.lost_kept;
        }
    }
    let (Fates { answered, lost_before, lost_new, lost_kept }, slowest_s) = (fates, slowest.as_secs_f64());
    let result = format!(
        "lost: {lost_new} on new connections, {lost_kept} on kept ones, {lost_before} before the signal; {answered} answered; \
         {well} of {STOPS} ended with 0, the slowest after {slowest_s:.2} s"
    );
    let lost = lost_before + lost_new + lost_kept;
    Ok(Tried::new(result, lost == 0 && well == STOPS && slowest_s <= 10.0))
}

/// Sends requests until nobody listens any longer. The numbers of the requests begin after `asked`.
async fn reconnecting(to: SocketAddr, number: u32, mut asked: usize, is_stopping: Arc<AtomicBool>) -> Fates {
    let (mut fates, is_kept) = (Fates::default(), !number.is_multiple_of(2));
    while let Ok(mut stream) = connect_from(other(number), to).await {
        let mut is_new = true;
        loop {
            asked += (STOPS * CLIENTS) as usize;
            let answer = ask(&mut stream, &heavy(asked)).await;
            match &answer {
                Ok(_) => fates.answered += 1,
                Err(_) if !is_stopping.load(Ordering::Relaxed) => fates.lost_before += 1,
                Err(_) if is_new => fates.lost_new += 1,
                Err(_) => fates.lost_kept += 1,
            }
            is_new = false;
            if !is_kept || answer.map_or(true, |answer| answer.closes) {
                break;
            }
        }
    }
    fates
}

async fn stop_with_half_heads(setting: &Setting) -> Outcome {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = Vec::new();
    for number in 0..100 {
        let mut stream = connect_from(other(number % 4), server.address).await?;
        stream.write_all(b"GET /v1/topics HTTP/1.1\r\nHost:").await?;
        half.push(stream);
    }
    server.signal("TERM")?;
    let ended = server.end(Duration::from_secs(15)).await;
    let holds = ended.is_some_and(|(_, took)| took <= Duration::from_secs(10));
    Ok(Tried::new(text_of_end(ended), holds))
}

async fn second_signal(setting: &Setting) -> Outcome {
    let mut server = Server::start(setting, &[]).await?;
    let mut half = connect_from(other(0), server.address).await?;
    half.write_all(b"GET /").await?;
    server.signal("INT")?;
    sleep(Duration::from_millis(200)).await;
    server.signal("INT")?;
    let ended = server.end(Duration::from_secs(5)).await;
    let holds = ended.is_some_and(|(_, took)| took < Duration::from_secs(1));
    Ok(Tried { again: true, ..Tried::new(text_of_end(ended), holds) })
}

fn text_of_end(ended: Option<(ExitStatus, Duration)>) -> String {
    ended.map_or("did not end".to_owned(), |(status, took)| {
        let code = status.code().map_or("by a signal".to_owned(), |code| format!("with {code}"));
        format!("ended {code} after {:.2} s", took.as_secs_f64())
    })
}

async fn signals(setting: &Setting) -> Outcome {
    let mut server = Server::start(setting, &[]).await?;
    for name in ["HUP", "USR1", "USR2", "PIPE"] {
        server.signal(name)?;
        sleep(Duration::from_millis(100)).await;
    }
    let lives = server.lives() && once(server.address, &get(GOOD)).await?.status == 200;
    Ok(Tried::new(format!("lives: {lives}"), lives))
}
