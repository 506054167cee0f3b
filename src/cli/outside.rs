//! Whom outside a server or a command asks.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Result;
use serde::Deserialize;

use super::{UsageError, fresh::of_option, of_file};
use crate::{
    shipping::open_layer,
    upstream::{Desk, ParcelSettings, ServiceAddress, Services},
};
use platbook::{map_files::MapFiles, snapshot::LayerFile};

/// Services outside.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct OutsideArgs {
    /// Ask nobody outside: addresses are not looked up, and facts of maps stay unknown
    #[arg(long, env = "PLATBOOK_OFFLINE", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          value_name = "true|false", hide_possible_values = true)]
    offline: Option<bool>,
    /// Layer file: addresses or maps of an area, which answer before anyone outside is asked. Made by
    /// `platbook-pipeline layer`; several as several options or with commas between
    #[arg(long, value_name = "FILE", env = "PLATBOOK_LAYER", value_delimiter = ',')]
    layer: Option<Vec<PathBuf>>,
    /// Ask a mirror instead of the public service, or nobody: geocoder, flood, wetlands, soils, elevation or shoreland,
    /// with the address that the paths of the service are below
    #[arg(long, value_name = "NAME=URL|off", env = "PLATBOOK_SERVICE", value_delimiter = ',')]
    service: Option<Vec<ServiceAddress>>,
    /// Whom the services may turn to about this server: an address of mail or web, sent along with each call
    #[arg(long, value_name = "CONTACT", env = "PLATBOOK_CONTACT")]
    contact: Option<String>,
    /// A provider of parcel data: in the configuration file only.
    #[arg(skip)]
    parcels: Option<ParcelSettings>,
}

impl OutsideArgs {
    /// What is set here, or else there.
    pub(super) fn or(self, other: OutsideArgs) -> OutsideArgs {
        OutsideArgs {
            offline: self.offline.or(other.offline),
            layer: self.layer.or(other.layer),
            service: self.service.or(other.service),
            contact: self.contact.or(other.contact),
            parcels: self.parcels.or(other.parcels),
        }
    }

    /// Where a command looks things up: in files at hand first, what the snapshot knows of whole counties among them, then
    /// outside.
    pub(super) fn desk(&self) -> Result<Desk> {
        self.desk_with(|path| LayerFile::open(path).map_err(|error| of_file(error, path)))
    }

    /// The same for a service, whose files may be written over while it runs: it keeps copies of them.
    pub(super) fn desk_of_copies(&self) -> Result<Desk> {
        self.desk_with(|path| open_layer(path).map_err(|refusal| of_option("--layer", path, refusal)))
    }

    /// With layer files that are opened so.
    fn desk_with(&self, open: impl Fn(&Path) -> Result<LayerFile>) -> Result<Desk> {
        let files: Result<Vec<_>> = self.layer.iter().flatten().map(|path| open(path)).collect();
        Ok(self.outside()?.with_finder(Box::new(MapFiles::new(files?))))
    }

    /// Who is asked outside.
    fn outside(&self) -> Result<Desk> {
        if self.offline == Some(true) {
            return Ok(Desk::closed());
        }
        let addresses = self.service.as_deref().unwrap_or_default();
        let services = Services::new(addresses, self.contact.as_deref(), self.parcels.as_ref());
        let services = services.map_err(|error| UsageError(error.to_string()))?;
        Ok(Desk::of(Arc::new(services)))
    }
}
