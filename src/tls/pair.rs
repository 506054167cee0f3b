//! A certificate and its key in two files, which another program replaces from time to time.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::{task::spawn_blocking, time::sleep};

use super::{Certificate, CertificateFault, Tls};
use platbook::{
    files::regular_file::{self, FileFault},
    vocabulary::with_causes,
};

/// Maximum length of a file in bytes. A chain of five RSA certificates has 10 KB.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Pause between two checks. Each check reads both files, which takes some 40 us. Modification times are not
/// compared, because two writes within one tick of the system clock look the same.
const EVERY: Duration = Duration::from_secs(2);

/// The paths of a certificate and of its key.
#[derive(Clone, Debug)]
pub struct Pair {
    /// File of the certificate, followed by its intermediate certificates.
    pub certificate: PathBuf,
    /// File of the key.
    pub key: PathBuf,
}

/// The reason why a pair of files cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PairFault {
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Unread {
        /// The path of the file.
        path: PathBuf,
        /// The fault of the file.
        source: FileFault,
    },
    /// The contents cannot be used.
    #[error("{certificate} with {key}")]
    Unfit {
        /// The path of the certificate.
        certificate: PathBuf,
        /// The path of the key.
        key: PathBuf,
        /// The fault of the contents.
        source: CertificateFault,
    },
}

/// The bytes of both files.
#[derive(Debug)]
struct PairBytes {
    certificate: Vec<u8>,
    key: Vec<u8>,
}

impl PairBytes {
    /// Returns a digest of the files, for comparison without a stored copy of the key.
    fn digest(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(self.certificate.len() as u64).to_le_bytes());
        hasher.update(&self.certificate).update(&self.key);
        hasher.finalize()
    }
}

impl Pair {
    /// Reads both files. Returns the certificate, and the watch that replaces it when the files change.
    ///
    /// # Errors
    /// Fails if a file cannot be read, or if the files do not belong together.
    pub fn open(self) -> Result<(Certificate, WatchedPair), PairFault> {
        let contents = self.contents()?;
        let certificate = self.certificate_of(&contents)?;
        Ok((certificate, WatchedPair { pair: self, used: contents.digest(), last: None, said: None }))
    }

    fn contents(&self) -> Result<PairBytes, PairFault> {
        let read = |path: &Path| {
            let unread = |source| PairFault::Unread { path: path.to_owned(), source };
            regular_file::read(path, FILE_BYTES_MAX).map_err(unread)
        };
        Ok(PairBytes { certificate: read(&self.certificate)?, key: read(&self.key)? })
    }

    fn certificate_of(&self, contents: &PairBytes) -> Result<Certificate, PairFault> {
        Certificate::from_pem(&contents.certificate, &contents.key).map_err(|source| PairFault::Unfit {
            certificate: self.certificate.clone(),
            key: self.key.clone(),
            source,
        })
    }
}

/// A pair of files that is watched for changes.
#[derive(Debug)]
pub struct WatchedPair {
    pair: Pair,
    used: blake3::Hash,
    /// Digest of the files at the last check; `None` if they were the ones in use.
    last: Option<blake3::Hash>,
    /// The fault that was logged last.
    said: Option<String>,
}

impl WatchedPair {
    /// Checks the files forever, and uses a changed pair. A pair that cannot be used is logged once, and the old one
    /// stays in use.
    pub async fn watch(mut self, tls: Arc<Tls>) {
        loop {
            sleep(EVERY).await;
            let pair = self.pair.clone();
            // Reads on another thread, since a network folder may block for a while.
            let Ok(found) = spawn_blocking(move || pair.contents()).await else { return };
            self.look(found, &tls);
        }
    }

    /// Handles the result of a check. New files are used once two checks find the same bytes, because programs
    /// replace one file before the other.
    fn look(&mut self, found: Result<PairBytes, PairFault>, tls: &Tls) {
        let outcome = match found.map(|contents| (contents.digest(), contents)) {
            Ok((digest, _)) if digest == self.used => {
                self.last = None;
                Ok(())
            }
            Ok((digest, _)) if self.last != Some(digest) => {
                self.last = Some(digest);
                return;
            }
            Ok((digest, contents)) => self.pair.certificate_of(&contents).map(|certificate| {
                self.used = digest;
                tls.replace(certificate);
            }),
            Err(fault) => Err(fault),
        };
        let fault = outcome.err().map(|fault| with_causes(&fault));
        tls.set_behind(fault.is_some());
        if let Some(fault) = fault.as_ref().filter(|fault| self.said.as_ref() != Some(fault)) {
            tracing::warn!("the certificate stays as it is: {fault}");
        }
        self.said = fault;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn made(name: &str) -> (String, String) {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        (
            super::super::pem("CERTIFICATE", made.cert.der()),
            super::super::pem("PRIVATE KEY", &made.signing_key.serialize_der()),
        )
    }

    /// Each step writes both files and checks twice. A bad pair leaves the last good one in use.
    #[test]
    fn a_changed_pair_is_used_and_a_bad_one_leaves_the_old() {
        let folder = tempfile::tempdir().unwrap();
        let pair = Pair { certificate: folder.path().join("cert.pem"), key: folder.path().join("key.pem") };
        let write = |certificate: &str, key: &str| {
            fs::write(&pair.certificate, certificate).unwrap();
            fs::write(&pair.key, key).unwrap();
        };
        let (one, other, third) = (made("one.example"), made("other.example"), made("third.example"));
        write(&one.0, &one.1);
        let (certificate, mut watch) = pair.clone().open().unwrap();
        let tls = Tls::new(Some(certificate)).unwrap();
        let served = || tls.certificate().unwrap().to_string().split(',').next().unwrap().to_owned();
        for (certificate, key, expected, is_behind) in [
            (&*one.0, &*one.1, "for one.example", false),
            (&*other.0, &*one.1, "for one.example", true),
            (&*other.0, "", "for one.example", true),
            (&*other.0, &*other.1, "for other.example", false),
            ("nothing", &*other.1, "for other.example", true),
            (&*other.0, &*other.1, "for other.example", false),
            (&*third.0, &*third.1, "for third.example", false),
        ] {
            write(certificate, key);
            for _ in 0..2 {
                watch.look(pair.contents(), &tls);
            }
            assert_eq!(
                (served().as_str(), tls.is_behind()),
                (expected, is_behind),
                "{certificate:.60} {key:.60}"
            );
        }
        write(&one.0, &one.1);
        watch.look(pair.contents(), &tls);
        assert_eq!(served(), "for third.example", "one look may have found half a change");
        fs::remove_file(&pair.key).unwrap();
        watch.look(pair.contents(), &tls);
        assert!(tls.is_behind() && watch.said.as_ref().unwrap().contains("cannot read"), "{:?}", watch.said);
    }
}
