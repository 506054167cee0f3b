use std::{
    error::Error,
    fs,
    io::{BufRead as _, BufReader},
    net::SocketAddr,
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use tokio::time::sleep;

use crate::{Setting, client};

/// The binary, serving; ended when it goes.
pub struct Server {
    child: Child,
    pub address: SocketAddr,
}

impl Server {
    /// One that answers its first requests as fast as its later ones.
    pub async fn start(setting: &Setting, args: &[&str]) -> Result<Server, Box<dyn Error>> {
        let mut child = Command::new(&setting.binary)
            .args(["serve", "--offline", "--threads", "1", "--listen", "127.0.0.1:0"])
            .args(args)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stderr = BufReader::new(child.stderr.take().ok_or("no stderr")?);
        let mut line = String::new();
        stderr.read_line(&mut line)?;
        let address = line.trim().rsplit_once("http://").ok_or_else(|| line.clone())?.1.parse()?;
        // What it says is taken, so that it never waits to say it.
        std::thread::spawn(move || stderr.lines().for_each(drop));
        let server = Server { child, address };
        for _ in 0..500 {
            if client::once(address, "/readyz").await.is_ok_and(|answer| answer.status == 200) {
                return Ok(server);
            }
            sleep(Duration::from_millis(20)).await;
        }
        Err("the service is not ready within 10 s".into())
    }

    pub fn signal(&self, name: &str) -> Result<(), Box<dyn Error>> {
        // By the shell: small systems have no program for it.
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

    /// Seconds of processor time that it has taken, in hundredths.
    pub fn processor_s(&self) -> f64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let ticks = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
        ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
    }

    /// Memory that belongs to no file, in MiB.
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

/// Memory that the kernel holds for connections of the whole machine, in MiB.
pub fn kernel_mib() -> f64 {
    let text = fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with("TCP:")).unwrap_or_default();
    let pages = line.rsplit(' ').next().and_then(|pages| pages.parse::<f64>().ok());
    pages.unwrap_or_default() * 4096.0 / f64::from(1 << 20)
}

/// Waits for the end of a process, no longer than so.
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
