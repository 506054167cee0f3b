//! Options for TLS without a proxy, and the [`Certificates`] that they configure.

use std::{net::IpAddr, path::PathBuf, str::FromStr, sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use jiff::Timestamp;
use platbook_https::{Client, Hosts};
use serde::{Deserialize, Deserializer, de::Error as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, pem::PemObject as _};
use url::{Host, Url};

use super::{
    UsageError,
    listen::{ListenAddress, listen_at},
};
use crate::{
    http::serve_redirects,
    tls::{
        Certificate, Pair, Tls, WatchedPair,
        acme::{Authority, LETS_ENCRYPT},
    },
};
use platbook::files::regular_file;

/// Folder for the ACME account and the certificate, within the folder for snapshots.
const FOLDER: &str = "acme";

/// Maximum length of the file with the root certificate of an authority, in bytes. Chosen, not measured.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Maximum time to wait for a connection to an authority. Chosen, not measured.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Options for TLS without a proxy.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct TlsArgs {
    /// Certificate of this service in PEM, followed by its intermediate certificates; --listen then takes https with
    /// HTTP/2 and HTTP/1.1. A changed file is used within seconds [default: none, http]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_TLS_CERT")]
    tls_cert: Option<PathBuf>,
    /// Key of the certificate in PEM, without a password
    #[arg(long, value_name = "FILE", env = "PLATBOOK_TLS_KEY")]
    tls_key: Option<PathBuf>,
    /// Name of this service for which a certificate is ordered; repeat the option or separate names by commas. It must
    /// lead to this machine, and its port 443 to --listen. By this option you agree to the terms of the authority
    /// [default: none]
    #[arg(long, value_name = "NAME", env = "PLATBOOK_ACME_DOMAIN", value_delimiter = ',', num_args = 1..)]
    acme_domain: Option<Vec<DomainName>>,
    /// Address of the authority's directory (ACME, RFC 8555) [default: Let's Encrypt]
    #[arg(long, value_name = "URL", env = "PLATBOOK_ACME_DIRECTORY")]
    #[serde(default, deserialize_with = "from_text")]
    acme_directory: Option<DirectoryUrl>,
    /// Folder for the account and the certificate, for this service alone [default: `acme` below --snapshot-dir]
    #[arg(long, value_name = "DIR", env = "PLATBOOK_ACME_DIR")]
    acme_dir: Option<PathBuf>,
    /// Mail address that the authority may write to [default: none]
    #[arg(long, value_name = "MAIL", env = "PLATBOOK_ACME_CONTACT")]
    acme_contact: Option<String>,
    /// Root certificate in PEM of an authority in your own network [default: public authorities]
    #[arg(long, value_name = "FILE", env = "PLATBOOK_ACME_ROOT")]
    acme_root: Option<PathBuf>,
    /// Second address and port, such as :80, that sends callers from http to https [default: none]
    #[arg(long, value_name = "ADDRESS:PORT", env = "PLATBOOK_REDIRECT_LISTEN")]
    pub(super) redirect_listen: Option<ListenAddress>,
}

/// A host name, such as land.example.gov.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
struct DomainName(String);

impl FromStr for DomainName {
    type Err = String;

    fn from_str(text: &str) -> Result<DomainName, String> {
        let name = text.trim_end_matches('.').to_lowercase();
        let is_letter = |letter: u8| letter.is_ascii_alphanumeric() || letter == b'-';
        let is_label = |label: &str| {
            !label.is_empty() && label.len() < 64 && label.bytes().all(is_letter) && !label.starts_with('-')
        };
        let is_name = name.len() < 254 && name.contains('.') && name.split('.').all(is_label);
        if is_name && name.parse::<IpAddr>().is_err() {
            return Ok(DomainName(name));
        }
        Err(format!("expected a name such as land.example.gov, without wildcard, port or path, got {text:?}"))
    }
}

impl TryFrom<String> for DomainName {
    type Error = String;

    fn try_from(text: String) -> Result<DomainName, String> {
        text.parse()
    }
}

/// The address of a certificate authority's ACME directory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DirectoryUrl(Url);

impl FromStr for DirectoryUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<DirectoryUrl, String> {
        let is_own = |url: &Url| match url.host() {
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            _ => false,
        };
        let is_safe = |url: &Url| url.scheme() == "https" || url.scheme() == "http" && is_own(url);
        let url = Url::parse(text).ok().filter(|url| url.has_host() && is_safe(url));
        let expected = "expected an https address (http for a loopback address of this machine)";
        url.map(DirectoryUrl).ok_or_else(|| format!("{expected} such as {LETS_ENCRYPT}, got {text:?}"))
    }
}

/// Parses an optional setting of the configuration file in the same way as on the command line.
fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DirectoryUrl>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
}

/// The certificate of a service, and the source of the next one.
pub(super) struct Certificates {
    pub(super) tls: Arc<Tls>,
    source: CertificateSource,
    /// The first of the names for which a certificate is ordered.
    pub(super) name: Option<String>,
}

enum CertificateSource {
    Files(WatchedPair),
    Authority(Box<Authority>),
}

