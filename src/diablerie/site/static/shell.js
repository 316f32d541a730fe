// The page around all pages of the static site: shows the ready-made landing page at once, and then,
// when Python runs, every page in a frame.

const told = document.querySelector("[data-waiting]");
const frame = document.querySelector("iframe[name=play]");
let chosen = null; // what was clicked before Python ran

main().catch((error) => say("failed", error));

async function main() {
  if (!("WebAssembly" in window)) return say("unable");
  hold();
  if (!navigator.serviceWorker) return say("unable");
  const worker = new Worker("/worker.mjs", { type: "module" });
  const running = new Promise((done, failed) => {
    worker.onmessage = ({ data }) => (data.ready ? done() : failed(new Error(data.failed)));
    worker.onerror = (event) => failed(new Error(event.message));
  });
  navigator.serviceWorker.onmessage = ({ data, ports }) => worker.postMessage(data, ports);
  navigator.serviceWorker.startMessages();
  await Promise.all([navigator.serviceWorker.register("/sw.js", { scope: "/" }), controlled(), running]);
  show();
}

/** Wait until the service worker answers this page's requests. */
async function controlled() {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller)
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}

/** Keep the first link or button that is pressed until it can be followed. */
function hold() {
  const keep = (event) => {
    const link = event.type === "submit" ? event.target : event.target.closest("a[href]");
    if (!link || !told) return;
    event.preventDefault();
    chosen = { link, button: event.submitter };
    say("later");
  };
  document.addEventListener("click", keep);
  document.addEventListener("submit", keep);
}

function show() {
  frame.addEventListener("load", () => {
    const { location, document: page } = frame.contentWindow;
    if (location.pathname === "blank") return;
    document.title = page.title;
    document.documentElement.lang = page.documentElement.lang;
    history.replaceState(null, "", `#${location.pathname}${location.search}`);
    for (const other of [...document.body.children]) if (other !== frame) other.hidden = true;
    frame.hidden = false;
  });
  if (chosen?.link instanceof HTMLFormElement) {
    chosen.link.target = frame.name;
    if (chosen.button?.name) chosen.link.append(field(chosen.button));
    chosen.link.submit();
  } else {
    frame.src = chosen?.link.getAttribute("href") ?? (location.hash.slice(1) || "/");
  }
}

function field({ name, value }) {
  return Object.assign(document.createElement("input"), { type: "hidden", name, value });
}

/** Say one of the sentences that the page brings. */
function say(what, error) {
  if (error) console.error(error);
  if (told) told.textContent = told.dataset[what];
}
