/** A new version of the site takes over when a page opens, never under one that is in use. */
const PATIENCE = 3000;

/** Let a version that waits take over, and begin again with it. */
export async function takeOver(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.getRegistration().catch(() => undefined);
  const waiting = registration?.waiting;
  if (waiting == null || navigator.serviceWorker.controller === null) return;
  const changed = new Promise<boolean>((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", () => done(true), { once: true });
    setTimeout(() => done(false), PATIENCE);
  });
  waiting.postMessage("take over");
  if (await changed) {
    location.reload();
    await new Promise(() => undefined); // until the page is gone
  }
}
