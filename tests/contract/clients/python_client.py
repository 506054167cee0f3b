"""Calls each operation with the package platbook-client: python_client.py URL [ADDED_TOPIC]"""

import sys

from platbook_client import Client
from platbook_client.api.directory import get_place, list_resources
from platbook_client.api.guides import get_guide, list_topics
from platbook_client.api.jurisdictions import list_jurisdictions, resolve_jurisdiction
from platbook_client.api.screening import screen_point
from platbook_client.api.search import search
from platbook_client.models import (
    GetGuideTopic,
    ListJurisdictionsType,
    ListResourcesTopic,
    Problem,
)
from platbook_client.types import UNSET

client = Client(base_url=f"{sys.argv[1]}/v1", raise_on_unexpected_status=True)
POINT = {"lat": 44.9773, "lon": -93.2655}

resolved = resolve_jurisdiction.sync(client=client, **POINT).data
assert resolved.jurisdictions[1].jurisdiction_id == "county:27053"
assert resolved.functions.assessment.office_name == "City Assessor"
assert resolve_jurisdiction.sync(client=client, place="Austin County", state="TX").data.point is None
place = get_place.sync("county:27053", client=client, limit=2).data
assert place.jurisdiction.name == "Hennepin County" and place.next_cursor
topic = ListResourcesTopic.PARCEL_MAP
pages = list_resources.sync(client=client, jurisdiction_id="county:27053", topic=topic).data.resources
assert pages and all("parcel_map" in page.topics for page in pages)
topics = [info.topic for info in list_topics.sync(client=client).data.topics]
assert topics[19:] == sys.argv[2:], topics
assert get_guide.sync(GetGuideTopic.ZONING, client=client, state="MN").data.state == "MN"
assert search.sync(client=client, q="st paul", state="MN").data.places[0].name == "St. Paul"
assert screen_point.sync(client=client, **POINT).data.facts.flood.caveat


def counties(state):
    """Every county of a state, page after page."""
    found, cursor = [], UNSET
    while True:
        asked = {"state": state, "type_": ListJurisdictionsType.COUNTY, "limit": 40, "cursor": cursor}
        page = list_jurisdictions.sync(client=client, **asked).data
        found += [county.jurisdiction_id for county in page.jurisdictions]
        if not page.next_cursor:
            assert len(found) == len(set(found)) == page.count, (state, len(found), page.count)
            return found
        cursor = page.next_cursor


states = list_jurisdictions.sync(client=client, type_=ListJurisdictionsType.STATE, limit=100).data.jurisdictions
count = sum(len(counties(state.state)) for state in states)
of_nation = list_jurisdictions.sync(client=client, type_=ListJurisdictionsType.COUNTY, limit=1).data.count
assert count == of_nation > 3200, (count, of_nation)

ambiguous = resolve_jurisdiction.sync(client=client, place="Springfield Township", state="PA")
assert isinstance(ambiguous, Problem) and ambiguous.type_ == "/problems/ambiguous" and len(ambiguous.choices) > 5
unknown = get_place.sync("county:99999", client=client)
assert isinstance(unknown, Problem) and unknown.status == 404
print(f"platbook-client for Python: 10 questions, {len(topics)} topics, {count} counties of {len(states)} states")
