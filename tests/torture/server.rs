use std::{
    error::Error,
    fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use tokio::{
    sync::mpsc::{UnboundedReceiver, unbounded_channel},
    time::{sleep, timeout},
};

use crate::{
    client::{PATIENCE, get, once},
    machine,
    row::Setting,
};

/// The default snapshot, wherever this program is run.
pub fn snapshot() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../snapshots/default.platbook")
}

/// The binary, which serves on one thread; dropping this value ends it.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
    /// The address of the server's figures, if they are switched on.
    pub figures: Option<SocketAddr>,
    /// Lines that the server has logged since the start.
    pub said: UnboundedReceiver<String>,
}

impl Server {
    /// Starts a server without lookups, and waits until it is ready.
    pub async fn start(setting: &Setting, args: &[&str]) -> Result<Server, Box<dyn Error>> {
        Server::start_online(setting, &[&["--offline"], args].concat()).await
    }

    /// Starts a server with lookups, and waits until it is ready.
    pub async fn start_online(setting: &Setting, args: &[&str]) -> Result<Server, Box<dyn Error>> {
        let server = Server::listening(setting, args).await?;
        for _ in 0..500 {
            if once(server.address, &get("/readyz")).await.is_ok_and(|answer| answer.status == 200) {
                return Ok(server);
            }
            sleep(Duration::from_millis(20)).await;
        }
        Err("the service is not ready within 10 s".into())
    }

    /// Starts a server and waits until it listens, ready or not.
    ///
    /// # Errors
    /// If it does not listen within [`PATIENCE`]; it is ended then.
    pub async fn listening(setting: &Setting, args: &[&str]) -> Result<Server, Box<dyn Error>> {
        let mut child = Command::new(&setting.binary)
            .args(["serve", "--threads", "1", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let (teller, said) = unbounded_channel();
        let lines = BufReader::new(child.stderr.take().ok_or("no stderr")?).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| teller.send(line)));
        let nowhere = SocketAddr::from(([0, 0, 0, 0], 0));
        let mut server = Server { child, address: nowhere, figures: None, said };
        server.address = server.said_address("listening on ").await?;
        if args.contains(&"--metrics-listen") {
            server.figures = Some(server.said_address("figures at ").await?);
        }
        Ok(server)
    }

    async fn said_address(&mut self, before: &str) -> Result<SocketAddr, Box<dyn Error>> {
        let mut heard = Vec::new();
        let found = timeout(PATIENCE, async {
            while let Some(line) = self.said.recv().await {
                if let Some((_, rest)) = line.split_once(before) {
                    let address = rest.trim_start_matches("http://").split('/').next();
                    return address.and_then(|address| address.trim().parse().ok());
                }
                heard.push(line);
            }
            None
        });
        let found = found.await;
        match found {
            Ok(Some(address)) => Ok(address),
            Ok(None) => Err(format!("the service ended: {}", heard.join(" / ")).into()),
            Err(_) => {
                let waited_s = PATIENCE.as_secs();
                Err(format!("no {before:?} within {waited_s} s: {}", heard.join(" / ")).into())
            }
        }
    }

    pub fn signal(&self, name: &str) -> Result<(), Box<dyn Error>> {
        // Uses the shell, because small systems have no `kill` program.
        let script = format!("kill -{name} \"$0\"");
        Command::new("sh").args(["-c", &script, &self.child.id().to_string()]).status()?;
        Ok(())
    }

    pub async fn end(&mut self, patience: Duration) -> Option<(ExitStatus, Duration)> {
        ended_within(&mut self.child, patience).await
    }

    pub fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Processor time of the process so far, in seconds.
    pub fn processor_s(&self) -> f64 {
        machine::processor_s(&self.child.id().to_string())
    }

    /// Time for which the server waited for a processor, in seconds.
    pub fn starved_s(&self) -> f64 {
        machine::starved_s(self.child.id())
    }

    /// Memory that no file backs, in MiB.
    pub fn own_mib(&self) -> f64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kib.unwrap_or_default() / 1024.0
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits for the end of a process for at most `patience`; `None` if it still runs.
pub async fn ended_within(child: &mut Child, patience: Duration) -> Option<(ExitStatus, Duration)> {
    let begin = Instant::now();
    while begin.elapsed() < patience {
        if let Ok(Some(status)) = child.try_wait() {
            return Some((status, begin.elapsed()));
        }
        sleep(Duration::from_millis(5)).await;
    }
    None
}
