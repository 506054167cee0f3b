// A browser, and pages in it that fail on console errors and on requests to other hosts.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.TOOLS, "node_modules", "x"));
const { chromium: playwright } = require("playwright-core");
const { default: packed = require("@sparticuz/chromium") } = await import(require.resolve("@sparticuz/chromium"));

export const SITE = process.env.SITE;

/** One of each kind of page. */
export const KINDS = {
  front: "/",
  choice: "/?q=springfield",
  nothing: "/?q=zzzzqqqq",
  young: "/?q=mableton",
  zip: "/?q=01002",
  point: "/at/44.9773,-93.2655",
  near: "/at/44.8901,-93.2655",
  county: "/places/county:27053",
  town: "/places/cousub:5001570525",
  city: "/places/place:4805000",
  nation: "/places/country:us",
  states: "/states",
  state: "/states/VT",
  topics: "/topics",
  topic: "/topics/zoning?at=44.9773,-93.2655",
  guides: "/guides",
  guide: "/guides/recorder_deeds?state=VT",
  problems: "/problems",
  problem: "/problems/ambiguous",
  data: "/data",
  sources: "/data/2",
  docs: "/docs",
  python: "/docs?lang=python",
  letter: "/states/TX?q=h",
  texas: "/states/TX",
  tribal: "/at/47.9,-95.1",
  swapped: "/at/-93.2655,44.9773",
  about: "/about",
  missing: "/places/county:99999",
};

/** Where the browser's program lies. */
export function executable() {
  return packed.executablePath();
}

export async function open() {
  return playwright.launch({ executablePath: await executable(), args: ["--no-sandbox", "--disable-gpu"], headless: true });
}

/** A tab in which every console error, failed request and request to anyone else is kept as a fault. */
export async function tab(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults = [];
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()} at ${page.url()}`));
  page.on("pageerror", (error) => faults.push(`script: ${error}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(SITE)) faults.push(`asks ${request.url()}`);
  });
  return { page, faults, context };
}

/** Paths of an office and a resource: their ids follow from the data. */
export async function records(page) {
  await page.goto(SITE + KINDS.county);
  const href = (selector) => page.locator(selector).first().getAttribute("href");
  return { office: await href('main a[href^="/offices/"]'), resource: await href('main a[href^="/resources/"]') };
}

export function fail(faults) {
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}
