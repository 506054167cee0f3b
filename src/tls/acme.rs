//! Orders certificates from an authority (ACME, RFC 8555), and renews them while the service answers.
//!
//! The service proves its names in handshakes on its own port (tls-alpn-01, RFC 8737), so it needs no second port and
//! no file. A folder holds the account and the certificate, each as one file that is replaced as a whole. File names
//! depend on the authority and on the host names. So a certificate of a test authority is never served as one of the
//! real authority.

use std::{
    collections::BTreeMap,
    io::{self, Write as _},
    path::PathBuf,
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::Request;
use instant_acme::{
    Account, AuthorizationStatus, BodyWrapper, BytesResponse, ChallengeType, HttpClient, Identifier,
    NewAccount, NewOrder, Order, OrderStatus, RetryPolicy,
};
use jiff::{SignedDuration, Timestamp};
use platbook_https::Client;
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};
use tokio::{
    task::spawn_blocking,
    time::{sleep, timeout},
};
use tokio_rustls::rustls::{
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
    sign::CertifiedKey,
};

use super::{Certificate, CertificateFault, Tls, pem};
use platbook::{
    files::{
        durable::{Disk, PRIVATE},
        regular_file, system,
    },
    vocabulary::with_causes,
};

/// The ACME directory of Let's Encrypt, which anyone may use.
pub const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

/// Maximum length in bytes of a file in the folder, and of an authority's response. A chain has some 5 KB.
const BYTES_MAX: usize = 256 << 10;

/// Maximum time to wait for one response, and for a whole order. Authorities check names within seconds. Chosen, not
/// measured.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
const ORDER_TIMEOUT: Duration = Duration::from_secs(300);

/// Pauses between checks of an order that an authority is processing.
const RETRY: RetryPolicy = RetryPolicy::new().timeout(Duration::from_secs(120));

/// Pauses after a failed order, doubled from the first to the last. Let's Encrypt allows five failed checks of a name
/// per hour. With these pauses, there are four in the first 75 minutes.
const PAUSE_MIN: Duration = Duration::from_secs(300);
const PAUSE_MAX: Duration = Duration::from_secs(6 * 3_600);

/// Maximum sleep before dates are compared again, since the clock may be set in the meantime.
const LOOK: Duration = Duration::from_secs(3_600);

/// An authority, and the names for which to order a certificate.
#[derive(Debug)]
pub struct Authority {
    /// Address of the authority's ACME directory.
    pub directory: String,
    /// Host names of this service.
    pub names: Vec<String>,
    /// Mail address to which the authority may write.
    pub contact: Option<String>,
    /// Folder for account and certificate, which only this service uses.
    pub folder: PathBuf,
    /// The HTTP client for requests to the authority.
    pub client: Client,
}

