//! Published sources that are not part of a snapshot.

use std::borrow::Cow;

use super::LicenseClass;

/// A published source that is not part of the snapshot, such as a lookup service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideSource {
    /// Name of the data set or service.
    pub name: Cow<'static, str>,
    /// URL of the published data.
    pub url: Cow<'static, str>,
    /// The organization that publishes the data.
    pub publisher: Cow<'static, str>,
    /// Whether the publisher is a government agency.
    pub official: bool,
    /// License class of the data.
    pub license_class: LicenseClass,
}

impl OutsideSource {
    /// A source with an open license: of the federal government, whose data is in the public domain, or of a state
    /// that publishes as openly.
    pub const fn published(name: &'static str, url: &'static str, publisher: &'static str) -> OutsideSource {
        OutsideSource {
            name: Cow::Borrowed(name),
            url: Cow::Borrowed(url),
            publisher: Cow::Borrowed(publisher),
            official: true,
            license_class: LicenseClass::Open,
        }
    }
}
