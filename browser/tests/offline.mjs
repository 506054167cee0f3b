// A browser opens the page from a server of files and asks it. It loses the server, loads the page again and asks again.
import assert from "node:assert/strict";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";

const { BUILT, TOOLS } = process.env;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://localhost").pathname.replace(/^\/below\//, "/");
  const file = join(BUILT, path === "/" ? "index.html" : path);
  if (!existsSync(file)) return response.writeHead(404).end();
  // Modules and snapshots have no type, as from the plainest servers.
  response.setHeader("Content-Type", TYPES[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
process.env.SITE = `http://127.0.0.1:${server.address().port}`;
const { SITE, open, tab } = await import("../../tests/pages/browser.mjs");

const require = createRequire(join(TOOLS, "node_modules", "x"));
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const { HtmlValidate } = require("html-validate");
const validator = new HtmlValidate({ extends: ["html-validate:standard"], rules: { "long-title": "off", "require-sri": "off" } });
const report = await validator.validateString(readFileSync(join(BUILT, "index.html"), "utf8"));
assert.deepEqual(report.results.flatMap(({ messages }) => messages.map(({ line, message }) => `${line}: ${message}`)), []);

async function ready(page) {
  await page.waitForFunction(() => /ready|below|could not/.test(document.getElementById("status").textContent), null, { timeout: 120_000 });
  assert.doesNotMatch(await page.locator("#status").innerText(), /could not/);
}

async function asks(page, text, heading) {
  await page.locator("#q").fill(text);
  await page.getByRole("button", { name: "Look it up" }).click();
  await page.getByRole("heading", { name: heading }).waitFor();
  assert.equal(await page.locator(".tasks > li").count(), 7);
}

async function accessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  assert.deepEqual(violations.map((one) => `${one.id}: ${one.nodes[0].html}`), [], name);
}

const browser = await open();
try {
  const { page, faults, context } = await tab(browser, { colorScheme: "dark", viewport: { width: 390, height: 844 } });
  await page.goto(`${SITE}/below/`);
  await ready(page);
  assert.equal(await page.evaluate(() => document.documentElement.dataset.kept), "true");
  await asks(page, "44.9773, -93.2655", "Minneapolis, Minnesota");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Minneapolis, Minnesota", "the answer has the focus");
  assert.match(await page.locator(".tasks").innerText(), /612-348-3011/);
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "never wider than its window");
  await accessible(page, "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await accessible(page, "light");
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "browser.png"), fullPage: true });
  await page.locator("#q").fill("Springfield");
  await page.keyboard.press("Enter");
  if (/name/.test(await page.locator("#q-label").innerText())) {
    await page.locator(".choices a").first().click();
    await page.locator(".tasks").waitFor();
  } else {
    await page.getByText("no coordinates").waitFor();
  }
  await page.locator("#q").fill("0, 0");
  await page.keyboard.press("Enter");
  await page.getByText("There is no answer").waitFor();
  await context.grantPermissions(["geolocation"]);
  await context.setGeolocation({ latitude: 44.4654, longitude: -72.6874 });
  await page.getByRole("button", { name: "Use my location" }).click();
  await page.getByRole("heading", { name: "Stowe, Vermont" }).waitFor();
  // A kept snapshot that is damaged comes anew, and one of an earlier edition goes.
  const kept = () => page.evaluate(async () => (await (await caches.open("platbook-snapshots")).keys()).map((request) => request.url));
  const [snapshot] = await kept();
  await page.evaluate(async (snapshot) => {
    const shelf = await caches.open("platbook-snapshots");
    for (const url of [snapshot, "us-earlier.platbook.gz"]) await shelf.put(url, new Response("damaged"));
  }, snapshot);
  await page.reload();
  await ready(page);
  await page.waitForFunction(() => document.documentElement.dataset.kept === "true");
  assert.deepEqual(await kept(), [snapshot]);
  await page.evaluate(() => navigator.serviceWorker.ready.then((worker) => worker.active.state === "activated"));
  assert.deepEqual(faults, []);
  console.log("ok   the page answers, and asks no other host");

  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await context.setOffline(true);
  await page.goto(`${SITE}/below/`);
  await ready(page);
  await asks(page, "40.7128, -74.006", "New York, New York");
  await page.reload();
  await ready(page);
  await page.getByRole("heading", { name: "New York, New York" }).waitFor();
  console.log("ok   it answers without a network");
} finally {
  await browser.close();
  server.close();
}
