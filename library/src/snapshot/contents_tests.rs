//! Checks that snapshots with correct checksums and wrong contents are rejected with a message that names the defect.

use rkyv::util::AlignedVec;

use super::{
    Buffer, Snapshot, map, reseal, section_ranges,
    write::{EncodedSection, StateFiles},
};
use crate::{rules::StateFile, testing, vocabulary::StateCode};

fn error_of(file: &[u8]) -> String {
    Snapshot::copy(file).expect_err("expected a refusal").to_string()
}

/// The snapshot of the tests, with one byte of a section changed.
fn with_byte(section: &str, at: usize, change: impl Fn(u8) -> u8) -> Vec<u8> {
    let mut file = testing::snapshot();
    let names: Vec<&str> = Snapshot::copy(&file).unwrap().sizes().iter().map(|(name, _)| *name).collect();
    let number = names.iter().position(|name| *name == section).unwrap();
    let at = section_ranges(&file)[number].start + at;
    file[at] = change(file[at]);
    reseal(&mut file);
    file
}

#[test]
fn an_unchanged_file_is_accepted() {
    assert!(Snapshot::copy(&with_byte("names", 0, |byte| byte)).is_ok());
}

/// A received file is checked like any other, and a snapshot keeps its memory.
#[test]
fn received_files_are_checked() {
    let file = testing::snapshot();
    for (cut, is_whole) in [(0, true), (1, false), (file.len(), false)] {
        let mut buffer = Buffer::zeroed(file.len() - cut);
        buffer.as_mut_slice().copy_from_slice(&file[cut..]);
        let own = Snapshot::own(buffer).ok();
        assert_eq!(own.is_some(), is_whole, "without {cut} bytes");
        assert!(own.is_none_or(|own| own.id() == Snapshot::copy(&file).unwrap().id()));
    }
}

#[test]
fn unknown_sources_are_reported() {
    let mut contents = testing::contents().unwrap();
    contents.ruled.meta.coverage[0].source = 99;
    let error = contents.seal().unwrap_err().to_string();
    assert!(error.contains("the coverage names a source that does not exist"), "{error}");
}

#[test]
fn damaged_keys_are_reported() {
    // The transducer begins with its version and type, 8 bytes each, and then has its nodes.
    let error = error_of(&with_byte("names", 20, |byte| byte ^ 0x10));
    assert!(error.contains("the key transducer is damaged"), "{error}");
}

#[test]
fn embedded_keys_are_verified_on_request() {
    let built_in = |file: &[u8]| {
        let mut aligned = AlignedVec::<64>::new();
        aligned.extend_from_slice(file);
        Snapshot::from_bytes(map::Bytes::Embedded(Box::leak(Box::new(aligned)))).unwrap()
    };
    assert!(built_in(&testing::snapshot()).verify().is_ok());
    let error = built_in(&with_byte("names", 20, |byte| byte ^ 0x10)).verify().unwrap_err().to_string();
    assert!(error.contains("the key transducer is damaged"), "{error}");
}

#[test]
fn a_file_without_the_nation_is_refused() {
    // The section begins with the keys of its rows, and the nation's key is 0.
    let error = error_of(&with_byte("jurisdictions", 0, |byte| byte + 1));
    assert!(error.contains("row 0 is not the nation"), "{error}");
}

#[test]
fn a_rule_with_an_unknown_source_has_none() {
    let file = StateFile { sources: vec![99], ..testing::state_file() };
    let directory = testing::directory_with(|contents| {
        contents.ruled.state_files = EncodedSection::new(&StateFiles::pack(&[file], &[]).unwrap()).unwrap();
    });
    assert_eq!(directory.rule_source(StateCode::from_fips(27).unwrap(), 0), None);
}
