//! Texts with tasks, and how they are read.

use super::*;

/// A text, with the topic and the place that must be read from it; `None` if nothing is read.
const TEXTS: &[(&str, Option<(Topic, &str)>)] = &[
    ("austin texas county clerk", Some((Topic::RecorderDeeds, "austin texas"))),
    ("washington county clerk", Some((Topic::RecorderDeeds, "washington county"))),
    ("county clerk austin tx", Some((Topic::RecorderDeeds, "austin tx"))),
    ("nassau county who do I ask about a fence", Some((Topic::BuildingPermits, "nassau county"))),
    ("nassau county clerk", Some((Topic::RecorderDeeds, "nassau county"))),
    ("county clerk nassau", Some((Topic::RecorderDeeds, "nassau"))),
    ("the county recorder of st louis", Some((Topic::RecorderDeeds, "saint louis"))),
    ("st louis county recorder", Some((Topic::RecorderDeeds, "saint louis county"))),
    ("columbus in assessor", Some((Topic::Assessor, "columbus in"))),
    ("property tax greenwood in", Some((Topic::PropertyTaxPayment, "greenwood in"))),
    ("who is the assessor of boone county ky", Some((Topic::Assessor, "boone county ky"))),
    ("what is the zoning in mesa az", Some((Topic::Zoning, "mesa az"))),
    ("salt lake city assessor", Some((Topic::Assessor, "salt lake city"))),
    ("town clerk stowe vt", Some((Topic::RecorderDeeds, "stowe vt"))),
    ("commissioner of the revenue henrico", Some((Topic::Assessor, "henrico"))),
    ("what county is Naperville in?", Some((Topic::PropertyRecordsGeneral, "naperville"))),
    ("which county is plano tx in", Some((Topic::PropertyRecordsGeneral, "plano tx"))),
    ("charleston county rod", Some((Topic::RecorderDeeds, "charleston county"))),
    ("cook county il property tax", Some((Topic::PropertyTaxPayment, "cook county il"))),
    ("building permit chicago", Some((Topic::BuildingPermits, "chicago"))),
    ("Building permits in Austin, Texas", Some((Topic::BuildingPermits, "austin texas"))),
    ("pay property tax harris county", Some((Topic::PropertyTaxPayment, "harris county"))),
    ("protest property taxes harris county", Some((Topic::Appeals, "harris county"))),
    ("how do i appeal my property taxes in cook county", Some((Topic::Appeals, "cook county"))),
    ("wake county nc register of deeds", Some((Topic::RecorderDeeds, "wake county nc"))),
    ("King County Assessor's Office", Some((Topic::Assessor, "king county"))),
    ("kern county assesor", Some((Topic::Assessor, "kern county"))),
    ("fairfax county va real estate assessment", Some((Topic::Assessor, "fairfax county va"))),
    ("travis cad", Some((Topic::Assessor, "travis"))),
    // The own terms of a state.
    ("where do I record an act of sale, Mandeville", Some((Topic::RecorderDeeds, "mandeville"))),
    ("complaint against valuation Ross County Ohio", Some((Topic::Appeals, "ross county ohio"))),
    ("protest my valuation Omaha", Some((Topic::Appeals, "omaha"))),
    ("base year value transfer Nevada County CA", Some((Topic::Exemptions, "nevada county ca"))),
    ("property tax portability transfer form Palm Bay", Some((Topic::Exemptions, "palm bay"))),
    ("code enforcement officer Rangeley", Some((Topic::BuildingPermits, "rangeley"))),
    ("township road not graded Rugby", Some((Topic::RoadsRightOfWay, "rugby"))),
    ("town clerk hours Brattleboro", Some((Topic::RecorderDeeds, "brattleboro"))),
    ("permit portal tulsa", Some((Topic::BuildingPermits, "tulsa"))),
    ("spokane permit center", Some((Topic::BuildingPermits, "spokane"))),
    ("zoning center texas", Some((Topic::Zoning, "center texas"))),
    ("how is my house zoned in aurora colorado", Some((Topic::Zoning, "aurora colorado"))),
    (
        "how do I find out who owns a property in clackamas county",
        Some((Topic::PropertyRecordsGeneral, "clackamas county")),
    ),
    ("who owns this lot in lane county oregon", Some((Topic::PropertyRecordsGeneral, "lane county oregon"))),
    ("Who do I call about a fence in Stowe, Vermont?", Some((Topic::BuildingPermits, "stowe vermont"))),
    ("condado de harris impuestos", Some((Topic::PropertyTaxPayment, "condado de harris"))),
    ("como pagar impuestos en el condado de bexar", Some((Topic::PropertyTaxPayment, "condado de bexar"))),
    ("Permiso de construcción en Hialeah", Some((Topic::BuildingPermits, "hialeah"))),
    ("exencion homestead miami", Some((Topic::Exemptions, "miami"))),
    ("exención de vivienda Dallas Texas", Some((Topic::Exemptions, "dallas texas"))),
    ("deed copy cape cod", Some((Topic::RecorderDeeds, "cape cod"))),
    ("escrituras de propiedad caguas", Some((Topic::RecorderDeeds, "caguas"))),
    ("crim caguas", Some((Topic::Assessor, "caguas"))),
    ("nyc dob", Some((Topic::BuildingPermits, "nyc"))),
    ("LADBS permit search", Some((Topic::BuildingPermits, "los angeles california"))),
    ("la county assessor", Some((Topic::Assessor, "la county"))),
    ("zoning", Some((Topic::Zoning, ""))),
    ("register of deeds", Some((Topic::RecorderDeeds, ""))),
    ("Springfield", None),
];

