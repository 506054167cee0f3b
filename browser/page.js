// The page: receives the snapshot once, keeps it, and shows answers. The address after # holds the question, which no server sees.
import { Platbook } from "./platbook.js";

/** The jobs in the order of platbook's pages: tax, then building, then records. */
const TASKS = {
  tax_collection: "Pay a property tax bill",
  assessment: "Question the value of a property, or appeal",
  exemptions: "Claim an exemption or tax relief",
  permits: "Get a building permit",
  zoning: "Ask what zoning allows",
  recording: "Get a copy of a deed, or record one",
  gis: "Find property lines on a map",
};
const LAYERS = { place: "City", cousub: "Town or township", county: "County", state: "State" };
const SNAPSHOTS = "platbook-snapshots";
const LOCATE_WAIT_MS = 20_000;

const part = (id) => document.getElementById(id);
const [form, field, status, progress, answer, again] = ["ask", "q", "status", "progress", "answer", "again"].map(part);
let directory;

/** Says what happens, to eyes and to screen readers. */
const say = (words) => { status.textContent = words; };

function element(tag, content, attributes = {}) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...[content].flat().filter((one) => one !== null && one !== undefined));
  return made;
}

// The snapshot.

async function start() {
  again.hidden = true;
  try {
    const response = await fetch("edition.json");
    if (!response.ok) throw new Error(`edition.json could not be fetched: status ${response.status}`);
    directory = await opened(await response.json());
  } catch (error) {
    progress.hidden = true;
    again.hidden = false;
    return say(`The directory could not be loaded: ${error.message}.`);
  }
  for (const button of form.querySelectorAll("button")) button.disabled = false;
  if (directory.knowsNames) {
    part("q-label").textContent = "Coordinates, or the name of a town or county";
    part("q-hint").textContent = "For example: 44.9773, -93.2655; or Stowe, Vermont. It knows no street addresses.";
  }
  part("edition").textContent = `Data as of ${directory.asOf.slice(0, 10)}, edition ${directory.snapshotId}.`;
  show();
}

/** Opens the kept snapshot, or else the one of the server. */
async function opened({ snapshot }) {
  const shelf = "caches" in self ? await caches.open(SNAPSHOTS).catch(() => null) : null; // no cache without HTTPS
  const kept = await shelf?.match(snapshot);
  if (kept) {
    try {
      return await Platbook.open(kept);
    } catch {
      await shelf.delete(snapshot); // damaged or of another format: it comes anew
    }
  }
  const response = await fetch(snapshot);
  // A full disk keeps nothing, and the page answers all the same.
  const keeping = response.ok ? shelf?.put(snapshot, response.clone()).then(() => true, () => false) : undefined;
  progress.hidden = false;
  const directory = await Platbook.open(response, { progress: received });
  progress.hidden = true;
  const isKept = await keeping;
  if (isKept) await dropOthers(shelf, snapshot);
  document.documentElement.dataset.kept = String(isKept === true);
  return directory;
}

async function dropOthers(shelf, snapshot) {
  const wanted = new URL(snapshot, location.href).href;
  for (const request of await shelf.keys()) if (request.url !== wanted) await shelf.delete(request);
}

function received(bytes, total) {
  const megabytes = (bytes) => (bytes / 1e6).toFixed(0);
  if (total) [progress.max, progress.value] = [total, bytes];
  const step = Math.floor((bytes / (total ?? 30e6)) * 4); // a screen reader hears four steps, not hundreds
  if (step === received.step) return;
  received.step = step;
  say(`Loading the directory, once: ${megabytes(bytes)}${total ? ` of ${megabytes(total)}` : ""} MB.`);
}

// Questions.

/** Two numbers of a text, as latitude and longitude; null if it is something else. */
function pointOf(text) {
  const match = /^\s*([-+]?\d+(?:\.\d+)?)\s*(?:,|;|\s)\s*([-+]?\d+(?:\.\d+)?)\s*$/.exec(text);
  return match && [Number(match[1]), Number(match[2])];
}

function ask(text) {
  const hash = `#${encodeURIComponent(text.trim())}`;
  if (location.hash === hash) show();
  else location.hash = hash;
}

function questionOf(hash) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

function show() {
  if (!directory) return;
  const text = questionOf(location.hash);
  if (text === "main") return; // the link that skips to the content
  if (text === "") {
    answer.replaceChildren();
    return say("The directory is ready, and answers without a network.");
  }
  if (document.activeElement !== field) field.value = text;
  const point = pointOf(text);
  if (point) return showRow(directory.resolve(...point));
  if (/^(county|cousub|place):\d+$/.test(text)) return showRow(directory.place(text));
  if (!directory.knowsNames) {
    answer.replaceChildren();
    return say("These are no coordinates. Type a latitude and a longitude, such as 44.9773, -93.2655.");
  }
  const found = directory.search(text, 12).filter((place) => /^(county|cousub|place):/.test(place.id));
  if (found.length === 1) return showRow(directory.place(found[0].id));
  showChoice(found);
}

