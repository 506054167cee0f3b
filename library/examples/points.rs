//! The county and the city of each point of a file with lines of `latitude,longitude`:
//! `cargo run --release -p platbook --example points -- points.csv`

use std::{env, error::Error, fs, sync::Arc};

use platbook::{
    answers::Answers,
    columns::{Column, Location, Table},
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = env::args().skip(1);
    let file = given.next().ok_or("expected POINTS [SNAPSHOT]")?;
    let directory = platbook::open(given.next().unwrap_or("snapshots/default.platbook".to_owned()))?;

    let mut points = Vec::new();
    for (number, line) in (1..).zip(fs::read_to_string(&file)?.lines()) {
        let mut fields = line.split(',').map(|field| field.trim().parse::<f64>());
        match (fields.next(), fields.next()) {
            (Some(Ok(lat)), Some(Ok(lon))) => points.push((lat, lon)),
            _ if number == 1 => {} // the header
            _ => return Err(format!("{file}:{number}: expected latitude,longitude, got {line:?}").into()),
        }
    }

    let columns = Column::chosen(Some(&["county_name", "place_name"]), None)?;
    let table = Arc::new(Table::new(Arc::new(Answers::new(directory)), columns));
    let (mut resolver, mut names) = (table.resolver(), Vec::new());
    let outcomes = resolver.resolve(points.iter().copied().map(Location::of_degrees), |chain| {
        names.push([0, 1].map(|at| chain.text(chain.columns()[at]).unwrap_or_default().into_owned()));
    });
    println!("latitude,longitude,county,place,error");
    for ((lat, lon), outcome) in points.iter().zip(outcomes) {
        let [county, place] =
            outcome.chain_number().map_or(["", ""], |chain| names[chain].each_ref().map(|name| &name[..]));
        println!("{lat},{lon},{county},{place},{}", outcome.error().unwrap_or_default());
    }
    Ok(())
}
