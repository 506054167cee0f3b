//! The public address of a service.

/// Where `platbook serve` listens when not told otherwise.
pub(super) const SITE_URL: &str = "http://127.0.0.1:8080";

/// Checks `--site-url`.
pub(super) fn site_url(text: &str) -> Result<String, String> {
    let after_scheme = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let well_formed =
        |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'"');
    if after_scheme.is_some_and(well_formed) {
        Ok(text.to_owned())
    } else {
        Err("expected an address such as https://platbook.example".to_owned())
    }
}