/// The reason why there is no new certificate.
#[derive(Debug, thiserror::Error)]
pub enum AcmeFault {
    /// The folder cannot be used.
    #[error("cannot use {path}")]
    Folder {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The authority refused a request, or did not respond.
    #[error("the authority did not issue a certificate")]
    Authority(#[from] instant_acme::Error),
    /// The authority could not verify a name.
    #[error("the authority could not check a name: {0}")]
    Unproved(String),
    /// The authority does not offer to verify names in handshakes.
    #[error("the authority does not offer tls-alpn-01 for {0}")]
    NoChallenge(String),
    /// The service could not make a certificate or a certificate request.
    #[error("a key or certificate could not be made")]
    Unmade(#[from] rcgen::Error),
    /// The authority's certificate cannot be used.
    #[error("the certificate of the authority cannot be used")]
    Unfit(#[from] CertificateFault),
    /// The order took too long.
    #[error("the order took longer than {} s", ORDER_TIMEOUT.as_secs())]
    Late,
}

impl Authority {
    /// Makes the folder. Only its owner may read it.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn prepare(&self) -> Result<(), AcmeFault> {
        system::create_private_folder(&self.folder)
            .map_err(|source| AcmeFault::Folder { path: self.folder.clone(), source })
    }

    /// Returns the certificate in the folder, which may have expired. `None` if there is no file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn stored(&self) -> Result<Option<Certificate>, AcmeFault> {
        let path = self.certificate_path();
        match regular_file::read(&path, BYTES_MAX as u64).map_err(io::Error::from) {
            Ok(bytes) => Ok(Some(Certificate::from_pem(&bytes, &bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(AcmeFault::Folder { path, source }),
        }
    }

    /// Orders a certificate whenever the service has none, or a third of the current one's lifetime is left. Runs
    /// forever.
    pub async fn keep(self, tls: Arc<Tls>) {
        let mut pause = PAUSE_MIN;
        loop {
            let left =
                tls.certificate().map(|certificate| renewal(&certificate).duration_since(Timestamp::now()));
            if let Some(left) = left.filter(SignedDuration::is_positive) {
                sleep(left.unsigned_abs().min(LOOK)).await;
                continue;
            }
            let ordered = timeout(ORDER_TIMEOUT, self.order(&tls)).await;
            tls.set_challenges(BTreeMap::new());
            match ordered.unwrap_or(Err(AcmeFault::Late)) {
                Ok(certificate) => {
                    tls.replace(certificate);
                    pause = PAUSE_MIN;
                }
                Err(fault) => {
                    tls.set_behind(true);
                    let why = with_causes(&fault);
                    tracing::warn!("no new certificate: {why}; trying again in {} min", pause.as_secs() / 60);
                    sleep(pause).await;
                    pause = (pause * 2).min(PAUSE_MAX);
                }
            }
        }
    }

    /// Orders a certificate, and writes it to the folder.
    ///
    /// # Errors
    /// Fails if the authority issues no certificate, or the folder cannot be written.
    pub async fn order(&self, tls: &Tls) -> Result<Certificate, AcmeFault> {
        tracing::info!("ordering a certificate for {} from {}", self.names.join(", "), self.directory);
        let account = self.account().await?;
        let names: Vec<Identifier> = self.names.iter().cloned().map(Identifier::Dns).collect();
        let mut order = account.new_order(&NewOrder::new(&names)).await?;
        prove(&mut order, tls).await?;
        match order.poll_ready(&RETRY).await {
            Ok(OrderStatus::Ready) => {}
            // The challenges give the reason why a name was not proved; this error does not.
            Ok(_) | Err(instant_acme::Error::Api(_)) => return Err(unproved(&mut order).await),
            Err(error) => return Err(error.into()),
        }
        let key = KeyPair::generate()?;
        let mut wanted = CertificateParams::new(self.names.clone())?;
        wanted.distinguished_name = DistinguishedName::new();
        order.finalize_csr(wanted.serialize_request(&key)?.der()).await?;
        let chain = order.poll_certificate(&RETRY).await?;
        let text = pem("PRIVATE KEY", &key.serialize_der()) + &chain;
        let certificate = Certificate::from_pem(text.as_bytes(), text.as_bytes())?;
        write(self.certificate_path(), text.into_bytes()).await?;
        Ok(certificate)
    }

    /// Returns the account in the folder, or a new one.
    async fn account(&self) -> Result<Account, AcmeFault> {
        let path = self.account_path();
        let builder = || Account::builder_with_http(Box::new(Requests(self.client.clone())));
        let stored = regular_file::read(&path, BYTES_MAX as u64).ok();
        if let Some(credentials) = stored.and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            return Ok(builder().from_credentials(credentials).await?);
        }
        let contact = self.contact.as_ref().map(|mail| format!("mailto:{mail}"));
        let contact: Vec<&str> = contact.iter().map(String::as_str).collect();
        let account =
            NewAccount { contact: &contact, terms_of_service_agreed: true, only_return_existing: false };
        let (account, credentials) = builder().create(&account, self.directory.clone(), None).await?;
        write(path, serde_json::to_vec(&credentials).map_err(instant_acme::Error::from)?).await?;
        Ok(account)
    }

    fn account_path(&self) -> PathBuf {
        self.folder.join(format!("account-{}.json", short_digest([&self.directory])))
    }

    fn certificate_path(&self) -> PathBuf {
        let digest = short_digest([&self.directory].into_iter().chain(&self.names));
        self.folder.join(format!("certificate-{digest}.pem"))
    }
}

/// Returns when to renew a certificate: when a third of its lifetime is left, as Let's Encrypt advises.
fn renewal(certificate: &Certificate) -> Timestamp {
    let third = certificate.ends().duration_since(certificate.begins()) / 3;
    certificate.ends().checked_sub(third).unwrap_or(certificate.begins())
}

/// Returns 16 letters that identify these texts in the name of a file.
fn short_digest<'t>(texts: impl IntoIterator<Item = &'t String>) -> String {
    let mut hasher = blake3::Hasher::new();
    for text in texts {
        hasher.update(text.as_bytes()).update(b"\n");
    }
    hasher.finalize().to_hex().as_str()[..16].to_owned()
}

/// Requests that the authority verify each name of an order that it has not verified yet.
async fn prove(order: &mut Order, tls: &Tls) -> Result<(), AcmeFault> {
    let mut challenges = BTreeMap::new();
    let mut authorizations = order.authorizations();
    while let Some(authorization) = authorizations.next().await {
        let mut authorization = authorization?;
        let name = authorization.identifier().to_string();
        match authorization.status {
            AuthorizationStatus::Valid => continue,
            AuthorizationStatus::Pending => {}
            _ => return Err(AcmeFault::Unproved(name)),
        }
        let challenge = authorization.challenge(ChallengeType::TlsAlpn01);
        let mut challenge = challenge.ok_or_else(|| AcmeFault::NoChallenge(name.clone()))?;
        let proof = proof(&name, challenge.key_authorization().digest().as_ref())?;
        challenges.insert(name, Arc::new(proof));
        tls.set_challenges(challenges.clone());
        challenge.set_ready().await?;
    }
    Ok(())
}

/// Makes the certificate that proves a name. The certificate is self-signed, with the digest of the challenge (RFC
/// 8737, section 3).
fn proof(name: &str, digest: &[u8]) -> Result<CertifiedKey, AcmeFault> {
    let key = KeyPair::generate()?;
    let mut wanted = CertificateParams::new([name.to_owned()])?;
    wanted.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
    let certificate = wanted.self_signed(&key)?;
    let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
    // `from_der` cannot be used: it refuses the critical extension.
    let key = platbook_https::provider().key_provider.load_private_key(key);
    let key = key.map_err(CertificateFault::Unusable)?;
    Ok(CertifiedKey::new(vec![certificate.der().clone()], key))
}

/// Returns the reasons that the authority gives for names that it could not verify.
async fn unproved(order: &mut Order) -> AcmeFault {
    let mut reasons = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        let name = authorization.identifier().to_string();
        let Ok(state) = authorization.refresh().await else { continue };
        let faults = state.challenges.iter().filter_map(|challenge| challenge.error.as_ref());
        reasons.extend(faults.map(|fault| format!("{name}: {fault}")));
    }
    AcmeFault::Unproved(if reasons.is_empty() { "it gives no reason".to_owned() } else { reasons.join("; ") })
}

/// Replaces a file. Only its owner may read it.
async fn write(path: PathBuf, bytes: Vec<u8>) -> Result<(), AcmeFault> {
    let to = path.clone();
    let write = move || Disk::default().replace(&to, PRIVATE, |file| file.write_all(&bytes));
    let written = spawn_blocking(write).await.unwrap_or_else(|error| Err(io::Error::other(error)));
    written.map_err(|source| AcmeFault::Folder { path, source })
}

/// Sends ACME requests with the service's own HTTP client.
struct Requests(Client);

impl HttpClient for Requests {
    fn request(
        &self,
        request: Request<BodyWrapper<Bytes>>,
    ) -> Pin<Box<dyn Future<Output = Result<BytesResponse, instant_acme::Error>> + Send>> {
        let client = self.0.clone();
        Box::pin(async move {
            let other = |error: Box<dyn std::error::Error + Send + Sync>| instant_acme::Error::Other(error);
            let (head, body) = request.into_parts();
            let Ok(body) = body.collect().await;
            let body = body.to_bytes();
            let response =
                timeout(RESPONSE_TIMEOUT, client.request(Request::from_parts(head, Full::new(body))));
            let response =
                response.await.map_err(|late| other(late.into()))?.map_err(|error| other(error.into()))?;
            Ok(BytesResponse::from(response.map(|body| Limited::new(body, BYTES_MAX))))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_one_authority_and_its_names() {
        let authority = |directory: &str, names: &[&str]| Authority {
            directory: directory.to_owned(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            contact: None,
            folder: PathBuf::from("/acme"),
            client: platbook_https::client(Duration::from_secs(1), platbook_https::Hosts::Any),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _inside = runtime.enter();
        let one = authority("https://a.example/dir", &["x.example"]);
        for (directory, names, is_same_account, is_same_certificate) in [
            ("https://a.example/dir", &["x.example"][..], true, true),
            ("https://a.example/dir", &["x.example", "y.example"], true, false),
            ("https://b.example/dir", &["x.example"], false, false),
        ] {
            let other = authority(directory, names);
            assert_eq!(one.account_path() == other.account_path(), is_same_account, "{directory} {names:?}");
            let is_same = one.certificate_path() == other.certificate_path();
            assert_eq!(is_same, is_same_certificate, "{directory} {names:?}");
        }
    }

    #[test]
    fn a_certificate_is_renewed_when_a_third_of_its_time_is_left() {
        let made = rcgen::generate_simple_self_signed(["a.example".to_owned()]).unwrap();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let certificate = Certificate::new(vec![made.cert.der().clone()], key).unwrap();
        let (begins, ends) = (certificate.begins().as_second(), certificate.ends().as_second());
        assert_eq!(renewal(&certificate).as_second(), ends - (ends - begins) / 3);
    }
}
