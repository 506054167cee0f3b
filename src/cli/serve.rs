//! `platbook serve`: reads the settings and runs the HTTP service.

use std::{
    fmt,
    future::pending,
    net::SocketAddr,
    num::NonZero,
    path::PathBuf,
    process::ExitCode,
    sync::Arc,
    thread::{available_parallelism, sleep},
    time::Duration,
};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Deserializer, de::Error as _};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
    sync::mpsc,
    task::spawn_blocking,
};

#[cfg(feature = "fleet")]
use super::fleet::FleetArgs;
#[cfg(feature = "tls")]
use super::tls::{Certificates, TlsArgs};
use super::{
    UsageError,
    first_run::contents,
    fresh::{FreshArgs, Orders, Start},
    listen::{ListenAddress, listen_at, reachable},
    log::{self, AccessLogOption, LogForm, LogLevel},
    number,
    outside::OutsideArgs,
    settings, site, variables,
};
use crate::{
    edition::Edition,
    http::{
        self, AccessLog, Capacity, Drained, Listener, Service, Waiting,
        limits::{Network, Proxies, RateLimiter, Table},
    },
    keys::{KeyRing, KeysFile},
    mcp::McpDoor,
    observe,
    pages::{Corrections, Pages},
    shipping::Order,
    system::{SocketFile, StopSignals},
};
use platbook::{answers::Budget, directory::Directory};

#[derive(Debug, clap::Args)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    settings: Settings,
    /// Configuration file (TOML) with any of these options
    #[arg(long, value_name = "FILE", env = "PLATBOOK_CONFIG")]
    config: Option<PathBuf>,
}

impl ServeArgs {
    /// Returns the options, with the unset ones taken from the configuration file.
    pub(super) fn settings(self) -> Result<Settings> {
        let known = <Settings as clap::Args>::augment_args(clap::Command::new("serve"));
        Ok(self.settings.or(settings::from_file(self.config.as_deref(), &known)?))
    }
}

/// Settings by option, environment variable or configuration file.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct Settings {
    /// Address and port to listen on, such as localhost:8080. A port alone (8080) means this machine only, and :8080
    /// all addresses. Port 0 picks a free port. unix:PATH is a socket file for its owner and group, whose callers count
    /// as 127.0.0.1 [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS:PORT", env = "PLATBOOK_LISTEN")]
    pub(super) listen: Option<ListenAddress>,
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) fresh: FreshArgs,
    /// Public address of this service, which answers link to [default: http:// and the listening address]
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url)]
    #[serde(default, deserialize_with = "site::deserialize")]
    pub(super) site_url: Option<String>,
    /// Address at which you publish the snapshot and its tables, for /v1/download to show [default: none]
    #[arg(long, value_name = "URL", env = "PLATBOOK_DOWNLOAD_URL", value_parser = site::site_url)]
    #[serde(default, deserialize_with = "site::deserialize")]
    download_url: Option<String>,
    /// Address for reports of errors: a mail address, or the https address of a form or of new issues. In it, {title},
    /// {text} and {page} stand for the report [default: the issues of the project]
    #[arg(long, value_name = "ADDRESS", env = "PLATBOOK_CORRECTIONS")]
    #[serde(default, deserialize_with = "corrections_of_file")]
    corrections: Option<Corrections>,
    /// Worker threads [default: one per processor]
    #[arg(long, value_name = "N", env = "PLATBOOK_THREADS", value_parser = number::from_one::<NonZero<usize>>)]
    #[serde(default, deserialize_with = "number::one_of_file")]
    threads: Option<NonZero<usize>>,
    /// Rate limits of callers; `off` is for private use and measurements [default: on]
    #[arg(long, value_name = "on|off", env = "PLATBOOK_LIMITS")]
    pub(super) limits: Option<Switch>,
    /// File of API keys, made by `platbook keys`; changes apply within a second [default: no keys]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_KEYS")]
    pub(super) keys: Option<PathBuf>,
    /// Proxies whose X-Forwarded-For or Forwarded is trusted: addresses or ranges such as 10.0.0.0/8; repeat the option
    /// or separate them by commas [default: none]
    #[arg(long, value_name = "CIDR", env = "PLATBOOK_TRUSTED_PROXY", value_delimiter = ',', num_args = 1..)]
    pub(super) trusted_proxy: Option<Vec<Network>>,
    /// Address and port for Prometheus metrics at /metrics, with /readyz and /healthz. Use one inside your network,
    /// such as 127.0.0.1:9464 [default: none]
    #[arg(long, value_name = "ADDRESS:PORT", env = "PLATBOOK_METRICS_LISTEN")]
    pub(super) metrics_listen: Option<ListenAddress>,
    /// Form of the log on stderr [default: text]
    #[arg(long, value_name = "text|json", env = "PLATBOOK_LOG", hide_possible_values = true)]
    log: Option<LogForm>,
    /// Lowest level that is logged; `debug` may contain requests [default: info]
    #[arg(
        long,
        value_name = "error|warn|info|debug",
        env = "PLATBOOK_LOG_LEVEL",
        hide_possible_values = true
    )]
    log_level: Option<LogLevel>,
    /// Log a line for each request. `operations`: request id, method, operation, status, bytes, microseconds and tier
    /// of limits. `full`: also the caller's network address, path and query [default: off]
    #[arg(
        long,
        value_name = "off|operations|full",
        env = "PLATBOOK_ACCESS_LOG",
        hide_possible_values = true
    )]
    access_log: Option<AccessLogOption>,
    /// Milliseconds that work may wait for a thread before a share of the requests is rejected as `busy`; 0 rejects
    /// none [default: 20]
    #[arg(long, value_name = "MS", env = "PLATBOOK_MAX_WAIT", value_parser = number::from_zero::<u32>, allow_negative_numbers = true)]
    max_wait: Option<u32>,
    /// Memory for caches in MiB; the other memory of a service does not grow with requests [default: 64]
    #[arg(long, value_name = "MIB", env = "PLATBOOK_MEMORY", value_parser = number::from_one::<NonZero<u32>>)]
    #[serde(default, deserialize_with = "number::one_of_file")]
    pub(super) memory: Option<NonZero<u32>>,
    #[command(flatten)]
    #[serde(flatten)]
    outside: OutsideArgs,
    #[cfg(feature = "fleet")]
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) fleet: FleetArgs,
    #[cfg(feature = "tls")]
    #[command(flatten)]
    #[serde(flatten)]
    pub(super) tls: TlsArgs,
}

