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
  const { request } = event;
  const isOwn = new URL(request.url).href.startsWith(self.registration.scope);
  if (request.method === "GET" && isOwn && isKept(request)) event.respondWith(newest(request));
});

function isKept(request) {
  const kept = FILES.map((file) => new URL(file, self.registration.scope).href);
  return request.mode === "navigate" || kept.includes(request.url);
}

/** The file from the network, or the kept one where the network does not answer. */
async function newest(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.mode === "navigate" ? "./" : request);
  try {
    const response = await fetch(request, kept ? { signal: AbortSignal.timeout(WAIT_MS) } : {});
    if (response.ok) await cache.put(request.mode === "navigate" ? "./" : request, response.clone());
    return response.ok || !kept ? response : kept;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}
