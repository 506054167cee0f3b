//! Builds a snapshot from the manifest and the hand-kept tables, in stages.
//!
//! `compile` makes [`Compiled`]: areas and rows. [`Ruled`] adds the rules and opens a directory without pages,
//! because only a directory knows where a place lies and who does its jobs. [`PageSections`] are the pages, names and
//! lists, joined with the help of that directory. [`Contents`] has both; `completed` adds the coverage and the
//! history. Each section is encoded by the stage that makes it.

use std::{mem::take, path::PathBuf, sync::Arc};

use platbook::{
    directory::Directory,
    rules::Guide,
    snapshot::write::{
        self, ChangeDays, CityChanges, Communities, Contents, Dates, DroppedCount, EncodedSection, Names,
        NewJurisdiction, PageActions, PageSections, PastRules, RuledSections, StateFiles, WriteError,
    },
    vocabulary::{Geoid, StateCode},
};

use crate::{
    boundaries::{
        assemble::{Tolerance, assemble},
        compile::{CompileError, Compiled, Inputs, compile},
        federal,
        load::{LoadError, Loaded, load_all},
        shore::ShoreError,
        tribal::{self, TribalError},
    },
    curated::{self, CensusNames, Community, CuratedError, Tables},
    diff::{Diff, history},
    directory::{
        self, Content, Feeds, PackError, Packed, SourceTable,
        contacts::Contacts,
        ids::{self, IdClashes},
        pack,
        records::{self, LeftOut, Records},
    },
    input::{
        contacts::ListedContact,
        manifest::{Manifest, Role},
        radon::RadonZone,
        zip_counties::ZipCounty,
    },
    layers::counties,
    links,
    output::report::{self, Report},
};

/// Inputs of a build and its tolerance.
#[derive(Clone, Debug)]
pub struct Options {
    /// Directory that the manifest's paths are relative to.
    pub data: PathBuf,
    /// Folder of the hand-kept tables.
    pub curated: PathBuf,
    /// How far lines may be moved to simplify them.
    pub simplify: Tolerance,
    /// Results of link checks; empty without a ledger.
    pub links: links::Table,
    /// The previous snapshot, whose history this one continues; `None` for a snapshot without history.
    pub after: Option<Arc<Directory>>,
}

