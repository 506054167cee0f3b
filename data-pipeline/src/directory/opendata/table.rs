//! Operators of hosts whose names do not show the operator.
//!
//! A row applies to the domain and everything below it; the longest matching domain counts.

/// The operator of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runner {
    /// A company that runs sites for governments.
    Vendor(&'static str),
    /// A county or city whose host does not show its name.
    Government(&'static str),
    /// A public body of a state or region.
    Public(&'static str),
    /// A regional association or joint project that is not a government itself.
    Association(&'static str),
    /// A university or one of its centers.
    University(&'static str),
    /// A place for copies and uploads, or a host that is gone.
    Dead(&'static str),
}

// Reasons for rejecting the addresses of a host.
const COPY: &str = "a copy kept elsewhere, not the publisher's own address";
const GONE: &str = "the source list says that the host is gone";

/// The operator of a host; `None` if no row matches.
pub(super) fn runner(host: &str) -> Option<Runner> {
    let holds = |domain: &str| {
        host.strip_suffix(domain).is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let rows = RUNNERS.iter().filter(|(domain, _)| holds(domain));
    rows.max_by_key(|(domain, _)| domain.len()).map(|(_, runner)| *runner)
}

use Runner::{Association, Dead, Government, Public, University, Vendor};

/// Domains with their operators, from the hosts of the open data list.
const RUNNERS: &[(&str, Runner)] = &[
    // Copies, uploads and hosts that no longer exist.
    ("amazonaws.com", Dead(COPY)),
    ("bhamaps.com", Dead(GONE)),
    ("dropbox.com", Dead(COPY)),
    ("github.com", Dead(COPY)),
    ("githubusercontent.com", Dead(COPY)),
    ("google.com", Dead(COPY)),
    ("muckrock.com", Dead(COPY)),
    ("openaddresses.io", Dead(COPY)),
    ("slack.com", Dead(COPY)),
    // Vendors. If the company's name is not certain, the host's name is used.
    ("39dn.com", Vendor("39 Degrees North")),
    ("aecomonline.net", Vendor("AECOM")),
    ("agdmaps.com", Vendor("agdmaps.com")),
    ("capturecama.com", Vendor("capturecama.com")),
    ("cdm.com", Vendor("CDM Smith")),
    ("cdmsmithgis.com", Vendor("CDM Smith")),
    ("emapsplus.com", Vendor("emapsplus.com")),
    ("geodecisions.com", Vendor("GeoDecisions")),
    ("geoportalmaps.com", Vendor("geoportalmaps.com")),
    ("gisworkshop.com", Vendor("GIS Workshop")),
    ("greenwoodmap.com", Vendor("Greenwood Mapping")),
    ("gworks.com", Vendor("gWorks")),
    ("hornershifrin.com", Vendor("Horner & Shifrin")),
    ("integritygis.com", Vendor("integritygis.com")),
    ("kcsgis.com", Vendor("kcsgis.com")),
    ("landmarkgeospatial.com", Vendor("Landmark Geospatial")),
    ("mapxpress.net", Vendor("MapXpress")),
    ("mbakerintl.com", Vendor("Michael Baker International")),
    ("mobile311.com", Vendor("Mobile 311")),
    ("pandai.com", Vendor("Pritchard & Abbott")),
    ("publicaccessnow.com", Vendor("publicaccessnow.com")),
    ("roktech.net", Vendor("ROK Technologies")),
    ("schneidercorp.com", Vendor("Schneider Geospatial")),
    ("tighebond.com", Vendor("Tighe & Bond")),
    ("timmons.com", Vendor("Timmons Group")),
    ("vgsi.com", Vendor("Vision Government Solutions")),
    ("webgis.net", Vendor("webgis.net")),
    ("worldviewsolutions.com", Vendor("Worldview Solutions")),
    // Counties and cities.
    ("bgky.org", Government("City of Bowling Green")),
    ("borough.ketchikan.ak.us", Government("Ketchikan Gateway Borough")),
    ("okc.gov", Government("Oklahoma City")),
    ("tampagov.net", Government("City of Tampa")),
    ("washco.utah.gov", Government("Washington County")),
    // Public bodies of states and regions.
    ("crc.ga.gov", Public("Coastal Regional Commission of Georgia")),
    ("data.nconemap.gov", Public("State of North Carolina (NC OneMap)")),
    ("nconemap.gov", Public("State of North Carolina (NC OneMap)")),
    ("floridarevenue.com", Public("Florida Department of Revenue")),
    ("scdot.org", Public("South Carolina Department of Transportation")),
    ("tnris.org", Public("Texas Natural Resources Information System")),
    ("sandag.org", Public("San Diego Association of Governments")),
    ("ctmetro.org", Public("Connecticut Metropolitan Council of Governments")),
    ("sgrcmaps.com", Public("Southern Georgia Regional Commission")),
    ("mgrcmaps.org", Public("Middle Georgia Regional Commission")),
    ("pgplanning.org", Public("Maryland-National Capital Park and Planning Commission")),
    ("oregonmetro.gov", Public("Metro (Portland region)")),
    ("lcog.org", Public("Lane Council of Governments")),
    // Associations.
    ("1stdistrict.org", Association("First District Association of Local Governments")),
    ("cmpdd.org", Association("Central Mississippi Planning and Development District")),
    ("districtiii.org", Association("Planning and Development District III")),
    ("etcog.org", Association("East Texas Council of Governments")),
    ("incog.org", Association("Indian Nations Council of Governments")),
    ("linkgis.org", Association("LINK-GIS")),
    ("lojic.org", Association("LOJIC")),
    ("scacog.org", Association("South Carolina Appalachian Council of Governments")),
    ("semcog.org", Association("Southeast Michigan Council of Governments")),
    ("ccgisc.org", Association("Champaign County GIS Consortium")),
    ("sagis.org", Association("Savannah Area GIS")),
    // Universities.
    ("apsu.edu", University("Austin Peay State University")),
    ("csuchico.edu", University("California State University, Chico")),
    ("kansasgis.org", University("Kansas Data Access and Support Center")),
    ("ku.edu", University("University of Kansas")),
    ("mississippi.edu", University("Mississippi Institutions of Higher Learning")),
    ("psu.edu", University("Pennsylvania State University")),
    ("rigis.org", University("Rhode Island Geographic Information System")),
    ("uiowa.edu", University("University of Iowa")),
    ("unh.edu", University("University of New Hampshire")),
    ("unm.edu", University("University of New Mexico")),
    ("wisc.edu", University("University of Wisconsin-Madison")),
    ("wiu.edu", University("Western Illinois University")),
    ("wvu.edu", University("West Virginia University")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_holds_for_the_hosts_below_its_domain_only() {
        assert_eq!(runner("maps5.gisworkshop.com"), Some(Vendor("GIS Workshop")));
        assert_eq!(runner("wisc.edu"), Some(University("University of Wisconsin-Madison")));
        assert_eq!(runner("notgworks.com"), None);
        assert_eq!(runner("data.openaddresses.io"), Some(Dead(COPY)));
    }
}