function locate() {
  if (!navigator.geolocation) return say("This browser does not give its location.");
  say("Asking this device where it is.");
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      field.value = `${coords.latitude.toFixed(5)}, ${coords.longitude.toFixed(5)}`;
      ask(field.value);
    },
    () => say("This device does not give its location. Type its coordinates."),
    { timeout: LOCATE_WAIT_MS },
  );
}

// Answers.

function showChoice(found) {
  if (found.length === 0) {
    answer.replaceChildren();
    return say("No town or county has this name. Try coordinates, or add the state.");
  }
  const label = ({ id, name, legal_type, county_name, usps }) => element("li", element("a", [
    element("b", name), ` ${[legal_type, county_name, usps].filter(Boolean).join(", ")}`,
  ], { href: `#${encodeURIComponent(id)}` }));
  const heading = element("h2", "Which one?", { tabindex: "-1" });
  answer.replaceChildren(heading, element("ul", found.map(label), { class: "choices" }));
  say(`${found.length} places have this name.`);
  heading.focus();
}

function showRow(row) {
  if (row.error) {
    answer.replaceChildren();
    return say(`There is no answer: ${row.error}.`);
  }
  const title = `${row.place_name ?? row.cousub_name ?? row.county_name}, ${row.state_name}`;
  const heading = element("h2", title, { tabindex: "-1" });
  answer.replaceChildren(
    heading, ...doubts(row),
    element("ul", Object.keys(TASKS).map((job) => task(row, job)), { class: "tasks" }),
    element("h3", "Governments here"), governments(row),
  );
  say(`The answer for ${title} is below.`);
  heading.focus();
}

function governments(row) {
  const isSame = (layer) => layer === "cousub" && row.cousub_same_as?.split(" ").includes(row.place_id);
  const there = Object.keys(LAYERS).filter((layer) => row[`${layer}_id`] && !isSame(layer));
  return element("dl", there.flatMap((layer) => [
    element("dt", LAYERS[layer]),
    element("dd", [row[`${layer}_name`], " ", element("code", row[`${layer}_id`])]),
  ]));
}

/** What may be otherwise than the answer says. */
function doubts(row) {
  const said = [];
  if (row.uncertain) said.push("A county or city line is so near that the point may lie on its other side. Ask both governments.");
  if (row.unknown_layers) said.push("The lines of towns are not known here. A town may do some of these jobs: ask the county.");
  if (row.quality === "water") said.push("The point lies in water that belongs to the county.");
  if (row.quality === "nearest") said.push(`The point lies ${Math.round(row.nearest_m)} m outside the mapped shore or border. The answer is that of the nearest county.`);
  if (row.tribal_land) said.push(`The point lies in ${row.tribal_land}. The nation may do some of these jobs: ask it, too.`);
  return said.map((words) => element("div", element("p", words), { class: "note caution" }));
}

function task(row, job) {
  const of = (column) => row[`${job}_${column}`];
  const who = [of("office"), of("body")].filter(Boolean);
  // "County Recorder, Aitkin County", but not "City of Austin Planning, City of Austin".
  const names = who.length === 2 && who[0].includes(who[1]) ? who[0] : who.join(", ");
  const whom = element("p", names || "No office does this here", { class: "whom" });
  if (of("confidence") === "low") whom.append(" ", element("strong", "(not sure: ask first)", { class: "unsure" }));
  const lines = [element("h3", TASKS[job], { id: `task-${job}` }), whom];
  if (isWeb(of("url"))) {
    const host = new URL(of("url")).host.replace(/^www\./, "");
    const link = element("a", "Go to the page", { href: of("url"), rel: "external noreferrer", "aria-describedby": `task-${job}` });
    lines.push(element("p", [link, " ", element("span", host, { class: "host" })], { class: "ways" }));
  }
  if (of("phone")) lines.push(element("p", ["Call ", element("a", of("phone"), { href: `tel:${of("phone").replace(/[^\d+]/g, "")}` })], { class: "call" }));
  if (of("basis")) lines.push(element("details", [element("summary", "Why"), element("p", of("basis"))]));
  return element("li", lines);
}

function isWeb(url) {
  return /^https?:/.test(url ?? "") && URL.canParse(url);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (directory && field.value.trim()) ask(field.value);
});
part("locate").addEventListener("click", locate);
again.addEventListener("click", start);
addEventListener("hashchange", show);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("worker.js").catch(() => {}); // without HTTPS, the page works online
start();
