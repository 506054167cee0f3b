use platbook::wire::ProblemKind;

use crate::harness::{Client, Server};

#[test]
fn every_type_leads_to_a_page_that_says_what_to_do() {
    let mut client = Client::connect(Server::shared().address);
    for kind in ProblemKind::all() {
        let response = client.get(&format!("/problems/{}", kind.slug()));
        assert_eq!((response.status, response.header("content-type")), (200, "text/html; charset=utf-8"));
        for text in [kind.slug(), kind.title(), kind.help().meaning, kind.help().remedy] {
            assert!(response.body.contains(text), "{}: {text}", kind.slug());
        }
    }
}
