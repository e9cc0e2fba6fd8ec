// Keeps one page for when the server cannot be reached. Games are always the server's: nothing else is kept.
const KEPT = "lampion-offline-1";
const PAGES = ["./offline.html", "./offline.css", "./icon.svg"];

addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(PAGES)).then(() => skipWaiting()));
});
addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))),
  );
});
addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("./offline.html")));
  } else if (PAGES.some((page) => request.url === new URL(page, registration.scope).href)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
