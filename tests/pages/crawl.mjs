// Checks that links within the site lead to pages: crawls from the front page, breadth first, with a few links of each
// list.
import { SITE, fail } from "./browser.mjs";

const PAGES_MAX = Number(process.env.PAGES ?? 2000);
const AT_ONCE = 4;

const seen = new Set(["/"]);
let queue = ["/", ...(await sampled())];
const faults = [];
let visited = 0;

/** Some addresses of each list that search engines are told. */
async function sampled() {
  const index = await (await fetch(SITE + "/sitemap.xml")).text();
  const parts = [...index.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => new URL(match[1]).pathname);
  const paths = [];
  for (const part of parts) {
    const list = await (await fetch(SITE + part)).text();
    const all = [...list.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => match[1].replaceAll("&amp;", "&"));
    const step = Math.max(1, Math.floor(all.length / 120));
    paths.push(...all.filter((_, at) => at % step === 0).map((address) => address.slice(new URL(address).origin.length)));
  }
  return paths;
}

async function visit(path) {
  const response = await fetch(SITE + path, { redirect: "follow" });
  visited += 1;
  const body = await response.text();
  if (response.status !== 200) faults.push(`${response.status} ${path}`);
  if (!/^text\/html/.test(response.headers.get("content-type") ?? "")) return [];
  const links = [...body.matchAll(/ href="(\/[^"]*)"/g)].map((match) => match[1].replaceAll("&amp;", "&").split("#")[0]);
  return links.filter((link) => link && !link.startsWith("/assets/"));
}

const width = queue.length;
while (queue.length > 0 && visited < Math.max(PAGES_MAX, width)) {
  const batch = queue.splice(0, AT_ONCE);
  for (const links of await Promise.all(batch.map(visit))) {
    for (const link of links) if (!seen.has(link)) {
      seen.add(link);
      queue.push(link);
    }
  }
}
console.log(`${visited} pages visited, ${seen.size} addresses seen, ${faults.length} faults`);
fail(faults.slice(0, 50));
