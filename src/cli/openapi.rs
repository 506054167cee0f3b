//! `platbook openapi`: prints the OpenAPI document.

use std::process::ExitCode;

use anyhow::Result;

use super::{print, site};
use crate::openapi;

#[derive(Debug, clap::Args)]
pub(super) struct OpenApiArgs {
    /// Public address of the service that the document describes
    #[arg(long, value_name = "URL", env = "PLATBOOK_SITE_URL", value_parser = site::site_url,
          default_value = site::SITE_URL)]
    site_url: String,
}

pub(super) fn openapi(args: &OpenApiArgs) -> Result<ExitCode> {
    print(&format!("{:#}\n", openapi::document(&args.site_url)))?;
    Ok(ExitCode::SUCCESS)
}
