// Checks one page of each kind: accessible by axe-core, valid by html-validate, small, never wider than its window.
// Makes screenshots if SHOTS names a folder.
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { KINDS, SITE, fail, open, records, tab } from "./browser.mjs";

const require = createRequire(join(process.env.TOOLS, "node_modules", "x"));
const axe = require.resolve("axe-core/axe.min.js");
const { HtmlValidate } = require("html-validate");
const WIRE_BYTES_MAX = 45_000;

/** What the standard says; matters of taste, and what comes from the template engine, are left out. */
const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: { "no-trailing-whitespace": "off", "long-title": "off", "svg-focusable": "off", "tel-non-breaking": "off" },
});

let browser = await open();
const first = await tab(browser);
const kinds = { ...KINDS, ...(await records(first.page)) };
await first.context.close();
const shots = process.env.SHOTS;
if (shots) mkdirSync(shots, { recursive: true });

for (const [name, path] of Object.entries(kinds)) {
  // A new browser for each kind, because a small machine kills a browser that runs for long.
  await browser.close();
  browser = await open();
  const faults = [];
  const body = await (await fetch(SITE + path)).text();
  const wire = gzipSync(body, { level: 1 }).length;
  if (wire > WIRE_BYTES_MAX) faults.push(`${name}: ${wire} bytes over the wire`);
  const report = await validator.validateString(body);
  for (const message of report.results.flatMap((result) => result.messages))
    faults.push(`${name}: ${message.line}:${message.column} ${message.message} [${message.ruleId}]`);
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page, faults: seen, context } = await tab(browser, { viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme });
      await page.goto(SITE + path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (wide > 0) faults.push(`${name}: ${wide} px wider than a window of ${width}`);
      const narrow = await page.evaluate(() => [...document.querySelectorAll("td:not(.figure)")].filter((cell) => cell.offsetWidth < 80).length);
      if (narrow > 0) faults.push(`${name}: ${narrow} cells of tables too narrow for a word in a window of ${width}`);
      await page.addScriptTag({ path: axe }).catch(() => page.evaluate(require("node:fs").readFileSync(axe, "utf8")));
      const { violations } = await page.evaluate(() => axe.run());
      for (const one of violations) faults.push(`${name} ${width} ${colorScheme}: axe ${one.id}: ${one.nodes.slice(0, 2).map((node) => node.html.slice(0, 160)).join(" | ")}`);
      if (shots) await page.screenshot({ path: join(shots, `${name}-${width}-${colorScheme}.png`), fullPage: width === 1280 });
      faults.push(...seen.filter((fault) => !/40[04]|Content Security Policy/.test(fault)).map((fault) => `${name}: ${fault}`));
      await context.close();
    }
  }
  console.log(faults.length === 0 ? "ok  " : "FAIL", name, wire, "bytes");
  fail([...new Set(faults)].slice(0, 12));
}
await browser.close();
