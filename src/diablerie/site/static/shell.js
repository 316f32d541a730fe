// The page around all pages of the static site. It shows the landing page, which comes ready-made, and
// starts Python in a worker; then Python makes every page, which a frame shows.

const base = new URL("./", import.meta.url);
const told = document.getElementById("site-notice");
const site = fetch(new URL("site.json", base)).then((answer) => answer.json());
const locale = site.then(({ languages }) => spoken(languages));
const answers = new Map(); // by number: what a request waits for
const frames = { now: null, next: null };
let worker = null;
let running = false;
let count = 0; // of requests to Python
let later = null; // what was chosen before Python ran
let board = Promise.resolve(); // ends when the board of what was chosen is shown

const PATIENCE = 10000; // milliseconds that Python waits for that

/** What the frame's script uses of this page. */
window.diablerie = { isFile, fetched, moved, ready, loaded, visit, download };

main().catch((error) => say("failed", {}, error));

async function main() {
  hold();
  addEventListener("popstate", () => visit({ url: routed() }, false));
  const { languages } = await site;
  if ((await locale) !== languages[0] || routed() !== "/") await visit({ url: routed() }, false);
  if (!("WebAssembly" in window)) return say("unable");
  if (navigator.locks) await alone();
  await start();
}

/** Wait until no other window of this browser has the games: two would overwrite each other's. */
async function alone() {
  const free = await new Promise((known) => {
    const held = (lock) => {
      known(Boolean(lock));
      return lock && new Promise(() => {}); // as long as the window is open
    };
    navigator.locks.request(`diablerie ${base}`, { ifAvailable: true }, held);
  });
  if (free) return;
  await say("elsewhere");
  await new Promise((known) => {
    navigator.locks.request(`diablerie ${base}`, () => (known(), new Promise(() => {})));
  });
  await say("waiting");
}

async function start() {
  worker = new Worker(new URL("worker.mjs", base), { type: "module" });
  document.documentElement.dataset.python = await new Promise((done, failed) => {
    worker.onerror = (event) => failed(new Error(event.message));
    worker.onmessage = ({ data }) => {
      if (data.started) done(data.started);
      else if (data.damaged) say("damaged", { file: data.damaged });
      else if (data.failed) failed(new Error(data.failed));
      else if (data.say) say(data.say);
      else if (data.downloaded) release();
      else if (data.stored) navigator.serviceWorker?.register(new URL("sw.js", base)).catch(() => {});
      else answers.get(data.number)?.(data);
    };
  });
  running = true;
  if (!told.dataset.lasting) told.hidden = true;
  document.documentElement.classList.add("running");
  await visit(later ?? { url: routed() }, Boolean(later));
}

// -- what is shown ---------------------------------------------------------------------------------

/** The address of the page that is shown, as Python knows it. */
function routed() {
  return location.hash.slice(1) || "/";
}

/** Whether an address is of one of the site's own files. */
function isFile(url) {
  return url.startsWith(new URL("static/", base).href) || new URL(url).pathname.startsWith("/static/");
}

/** Show a page: what Python answers, or before it runs what came ready-made. */
async function visit(request, push = true) {
  const url = new URL(request.url, location.origin);
  const page = running ? await python(request, url) : !request.body && (await readyMade(await nameOf(url), url));
  if (!page) return wait(request, push);
  const shown = page.url.pathname + page.url.search + url.hash;
  if (push && shown !== routed()) history.pushState(null, "", `#${shown}`);
  else history.replaceState(null, "", shown === "/" ? base.pathname : `#${shown}`);
  display(page.html, shown);
}

async function python({ method = "GET", body = "" }, url) {
  const here = location.origin + routed();
  const headers = { accept: "text/html", referer: here, ...(body && { "content-type": "application/x-www-form-urlencoded" }) };
  const answer = await followed({ method, url, headers, body: new TextEncoder().encode(body).buffer });
  const html = await answer.text();
  const stayed = method === "POST" && answer.url.href === url.href;
  return { html, url: stayed ? new URL(here) : answer.url };
}

/** Before Python runs: remember what was chosen, and show the board of a game that is to begin. */
async function wait(request, push) {
  later = request;
  if (push) say("later");
  board = pictured(request);
  await board;
}

/** Show the board of the game that is to begin, if it is one. */
async function pictured(request) {
  const game = new URLSearchParams(request.body).get("game");
  const page = await readyMade(await pathOf(`board-${game}`), location);
  if (page && !running && later === request) await display(page.html, routed());
}

/** Let Python's worker go on, but not while a board is about to be shown, which it would delay. */
async function release() {
  await Promise.race([board, new Promise((done) => setTimeout(done, PATIENCE))]).catch(console.warn);
  worker.postMessage({ hurried: Boolean(later) });
}

/** The ready-made page of an address, if there is one. */
function nameOf({ pathname }) {
  const [, game] = pathname.match(/^\/rules\/(\w+)$/) ?? [];
  return pathname === "/" ? pathOf("index") : game && pathOf(`rules-${game}`);
}

/** The file of a ready-made page, if there is one. */
async function pathOf(name) {
  const { ready } = await site;
  const start = `pages/${await locale}/${name}.html`;
  return ready.find((path) => path.startsWith(start));
}

