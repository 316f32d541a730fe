// The service worker: says so when the server cannot be reached, and shows calls. It keeps the
// offline page, its styles and script; pages, frames and pictures of tables it never keeps.

const CACHE = "diablerie-__VERSION__";
const KEPT = ["__KEPT__"];

self.addEventListener("install", (event) => {
  const kept = caches.open(CACHE).then((cache) => cache.addAll(KEPT));
  event.waitUntil(kept.then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

// A page, and what the offline page asks for when the server does not answer.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(fetch(request).catch(() => offline()));
  else if (request.mode !== "navigate" && KEPT.includes(path)) event.respondWith(known(path).then((one) => one ?? fetch(request)));
});

self.addEventListener("push", (event) => {
  const told = event.data?.json() ?? {};
  event.waitUntil(call(told));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.url ?? "/"));
});

self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(again(event));
});

async function tidy() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith("diablerie-") && name !== CACHE).map((name) => caches.delete(name)));
}

const known = (path) => caches.match(path, { cacheName: CACHE });

const offline = async () => (await known("/offline")) ?? Response.error();

async function call({ title = "diablerie", body = "", url = "/", count = 1 }) {
  await self.navigator.setAppBadge?.(count).catch(() => {});
  await self.registration.showNotification(title, { body, tag: "turn", renotify: true, data: { url } });
}

async function open(url) {
  const target = new URL(url, self.location.origin);
  if (target.origin !== self.location.origin) return;
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === target.pathname);
  await (there ? there.focus() : self.clients.openWindow(target.href));
}

async function again(event) {
  const old = event.oldSubscription;
  const fresh = event.newSubscription ?? (old && (await self.registration.pushManager.subscribe(old.options)));
  if (!fresh) return;
  const { endpoint, keys } = fresh.toJSON();
  await fetch("/push", { method: "POST", body: new URLSearchParams({ endpoint, ...keys }), headers: { accept: "application/json" } });
}
