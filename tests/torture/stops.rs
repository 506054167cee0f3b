use std::{process::ExitStatus, time::Duration};

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

/// Half of them keep their connection until the service ends it; the others open one for each request.
const CLIENTS: u32 = 256;

/// A connection that was made is answered: also one that the kernel took while the service was about to stop.
async fn stops_at_work(setting: &Setting) -> Outcome {
    let (mut lost, mut answered, mut slowest, mut well) = (0, 0, Duration::ZERO, 0);
    for stop in 0..STOPS {
        let mut server = Server::start(setting, &["--limits", "off"]).await?;
        let to = server.address;
        let client = |number: u32| async move {
            let (mut lost, mut answered) = (0, 0);
            let mut asked = (stop * CLIENTS + number) as usize;
            // Nobody listens any longer where this fails.
            while let Ok(mut stream) = connect_from(other(number), to).await {
                loop {
                    asked += CLIENTS as usize;
                    match ask(&mut stream, &heavy(asked)).await {
                        Ok(answer) => {
                            answered += 1;
                            if answer.closes || number.is_multiple_of(2) {
                                break;
                            }
                        }
                        Err(_) => {
                            lost += 1;
                            break;
                        }
                    }
                }
            }
            (lost, answered)
        };
        let clients: Vec<_> = (0..CLIENTS).map(|number| tokio::spawn(client(number))).collect();
        sleep(Duration::from_millis(700)).await;
        server.signal("TERM")?;
        if let Some((status, took)) = server.end(Duration::from_secs(12)).await {
            well += u32::from(status.code() == Some(0));
            slowest = slowest.max(took);
        }
        drop(server);
        for client in clients {
            let (of_client, answers) = client.await?;
            (lost, answered) = (lost + of_client, answered + answers);
        }
    }
    let slowest_s = slowest.as_secs_f64();
    let result = format!(
        "{lost} of {} requests lost; {well} of {STOPS} ended with 0, the slowest after {slowest_s:.2} s",
        lost + answered
    );
    Ok(Tried::new(result, lost == 0 && well == STOPS && slowest_s <= 10.0))
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
