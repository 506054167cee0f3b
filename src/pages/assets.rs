//! Serves the style sheet, the script and the pictures. These files are built in. Their names change with their
//! content, so a browser may cache them for a year.

use std::sync::LazyLock;

use xxhash_rust::xxh3::xxh3_64;

use crate::http::Content;

/// A year, in seconds.
const YEAR_S: u32 = 31_536_000;

/// A built-in file that pages link to.
#[derive(Debug)]
pub(super) struct Asset {
    /// The name of the file below `/assets/`, with a hash of the content.
    pub(super) name: String,
    /// The content of the file, with compressed forms.
    pub(super) content: Content,
}

/// The style sheet of all pages.
pub(super) static STYLE: LazyLock<Asset> = LazyLock::new(|| {
    asset("style", "css", "text/css; charset=utf-8", include_bytes!("../../assets/style.css"))
});

/// The script: suggestions, the reader's own location, and clicks on a map.
pub(super) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    asset("script", "js", "text/javascript; charset=utf-8", include_bytes!("../../assets/script.js"))
});

/// The icon in a browser's tab.
pub(super) static ICON: LazyLock<Asset> =
    LazyLock::new(|| asset("icon", "svg", "image/svg+xml", include_bytes!("../../assets/icon.svg")));

/// The picture that other sites show beside a link to a page.
pub(super) static PREVIEW: LazyLock<Asset> =
    LazyLock::new(|| asset("preview", "png", "image/png", include_bytes!("../../assets/preview.png")));

fn asset(stem: &str, ending: &str, media_type: &'static str, bytes: &'static [u8]) -> Asset {
    let name = format!("{stem}-{:016x}.{ending}", xxh3_64(bytes));
    Asset { name, content: Content::new(media_type, YEAR_S, bytes) }
}

/// Finds a file by its name.
pub(super) fn find(name: &str) -> Option<&'static Asset> {
    [&*STYLE, &*SCRIPT, &*ICON, &*PREVIEW].into_iter().find(|asset| asset.name == name)
}
