//! Memory, threads and files of this process, read from Linux's `/proc`. Other systems do not have these metrics.

use std::fs;

/// Number of ticks per second of processor time: `USER_HZ`, which is 100 on all current Linux systems.
const TICKS_PER_S: f64 = 100.0;

/// Metrics of this process.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Process {
    /// Memory in bytes, including mapped files.
    pub(super) resident_bytes: u64,
    /// Memory in bytes that belongs to no file.
    pub(super) own_bytes: u64,
    /// Number of threads of the process.
    pub(super) threads: u64,
    /// Processor time since the start in seconds, user and system.
    pub(super) cpu_s: f64,
    /// Number of open files and sockets.
    pub(super) open_files: u64,
}

impl Process {
    /// Reads the current values; `None` on systems without `/proc`.
    pub(super) fn now() -> Option<Process> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let open_files = fs::read_dir("/proc/self/fd").ok()?.count() as u64;
        Some(Process { open_files, ..read(&status, &stat)? })
    }
}

fn read(status: &str, stat: &str) -> Option<Process> {
    let line = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let figure = |name: &str| line(name)?.split_whitespace().next()?.parse::<u64>().ok();
    // The second field is a name in parentheses, which may contain spaces.
    let after_name = stat.rsplit_once(") ")?.1;
    let mut ticks = after_name.split(' ').skip(11).map(|field| field.parse::<f64>().ok());
    let (user, system) = (ticks.next()??, ticks.next()??);
    Some(Process {
        resident_bytes: figure("VmRSS")? << 10,
        own_bytes: figure("RssAnon")? << 10,
        threads: figure("Threads")?,
        cpu_s: (user + system) / TICKS_PER_S,
        open_files: 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_as_linux_writes_them() {
        let status = "Name:\tplatbook\nVmRSS:\t   92340 kB\nRssAnon:\t    4096 kB\nThreads:\t3\n";
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 2500 0 0 0 250 50 0 0 20 0 3 0 100 1 2";
        let read_as = Process {
            resident_bytes: 92_340 << 10,
            own_bytes: 4_096 << 10,
            threads: 3,
            cpu_s: 3.0,
            open_files: 0,
        };
        assert_eq!(read(status, stat), Some(read_as));
        for (status, stat) in [("", stat), (status, ""), (status, "7 (a) S 1 7"), ("VmRSS: x kB", stat)] {
            assert_eq!(read(status, stat), None, "{status:?} {stat:?}");
        }
    }
}
