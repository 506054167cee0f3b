use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::harness::{Client, Server};

/// Texts that would be dangerous if a page showed them unescaped. Each contains the mark.
const TEXTS: [&str; 26] = [
    "<script>hx9()</script>",
    "</script><script>hx9()</script>",
    "</title><svg onload=hx9()>",
    "\"><img src=x onerror=hx9()>",
    "' onmouseover='hx9()",
    "\" autofocus onfocus=\"hx9()",
    "javascript:hx9()",
    "data:text/html,<script>hx9()</script>",
    "<!--hx9",
    "--><b>hx9",
    "]]><b>hx9",
    "<b>hx9</b>",
    "&lt;hx9&gt;<i>",
    "&#60;hx9<",
    "{{hx9}}<",
    "${hx9}<",
    "hx9\\\"<",
    "hx9`<",
    "\u{2028}hx9<",
    "\u{202e}hx9<",
    "hx9\u{feff}<",
    "＜hx9＞<",
    "hx9%3Cscript%3E<",
    "hx9'\"<>&",
    "<a href=javascript:hx9()>",
    "+ADw-hx9+AD4-<",
];

/// Targets that contain a caller's text. `{}` stands for the text.
const TARGETS: [&str; 9] = [
    "/?q={}",
    "/?address={}",
    "/?place={}&state=VT",
    "/places/{}",
    "/topics/{}",
    "/guides/zoning?state={}",
    "/topics/zoning?place={}",
    "/at/{}",
    "/places/county:27053?cursor={}",
];

#[test]
fn no_text_of_a_caller_becomes_part_of_a_page() {
    let mut client = Client::connect(Server::shared().address);
    let mut cases = 0;
    for text in TEXTS {
        let encoded = utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        for target in TARGETS {
            let target = target.replace("{}", &encoded);
            let answer = client.get(&target);
            assert!(answer.status < 500, "{target}: {}", answer.status);
            let is_shown = answer.header("location").contains('<')
                || answer.body.contains(text) && text.contains(['<', '"']);
            assert!(!is_shown, "{target} shows {text} as it is");
            // The page must have no handler and no element of the caller: the mark may only be in text and in quoted
            // values.
            for before in [
                "<script>hx9",
                "<svg onload=hx9",
                "<img src=x onerror=hx9",
                "<b>hx9",
                "href=\"javascript:hx9",
                "onfocus=\"hx9",
            ] {
                assert!(!answer.body.contains(before), "{target}: {before}");
            }
            cases += 1;
        }
    }
    assert!(cases >= 200, "{cases} cases");
}
