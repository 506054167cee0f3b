//! A loopback server that misbehaves on purpose.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
    time::Duration,
};

/// How the server answers one request.
#[derive(Clone)]
pub(super) enum Act {
    /// Head with these extra lines, then this body; the connection is closed after it.
    Send { status: u16, head: String, body: Vec<u8> },
    /// Sends nothing until the client leaves.
    Stall,
}

pub(super) struct Server {
    pub(super) base: String,
    requests: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Answers each request by the next of the acts, and every request after these by the last act.
    pub(super) fn start(acts: Vec<Act>) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}/geo/tiger", listener.local_addr().unwrap());
        let (requests, stop) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let (log, stopped) = (Arc::clone(&requests), Arc::clone(&stop));
        let thread = std::thread::spawn(move || {
            for (at, stream) in listener.incoming().enumerate() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let act = acts[at.min(acts.len() - 1)].clone();
                serve(stream.unwrap(), act, &log);
            }
        });
        Server { base, requests, stop, thread: Some(thread) }
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        let address = self.base.trim_start_matches("http://").split('/').next().unwrap().to_owned();
        drop(TcpStream::connect(address));
        self.thread.take().unwrap().join().unwrap();
    }
}

fn serve(mut stream: TcpStream, act: Act, log: &Mutex<Vec<String>>) {
    // Ends the test in time even if the client never leaves.
    stream.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line).is_ok_and(|length| length > 2) {
        head.push_str(&line);
        line.clear();
    }
    log.lock().unwrap().push(head);
    match act {
        Act::Send { status, head, body } => {
            let head = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\n{head}\r\n");
            drop(stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body)));
        }
        Act::Stall => drop(reader.read_line(&mut line)),
    }
}
