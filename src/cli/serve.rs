//! `platbook serve`

use std::{
    net::SocketAddr, num::NonZero, path::PathBuf, process::ExitCode, sync::Arc, thread::available_parallelism,
};

use anyhow::{Context as _, Result};
use serde::Deserialize;
use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
    task::spawn_blocking,
};

use super::{
    fresh::{self, ServedFile},
    listen::{ListenAddress, reachable},
    open_directory,
    outside::OutsideArgs,
    settings, site, warn_of_unknown_variables,
};
use crate::{
    edition::Edition,
    http::{
        self, Capacity, Drained, Service,
        limits::{Gate, Limiter, Network, Proxies},
    },
    keys::{KeyRing, KeysFile},
    mcp::McpDoor,
    pages::Pages,
};

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    settings: Settings,
    /// Configuration file (TOML) with any of these options
    #[arg(long, value_name = "FILE", env = "PLATBOOK_CONFIG")]
    config: Option<PathBuf>,
}

/// What may be set by option, environment or file.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Settings {
    /// Address and port to listen on, such as localhost:8080; :8080 is all addresses of this machine, 8080 this machine
    /// alone, port 0 a free one [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT", env = "PLATBOOK_LISTEN")]
    listen: Option<ListenAddress>,
    /// Snapshot to answer from [default: the one built in]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_SNAPSHOT")]
    snapshot: Option<PathBuf>,
    /// Public address of this service, which answers link to [default: http:// and the listening address]
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url)]
    #[serde(default, deserialize_with = "site::deserialize")]
    site_url: Option<String>,
    /// Worker threads [default: one per processor]
    #[arg(long, value_name = "N", env = "PLATBOOK_THREADS")]
    threads: Option<NonZero<usize>>,
    /// Whether callers have limits; `off` is for private use and measurements [default: on]
    #[arg(long, value_name = "on|off", env = "PLATBOOK_LIMITS")]
    limits: Option<Switch>,
    /// File of API keys, made by `platbook keys`; changes are seen within a second [default: there are no keys]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_KEYS")]
    keys: Option<PathBuf>,
    /// Proxies whose X-Forwarded-For or Forwarded is believed: addresses or ranges such as 10.0.0.0/8, as several
    /// options or with commas between [default: none]
    #[arg(long, value_name = "CIDR", env = "PLATBOOK_TRUSTED_PROXY", value_delimiter = ',', num_args = 1..)]
    trusted_proxy: Option<Vec<Network>>,
    #[command(flatten)]
    #[serde(flatten)]
    outside: OutsideArgs,
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Switch {
    On,
    Off,
}

impl Settings {
    fn or(self, other: Settings) -> Settings {
        Settings {
            listen: self.listen.or(other.listen),
            snapshot: self.snapshot.or(other.snapshot),
            site_url: self.site_url.or(other.site_url),
            threads: self.threads.or(other.threads),
            limits: self.limits.or(other.limits),
            keys: self.keys.or(other.keys),
            trusted_proxy: self.trusted_proxy.or(other.trusted_proxy),
            outside: self.outside.or(other.outside),
        }
    }
}

pub(super) fn serve(args: ServeArgs) -> Result<ExitCode> {
    warn_of_unknown_variables();
    let settings = args.settings.or(settings::from_file(args.config.as_deref())?);
    let gate = gate(&settings)?;
    let open = || match settings.snapshot.as_deref().map(ServedFile::open).transpose()? {
        Some((file, directory)) => anyhow::Ok((Some(file), directory)),
        None => Ok((None, open_directory(None)?)),
    };
    let (file, directory) = open()?;
    let desk = settings.outside.desk(open()?.1)?;
    let threads = settings.threads.or(available_parallelism().ok()).map_or(1, NonZero::get);
    let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    let drained = runtime.block_on(async {
        let address = settings.listen.unwrap_or_default().0;
        let listener = http::listen(address).with_context(|| format!("cannot listen on {address}"))?;
        let bound = listener.local_addr()?;
        let site = site_of(&settings, bound);
        let service = Service::new(Edition::new(directory, &site)).with_gate(gate).with_desk(desk);
        let service = service.with_door(Box::new(McpDoor)).with_door(Box::new(Pages::new()));
        let service = Arc::new(service);
        keep_fresh(file, &service, site)?;
        let mut stop = StopSignals::new()?;
        eprintln!("platbook: listening on http://{bound}");
        anyhow::Ok(
            http::serve(listener, service, Capacity::default(), async move {
                stop.wait().await;
                tokio::spawn(async move {
                    stop.wait().await;
                    eprintln!("platbook: stopped by a second signal");
                    std::process::exit(1);
                });
            })
            .await,
        )
    })?;
    report(drained, runtime);
    Ok(ExitCode::SUCCESS)
}

/// Makes ready what would make the first answers slow, and follows the snapshot's file.
fn keep_fresh(file: Option<ServedFile>, service: &Arc<Service>, site: String) -> Result<()> {
    let edition = Arc::clone(&service.edition().load());
    spawn_blocking(move || {
        edition.answers().directory().warm();
        edition.answers().directory().warm_catalogue();
    });
    let hangup = fresh::hangups()?;
    match file {
        Some(file) => drop(tokio::spawn(file.follow(Arc::clone(service), site, hangup))),
        None => drop(tokio::spawn(fresh::ignore(hangup))),
    }
    Ok(())
}

fn gate(settings: &Settings) -> Result<Gate> {
    let keys = settings.keys.as_ref().map(|path| KeyRing::open(KeysFile::at(path))).transpose()?;
    if settings.limits == Some(Switch::Off) {
        return Ok(Gate::open(keys));
    }
    let proxies = Proxies::new(settings.trusted_proxy.clone().unwrap_or_default());
    Ok(Gate::limited(Limiter::in_process(), keys, proxies))
}

fn report(drained: Drained, runtime: Runtime) {
    runtime.shutdown_background();
    match drained {
        Drained::Whole => eprintln!("platbook: stopped"),
        Drained::Cut => eprintln!("platbook: stopped; connections still open at the deadline were cut off"),
    }
}

/// Answers link to where others find the service.
fn site_of(settings: &Settings, bound: SocketAddr) -> String {
    if let Some(site) = &settings.site_url {
        return site.clone();
    }
    let site = format!("http://{}", reachable(bound));
    if !bound.ip().is_loopback() {
        eprintln!(
            "platbook: answers link to {site}; where others know this service by another address, give --site-url"
        );
    }
    site
}

/// The signals that ask a service to stop.
struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
}

impl StopSignals {
    fn new() -> Result<StopSignals> {
        Ok(StopSignals {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn wait(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
