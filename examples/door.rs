//! A server with an extra door beside the operations: `/names/44.9773,-93.2655` lists the names of the governments.
//! `cargo run --release --example door`

use std::{error::Error, sync::Arc};

use hyper::{Method, Response};
use platbook::answers::{Data, Found, Request, parse_point};
use platbook_service::{
    edition::Edition,
    http::{Call, Capacity, Door, Responding, Service, Takes, listen, serve, whole},
};
use tokio::runtime::Runtime;

const SITE: &str = "http://127.0.0.1:8081";

#[derive(Debug)]
struct Names;

impl Door for Names {
    fn takes(&self, path: &str) -> Option<Takes> {
        let takes = Takes { methods: &[Method::GET], request_headers: "", body_bytes_max: 0 };
        path.starts_with("/names/").then_some(takes)
    }

    fn respond<'a>(&'a self, mut call: Call<'a>) -> Responding<'a> {
        Box::pin(async move {
            call.admission.admit().await?; // counts against the caller's limit
            let text = call.head.uri.path().trim_start_matches("/names/");
            let (lat, lon) = text.split_once(',').unzip();
            let request = Request::Resolve { point: parse_point(lat, lon)? };
            let answers = call.edition.answers();
            let answer = answers.finish(&request, Found::default())?;
            let Data::Resolve(resolved) = &answer.data else { unreachable!("a point was requested") };
            let name = |row| answers.directory().jurisdiction(row).name;
            let names: Vec<&str> = resolved.lineage.iter().copied().map(name).collect();
            Ok(Response::new(whole(names.join("\n") + "\n")))
        })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let edition = Edition::new(platbook::open("snapshots/default.platbook")?, SITE);
    let service = Service::new(edition).with_door(Box::new(Names));
    Runtime::new()?.block_on(async {
        let listener = listen("127.0.0.1:8081".parse()?)?;
        let stop = async { drop(tokio::signal::ctrl_c().await) };
        println!("{SITE}/names/44.9773,-93.2655");
        serve(listener, Arc::new(service), Capacity::default(), stop).await;
        Ok(())
    })
}
