//! The governments of a point, and who does each job there, with the reasons and caveats:
//! `cargo run --release -p platbook --example point -- 44.9773 -93.2655`

use std::{env, error::Error};

use platbook::{
    answers::{Answers, Data, Found, Request, parse_point},
    words::{English, Units, Words as _},
};

fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = env::args().skip(1).collect();
    let [lat, lon, ..] = &given[..] else { return Err("expected LATITUDE LONGITUDE [SNAPSHOT]".into()) };
    let point = parse_point(Some(lat), Some(lon)).map_err(|refusal| refusal.detail)?;
    let path = given.get(2).map_or("snapshots/default.platbook", String::as_str);

    let answers = Answers::new(platbook::open(path)?);
    let directory = answers.directory();
    let request = Request::Resolve { point };
    let answer = answers.finish(&request, Found::default()).map_err(|refusal| refusal.detail)?;
    let Data::Resolve(resolved) = &answer.data else { unreachable!("a point was requested") };
    for row in &resolved.lineage {
        println!("{}", directory.jurisdiction(*row).name);
    }
    for entry in answers.assignments(resolved.territory).iter() {
        let job = English.function(entry.outcome.function).name;
        let office = entry.outcome.office.as_deref().unwrap_or("no office");
        let body = entry.body.map_or("not known for certain", |row| directory.jurisdiction(row).name);
        println!("{job}: {office}, {body}. {}", English.reason(&entry.outcome));
    }
    for notice in &answer.notices {
        println!("- {}", English.notice(notice, directory, Units::Both));
    }
    Ok(())
}