impl TlsArgs {
    /// Returns these options, with the unset ones taken from `other`. Files or names set in `self` exclude those in
    /// `other`.
    pub(super) fn or(self, other: TlsArgs) -> TlsArgs {
        let is_said = self.tls_cert.is_some() || self.tls_key.is_some() || self.acme_domain.is_some();
        let other_source =
            if is_said { (None, None, None) } else { (other.tls_cert, other.tls_key, other.acme_domain) };
        TlsArgs {
            tls_cert: self.tls_cert.or(other_source.0),
            tls_key: self.tls_key.or(other_source.1),
            acme_domain: self.acme_domain.or(other_source.2),
            acme_directory: self.acme_directory.or(other.acme_directory),
            acme_dir: self.acme_dir.or(other.acme_dir),
            acme_contact: self.acme_contact.or(other.acme_contact),
            acme_root: self.acme_root.or(other.acme_root),
            redirect_listen: self.redirect_listen.or(other.redirect_listen),
        }
    }

    /// Opens the certificate; `None` without TLS. `snapshots` is the folder for snapshots. Calls nothing outside of
    /// this machine.
    ///
    /// # Errors
    /// If options contradict each other, or a file or folder cannot be used.
    pub(super) fn open(&self, listen: &ListenAddress, snapshots: PathBuf) -> Result<Option<Certificates>> {
        let usage = |text: &str| Err(UsageError(text.to_owned()).into());
        if self.is_given() && matches!(listen, ListenAddress::File(_)) {
            return usage("expected an address and port for --listen beside TLS, got a socket file");
        }
        let has_acme = self.acme_domain.is_some();
        let beside_acme =
            self.acme_directory.is_some() || self.acme_dir.is_some() || self.acme_root.is_some();
        if !has_acme && (beside_acme || self.acme_contact.is_some()) {
            return usage("expected --acme-domain NAME beside other options of ACME; got none");
        }
        if !self.is_given() && self.redirect_listen.is_some() {
            return usage(
                "expected --tls-cert or --acme-domain beside --redirect-listen, which leads to https",
            );
        }
        match (&self.tls_cert, &self.tls_key, &self.acme_domain) {
            (None, None, None) => Ok(None),
            (Some(certificate), Some(key), None) => {
                let pair = Pair { certificate: certificate.clone(), key: key.clone() };
                let (certificate, watch) = pair.open().context("--tls-cert, --tls-key")?;
                let tls = Arc::new(Tls::new(Some(certificate))?);
                Ok(Some(Certificates { tls, source: CertificateSource::Files(watch), name: None }))
            }
            (None, None, Some(names)) => {
                let authority = self.authority(names, snapshots)?;
                let stored = authority.stored().context("--acme-dir")?;
                let (tls, name) = (Arc::new(Tls::new(stored)?), authority.names.first().cloned());
                Ok(Some(Certificates {
                    tls,
                    source: CertificateSource::Authority(Box::new(authority)),
                    name,
                }))
            }
            (_, _, Some(_)) => usage("give --tls-cert and --tls-key or --acme-domain, not both"),
            (_, None, None) => usage("expected --tls-key FILE beside --tls-cert; got none"),
            (None, ..) => usage("expected --tls-cert FILE beside --tls-key; got none"),
        }
    }

    /// Returns whether the service itself terminates TLS.
    pub(super) fn is_given(&self) -> bool {
        self.tls_cert.is_some() || self.tls_key.is_some() || self.acme_domain.is_some()
    }

    /// Redirects callers of the second address to the site, if the options have such an address.
    ///
    /// # Errors
    /// If the second address cannot be used.
    pub(super) fn redirect_to(&self, site: &str) -> Result<()> {
        let address = match &self.redirect_listen {
            None => return Ok(()),
            Some(ListenAddress::Network(address)) => *address,
            Some(at) => {
                let expected = format!("expected an address and port for --redirect-listen, got {at}");
                return Err(UsageError(expected).into());
            }
        };
        let listener = listen_at("--redirect-listen", address)?;
        tracing::info!("sending callers of http://{} to {site}", listener.local_addr()?);
        tokio::spawn(serve_redirects(listener, site.to_owned()));
        Ok(())
    }

    fn authority(&self, names: &[DomainName], snapshots: PathBuf) -> Result<Authority> {
        let directory = self.acme_directory.as_ref().map_or(LETS_ENCRYPT, |url| url.0.as_str());
        Ok(Authority {
            directory: directory.to_owned(),
            names: names.iter().map(|name| name.0.clone()).collect(),
            contact: self.acme_contact.clone(),
            folder: self.acme_dir.clone().unwrap_or_else(|| snapshots.join(FOLDER)),
            client: self.client()?,
        })
    }

    fn client(&self) -> Result<Client> {
        let Some(path) = &self.acme_root else {
            return Ok(platbook_https::client(CONNECT_TIMEOUT, Hosts::Any));
        };
        let option = || format!("--acme-root {}", path.display());
        let bytes = regular_file::read(path, FILE_BYTES_MAX).with_context(option)?;
        let roots =
            CertificateDer::pem_slice_iter(&bytes).collect::<Result<Vec<_>, _>>().with_context(option)?;
        if roots.is_empty() {
            return Err(UsageError(format!("{}: expected a certificate in PEM, got none", option())).into());
        }
        platbook_https::client_trusting(roots, CONNECT_TIMEOUT, Hosts::Any).with_context(option)
    }
}

