//! Example code that calls the API, in the languages of the page.

use maud::{Markup, html};

use crate::{operations::Operation, pages::site::Site};

/// A programming language of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Curl,
    Python,
    JavaScript,
    R,
}

impl Language {
    const ALL: [Language; 4] = [Language::Curl, Language::Python, Language::JavaScript, Language::R];

    /// Returns the word for the language in a page's address.
    fn as_str(self) -> &'static str {
        match self {
            Language::Curl => "curl",
            Language::Python => "python",
            Language::JavaScript => "javascript",
            Language::R => "r",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Language::Curl => "curl",
            Language::Python => "Python",
            Language::JavaScript => "JavaScript",
            Language::R => "R",
        }
    }

    /// Returns the language that a page's address names; `None` for another word.
    pub(crate) fn from_word(word: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|language| language.as_str() == word)
    }

    /// Returns code that requests an address and shows the answer. The code needs only the language itself, and in R
    /// the package jsonlite.
    pub(super) fn snippet(self, url: &str) -> String {
        match self {
            Language::Curl => format!("curl '{url}'"),
            Language::Python => format!(
                "import json\nfrom urllib.request import urlopen\n\nwith urlopen(\"{url}\") as response:\n    \
                 answer = json.load(response)\nprint(json.dumps(answer[\"data\"], indent=2))"
            ),
            Language::JavaScript => format!(
                "const response = await fetch(\"{url}\");\nconst answer = await response.json();\n\
                 if (!response.ok) throw new Error(answer.detail);\nconsole.log(answer.data);"
            ),
            Language::R => {
                format!("library(jsonlite)\n\nanswer <- fromJSON(\"{url}\")\nstr(answer$data, max.level = 2)")
            }
        }
    }
}

/// Links the page in the other languages, at the same operation.
pub(super) fn tabs(site: Site<'_>, operation: &Operation, language: Language) -> Markup {
    html! {
        ul.plain.tabs { @for other in Language::ALL {
            li { a href=(format!("{}#{}", site.href(&path(other)), operation.id)) aria-current=[(other == language).then_some("true")] { (other.name()) } }
        } }
    }
}

/// Returns the path of the page in a language.
fn path(language: Language) -> String {
    if language == Language::Curl { "/docs".to_owned() } else { format!("/docs?lang={}", language.as_str()) }
}