#[test]
fn jobs_are_taken_out_of_texts() {
    for (text, expected) in TEXTS.iter().copied() {
        let agency = agency_in(text).map(|(topic, place)| (topic, place.to_owned()));
        let read = agency.or_else(|| {
            let tasks = Tasks::read(text)?;
            let place = tasks.readings().pop().map(|reading| reading.place);
            Some((tasks.topics()[0], place.unwrap_or_default()))
        });
        let read = read.as_ref().map(|(topic, place)| (*topic, place.as_str()));
        assert_eq!(read, expected, "{text}");
    }
}

#[test]
fn an_article_before_a_place_is_kept_beside_it() {
    for (text, place, with_article) in [
        ("permiso de construccion los angeles", "angeles", Some("los angeles")),
        ("permiso de construccion en el paso", "paso", Some("el paso")),
        ("las cruces impuestos", "cruces", Some("las cruces")),
        ("¿Quién es el tasador de Las Cruces NM?", "cruces nm", Some("las cruces nm")),
        (
            "¿Dónde pago los impuestos de propiedad en Las Cruces, Nuevo México?",
            "cruces nuevo mexico",
            Some("las cruces nuevo mexico"),
        ),
        ("albuquerque building permits phone", "albuquerque", None),
        ("assessor NOLA telephone number", "nola", None),
        ("impuestos en miami", "miami", None),
        ("los angeles building permit", "los angeles", None),
    ] {
        let reading = Tasks::read(text).unwrap().readings().pop().unwrap();
        let read = (reading.place.as_str(), reading.with_article.as_deref());
        assert_eq!(read, (place, with_article), "{text}");
    }
}

#[test]
fn tasks_and_places_are_separated() {
    use Topic as T;
    for (text, topics, places) in [
        (
            "property tax and deeds office of Travis County",
            &[T::PropertyTaxPayment, T::RecorderDeeds][..],
            "travis county",
        ),
        ("zoning and permits in Bend OR", &[T::Zoning, T::BuildingPermits], "bend or"),
        ("Bend OR zoning or permits", &[T::Zoning, T::BuildingPermits], "bend or"),
        ("zoning or permits in Bend OR", &[T::Zoning, T::BuildingPermits], "bend or"),
        ("assessor of Ada and Bannock counties", &[T::Assessor], "ada | bannock counties"),
        (
            "recorder phone for Boise, Pocatello and Twin Falls, Idaho",
            &[T::RecorderDeeds],
            "boise | pocatello | twin falls | idaho",
        ),
        (
            "¿Quién tasa las propiedades en Ponce, Puerto Rico y dónde pido la exoneración?",
            &[T::Assessor, T::Exemptions],
            "ponce | puerto rico",
        ),
        ("tasador Miami Florida exención", &[T::Assessor, T::Exemptions], "miami florida"),
        ("al norte de Denver, permiso de construcción", &[T::BuildingPermits], "denver"),
        ("gis parcel map adams county", &[T::ParcelMap, T::CountyGis], "adams county"),
        // A relief is from a tax, so the text does not ask how to pay the tax.
        ("senior freeze on property taxes in Peoria, Illinois", &[T::Exemptions], "peoria | illinois"),
        ("exemption from my property tax Ada County", &[T::Exemptions], "ada county"),
        ("exemption and property tax of Ada County", &[T::PropertyTaxPayment, T::Exemptions], "ada county"),
        ("nothing of the kind", &[], ""),
    ] {
        let tasks = Tasks::read(text);
        let read = tasks.as_ref().map_or(Vec::new(), Tasks::topics);
        let pieces = tasks.map_or(Vec::new(), |tasks| tasks.pieces());
        let words: Vec<&str> = pieces.iter().map(|piece| piece.words.as_str()).collect();
        assert_eq!((&read[..], words.join(" | ").as_str()), (topics, places), "{text}");
    }
}

#[test]
fn each_place_has_the_tasks_beside_it() {
    for (text, expected) in [
        ("zoning in Bend and permits in Redmond", "bend: zoning; redmond: building_permits"),
        ("Bend zoning and Redmond permits", "bend: zoning; redmond: building_permits"),
        ("Ada and Bannock counties assessor", "ada: assessor; bannock counties: assessor"),
        ("zoning and deeds in Ada, Bannock", "ada: zoning recorder_deeds; bannock: zoning recorder_deeds"),
        ("Bend zoning; Redmond", "bend: zoning; redmond: zoning"),
        ("zoning in Bend and permits", "bend: zoning building_permits"),
    ] {
        let shown = |piece: Piece| {
            let topics: Vec<&str> = piece.topics.iter().map(|topic| topic.as_str()).collect();
            format!("{}: {}", piece.words, topics.join(" "))
        };
        let pieces: Vec<String> = Tasks::read(text).unwrap().pieces().into_iter().map(shown).collect();
        assert_eq!(pieces.join("; "), expected, "{text}");
    }
}

/// The caveat on a further place suggests a search with the words of topics, so the search must read these as tasks.
#[test]
fn the_word_of_each_topic_is_read_as_a_task() {
    for topic in Topic::all() {
        let text = format!("{} Bend", topic.as_str().replace('_', " "));
        let readings = Tasks::read(&text).unwrap_or_else(|| panic!("{topic:?}")).readings();
        let reading = readings.last().unwrap();
        assert_eq!((reading.topics[0], reading.place.as_str()), (topic, "bend"), "{text}");
    }
}

#[test]
fn phrases_are_folded_and_stand_once() {
    let all: Vec<_> = english_jobs().chain(SPANISH_JOBS).collect();
    for (at, (phrase, _)) in all.iter().enumerate() {
        assert_eq!(Folded::of(phrase).as_str(), *phrase);
        assert!(all[..at].iter().all(|(other, _)| other != phrase), "{phrase}");
        assert!(phrase.split(' ').count() <= PHRASE_WORDS_MAX, "{phrase}");
    }
}