impl Certificates {
    /// From now on, keeps the certificate fresh in the background. `site` is the public address of the service.
    ///
    /// # Errors
    /// Fails if the program cannot make the folder for certificates.
    pub(super) fn keep(self, site: &str) -> Result<Arc<Tls>> {
        if let CertificateSource::Authority(authority) = &self.source {
            authority.prepare().context("--acme-dir")?;
        }
        match self.tls.certificate() {
            Some(certificate) => {
                tracing::info!("serving the certificate {certificate}");
                faults(&certificate, Some(site)).iter().for_each(|fault| tracing::warn!("{fault}"));
            }
            None => tracing::info!("no certificate yet: handshakes fail until the authority has issued one"),
        }
        let of_task = Arc::clone(&self.tls);
        match self.source {
            CertificateSource::Files(watch) => drop(tokio::spawn(watch.watch(of_task))),
            CertificateSource::Authority(authority) => drop(tokio::spawn(authority.keep(of_task))),
        }
        Ok(self.tls)
    }
}

/// Returns the faults of a certificate for a service whose answers link to this site, each with advice.
pub(super) fn faults(certificate: &Certificate, site: Option<&str>) -> Vec<String> {
    let mut faults: Vec<String> = certificate.fault_at(Timestamp::now()).into_iter().collect();
    let Some(site) = site.and_then(|site| Url::parse(site).ok()) else { return faults };
    if site.scheme() == "http" {
        faults
            .push(format!("answers link to {site}, and this service takes https alone; correct --site-url"));
    }
    if let Some(host) = site.host_str().filter(|host| !certificate.is_for(host)) {
        faults.push(format!(
            "the certificate is not for {host}, which answers link to; correct --site-url or the names"
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        args: TlsArgs,
    }

    #[test]
    fn options_that_contradict_each_other_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root.pem");
        std::fs::write(&root, "no certificate\n").unwrap();
        let root = format!("--acme-root={}", root.display());
        let (network, file) = ("127.0.0.1:0", "unix:/run/s");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        for (listen, args, expected) in [
            (network, &[][..], "none"),
            (network, &["--acme-domain=a.example,B.example."], "a.example"),
            (network, &["--acme-domain=a.example", "--acme-directory=http://127.0.0.1:1/dir"], "a.example"),
            (
                network,
                &["--acme-domain=a.example", "--acme-directory=http://a.example/dir"],
                "expected an https address",
            ),
            (network, &["--acme-domain=*.example.org"], "got \"*.example.org\""),
            (network, &["--acme-domain=127.0.0.1"], "got \"127.0.0.1\""),
            (network, &["--acme-domain=https://a.example"], "got \"https://a.example\""),
            (network, &["--acme-domain=a.example", &root], "expected a certificate in PEM, got none"),
            (network, &["--acme-directory=https://a.example/dir"], "expected --acme-domain NAME"),
            (network, &["--acme-contact=a@a.example"], "expected --acme-domain NAME"),
            (network, &["--redirect-listen=:80"], "expected --tls-cert or --acme-domain beside"),
            (network, &["--tls-cert=/no/file"], "--tls-key"),
            (network, &["--tls-key=/no/file"], "--tls-cert"),
            (network, &["--tls-cert=/no/cert", "--tls-key=/no/key"], "cannot read /no/cert"),
            (network, &["--tls-cert=/no/cert", "--tls-key=/no/key", "--acme-domain=a.example"], "not both"),
            (file, &["--acme-domain=a.example"], "got a socket file"),
            (file, &[], "none"),
        ] {
            let given = Given::try_parse_from([&["serve"][..], args].concat());
            let said =
                match given.map(|given| given.args.open(&listen.parse().unwrap(), folder.path().into())) {
                    Err(error) => error.to_string(),
                    Ok(Ok(None)) => "none".to_owned(),
                    Ok(Ok(Some(certificates))) => certificates.name.unwrap(),
                    Ok(Err(error)) => format!("{error:#}"),
                };
            assert!(said.contains(expected), "{args:?}: {said}");
        }
    }

    #[test]
    fn a_certificate_of_another_host_is_a_fault() {
        let made = rcgen::generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let key = made.signing_key.serialize_der().try_into().unwrap();
        let certificate = Certificate::new(vec![made.cert.der().clone()], key).unwrap();
        for (site, expected) in [
            (None, ""),
            (Some("https://a.example"), ""),
            (Some("https://b.example:8443/x"), "not for b.example"),
            (Some("http://a.example"), "takes https alone"),
        ] {
            let said = faults(&certificate, site).concat();
            assert!(said.contains(expected), "{site:?}: {said}");
            assert_eq!(said.is_empty(), expected.is_empty(), "{site:?}: {said}");
        }
    }
}
