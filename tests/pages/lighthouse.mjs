// Runs Lighthouse on one page of each kind, as on a phone: 95 or more for performance, accessibility, best practices
// and SEO.
import { createRequire } from "node:module";
import { join } from "node:path";
import { KINDS, SITE, executable, fail, open, records, tab } from "./browser.mjs";

const require = createRequire(join(process.env.TOOLS, "node_modules", "x"));
const { default: lighthouse } = await import(require.resolve("lighthouse"));
const { launch } = await import(require.resolve("chrome-launcher"));
const SCORE_MIN = 95;
const ROUNDS = 4;
const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"];

const browser = await open();
const first = await tab(browser);
const kinds = { ...KINDS, ...(await records(first.page)) };
await browser.close();

/** Audits that a page fails by intent: answers for one point and what is not found are kept out of search engines. */
async function intended(path) {
  const response = await fetch(SITE + path);
  const skipped = (await response.text()).includes('name="robots" content="noindex"') ? ["is-crawlable"] : [];
  return response.ok ? skipped : [...skipped, "http-status-code", "errors-in-console"];
}

async function measured(path) {
  const chrome = await launch({ chromePath: await executable(), chromeFlags: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  const options = { port: chrome.port, logLevel: "error", onlyCategories: CATEGORIES, skipAudits: await intended(path), ignoreStatusCode: true };
  const { lhr } = await lighthouse(SITE + path, options);
  await chrome.kill();
  const scores = CATEGORIES.map((category) => [category, Math.round(lhr.categories[category].score * 100)]);
  return { lhr, scores, low: scores.filter(([, score]) => !(score >= SCORE_MIN)) };
}

for (const [name, path] of Object.entries(kinds)) {
  // Other programs can only make a page slower, so a slow page is measured again.
  let result = await measured(path);
  for (let round = 1; round < ROUNDS && result.low.some(([category]) => category === "performance"); round += 1) result = await measured(path);
  const { lhr, scores, low } = result;
  const failed = ({ auditRefs }) => auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9).map(({ id }) => id);
  console.log(low.length === 0 ? "ok  " : "FAIL", name, scores.map(([category, score]) => `${category} ${score}`).join(", "));
  fail(low.map(([category, score]) => `${name}: ${category} ${score}: ${failed(lhr.categories[category]).join(", ")} ${lhr.runtimeError?.message ?? ""}`));
}
