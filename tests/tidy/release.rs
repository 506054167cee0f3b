//! Rules of a release: one version wherever it is written, and a checklist and workflows whose commands exist.

use crate::{
    check,
    source::{read, root},
};

const WORKFLOWS: [&str; 3] =
    [".github/workflows/checks.yml", ".github/workflows/nightly.yml", ".github/workflows/release.yml"];

fn after<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(start)).map(|rest| rest.trim_matches('"'))
}

/// Whether a text is a day such as `2026-11-25`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let is_number = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit());
    parts.iter().map(|part| part.len()).eq([4, 2, 2]) && parts.iter().all(is_number)
}

#[test]
fn the_version_is_one() {
    let version = env!("CARGO_PKG_VERSION");
    let cargo = read("Cargo.toml");
    let citation = read("CITATION.cff");
    let data_wheel = read("python/data/pyproject.toml");
    let clients =
        [read("packaging/clients/python/pyproject.toml"), read("packaging/clients/typescript/package.json")];
    let changelog = read("CHANGELOG.md");
    let newest =
        changelog.lines().filter_map(|line| line.strip_prefix("## ")).find(|line| *line != "Unreleased");
    let (released, date) = newest.and_then(|line| line.split_once(" - ")).unwrap_or_default();
    let stated = [
        ("Cargo.toml", after(&cargo, "version = ")),
        ("CITATION.cff", after(&citation, "version: ")),
        ("python/data/pyproject.toml", after(&data_wheel, "version = ")),
        ("packaging/clients/python", after(&clients[0], "version = ")),
        (
            "packaging/clients/typescript",
            after(&clients[1], "  \"version\": ").map(|rest| rest.trim_end_matches("\",")),
        ),
        ("CHANGELOG.md, the newest dated section", Some(released)),
    ];
    let crates = cargo.lines().filter(|line| line.starts_with("platbook"));
    let crates = crates.filter_map(|line| line.split_once(" = { version = \""));
    let crates = crates.map(|(name, rest)| (name, rest.split('"').next()));
    let faults = stated.into_iter().chain(crates).filter(|(_, stated)| *stated != Some(version));
    check(
        &format!("the version is {version} wherever it is written"),
        faults.map(|(place, stated)| format!("{place}: {stated:?}")),
    );
    assert!(is_date(date), "the newest section of CHANGELOG.md has the date of its release: {newest:?}");
    assert_eq!(after(&citation, "date-released: "), Some(date), "CITATION.cff has the date of the release");
}

/// Targets of the Makefile.
fn targets() -> Vec<String> {
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let makefile = read("Makefile");
    let heads = makefile.lines().filter_map(|line| line.split_once(':').map(|(head, _)| head));
    heads.filter(is_name).map(str::to_owned).collect()
}

#[test]
fn workflows_run_targets_that_exist() {
    let targets = targets();
    let mut faults = Vec::new();
    for path in WORKFLOWS {
        let text = read(path);
        let named = text.split("target: ").skip(1).filter_map(|rest| rest.split([',', ' ', '\n']).next());
        let run = text.split("run: make ").skip(1).filter_map(|rest| rest.split('\n').next());
        for target in named.chain(run).filter(|target| !target.starts_with("${{")) {
            faults.extend(
                (!targets.iter().any(|known| known == target)).then(|| format!("{path}: make {target}")),
            );
        }
    }
    check("each job is a target of the Makefile", faults);
}

/// A release must not skip what the workflows run.
#[test]
fn the_checklist_names_each_job() {
    let checklist = read("docs/release.md");
    let is_named = |target: &str| checklist.lines().any(|line| line.trim() == format!("make {target}"));
    let jobs =
        ["check", "msrv", "docs", "deny", "fuzz-check", "check-benches", "sweep", "torture", "contract"];
    let jobs = jobs.into_iter().chain(["conformance", "pages", "bench", "packages", "try-packages"]);
    let missing = jobs.filter(|job| !is_named(job) || !targets().iter().any(|target| target == job));
    check(
        "docs/release.md has a line `make JOB` for each, and the Makefile has it",
        missing.map(str::to_owned),
    );
    let needed =
        ["SECURITY.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "rust-toolchain.toml", "LICENSE-MIT"];
    let missing = needed.into_iter().filter(|path| !root().join(path).is_file());
    check("a release has what strangers look for", missing.map(str::to_owned));
}
