// Calls each operation with the package platbook-client: typescript_client.mjs URL [ADDED_TOPIC]
import { connect } from "platbook-client";

declare const process: { argv: string[]; exit(code: number): never };
const [, , address, ...added] = process.argv;
const client = connect(address);
const point = { lat: 44.9773, lon: -93.2655 };

function hold(is: boolean | undefined, what: unknown): void {
  if (!is) {
    console.error(`platbook-client for TypeScript: ${JSON.stringify(what)}`);
    process.exit(1);
  }
}

const resolved = await client.GET("/jurisdictions/resolve", { params: { query: point } });
hold(resolved.data?.data.jurisdictions[1]?.jurisdiction_id === "county:27053", resolved);
hold(resolved.data?.data.functions.assessment?.office_name === "City Assessor", resolved);
const named = await client.GET("/jurisdictions/resolve", { params: { query: { place: "Austin County", state: "TX" } } });
hold(named.data?.data.point === null, named);
const id = "county:27053";
const place = await client.GET("/places/{jurisdiction_id}", {
  params: { path: { jurisdiction_id: id }, query: { limit: 2 } },
});
hold(place.data?.data.jurisdiction.name === "Hennepin County" && !!place.data.data.next_cursor, place);
const pages = await client.GET("/resources", { params: { query: { jurisdiction_id: id, topic: "parcel_map" } } });
hold(pages.data?.data.resources.every((page) => page.topics.includes("parcel_map")), pages);
const topics = await client.GET("/topics");
const extra = topics.data?.data.topics.slice(19).map((info) => info.topic);
hold(JSON.stringify(extra) === JSON.stringify(added), extra);
const guide = await client.GET("/guides/{topic}", { params: { path: { topic: "zoning" }, query: { state: "MN" } } });
hold(guide.data?.data.state === "MN", guide);
const found = await client.GET("/search", { params: { query: { q: "st paul", state: "MN" } } });
hold(found.data?.data.places[0]?.name === "St. Paul", found);
const screened = await client.GET("/screening", { params: { query: point } });
hold(!!screened.data?.data.facts.flood.caveat, screened);

async function counties(state: string): Promise<number> {
  const found = new Set<string>();
  let cursor: string | null | undefined;
  do {
    const query = { state, type: "county" as const, limit: 40, ...(cursor ? { cursor } : {}) };
    const page = await client.GET("/jurisdictions", { params: { query } });
    page.data?.data.jurisdictions.forEach((county) => found.add(county.jurisdiction_id));
    cursor = page.data?.data.next_cursor;
    hold(page.data && (cursor !== null || page.data.data.count === found.size), page);
  } while (cursor);
  return found.size;
}
const states = await client.GET("/jurisdictions", { params: { query: { type: "state", limit: 100 } } });
let count = 0;
for (const state of states.data?.data.jurisdictions ?? []) {
  count += await counties(state.state ?? "");
}
const ofNation = await client.GET("/jurisdictions", { params: { query: { type: "county", limit: 1 } } });
hold(count > 3200 && count === ofNation.data?.data.count, count);

const township = { place: "Springfield Township", state: "PA" };
const ambiguous = await client.GET("/jurisdictions/resolve", { params: { query: township } });
hold(ambiguous.error?.type === "/problems/ambiguous" && (ambiguous.error.choices?.length ?? 0) > 5, ambiguous);
const unknown = await client.GET("/places/{jurisdiction_id}", { params: { path: { jurisdiction_id: "county:99999" } } });
hold(unknown.error?.status === 404, unknown);
console.log(`platbook-client for TypeScript: 10 questions, ${topics.data?.data.topics.length} topics, ${count} counties of ${states.data?.data.count} states`);
