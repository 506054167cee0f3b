//! The address to which people report errors. The operator may set another address.

use std::{borrow::Cow, str::FromStr};

use super::query::in_query;

/// The form for a new issue of the project.
const NEW_ISSUE: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues/new?title={title}&body={text}");

/// The address to which people report errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Corrections {
    /// The issues of the project, which require an account there.
    #[default]
    Project,
    /// A mail address without `mailto:`.
    Mail(String),
    /// The web address of a form. `{title}`, `{text}` and `{page}` in it stand for the parts of the report.
    Form(String),
}

/// Error for a text that is not an address for reports.
#[derive(Debug, thiserror::Error)]
#[error("expected a mail address such as help@platbook.example, or the https address of a form, got {0:?}")]
pub struct BadCorrections(String);

impl FromStr for Corrections {
    type Err = BadCorrections;

    fn from_str(text: &str) -> Result<Corrections, BadCorrections> {
        let is_plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let is_mail = |text: &str| {
            let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"@.-_+".contains(&byte);
            let parts = text.split_once('@');
            text.bytes().all(allowed)
                && parts
                    .is_some_and(|(name, host)| !name.is_empty() && host.contains('.') && !host.contains('@'))
        };
        if text.starts_with("https://") && is_plain(&text[8..]) {
            Ok(Corrections::Form(text.to_owned()))
        } else if is_mail(text) {
            Ok(Corrections::Mail(text.to_owned()))
        } else {
            Err(BadCorrections(text.to_owned()))
        }
    }
}

impl Corrections {
    /// Returns the link with which a report begins.
    pub(super) fn link(&self, report: &Report) -> String {
        let (title, text) = (in_query(&report.title), in_query(&report.text));
        let form = match self {
            Corrections::Mail(address) => {
                return format!("mailto:{address}?subject={title}&body={text}");
            }
            Corrections::Form(form) => form,
            Corrections::Project => NEW_ISSUE,
        };
        let form = form.replace("{title}", &title).replace("{text}", &text);
        form.replace("{page}", &in_query(&report.page))
    }

    /// Returns the text of the link. The text contains a mail address, because not every device opens a mail program.
    pub(super) fn words(&self) -> Cow<'static, str> {
        match self {
            Corrections::Mail(address) => format!("Something wrong? Write to {address}").into(),
            Corrections::Form(_) => "Something wrong? Tell us".into(),
            Corrections::Project => "Something wrong? Report it on GitHub (needs an account)".into(),
        }
    }
}

/// The beginning of a report, which a person completes.
#[derive(Clone, Debug)]
pub(super) struct Report {
    /// One line, without a line break.
    pub(super) title: String,
    /// The address of the page on which the report began.
    pub(super) page: String,
    /// The text to which the person adds.
    pub(super) text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_go_to_the_address_of_the_operator() {
        let report = Report {
            title: "Wrong & old".to_owned(),
            page: "https://b.example/x".to_owned(),
            text: "Page: /x\n".to_owned(),
        };
        for (address, link) in [
            (
                "help@platbook.example",
                "mailto:help@platbook.example?subject=Wrong%20%26%20old&body=Page:%20%2Fx%0A",
            ),
            (
                "https://a.example/f?t={title}&x={text}",
                "https://a.example/f?t=Wrong%20%26%20old&x=Page:%20%2Fx%0A",
            ),
            ("https://a.example/f?url={page}", "https://a.example/f?url=https:%2F%2Fb.example%2Fx"),
            ("https://a.example/form", "https://a.example/form"),
        ] {
            assert_eq!(address.parse::<Corrections>().unwrap().link(&report), link);
        }
        for text in [
            "",
            "help",
            "a@b",
            "@b.example",
            "javascript:alert(1)",
            "http://a.example",
            "https://a b",
            "a@b.c?cc=d@e.f",
        ] {
            let error = text.parse::<Corrections>().unwrap_err().to_string();
            assert!(error.contains("expected a mail address") && error.contains(text), "{error}");
        }
        assert!(
            Corrections::default().link(&report).contains("/issues/new?title=Wrong%20%26%20old&body=Page")
        );
    }
}
