//! Options for limits that several servers share, and the [`Fleet`] that they configure.

use std::{num::NonZero, time::Duration};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Deserializer, de::Error as _};

use super::{UsageError, number};
use crate::http::limits::{Fleet, SharedTable, StoreAddress};

/// Time within which most replies of the store must arrive. A reply delays an answer by this time.
const WAIT: Duration = Duration::from_micros(300);

/// Options for limits that several servers share.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct FleetArgs {
    /// Store that counts limits for several servers: Redis or Valkey, as redis://[USER:PASSWORD@]HOST:PORT[/DATABASE]
    /// or unix:///PATH. While it is away, each server grants its part of the limits [default: none, each server counts
    /// for itself]
    #[arg(long, value_name = "URL", env = "PLATBOOK_LIMITS_STORE", hide_env_values = true)]
    #[serde(default, deserialize_with = "address_of_file")]
    limits_store: Option<StoreAddress>,
    /// Number of servers that share the limits of --limits-store, this one included
    #[arg(long, value_name = "N", env = "PLATBOOK_LIMITS_REPLICAS", value_parser = number::from_one::<NonZero<u32>>)]
    #[serde(default, deserialize_with = "number::one_of_file")]
    limits_replicas: Option<NonZero<u32>>,
    /// Microseconds in which the store must reply most of the time; a slower store is not used. Raise it for a store in
    /// another building [default: 300]
    #[arg(long, value_name = "US", env = "PLATBOOK_LIMITS_WAIT_US", value_parser = number::from_one::<NonZero<u32>>)]
    #[serde(default, deserialize_with = "number::one_of_file")]
    limits_wait_us: Option<NonZero<u32>>,
}

/// Parses `limits-store` of a configuration file in the same way as the option.
fn address_of_file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<StoreAddress>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
}

impl FleetArgs {
    pub(super) fn or(self, other: FleetArgs) -> FleetArgs {
        FleetArgs {
            limits_store: self.limits_store.or(other.limits_store),
            limits_replicas: self.limits_replicas.or(other.limits_replicas),
            limits_wait_us: self.limits_wait_us.or(other.limits_wait_us),
        }
    }

    /// Returns the fleet; `None` if this server counts only its own requests.
    ///
    /// # Errors
    /// Fails if only one of the two options that need each other is set.
    pub(super) fn fleet(&self) -> Result<Option<Fleet>, UsageError> {
        let wait = self.limits_wait_us.map_or(WAIT, |us| Duration::from_micros(us.get().into()));
        match (&self.limits_store, self.limits_replicas) {
            (Some(store), Some(replicas)) => Ok(Some(Fleet { store: store.clone(), replicas, wait })),
            (None, None) if self.limits_wait_us.is_none() => Ok(None),
            (Some(_), None) => Err(UsageError(
                "expected --limits-replicas N beside --limits-store, the number of servers that share it; got none"
                    .to_owned(),
            )),
            (None, _) => Err(UsageError(
                "expected --limits-store URL beside --limits-replicas and --limits-wait-us; got none".to_owned(),
            )),
        }
    }

    /// Starts the shared counts of the fleet; `None` if this server counts only its own requests.
    ///
    /// # Errors
    /// Fails if an option is missing, or the system cannot start a thread.
    pub(super) fn start(&self) -> Result<Option<SharedTable>> {
        self.fleet()?.map(SharedTable::start).transpose().context("--limits-store")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Given {
        #[command(flatten)]
        args: FleetArgs,
    }

    #[test]
    fn the_two_options_belong_together() {
        let store = "--limits-store=redis://:secret@127.0.0.1:1";
        for (args, expected) in [
            (&[][..], "none"),
            (&[store, "--limits-replicas=3"], "127.0.0.1:1 3 300"),
            (&[store, "--limits-replicas=3", "--limits-wait-us=2000"], "127.0.0.1:1 3 2000"),
            (&[store], "expected --limits-replicas N beside --limits-store"),
            (&["--limits-replicas=3"], "expected --limits-store URL beside"),
            (&["--limits-wait-us=3"], "expected --limits-store URL beside"),
            (&[store, "--limits-replicas=0"], "expected a whole number of 1 or more, got \"0\""),
            (&["--limits-store=memcached://a", "--limits-replicas=3"], "got \"memcached://a\""),
            (&["--limits-store=rediss://u:secret@h", "--limits-replicas=3"], "got \"rediss://...@h\""),
        ] {
            let said = match Given::try_parse_from([&["serve"][..], args].concat()) {
                Err(error) => error.to_string(),
                Ok(given) => match given.args.fleet() {
                    Ok(None) => "none".to_owned(),
                    Ok(Some(fleet)) => {
                        format!("{} {} {}", fleet.store, fleet.replicas, fleet.wait.as_micros())
                    }
                    Err(error) => error.to_string(),
                },
            };
            assert!(said.contains(expected), "{args:?}: {said}");
        }
    }
}
