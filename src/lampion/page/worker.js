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
const LIST = "room/large.json";
const addressOf = (file) => new URL(file, registration.scope).href;

async function install() {
  const cache = await caches.open(KEPT);
  // Not from the browser's own cache: a host may let it keep old files for long.
  await cache.addAll(FILES.map((file) => new Request(addressOf(file), { cache: "no-cache" })));
  await cache.put(addressOf(LIST), Response.json([...LARGE, MEMORY]));
}
addEventListener("install", (event) => event.waitUntil(install()));

// The version before stays: a page of it that is still open may need one more file.
async function clean() {
  const before = (await caches.keys()).filter((name) => name.startsWith(SITES) && name !== KEPT);
  await Promise.all(before.splice(0, before.length - 1).map((name) => caches.delete(name)));
  const wanted = new Set();
  for (const site of [KEPT, ...before]) {
    const list = await (await caches.open(site)).match(addressOf(LIST));
    for (const file of (await list?.json()) ?? []) wanted.add(addressOf(file));
  }
  const runtime = await caches.open(RUNTIME);
  for (const request of await runtime.keys()) if (!wanted.has(request.url)) await runtime.delete(request);
}
addEventListener("activate", (event) => event.waitUntil(clean().then(() => clients.claim())));
addEventListener("message", (event) => {
  if (event.data === "take over") skipWaiting();
});

async function answer(request) {
  const isPage = [PATH, `${PATH}index.html`].includes(new URL(request.url).pathname); // others may lie below
  const page = isPage ? addressOf("./") : request.url;
  const own = await (await caches.open(KEPT)).match(page, { ignoreSearch: true });
  return own ?? (await caches.match(page)) ?? fetch(request);
}
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