/// Parses `corrections` of a configuration file in the same way as the option.
fn corrections_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Corrections>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
}

/// A setting that is `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(super) enum Switch {
    On,
    Off,
}

impl Settings {
    fn max_wait(&self) -> Duration {
        match self.max_wait {
            None => http::MAX_WAIT,
            Some(0) => Duration::MAX,
            Some(ms) => Duration::from_millis(ms.into()),
        }
    }

    /// Returns whether the service itself terminates TLS.
    pub(super) fn has_tls(&self) -> bool {
        #[cfg(feature = "tls")]
        let has_tls = self.tls.is_given();
        #[cfg(not(feature = "tls"))]
        let has_tls = false;
        has_tls
    }

    fn or(self, other: Settings) -> Settings {
        Settings {
            listen: self.listen.or(other.listen),
            fresh: self.fresh.or(other.fresh),
            site_url: self.site_url.or(other.site_url),
            download_url: self.download_url.or(other.download_url),
            corrections: self.corrections.or(other.corrections),
            threads: self.threads.or(other.threads),
            limits: self.limits.or(other.limits),
            keys: self.keys.or(other.keys),
            trusted_proxy: self.trusted_proxy.or(other.trusted_proxy),
            metrics_listen: self.metrics_listen.or(other.metrics_listen),
            log: self.log.or(other.log),
            log_level: self.log_level.or(other.log_level),
            access_log: self.access_log.or(other.access_log),
            max_wait: self.max_wait.or(other.max_wait),
            memory: self.memory.or(other.memory),
            outside: self.outside.or(other.outside),
            #[cfg(feature = "fleet")]
            fleet: self.fleet.or(other.fleet),
            #[cfg(feature = "tls")]
            tls: self.tls.or(other.tls),
        }
    }
}

#[cfg(feature = "tls")]
impl Settings {
    /// Opens the TLS certificate of the service; `None` without TLS.
    ///
    /// # Errors
    /// If options contradict each other, or a file cannot be used.
    pub(super) fn certificates(&self) -> Result<Option<Certificates>> {
        self.tls.open(&self.listen.clone().unwrap_or_default(), self.fresh.folder())
    }
}

/// Number of tasks after which a thread polls sockets and timers. With tokio's default of 61, requests of 1 ms would
/// delay the detection of overload by 61 ms.
const TASKS_BETWEEN_LOOKS: u32 = 8;

/// Delay of the warm-up after the start. A service that was started for a request answers that request first. Chosen,
/// not measured.
const WARM_AFTER: Duration = Duration::from_millis(20);