/** A ready-made page; null if there is none, or none to be had without a network. */
async function readyMade(path, url) {
  const answer = path && (await fetch(new URL(path, base)).catch(() => null));
  if (!answer?.ok) return null;
  const unpacked = path.endsWith(".gz") ? new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))) : answer;
  return { html: await unpacked.text(), url };
}

/** Show HTML in a new frame, behind the old one until it has loaded, or another takes its place. */
function display(html, url) {
  frames.next?.done();
  frames.next?.remove();
  const frame = document.createElement("iframe");
  frame.className = "next";
  frame.title = document.title;
  frame.page = { html: html.replaceAll(/="(\.\.\/\.\.|)\/static\//g, `="${base.pathname}static/`), url };
  frame.src = new URL("frame.html", base);
  frames.next = frame;
  document.body.append(frame);
  return new Promise((done) => (frame.done = done));
}

/** The frame's script runs: it gets the page. */
function ready(view) {
  const frame = [frames.now, frames.next].find((one) => one?.contentWindow === view);
  if (frame) view.setTimeout(() => view.postMessage(frame.page, location.origin));
}

/** The page is there: it takes the place of the one before. */
function loaded(view) {
  if (view !== frames.next?.contentWindow) return;
  const [old, frame] = [frames.now, frames.next];
  Object.assign(frames, { now: frame, next: null });
  frame.className = "page";
  frame.done();
  const { documentElement: html, title } = view.document;
  frame.title = document.title = title;
  document.documentElement.lang = html.lang;
  document.documentElement.dataset.theme = html.dataset.theme ?? "";
  for (const one of document.body.children) if (one.tagName !== "IFRAME" && one !== told) one.hidden = true;
  leave(old?.contentWindow);
  old?.remove();
  const { hash } = new URL(frame.page.url, location.origin);
  if (hash) view.location.replace(hash);
  view.focus();
}

/** The page's script changed its address. */
function moved({ pathname, search }) {
  history.replaceState(null, "", `#${pathname}${search}`);
}

/** Before Python runs: show what came ready-made, and keep the last of what else is chosen. */
function hold() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='/']");
    if (!link) return;
    event.preventDefault();
    visit({ url: link.getAttribute("href") });
  });
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    const body = new URLSearchParams([...new FormData(event.target, event.submitter)]).toString();
    visit({ method: "POST", url: event.target.getAttribute("action"), body });
  });
}

/** Have the browser keep what Python answers as a file. */
async function download(url, name) {
  const answer = await followed({ method: "GET", url, headers: {}, body: new ArrayBuffer(0) });
  const given = /filename="?([^";]+)/.exec(answer.headers["content-disposition"] ?? "")?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name || given || url.pathname.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Say one of the site's sentences. Those about what stays so stay, too. */
async function say(what, values = {}, error = null) {
  if (error) console.error(error);
  const { sentences } = await site;
  told.textContent = sentences[await locale][what].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  told.hidden = false;
  if (what !== "waiting" && what !== "later") told.dataset.lasting = what;
}

/** The first language of this browser that the site has. */
function spoken(languages) {
  const wanted = navigator.languages.map((one) => one.split("-")[0]);
  return wanted.find((one) => languages.includes(one)) ?? languages[0];
}

// -- requests to Python ----------------------------------------------------------------------------

/** What Python answers to a request of a page's script. */
async function fetched(request, view) {
  const url = new URL(request.url);
  const headers = { ...Object.fromEntries(request.headers), referer: location.origin + routed() };
  const { method, signal } = request;
  const answer = await followed({ method, url, headers, body: await request.arrayBuffer(), view, signal });
  return new Response([204, 304].includes(answer.status) ? null : answer.body, answer);
}

/** An answer, after all redirections. */
async function followed(request) {
  let answer = await exchange(request);
  while (answer.status > 300 && answer.status < 309 && answer.headers.location) {
    const url = new URL(answer.headers.location, location.origin);
    const { accept = "*/*" } = request.headers;
    answer = await exchange({ ...request, method: "GET", url, headers: { accept }, body: new ArrayBuffer(0) });
  }
  return answer;
}

/** One answer: status, headers, the stream of its body, and ways to read it whole. */
function exchange({ method, url, headers, body, view, signal }) {
  const number = ++count;
  const left = () => worker.postMessage({ number, left: true });
  return new Promise((done) => {
    let parts;
    const stream = new ReadableStream({ start: (controller) => (parts = controller), cancel: left });
    const hear = ({ status, headers: received, part, end }) => {
      if (part) parts.enqueue(part);
      else if (end) {
        answers.delete(number);
        parts.close();
      } else {
        const whole = () => new Response(stream);
        const reading = { text: () => whole().text(), blob: () => whole().blob() };
        done({ status, headers: received, body: stream, url, ...reading });
      }
    };
    hear.view = view;
    hear.leave = () => {
      answers.delete(number);
      left();
    };
    answers.set(number, hear);
    signal?.addEventListener("abort", () => {
      hear.leave();
      parts.error(signal.reason);
    });
    worker.postMessage({ number, method, url: url.pathname + url.search, headers, body }, [body]);
  });
}

/** End what a page that is gone still listens to. */
function leave(view) {
  for (const hear of [...answers.values()]) if (view && hear.view === view) hear.leave();
}
