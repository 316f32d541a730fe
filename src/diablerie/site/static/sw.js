// The service worker of the static site: keeps the site's files, so that it opens without a network.
// The worker that runs Python keeps what it has downloaded in the same cache, and checks it.

const VERSION = "__VERSION__";
const base = self.registration.scope;
const OWN = `diablerie ${new URL(base).pathname} files `; // how names of this folder's caches begin, see names.js
const CACHE = `${OWN}${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(base)) return;
  event.respondWith(answer(request));
  if (request.url === `${base}site.json`) event.waitUntil(tidy()); // a page begins anew
});

/** Keep every file that is not kept yet. */
async function keep() {
  const cache = await caches.open(CACHE);
  const whole = await fetch(`${base}site.json`, { cache: "no-cache" });
  const { files, languages, version } = await whole.clone().json();
  if (version !== VERSION) await damaged("sw.js");
  await cache.put(`${base}site.json`, whole);
  const foreign = languages.filter((one) => one !== spoken(languages)).map((one) => `pages/${one}/`);
  for (const path of Object.keys(files)) {
    if (foreign.some((start) => path.startsWith(start))) continue; // another language than this browser's
    if (!(await cache.match(address(path)))) await keepOne(cache, path, files[path]);
  }
}

/** The first language of this browser that the site has. */
function spoken(languages) {
  const wanted = navigator.languages.map((one) => one.split("-")[0]);
  return wanted.find((one) => languages.includes(one)) ?? languages[0];
}

/** Where a file is asked for: some hosts lead from `index.html` to the folder. */
function address(path) {
  return base + (path === "index.html" ? "" : path);
}

async function keepOne(cache, path, { digest }) {
  const found = await fetch(address(path), { cache: "no-cache" });
  const bytes = await found.arrayBuffer();
  const hex = [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((byte) => byte.toString(16).padStart(2, "0"));
  if (!found.ok || hex.join("") !== digest) await damaged(path);
  await cache.put(address(path), plain(bytes, found));
}

/** The same answer, but not redirected: with one that was, no page may be opened. */
function plain(body, { headers }) {
  return new Response(body, { headers });
}

/** Tell the site's windows which file is wrong. */
async function damaged(path) {
  const windows = await self.clients.matchAll({ includeUncontrolled: true });
  for (const one of windows) if (one.url.startsWith(base)) one.postMessage({ damaged: path });
  throw new Error(`${path} is damaged`);
}

/** Forget the files of this folder's other versions. A page goes on with its version's until it is loaded anew. */
async function tidy() {
  const names = await caches.keys();
  if (self.registration.installing || self.registration.waiting) return; // whose files come just now
  for (const name of names) if (name !== CACHE && name.startsWith(OWN)) await caches.delete(name);
}

async function answer(request) {
  const url = request.url.split(/[?#]/)[0];
  const known = await found(url === `${base}index.html` ? base : url);
  if (known) return known;
  const fetched = await fetch(request);
  // of another language, which the visitor has chosen
  if (fetched.ok && url.startsWith(`${base}pages/`)) await (await caches.open(CACHE)).put(url, plain(fetched.clone().body, fetched));
  return fetched;
}

/** A file of this version, else of the one that an open page began with. */
async function found(url) {
  const own = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  for (const name of [CACHE, ...own]) {
    const known = await (await caches.open(name)).match(url);
    if (known) return known;
  }
  return null;
}
