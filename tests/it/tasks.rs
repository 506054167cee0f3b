use crate::pages::get;

/// The tasks, each with its office, come before the reasons. Cautions that change the answer come before both.
#[test]
fn tasks_come_first_and_cautions_before_them() {
    for (target, caution, lines) in [
        (
            "/at/44.9773,-93.2655",
            "",
            &["Pay a property tax bill", "City Assessor", "City of Minneapolis"][..],
        ),
        (
            "/places/county:27053",
            "outside cities and villages",
            &["County Recorder and Registrar of Titles", "hennepin.us"],
        ),
        ("/places/place:4835000", "lies in", &["Get a building permit", "City of Houston"]),
        ("/at/47.9,-95.1", "Ask the", &["Get a building permit"]),
    ] {
        let body = get(target).body;
        let (before, after) = body.split_once("<ul class=\"tasks\">").expect(target);
        let (list, _) = after.split_once("</section>").unwrap();
        assert!(before.contains("<h1>") && !before.contains("id=\"why\""), "{target}");
        assert!(before.contains(caution), "{target} does not say {caution} first: {before}");
        lines.iter().for_each(|line| assert!(list.contains(line), "{target} lacks {line}: {list}"));
    }
}

/// A task links a site once. If a link already leads to a government's site, the task does not link that government
/// again as the one to ask.
#[test]
fn a_task_links_a_site_once() {
    for (target, task, link, times) in [
        ("/places/county:27053", "recording", "Land title records</a>", 1),
        ("/places/county:27053", "permits", "<p class=\"ways\">", 0),
        ("/places/county:17031", "tax_collection", "Pay or look up the bill", 1),
    ] {
        let body = get(target).body;
        let (_, task) = body.split_once(&format!("<li id=\"{task}\">")).unwrap();
        let task = task.split("<li id=").next().unwrap();
        assert_eq!(task.matches(link).count(), times, "{target}: {task}");
    }
    let county = get("/places/county:27053").body;
    assert_eq!(county.matches("Choose your city or town above").count(), 1, "said once, before the tasks");
}
