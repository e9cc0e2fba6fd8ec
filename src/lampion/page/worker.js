// Keeps a static site so that it works without a network. Every version has a cache of its own; a new one takes over
// when a page asks it to, or when all pages of the old one are closed.
const VERSION = "{{version}}";
const FILES = {{files}};
const LARGE = {{large}};
const PATH = new URL(registration.scope).pathname; // a site beside this one keeps its own
const SITES = `lampion-site ${PATH} `;
const KEPT = SITES + VERSION;
const RUNTIME = `lampion-runtime ${PATH}`;
const MEMORY = `room/memory-${VERSION}`;
const addressOf = (file) => new URL(file, registration.scope).href;

addEventListener("install", (event) => {
  // Not from the browser's own cache: a host may let it keep old files for long.
  const files = FILES.map((file) => new Request(addressOf(file), { cache: "no-cache" }));
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(files)));
});

// The version before stays: a page of it that is still open may need one more file.
async function clean() {
  const sites = (await caches.keys()).filter((name) => name.startsWith(SITES) && name !== KEPT);
  await Promise.all(sites.slice(0, -1).map((name) => caches.delete(name)));
  const runtime = await caches.open(RUNTIME);
  const wanted = new Set([...LARGE, MEMORY].map(addressOf));
  for (const request of await runtime.keys()) if (!wanted.has(request.url)) await runtime.delete(request);
}
addEventListener("activate", (event) => event.waitUntil(clean().then(() => clients.claim())));
addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
});

async function answer(request) {
  const page = request.mode === "navigate" ? addressOf("./") : request.url;
  const own = await (await caches.open(KEPT)).match(page, { ignoreSearch: true });
  return own ?? (await caches.match(page)) ?? fetch(request);
}
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
