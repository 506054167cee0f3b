//! Options for outside lookups, and the [`Lookups`] that they configure.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Result;
use serde::Deserialize;

use super::{UsageError, fresh::of_option, of_file};
use crate::{
    shipping::open_layer,
    upstream::{Lookups, ParcelSettings, ServiceAddress, Services},
};
use platbook::{
    map_files::{Ground, MapFiles},
    snapshot::LayerFile,
};

/// Options for outside services and data files.
#[derive(Debug, Default, clap::Args, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) struct OutsideArgs {
    /// Make no outside lookups: addresses are not looked up, and facts of maps stay unknown unless a layer file has
    /// them
    #[arg(long, env = "PLATBOOK_OFFLINE", num_args = 0..=1, require_equals = true, default_missing_value = "true",
          value_name = "true|false", hide_possible_values = true)]
    offline: Option<bool>,
    /// Layer file with addresses or maps of an area, which is used before outside services. Made by `platbook-pipeline
    /// layer`; repeat the option or separate files by commas
    #[arg(long, value_name = "FILE", env = "PLATBOOK_LAYER", value_delimiter = ',')]
    layer: Option<Vec<PathBuf>>,
    /// Replace a public service by a mirror (flood=URL) or turn it off (flood=off). The services are geocoder, flood,
    /// wetlands, soils, elevation and shoreland
    #[arg(long, value_name = "NAME=URL|off", env = "PLATBOOK_SERVICE", value_delimiter = ',')]
    service: Option<Vec<ServiceAddress>>,
    /// Your email or web address, which outside services get with each call
    #[arg(long, value_name = "CONTACT", env = "PLATBOOK_CONTACT")]
    contact: Option<String>,
    /// A provider of parcel data; set in the configuration file only.
    #[arg(skip)]
    parcels: Option<ParcelSettings>,
}

impl OutsideArgs {
    /// Returns these options, with the unset ones taken from `other`.
    pub(super) fn or(self, other: OutsideArgs) -> OutsideArgs {
        OutsideArgs {
            offline: self.offline.or(other.offline),
            layer: self.layer.or(other.layer),
            service: self.service.or(other.service),
            contact: self.contact.or(other.contact),
            parcels: self.parcels.or(other.parcels),
        }
    }

    /// Makes the lookups of a command. They use layer files and the snapshot's facts of whole counties first, then
    /// outside services.
    pub(super) fn lookups(&self) -> Result<Lookups> {
        Ok(self.outside()?.with_finder(Box::new(self.map_files()?)))
    }

    /// Makes the lookups of a service, and the layer files from which it draws maps. The files are copied first,
    /// since they may be overwritten while the service runs.
    pub(super) fn lookups_of_copies(&self) -> Result<(Lookups, Ground)> {
        let open = |path: &Path| open_layer(path).map_err(|refusal| of_option("--layer", path, refusal));
        let (ground, files) = Ground::split(self.layer_files_with(open)?);
        Ok((self.outside()?.with_finder(Box::new(MapFiles::new(files))), ground))
    }

    /// Opens the layer files of a command.
    pub(super) fn map_files(&self) -> Result<MapFiles> {
        let open = |path: &Path| LayerFile::open(path).map_err(|error| of_file(error, path));
        Ok(MapFiles::new(self.layer_files_with(open)?))
    }

    fn layer_files_with(&self, open: impl Fn(&Path) -> Result<LayerFile>) -> Result<Vec<LayerFile>> {
        self.layer.iter().flatten().map(|path| open(path)).collect()
    }

    /// Makes the lookups for outside services.
    fn outside(&self) -> Result<Lookups> {
        if self.offline == Some(true) {
            return Ok(Lookups::closed());
        }
        let addresses = self.service.as_deref().unwrap_or_default();
        let services = Services::new(addresses, self.contact.as_deref(), self.parcels.as_ref());
        let services = services.map_err(|error| UsageError(error.to_string()))?;
        Ok(Lookups::of(Arc::new(services)))
    }
}
