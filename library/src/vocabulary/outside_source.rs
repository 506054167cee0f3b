//! Published sources that are not part of a snapshot.

use std::borrow::Cow;

use super::LicenseClass;

/// A published source that is not part of the snapshot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideSource {
    /// Name of the data or service.
    pub name: Cow<'static, str>,
    /// Address of the published data.
    pub url: Cow<'static, str>,
    /// Publisher.
    pub publisher: Cow<'static, str>,
    /// Whether the publisher is a government.
    pub official: bool,
    /// License class.
    pub license_class: LicenseClass,
}

impl OutsideSource {
    /// Data of the federal government, which is in the public domain, or of a state that publishes it as openly.
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