pub(super) fn serve(args: ServeArgs) -> Result<ExitCode> {
    variables::warn_of_unknown();
    let settings = args.settings()?;
    log::start(settings.log.unwrap_or_default(), settings.log_level.unwrap_or_default());
    let budget = settings.memory.map_or_else(Budget::default, |mib| Budget::of_mib(mib.get()));
    let limiter = limiter(&settings)?;
    let threads = settings.threads.or(available_parallelism().ok()).map_or(1, NonZero::get);
    let runtime = Builder::new_multi_thread()
        .worker_threads(threads)
        .event_interval(TASKS_BETWEEN_LOOKS)
        .enable_all()
        .build()?;
    let orders = runtime.block_on(async { Orders::hear() })?;
    let start = settings.fresh.open()?;
    #[cfg(feature = "tls")]
    let mut certificates = settings.certificates()?;
    let (lookups, ground) = settings.outside.lookups_of_copies()?;
    let takes_addresses = lookups.take_addresses();
    let lookups = lookups.within(budget);
    let service = |edition: Edition| {
        let service = Service::new(edition).with_limiter(limiter).with_lookups(lookups);
        let corrections = settings.corrections.clone().unwrap_or_default();
        let pages = Pages::within(budget).with_corrections(corrections).with_ground(ground);
        let pages = if takes_addresses { pages.with_addresses() } else { pages };
        let service = service.with_door(Box::new(McpDoor)).with_door(Box::new(pages));
        let access_log = settings.access_log.map_or(AccessLog::Off, AccessLog::from);
        Arc::new(service.with_access_log(access_log).with_max_wait(settings.max_wait()))
    };
    let drained = runtime.block_on(async {
        let (listener, bound) = listen(settings.listen.clone().unwrap_or_default())?;
        #[cfg(feature = "tls")]
        let (listener, bound) = secured(listener, bound, certificates.as_ref());
        let site = site_of(&settings, &bound)?;
        #[cfg(feature = "tls")]
        let tls = certificates.take().map(|certificates| certificates.keep(&site)).transpose()?;
        #[cfg(feature = "tls")]
        settings.tls.redirect_to(&site)?;
        let figures = settings.metrics_listen.clone().map(figures_at).transpose()?;
        tracing::info!("listening on {bound}");
        if let Some(listener) = &figures {
            tracing::info!("figures at http://{}/metrics", listener.local_addr()?);
        }
        let begun = Begun { start, orders: orders.given(), stop: StopSignals::new()? };
        let Some((begun, directory)) = begun.first_directory(&site, &listener, figures.as_ref()).await else {
            return Ok(Drained::Whole);
        };
        tracing::info!("inside: {}", contents(&directory));
        let edition = Edition::within(budget, directory, &site);
        let service = service(edition.published_at(settings.download_url.clone()));
        #[cfg(feature = "tls")]
        tls.into_iter().for_each(|tls| service.health().set_tls(tls));
        anyhow::Ok(begun.serve(service, listener, figures).await)
    })?;
    report(drained, runtime);
    Ok(ExitCode::SUCCESS)
}

/// A service that listens already, but has no snapshot yet.
struct Begun {
    start: Start,
    orders: mpsc::Receiver<Order>,
    stop: StopSignals,
}

impl Begun {
    /// Returns the first snapshot. Clients get the problem "no data yet" while the service waits. `None` if a signal
    /// stops the service first.
    async fn first_directory(
        mut self,
        site: &str,
        listener: &Listener,
        figures: Option<&TcpListener>,
    ) -> Option<(Begun, Directory)> {
        let waiting = Arc::new(Waiting::new(site));
        let at_figures = async {
            match figures {
                Some(listener) => waiting.serve_at(listener).await,
                None => pending().await,
            }
        };
        let directory = tokio::select! {
            biased;
            found = self.start.directory(&mut self.orders, waiting.freshness()) => found,
            () = self.stop.wait() => None,
            () = waiting.serve(listener) => None,
            () = at_figures => None,
        };
        directory.map(|directory| (self, directory))
    }

    /// Serves requests until a signal stops the service.
    async fn serve(self, service: Arc<Service>, listener: Listener, figures: Option<TcpListener>) -> Drained {
        let Begun { start, orders, mut stop } = self;
        warm(&service);
        start.keep(orders, &service);
        if let Some(listener) = figures {
            tokio::spawn(observe::serve(listener, Arc::clone(&service)));
        }
        http::serve(listener, service, Capacity::default(), async move {
            stop.wait().await;
            tracing::info!("stopping: open requests are still answered; a second signal stops at once");
            tokio::spawn(async move {
                stop.wait().await;
                tracing::warn!("stopped by a second signal");
                std::process::exit(1);
            });
        })
        .await
    }
}

/// Fills the caches that would slow the first answers. Starts after [`WARM_AFTER`], so that a service that was
/// started for a request answers that request first.
fn warm(service: &Arc<Service>) {
    let edition = Arc::clone(&service.edition().load());
    let of_service = Arc::clone(service);
    spawn_blocking(move || {
        sleep(WARM_AFTER);
        edition.answers().directory().warm();
        of_service.health().set_warm();
        edition.answers().directory().warm_catalogue();
    });
}

