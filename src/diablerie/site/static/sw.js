// The service worker of the static site: keeps the site's files, and hands every other request to
// Python, which runs in a worker of the page that is open.

const CACHE = "diablerie-__VERSION__";
const FILES = "__FILES__"; // the digest (SHA-256) of each file by its path

self.addEventListener("install", (event) => {
  event.waitUntil(keep().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(tidy().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (url.origin !== self.location.origin) return;
  if (event.request.destination === "document") event.respondWith(kept("/index.html"));
  else if (url.pathname in FILES) event.respondWith(kept(url.pathname));
  else event.respondWith(asked(event.request));
});

/** Download all files, each checked by its digest. */
async function keep() {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.entries(FILES).map(async ([path, digest]) => {
      const answer = await fetch(path, { cache: "no-cache" });
      const bytes = await answer.clone().arrayBuffer();
      if (!answer.ok || (await hexDigest(bytes)) !== digest) throw new Error(`${path} is damaged`);
      await cache.put(path, answer);
    }),
  );
}

async function hexDigest(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Forget the files of other versions. */
async function tidy() {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith("diablerie-") && name !== CACHE);
  await Promise.all(others.map((name) => caches.delete(name)));
}

async function kept(path) {
  return (await caches.match(path, { cacheName: CACHE })) ?? fetch(path);
}

/** What Python answers to a request. */
async function asked(request) {
  const { port1: ours, port2: theirs } = new MessageChannel();
  const message = {
    method: request.method,
    url: request.url.slice(self.location.origin.length),
    headers: Object.fromEntries(request.headers),
    body: request.method === "POST" ? await request.arrayBuffer() : new ArrayBuffer(0),
  };
  const pages = await self.clients.matchAll({ type: "window" });
  for (const page of pages.filter((one) => one.frameType === "top-level")) {
    page.postMessage(message, [theirs]);
    break;
  }
  return new Promise((resolve) => {
    let parts = null; // the controller of the response's body
    const body = new ReadableStream({
      start: (controller) => (parts = controller),
      cancel: () => ours.postMessage("left"),
    });
    ours.onmessage = ({ data }) => {
      if (data.part) parts.enqueue(data.part);
      else if (data.end) parts.close();
      else resolve(response(data, body));
    };
  });
}

function response({ status, headers }, body) {
  if (status >= 300 && status < 400 && headers.location)
    return Response.redirect(new URL(headers.location, self.location.origin), status);
  return new Response([204, 304].includes(status) ? null : body, { status, headers });
}