/// The reason why nothing was built. An existing snapshot file stays.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The published files cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The hand-kept tables have faults.
    #[error(transparent)]
    Curated(#[from] CuratedError),
    /// The areas cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The records of pages cannot be packed.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// Ids occur twice, or retired ids are in use again.
    #[error(transparent)]
    Ids(#[from] IdClashes),
    /// The land of American Indian nations cannot be packed.
    #[error(transparent)]
    Tribal(#[from] TribalError),
    /// The shore cannot be packed.
    #[error(transparent)]
    Shore(#[from] ShoreError),
    /// The manifest's date is not a day.
    #[error("expected a day as in 2026-11-26 in `released`, got {0:?}")]
    Day(String),
    /// A section cannot be written, or the sections do not fit together.
    #[error(transparent)]
    Section(#[from] WriteError),
}

/// A snapshot in memory, with the report on its inputs.
#[derive(Debug)]
pub struct Built {
    /// The snapshot; the same inputs give the same bytes.
    pub directory: Directory,
    /// The result for every record of the inputs.
    pub report: Report,
    /// The differences from the previous snapshot; `None` for the first snapshot.
    pub diff: Option<Diff>,
}

/// Builds a snapshot of all states in memory, or of the only state to which the manifest is narrowed. Reports each step
/// to `progress`.
///
/// # Errors
/// See [`BuildError`].
pub fn build(manifest: &Manifest, options: &Options, progress: &dyn Fn(&str)) -> Result<Built, BuildError> {
    progress("checking the hand-kept tables");
    let mut tables = Tables::load(&options.curated)?;
    if let Some(state) = manifest.only_state {
        tables.narrow(state);
    }
    let mut loaded = load_all(manifest, &options.data, &tables.areas, |step| progress(&step.to_string()))?;
    // A table may name a state as answers do; the files say "Commonwealth of the Northern Mariana Islands".
    let states = StateCode::all().map(|state| (Geoid::of_state(state), state.name()));
    let wrong_names = tables.wrong_names(&CensusNames::of(loaded.names().chain(states)), |_| false);
    if !wrong_names.is_empty() {
        return Err(CuratedError(wrong_names).into());
    }
    let mut report = Report::of_inputs(manifest, &loaded);
    let feeds = Feeds::take(&mut loaded);
    let mut lists = Lists::take(manifest, &mut loaded);
    let inputs = assemble(manifest, loaded, &tables.areas, options.simplify);
    let governments = inputs.jurisdictions.clone();
    let ruled = Ruled::compile(manifest, &tables, inputs, progress)?;
    progress("placing pages of governments");
    let counties = directory::counties_of_places(&ruled.directory);
    curated::add_missing(&mut lists.communities, tables.communities.communities.clone());
    let listed = take(&mut lists.contacts);
    let contacts = Contacts::of(&tables.contacts, listed, manifest, &lists.zip_counties, &ruled.directory);
    let records = directory::records(&tables, feeds, &governments, &counties, &contacts)?;
    let (pages, left_out) = ruled.join(records, contacts, lists)?;
    report.left_out(&left_out);
    progress("writing sections");
    let mut contents = Contents { ruled: ruled.sections, pages };
    if !options.links.links.is_empty() {
        let today = manifest.released.parse().map_err(|_| BuildError::Day(manifest.released.clone()))?;
        let unchecked = Directory::new(contents.seal()?);
        contents.pages.link_checks = Some(links::checks(&unchecked, &options.links, today));
    }
    let (directory, diff) = completed(contents, options.after.as_deref())?;
    progress("resolving every published internal point");
    ids::check(&directory, &tables.retired)?;
    report.check_internal_points(&directory);
    report.describe(&directory);
    Ok(Built { directory, report, diff })
}

/// Seals a snapshot with the figures on its own coverage, which are counted from the answers of the same sections.
/// Adds the differences and the history if there is a previous snapshot.
///
/// # Errors
/// As for [`Contents::seal`].
pub fn completed(
    mut contents: Contents,
    after: Option<&Directory>,
) -> Result<(Directory, Option<Diff>), WriteError> {
    let plain = Directory::new(contents.seal()?);
    contents.pages.coverage = Some(report::figures(&plain));
    let mut diff = after.map(|before| Diff::between(before, &plain));
    if let (Some(diff), Some(before)) = (&diff, after) {
        contents.pages.history = Some(history(diff, before.history()));
    }
    let directory = Directory::new(contents.seal()?);
    if let Some(diff) = &mut diff {
        directory.snapshot_id().clone_into(&mut diff.new.id);
    }
    Ok((directory, diff))
}

/// Lists whose rows are joined to governments by their location, which a directory finds.
#[derive(Debug, Default)]
pub struct Lists {
    communities: Vec<Community>,
    radon: Vec<RadonZone>,
    zip_counties: Vec<ZipCounty>,
    place_counties: Vec<(Geoid, Geoid)>,
    /// Source rows of `radon`, `zip_counties` and `place_counties`; `None` for a list that the manifest does not have.
    sources: [Option<u16>; 3],
    contacts: Vec<(usize, ListedContact)>,
}

impl Lists {
    /// Takes the lists out of the loaded files.
    fn take(manifest: &Manifest, loaded: &mut Loaded) -> Lists {
        // The sources of a snapshot keep the manifest's order.
        let row = |role| manifest.sources.iter().position(|source| source.role == role).map(|row| row as u16);
        Lists {
            communities: take(&mut loaded.communities),
            radon: take(&mut loaded.radon),
            zip_counties: take(&mut loaded.zip_counties),
            place_counties: take(&mut loaded.place_counties),
            sources: [Role::RadonZones, Role::ZipCounties, Role::PlaceCounties].map(row),
            contacts: take(&mut loaded.contacts),
        }
    }
}

/// Governments with their areas and rules.
#[derive(Debug)]
pub struct Ruled {
    /// Sections of areas, names and rules.
    pub sections: RuledSections,
    /// The jurisdictions; the index is the row.
    rows: Vec<NewJurisdiction>,
    /// Rows of the sources that tables cite, by key.
    sources: SourceTable,
    /// A directory of these sections, without pages.
    pub directory: Directory,
}

impl Ruled {
    /// Compiles the areas and adds the rules of the tables.
    ///
    /// # Errors
    /// See [`BuildError`].
    pub fn compile(
        manifest: &Manifest,
        tables: &Tables,
        mut inputs: Inputs,
        progress: &dyn Fn(&str),
    ) -> Result<Ruled, BuildError> {
        let content = Content::of(tables, manifest, &inputs.jurisdictions);
        inputs.jurisdictions.extend(content.districts);
        inputs.meta.sources.extend(content.sources.cited().iter().cloned());
        let (tribal, shores, simplify_m) =
            (take(&mut inputs.tribal), take(&mut inputs.shores), inputs.simplify_m);
        let installations = take(&mut inputs.installations);
        let Compiled { meta, rows, jurisdictions, areas, trie, boundaries } = compile(inputs, progress)?;
        let by_table = tables.federal.iter().zip(&content.federal_sources);
        let federal: Vec<_> = by_table
            .flat_map(|(table, rows)| table.areas.iter().map(|area| (area, rows[area.source])))
            .collect();
        let in_cities = tables.federal.iter().flat_map(|table| &table.installations_in_cities);
        let in_cities = in_cities.map(String::as_str).collect();
        let federal = federal::pack(&federal, &installations, &in_cities, content.installations_source)?;
        let (tribal, nation_sites) =
            tribal::pack(tribal, &tables.tribal, content.tribal_sources, simplify_m)?;
        progress("separating water from land");
        let shore = shores.pack(&rows, simplify_m)?;
        let guides = tables.guides.iter().cloned();
        let (later, known): (Vec<_>, Vec<_>) = guides.partition(Guide::is_later);
        let change_days = content.change_days.as_ref();
        let change_days =
            change_days.map(|(changes, since)| ChangeDays::pack(changes, *since)).transpose()?;
        let sections = RuledSections {
            meta,
            jurisdictions,
            areas,
            trie,
            boundaries,
            state_files: EncodedSection::new(&StateFiles::pack(&content.books, &known)?)?,
            dates: EncodedSection::new(&Dates::pack(&content.dates, &later)?)?,
            past_rules: EncodedSection::new(&PastRules::pack(&content.past, &[])?)?,
            tribal: EncodedSection::new(&tribal)?,
            nation_sites: EncodedSection::new(&nation_sites)?,
            city_changes: EncodedSection::new(&CityChanges::pack(&content.city_changes)?)?,
            change_days: change_days.as_ref().map(EncodedSection::new).transpose()?,
            federal: federal.as_ref().map(EncodedSection::new).transpose()?,
            shore: shore.as_ref().map(EncodedSection::new).transpose()?,
        };
        let directory = Directory::new(sections.with(&PageSections::default())?);
        Ok(Ruled { sections, rows, sources: content.sources, directory })
    }

    /// Joins pages, contacts, names and lists to the governments. Also returns the records that were left out.
    ///
    /// # Errors
    /// When a record names an unknown source, or a section cannot be written.
    pub fn join(
        &self,
        records: Records,
        contacts: Contacts,
        lists: Lists,
    ) -> Result<(PageSections, Vec<LeftOut>), BuildError> {
        let Lists { communities, radon, zip_counties, place_counties, .. } = lists;
        let [radon_source, zip_source, place_counties_source] = lists.sources;
        let county_tables = radon_source.or(zip_source).map(|_| {
            let radon = counties::radon(&radon, &self.directory);
            counties::tables(radon, radon_source, &zip_counties, zip_source)
        });
        let Packed { section, resources, mut left_out } = pack(records, &self.sources, &self.directory)?;
        let rows = contacts.rows(&self.sources)?;
        left_out.extend(contacts.left_out);
        let sections = PageSections {
            left_out: dropped_pages(&left_out),
            actions: PageActions::pack(&resources),
            records: section,
            names: Names::pack(&self.rows, &resources)?,
            county_tables,
            contacts: write::Contacts::pack(rows)?,
            place_counties: place_counties_source.map(|source| {
                write::PlaceCounties::pack(
                    directory::place_counties(&place_counties, &self.directory),
                    source,
                )
            }),
            communities: Communities::pack(directory::communities(communities, &self.directory))?,
            link_checks: None,
            coverage: None,
            history: None,
        };
        Ok((sections, left_out))
    }
}

/// The number of pages left out for each reason.
fn dropped_pages(left_out: &[LeftOut]) -> Vec<DroppedCount> {
    let dropped = |((disposition, reason), count): ((records::Disposition, &str), u32)| DroppedCount {
        reason: format!("page {}: {reason}", disposition.as_str()),
        count,
    };
    records::reasons(left_out).into_iter().map(dropped).collect()
}

#[cfg(test)]
mod tests {
    use platbook::testing;

    use super::*;

    #[test]
    fn a_snapshot_has_the_figures_of_its_own_answers() {
        let plain = testing::directory();
        let (made, diff) = completed(testing::contents().unwrap(), None).unwrap();
        assert!(diff.is_none() && made.history().is_none());
        let stored = made.snapshot().coverage();
        assert!(stored.as_ref().is_some_and(|figures| !figures.jobs.is_empty()));
        assert_eq!(stored, Some(report::figures(&made)));
        assert_eq!((plain.snapshot().coverage(), Some(report::figures(&plain))), (None, stored));
    }
}
