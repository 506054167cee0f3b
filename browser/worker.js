// Keeps the page and its module on this device, so that it opens without a network. page.js keeps the snapshot itself.
const CACHE = "platbook-page";
const FILES = ["./", "page.js", "platbook.js", "platbook_browser.wasm", "style.css", "icon.svg", "app.webmanifest", "edition.json"];
/** A network that says nothing for so long counts as none; chosen, not measured. */
const WAIT_MS = 4000;

self.addEventListener("install", (event) => {
  // Past the browser's own cache: old and new files of a page would not fit each other.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const file = event.request.method === "GET" ? fileOf(event.request.url) : undefined;
  if (file !== undefined) event.respondWith(newest(event.request, file));
});

/** The file of the page that an address names; undefined for every other address, such as other pages below this one. */
function fileOf(url) {
  const { origin, pathname } = new URL(url);
  const { origin: own, pathname: folder } = new URL(self.registration.scope);
  if (origin !== own) return undefined;
  return FILES.find((file) => pathname === folder + file.replace("./", "") || (file === "./" && pathname === `${folder}index.html`));
}

/** The file from the network, or the kept one where the network does not answer. */
async function newest(request, file) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(file);
  try {
    const response = await fetch(request, kept ? { signal: AbortSignal.timeout(WAIT_MS) } : {});
    if (response.ok) await cache.put(file, response.clone());
    return response.ok || !kept ? response : kept;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