/// Reads the keys that raise limits, and checks that the options on limits agree. Starts no threads and no services.
///
/// # Errors
/// If the file of keys cannot be read, or options contradict each other.
pub(super) fn key_ring(settings: &Settings) -> Result<Option<KeyRing>> {
    #[cfg(feature = "fleet")]
    if settings.fleet.fleet()?.is_some() && settings.limits == Some(Switch::Off) {
        let expected = "expected --limits on beside --limits-store, which counts limits; got --limits off";
        return Err(UsageError(expected.to_owned()).into());
    }
    let keys = settings.keys.as_ref().map(|path| KeyRing::open(KeysFile::at(path))).transpose();
    keys.context("--keys")
}

/// Makes the limits of callers, with the API keys that raise these limits.
fn limiter(settings: &Settings) -> Result<RateLimiter> {
    let keys = key_ring(settings)?;
    if settings.limits == Some(Switch::Off) {
        return Ok(RateLimiter::unlimited(keys));
    }
    let proxies = Proxies::new(settings.trusted_proxy.clone().unwrap_or_default());
    #[cfg(feature = "fleet")]
    if let Some(shared) = settings.fleet.start()? {
        return Ok(RateLimiter::limited(shared, keys, proxies));
    }
    Ok(RateLimiter::limited(Table::new(), keys, proxies))
}

fn report(drained: Drained, runtime: Runtime) {
    runtime.shutdown_background();
    match drained {
        Drained::Whole => tracing::info!("stopped"),
        Drained::Cut => tracing::warn!("stopped; connections still open at the deadline were cut off"),
    }
}

/// The address that the service listens on.
enum Bound {
    Network(SocketAddr),
    /// A network address with TLS, and the name for which a certificate is ordered.
    #[cfg(feature = "tls")]
    Secure(SocketAddr, Option<String>),
    File(SocketFile),
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::Network(address) => write!(f, "http://{address}"),
            #[cfg(feature = "tls")]
            Bound::Secure(address, _) => write!(f, "https://{address}"),
            Bound::File(file) => file.fmt(f),
        }
    }
}

fn listen(at: ListenAddress) -> Result<(Listener, Bound)> {
    match at {
        ListenAddress::Network(address) => {
            let listener = listen_at("--listen", address)?;
            let bound = listener.local_addr()?;
            Ok((Listener::Network(listener), Bound::Network(bound)))
        }
        ListenAddress::File(path) => {
            let (listener, file) = SocketFile::bind(&path).context("--listen")?;
            Ok((Listener::Local(listener), Bound::File(file)))
        }
    }
}

/// Adds TLS to a listener if there is a certificate.
#[cfg(feature = "tls")]
fn secured(listener: Listener, bound: Bound, certificates: Option<&Certificates>) -> (Listener, Bound) {
    match (listener, bound, certificates) {
        (Listener::Network(listener), Bound::Network(bound), Some(certificates)) => {
            let listener = Listener::Secure(listener, Arc::clone(&certificates.tls));
            (listener, Bound::Secure(bound, certificates.name.clone()))
        }
        (listener, bound, _) => (listener, bound),
    }
}

/// Listens for requests for metrics. Only network addresses are allowed, since Prometheus needs one.
fn figures_at(at: ListenAddress) -> Result<TcpListener> {
    match at {
        ListenAddress::Network(address) => listen_at("--metrics-listen", address),
        ListenAddress::File(_) => {
            Err(UsageError(format!("expected an address and port for --metrics-listen, got {at}")).into())
        }
    }
}

/// Returns the public address that answers link to. For a socket file, `--site-url` is required.
fn site_of(settings: &Settings, bound: &Bound) -> Result<String> {
    let (bound, site) = match (bound, &settings.site_url) {
        (_, Some(site)) => return Ok(site.clone()),
        (Bound::Network(bound), None) => (*bound, format!("http://{}", reachable(*bound))),
        #[cfg(feature = "tls")]
        (Bound::Secure(bound, None), None) => (*bound, format!("https://{}", reachable(*bound))),
        // Callers reach the service at the usual port of https, whatever port it listens on.
        #[cfg(feature = "tls")]
        (Bound::Secure(_, Some(name)), None) => return Ok(format!("https://{name}")),
        (Bound::File(_), None) => {
            let why = "a socket file has no address that answers could link to; give --site-url, too";
            return Err(UsageError(why.to_owned()).into());
        }
    };
    if !bound.ip().is_loopback() {
        tracing::warn!(
            "answers link to {site}; where others know this service by another address, give --site-url"
        );
    }
    Ok(site)
}
