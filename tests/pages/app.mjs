// Runs the app that shows an answer in the reference host of MCP Apps, in a frame that may load nothing. The app shows
// tasks and a map, and opens links through the host. If a result has no answer, it shows the text.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SITE, fail, open, tab } from "./browser.mjs";

const require = createRequire(join(process.env.TOOLS, "node_modules", "x"));
const { build } = require("esbuild");

/** The policy of a host for an app that asks for no other sources. */
const POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";

const HOST = `
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
window.host = async (html, result, theme) => {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts";
  frame.width = 640;
  document.body.replaceChildren(frame);
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { openLinks: {}, serverResources: {} }, { hostContext: { theme } });
  bridge.onreadresource = (params) => window.readResource(params.uri);
  bridge.onopenlink = async ({ url }) => { window.opened(url); return {}; };
  bridge.onsizechange = ({ height }) => { frame.height = height; };
  const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
  frame.srcdoc = html;
  await ready;
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult(result);
};`;

async function ask(method, params) {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const response = await fetch(SITE + "/mcp", { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
  const { result, error } = await response.json();
  if (error) throw new Error(error.message);
  return result;
}

const call = (tool, given) => ask("tools/call", { name: tool, arguments: given });

/** Calls with the texts that the app shows, and whether it has tasks with a map. */
const CASES = [
  ["resolve_jurisdiction", { lat: 44.9773, lon: -93.2655 }, ["Minneapolis, Minnesota", "Pay a property tax bill", "Pay or look up the bill", "612-348-3011"], true],
  ["resolve_jurisdiction", { lat: 44.4654, lon: -72.6874 }, ["Stowe, Vermont", "Zoning Administrator, Stowe", "stowevt.gov"], true],
  ["resolve_jurisdiction", { lat: 44.8908, lon: -93.3 }, ["from the line with the City of Richfield"], true],
  ["ask_directory", { q: "44.4654, -72.6874" }, ["Town Clerk"], true],
  ["resolve_jurisdiction", { place: "Springfield" }, ["state is missing"], false],
];

const tools = (await ask("tools/list", {})).tools;
const uri = tools.find((tool) => tool.name === "resolve_jurisdiction")._meta.ui.resourceUri;
const [contents] = (await ask("resources/read", { uri })).contents;
assert.equal(contents.mimeType, "text/html;profile=mcp-app");
assert.ok(Buffer.byteLength(contents.text) <= 60_000, `${Buffer.byteLength(contents.text)} bytes`);
const html = contents.text.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${POLICY}">`);
const bundled = await build({ stdin: { contents: HOST, resolveDir: process.env.TOOLS }, bundle: true, write: false, format: "iife", logLevel: "error" });

const browser = await open();
for (const [tool, given, texts, isPlaced] of CASES) {
  const { page, faults, context } = await tab(browser, { viewport: { width: 680, height: 900 } });
  const opened = [];
  await page.exposeFunction("readResource", (wanted) => ask("resources/read", { uri: wanted }));
  await page.exposeFunction("opened", (url) => opened.push(url));
  await page.addScriptTag({ content: bundled.outputFiles[0].text });
  const found = [];
  try {
    await page.evaluate(([html, result]) => window.host(html, result, "dark"), [html, await call(tool, given)]);
    const app = page.frames().at(-1);
    await app.locator(isPlaced ? "svg" : "main p").first().waitFor();
    const shown = await app.locator("main").innerText();
    for (const text of texts) assert.ok(shown.includes(text), `lacks ${text}: ${shown}`);
    assert.equal(await app.locator("li[data-task]").count(), isPlaced ? 7 : 0);
    assert.equal(await app.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.ok(Number(await page.locator("iframe").getAttribute("height")) > 20, "says its height");
    if (isPlaced) {
      await app.locator("li a").first().click();
      await assert.doesNotReject(async () => { for (let at = 0; at < 50 && opened.length === 0; at += 1) await new Promise((later) => setTimeout(later, 20)); });
      assert.match(opened[0] ?? "", /^https?:|^tel:/);
    }
    if (process.env.SHOTS && isPlaced) await page.screenshot({ path: join(process.env.SHOTS, `app-${Object.values(given).join("_")}.png`), fullPage: true });
  } catch (error) {
    found.push(`${tool} ${JSON.stringify(given)}: ${error.message}`);
  }
  found.push(...faults.filter((fault) => !/^asks (about|data):/.test(fault)));
  console.log(found.length === 0 ? "ok  " : "FAIL", "app of", tool, JSON.stringify(given));
  fail(found);
  await context.close();
}
await browser.close();
