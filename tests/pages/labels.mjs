// Checks names on 200 maps of points and places: no name lies over another, over the scale bar or over the edge. The
// browser measures them, with the font sizes of a wide screen and of a phone.
import { SITE, fail, open, tab } from "./browser.mjs";

const MAPS = Number(process.env.MAPS ?? 200);

/** The corners of the lower 48 states, in degrees. */
const WEST = -124, EAST = -67, SOUTH = 25, NORTH = 49;

/** Numbers from 0 to 1 that are the same at each run (Lehmer's generator). */
let state = 20_261_126;
function random() {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

/** Addresses of places, spread over the sitemap, and points of the lower 48 states. */
async function addresses() {
  const locations = async (path) => [...(await (await fetch(SITE + path)).text()).matchAll(/<loc>[^<]*?(\/[^/<]*\/[^/<]*)<\/loc>/g)].map(([, path]) => path);
  const parts = await locations("/sitemap.xml");
  const places = (await Promise.all(parts.map(locations))).flat().filter((path) => path.startsWith("/places/") || path.startsWith("/states/"));
  const chosen = [];
  while (chosen.length < MAPS / 2) chosen.push(places[Math.floor(random() * places.length)]);
  while (chosen.length < MAPS) {
    const point = `/at/${(SOUTH + random() * (NORTH - SOUTH)).toFixed(4)},${(WEST + random() * (EAST - WEST)).toFixed(4)}`;
    if ((await fetch(SITE + point)).ok) chosen.push(`${point}?zoom=${["town", "walk", "block"][chosen.length % 3]}`);
  }
  return ["/", ...chosen];
}

/** Returns the pairs of names that overlap, and the names that the edge cuts, in units of the drawing. */
function overlaps() {
  const map = document.querySelector("svg.map");
  if (!map) return { names: 0, faults: [] };
  const { width, height } = map.viewBox.baseVal;
  const texts = [...map.querySelectorAll(".labels text, .bar text")].filter((text) => getComputedStyle(text).display !== "none");
  const boxes = texts.map((text) => {
    const box = text.getBBox(), matrix = map.getCTM().inverse().multiply(text.getCTM());
    const from = new DOMPoint(box.x, box.y).matrixTransform(matrix), to = new DOMPoint(box.x + box.width, box.y + box.height).matrixTransform(matrix);
    return { name: text.textContent, left: from.x, top: from.y, right: to.x, bottom: to.y };
  });
  const faults = [];
  boxes.forEach((one, at) => {
    if (one.left < 0 || one.top < 0 || one.right > width || one.bottom > height) faults.push(`${one.name} is cut`);
    for (const other of boxes.slice(at + 1))
      if (one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom) faults.push(`${one.name} over ${other.name}`);
  });
  return { names: boxes.length, faults };
}

let browser = await open(), maps = 0, names = 0;
const faults = [];
for (const path of await addresses()) {
  // A new browser, because a small machine kills one that runs for long.
  if (maps % 40 === 38) {
    await browser.close();
    browser = await open();
  }
  for (const width of [1280, 390]) {
    const { page, context } = await tab(browser, { viewport: { width, height: 844 }, javaScriptEnabled: true });
    await page.goto(SITE + path);
    const seen = await page.evaluate(overlaps);
    maps += 1;
    names += seen.names;
    faults.push(...seen.faults.map((fault) => `${path} at ${width}: ${fault}`));
    await context.close();
  }
}
await browser.close();
console.log(faults.length === 0 ? "ok  " : "FAIL", `${names} names on ${maps} drawings, ${faults.length} overlap or are cut`);
fail(faults.slice(0, 20));
