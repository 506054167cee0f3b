//! The county and the city of each point of a file with lines of `latitude,longitude`:
//! `cargo run --release -p platbook --example points -- points.csv`

use std::{env, error::Error, fs};

use platbook::directory::Row;

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = env::args().skip(1);
    let file = given.next().ok_or("expected POINTS [SNAPSHOT]")?;
    let directory = platbook::open(given.next().unwrap_or("snapshots/default.platbook".to_owned()))?;

    let (mut lats, mut lons) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(fs::read_to_string(&file)?.lines()) {
        let mut fields = line.split(',').map(|field| field.trim().parse::<f64>());
        match (fields.next(), fields.next()) {
            (Some(Ok(lat)), Some(Ok(lon))) => {
                lats.push(lat);
                lons.push(lon);
            }
            _ if number == 1 => {} // the header
            _ => return Err(format!("{file}:{number}: expected latitude,longitude, got {line:?}").into()),
        }
    }

    let columns = directory.resolve_all(&lats, &lons)?;
    let name = |row: Option<Row>| row.map_or("", |row| directory.jurisdiction(row).name);
    println!("latitude,longitude,county,place");
    for (at, (lat, lon)) in lats.iter().zip(&lons).enumerate() {
        println!("{lat},{lon},{},{}", name(columns.county.get(at)), name(columns.place.get(at)));
    }
    Ok(())
}
