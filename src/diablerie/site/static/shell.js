// The page around all pages of the static site. It shows the landing page, which comes ready-made, and
// starts Python in a worker; then Python makes every page, which a frame shows.

import { accepted, handOver, Invitations, met, notLetIn, texts } from "./invitation.js";
import { locked } from "./lock.js";
import { entered, readLink, Room } from "./meeting.js";
import { base, named } from "./names.js";

const told = document.getElementById("site-notice");
const [words, bar, button] = told.children;
const LOCK = `diablerie ${base}`; // as sites before 0.4.0 name it, which may be open in another window
const GUEST = named("guest"); // the window's name while it shows the pages of another phone
// what is remembered: the last page's language, the first games that ended, this browser's name as a
// guest, and the room to which its own guests come
const [LANGUAGE, FINISHED, NAME, ROOM] = ["language", "finished", "name", "room"].map(named);
const WAY = named("way"); // in a guest's window: the link that leads back after a reload, and the name
const site = fetch(new URL("site.json", base), { cache: "no-cache" }).then((answer) => answer.json());
const locale = site.then(({ languages }) => spoken(languages));
const answers = new Map(); // by number: what a request waits for
const frames = { now: null, next: null };
let worker = null;
let sent = []; // the pages with previews
let running = false;
let installing = null; // what the browser needs to install the site
let blocked = false; // whether another window has the games
let ended = false; // whether this window has shown another phone's pages, and cannot any longer
let asked; // whether the browser may clear what it stores, once it was asked
let awoken;
const awake = new Promise((done) => (awoken = done)); // ends when Python runs
let heard = 0; // when the worker last sent anything; here as elsewhere by a clock that nobody sets back
let count = 0; // of requests to Python
let later = null; // what was chosen before Python ran
let seeking = null; // the room where a guest's window asks for another channel
let kept = null; // the way, in a browser that stores nothing
let board = Promise.resolve(); // ends when the board of what was chosen is shown

const PATIENCE = 10000; // milliseconds that Python waits for that
const SILENCE = 60000; // milliseconds without any answer after which Python has stopped
const PASSING = 6000; // milliseconds for which something is said that nobody has to do anything about

/** What the frame's script uses of this page. */
window.diablerie = { isFile, fetched, moved, ready, loaded, visit, download, address, invite, keptUnder: named("") };

main().catch((error) => say("failed", { error }).then(keep));

async function main() {
  if (window.top !== window) return framed();
  addEventListener("beforeinstallprompt", (event) => (event.preventDefault(), (installing = event)));
  addEventListener("popstate", arrived);
  const { answer, ...link } = texts(location.hash);
  if (answer) return asleep(), handOver(await sentences(), answer);
  if (link.offer || link.meet) return asleep(), guest(link);
  if (window.name === GUEST) return returned();
  hold();
  await say("waiting");
  const { languages, previews } = await site;
  sent = previews;
  if ((await locale) !== languages[0] || routed() !== "/") await visit({ url: routed() }, false);
  if (!("WebAssembly" in window)) return say("unable");
  await alone();
  await start();
}

/** Other sites do not show this one among their own pages, where they could have somebody press its buttons. */
function framed() {
  asleep();
  return say("framed", { press: "window", pressed: () => open(location.href, "_blank", "noopener") });
}

/** Nothing on the landing page can be pressed: no games of this browser come to this window. */
function asleep() {
  document.documentElement.classList.add("asleep");
  for (const one of document.body.children) if (one !== told) one.inert = true;
}

/** The address was changed: by going back, or by a link that somebody has opened in this window. */
async function arrived() {
  const { answer, ...link } = texts(location.hash);
  const invites = link.offer || link.meet;
  if (!invites && !answer) return visit({ url: routed() }, false);
  if (invites && !invitations?.host.guests) return location.reload();
  history.replaceState(null, "", frames.now ? `#${frames.now.page.url}` : location.pathname);
  if (invites) return say("hosting", { press: "close", pressed: () => (told.hidden = true) });
  return invitations ? invitations.take(answer) : handOver(await sentences(), answer);
}

/** Wait until this window has the games for itself: two would overwrite each other's. */
async function alone() {
  if (await locked(LOCK, { ifAvailable: true }, yielded)) return;
  blocked = true;
  const waiting = new AbortController();
  const free = locked(LOCK, { signal: waiting.signal }, yielded);
  await say("elsewhere", { press: "here", pressed: () => waiting.abort() });
  if (!(await free)) await locked(LOCK, { steal: true }, yielded);
  blocked = false;
  await say("waiting");
}

/** Another window has taken the games: this one sleeps until it gets them back. */
async function yielded() {
  worker?.postMessage({ leave: Date.now() });
  invitations?.close();
  invitations = null;
  answers.clear();
  running = false;
  document.documentElement.classList.remove("running");
  if (frames.now) sleep(frames.now);
  await alone();
  await start();
}

async function start() {
  const mine = new Worker(new URL("worker.js", base), { type: "module" });
  worker = mine;
  document.documentElement.dataset.python = await new Promise((done, failed) => {
    const fail = (error) => (running && worker === mine ? stopped(error) : failed(error));
    mine.onerror = (event) => fail(new Error(event.message));
    mine.onmessage = ({ data }) => {
      heard = performance.now();
      if (data.started) done(data.started);
      else if (data.damaged) say("damaged", { file: data.damaged });
      else if (data.failed) fail(new Error(data.failed));
      else if (data.say) say(data.say, { press: "close", pressed: () => (told.hidden = true) });
      else if (data.whole) progress(data);
      else if (data.downloaded) release();
      else if (data.stored) keep();
      else if (data.guest) answered(data);
      else answers.get(data.number)?.(data);
    };
  });
  running = true;
  if (["waiting", "later"].includes(told.dataset.what)) told.hidden = true;
  document.documentElement.classList.add("running");
  await visit(later ?? { url: routed() }, Boolean(later));
  later = null;
  awoken();
  if (memory(ROOM)) (await inviting()).resume();
}

// -- friends ---------------------------------------------------------------------------------------

let invitations = null;

/** Invite one more friend to the page of this address. */
async function invite(path) {
  if (!("RTCPeerConnection" in window)) return say("unconnected", { press: "close", pressed: () => (told.hidden = true) });
  const found = await inviting();
  const { game, seats, viewer } = await (await fetched(new Request(`${path}.json`), window)).json();
  return found.invite({ path, game, by: seats[viewer]?.name ?? "" });
}

/** What invites friends to these pages. */
async function inviting() {
  const hear = (message) => worker.postMessage(message);
  const kept = { get: () => JSON.parse(memory(ROOM) ?? "null"), set: (about) => memory(ROOM, JSON.stringify(about)) };
  const { ice, meet: point, version } = await site;
  const said = await sentences();
  return (invitations ??= new Invitations({ said, version: digestOf(version), point, ice, hear, kept, welcome }));
}

/** The page for guests who were invited to a table: its own, or that of its rematch; null if it is gone. */
async function welcome(path) {
  const answer = await fetched(new Request(`${path}.json`), window);
  if (!answer.ok) return null;
  const { rematch } = await answer.json();
  return rematch ? `/t/${rematch}` : path;
}

/** What tells versions of the site apart, in letters that links may have. */
const digestOf = (version) => version.split("-").at(-1);

/** What the pages answer to a friend, or that they cannot go on with what came. */
function answered({ guest: name, bytes, close }) {
  if (close) invitations.host.leave(name);
  else invitations.host.tell(name, bytes);
}

/** Show the pages of the phone that has invited, by an offer or by a link for all, in place of those of a worker. */
async function guest({ offer, meet }) {
  const { ice, meet: point, version, titles } = await site;
  const about = { said: await sentences(), ice, version: digestOf(version), titles: titles[await locale], alone: begin };
  const found = meet ? await met({ ...about, link: meet, point, by: memory(NAME) ?? "" }) : await accepted({ ...about, offer });
  window.name = GUEST; // which outlives a reload, and is no stored data
  if (meet) remembers({ link: meet, by: found.by });
  if (found.by) memory(NAME, found.by);
  await shown(found);
}

/** Show the pages at the other end: the table, with a seat if there is one and a name was given. */
async function shown({ remote, path, by }) {
  adopt(remote);
  await visit((by !== undefined && (await seat(path, by))) || { url: routed() === "/" ? path : routed() }, false);
  awoken();
}

/** The request that takes a free seat; null if there is none, or this browser has one. */
async function seat(path, by) {
  const { viewer, seats } = await (await fetched(new Request(`${path}.json`), window)).json();
  const free = viewer === null && seats.some(({ kind }) => kind === "open");
  return free ? { method: "POST", url: `${path}/sit`, body: new URLSearchParams({ name: by, share: "1" }).toString() } : null;
}

/** From now on `remote` answers. */
function adopt(remote) {
  const before = worker;
  worker = remote;
  before?.close();
  for (const hear of [...answers.values()]) hear({ failed: true }); // what was asked of the one before
  remote.onmessage = ({ data }) => {
    heard = performance.now();
    answers.get(data.number)?.(data);
  };
  remote.addEventListener("told", ({ detail }) => remote === worker && beside(detail));
  remote.addEventListener("state", ({ detail }) => remote === worker && changed(detail));
  told.hidden = true;
  running = true;
  document.documentElement.classList.add("running");
}

/** How the connection to the other phone is. */
function changed(state) {
  if (ended) return;
  if (state === "connected") {
    seeking?.close();
    told.hidden = true;
  } else if (state === "disconnected" && told.hidden) say("lost");
  else if (["failed", "closed"].includes(state) && way()) back();
  else if (state === "failed") say("missed");
  else if (state === "closed") parted();
}

/** What the host says beside its pages: that the link is another one, or that this browser has to go. */
function beside({ link, away }) {
  if (away) {
    remembers(null);
    parted("sentAway");
  } else if (typeof link === "string" && way()) remembers({ ...way(), link });
}

/** The link by which this window comes back, and the name; null without one. */
function way() {
  try {
    return JSON.parse(sessionStorage.getItem(WAY)) ?? kept;
  } catch {
    return kept;
  }
}

function remembers(found) {
  kept = found;
  try {
    sessionStorage.setItem(WAY, JSON.stringify(found));
  } catch {
    // as long as the page, then
  }
}

/** After a reload of a guest's window. */
function returned() {
  if (!way()) return parted();
  asleep();
  say("connecting");
  return back();
}

/** The channel is gone: ask at the meeting point for another one. */
async function back() {
  const link = readLink(way()?.link ?? "");
  const { ice, meet: point, version } = await site;
  if (!link || !point || !crypto.subtle) return parted();
  if (seeking && !seeking.closed) return null;
  const room = (seeking = new Room(point, link));
  const fail = () => say("lost", { press: "alone", pressed: begin });
  if (frames.now) fail();
  const about = { room, fingerprint: link.fingerprint, by: way().by, version: digestOf(version), ice };
  try {
    const found = await entered({ ...about, told: (what) => what !== "asking" && fail() });
    if (found) await (frames.now ? adopt(found.remote) : shown(found));
  } catch (error) {
    remembers(null);
    ended = true;
    notLetIn(await sentences(), error, ["button", "alone", (await sentences()).alone, { className: "btn small", type: "button", onclick: begin }]);
  }
  return null;
}

/** The channel is gone, and only another invitation brings it back. */
function parted(why = "parted") {
  ended = true;
  asleep();
  if (frames.now) sleep(frames.now);
  return say(why, { press: "alone", pressed: begin });
}

/** Have this window begin with the games of this browser. */
function begin() {
  window.name = "";
  remembers(null);
  if (location.pathname !== base.pathname) return location.replace(base);
  history.replaceState(null, "", base.pathname);
  return location.reload();
}

/** After the second finished game, once: offer to install the site. url: of the game that is left. */
function finished(url) {
  const before = memory(FINISHED)?.split(" ") ?? [];
  if (before.includes(url) || before.length > 1) return;
  memory(FINISHED, [...before, url].join(" "));
  const pressed = () => (installing.prompt(), (told.hidden = true));
  if (before.length && installing) say("install", { press: "installation", pressed });
}

/** Python has stopped, or does not answer: there is no way but to begin again. */
function stopped(error) {
  if (window.name === GUEST) return told.hidden && say("lost");
  return say("stopped", { error, press: "reload", pressed: () => location.reload() });
}

/** Have the site's files kept, and say when that has been done for the first time. */
async function keep() {
  const workers = navigator.serviceWorker;
  workers?.addEventListener("message", ({ data }) => data?.damaged && say("damaged", { file: data.damaged }));
  const found = await workers?.register(new URL("sw.js", base), { updateViaCache: "none" }).catch(console.warn);
  if (!found || found.active) return;
  await Promise.all([workers.ready, awake]);
  if (told.hidden) await say("offline");
}

// -- what is shown ---------------------------------------------------------------------------------

/** The address of the page that is shown, as Python knows it. */
function routed() {
  return location.hash.startsWith("#/") ? location.hash.slice(1) : "/";
}

/** Whether an address is of one of the site's own files. */
function isFile(url) {
  const own = ["static/", "contents.html"].some((start) => url.startsWith(new URL(start, base).href));
  return own || new URL(url).pathname.startsWith("/static/");
}

/** Show a page: what Python answers, or before it runs what came ready-made. */
async function visit(request, push = true) {
  if (ended) return;
  const url = new URL(request.url, location.origin);
  const page = running ? await python(request, url) : !request.body && (await readyMade(await nameOf(url), url));
  if (!page) return running ? say("refused", { press: "close", pressed: () => (told.hidden = true) }) : wait(request, push);
  const shown = page.url.pathname + page.url.search + url.hash;
  if (push && shown !== routed()) history.pushState(null, "", `#${shown}`);
  else history.replaceState(null, "", shown === "/" ? location.pathname : `#${shown}`);
  display(page.html, shown);
}

async function python({ method = "GET", body = "" }, url) {
  const here = location.origin + routed();
  const headers = { accept: "text/html", referer: here, ...(body && { "content-type": "application/x-www-form-urlencoded" }) };
  if (method === "POST") asked ??= navigator.storage?.persist?.().catch(console.warn); // there is a game to lose
  const { answer, url: at } = await followed({ method, url, headers, body: new TextEncoder().encode(body).buffer });
  if (!answer.headers.has("content-type")) return null; // no page, but that there is none
  const stayed = method === "POST" && at.href === url.href;
  return { html: await answer.text(), url: stayed ? new URL(here) : at };
}

/** Before Python runs: remember what was chosen, and show the board of a game that is to begin. */
async function wait(request, push) {
  if (blocked) return;
  later = request;
  if (push) say("later");
  board = pictured(request);
  await board;
}

/** Show the board of the game that is to begin, if it is one. */
async function pictured(request) {
  const given = new URLSearchParams(request.body);
  const { companies } = await site;
  const game = given.get("game");
  const seats = companies[game]?.[given.get("way")] ?? Number(given.get("here")) + Number(given.get("bots"));
  const page = await readyMade(await pathOf(`board-${game}-${seats}`), location);
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

/** By which address others open a page: of a file with a preview of its own, if there is one. */
function address({ pathname }) {
  const [name, game] = pathname.split("/").filter(Boolean);
  const file = `/${name}${name === "daily" ? "" : `-${game}`}.html`;
  const found = sent.find((path) => path.endsWith(file) && path.startsWith(`pages/${document.documentElement.lang}/`));
  return new URL(found ?? (pathname === "/" ? "" : `#${pathname}`), base).href;
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
  const unpacked = path.endsWith("-gz.bin") ? new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))) : answer;
  return { html: await unpacked.text(), url };
}

/** Show HTML in a new frame, behind the old one until it has loaded, or another takes its place. */
function display(html, url) {
  frames.next?.done();
  frames.next?.remove();
  const frame = document.createElement("iframe");
  frame.className = "next";
  frame.title = document.title;
  frame.page = { html: html.replace(/<script src="[^"]*enter\.js"><\/script>/, "").replaceAll(/="(\.\.\/\.\.|)\/(static\/|contents\.html)/g, `="${base.pathname}$2`), url };
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
  const { documentElement: html, title, body } = view.document;
  if (body.inert) sleep(frame);
  if (running) memory(LANGUAGE, html.lang);
  if (told.dataset.what === "install") told.hidden = true;
  if (old?.contentDocument.getElementById("ending")) finished(old.contentWindow.location.pathname);
  frame.title = document.title = title;
  document.documentElement.lang = html.lang;
  document.documentElement.dataset.theme = html.dataset.theme ?? "";
  for (const one of document.body.children) if (!["IFRAME", "DIALOG"].includes(one.tagName) && one !== told) one.hidden = true;
  leave(old?.contentWindow);
  old?.remove();
  const { hash } = new URL(frame.page.url, location.origin);
  if (hash) view.location.replace(hash);
  view.focus();
}

/** Show that nothing can be done on a page. */
function sleep(frame) {
  frame.contentDocument.body.inert = true;
  frame.classList.add("asleep");
  for (const one of frame.contentDocument.getAnimations()) one.pause(); // drawing takes the time that Python needs
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
    const body = new URLSearchParams([...new FormData(event.target, event.submitter)]);
    if (event.target.matches("[data-shares]")) body.set("share", "1"); // as shares.js does on pages that Python makes
    visit({ method: "POST", url: event.target.getAttribute("action"), body: body.toString() });
  });
}

/** Have the browser keep what Python answers as a file. */
async function download(url, name) {
  const { answer } = await followed({ method: "GET", url, headers: {}, body: new ArrayBuffer(0) });
  const given = /filename="?([^";]+)/.exec(answer.headers.get("content-disposition"))?.[1];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name || given || url.pathname.split("/").at(-1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/**
 * Say one of the site's sentences. file, error: what is wrong; press: the name of what a button says;
 * pressed: what it does.
 */
async function say(what, { file, error, press, pressed } = {}) {
  if (error) console.error(error);
  told.dataset.what = what;
  const unsaid = (failed) => ({ [what]: failed instanceof SyntaxError ? told.dataset.broken : told.dataset.missing });
  const said = await sentences().catch(unsaid);
  if (told.dataset.what !== what) return; // something else is said meanwhile
  words.textContent = (said[what] ?? told.dataset.broken).replace("{file}", file);
  button.textContent = said[press] ?? "";
  button.onclick = pressed;
  button.hidden = !press;
  bar.hidden = true;
  told.hidden = false;
  if (what === "offline") setTimeout(() => told.dataset.what === what && (told.hidden = true), PASSING);
}

/** The site's sentences in the visitor's language, by name. */
async function sentences() {
  return (await site).sentences[await locale];
}

/** Show how many bytes have come, of how many. */
async function progress({ done, whole }) {
  const { languages } = await site;
  const [meter, text] = bar.children;
  const mega = (bytes) => (bytes / 1e6).toLocaleString(spoken(languages), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const values = { done: mega(done), whole: mega(whole) };
  Object.assign(meter, { max: whole, value: done });
  text.textContent = (await sentences()).loaded.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  bar.hidden = done === whole;
}

/** The language of the last page, else the first of this browser that the site has. */
function spoken(languages) {
  const wanted = [memory(LANGUAGE), ...navigator.languages].map((one) => one?.split("-")[0]);
  return wanted.find((one) => languages.includes(one)) ?? languages[0];
}

/** What is remembered under a name, a word if one is given; null in a browser that stores nothing. */
function memory(name, word) {
  try {
    if (word) localStorage.setItem(name, word);
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

// -- requests to Python ----------------------------------------------------------------------------

/** What Python answers to a request of a page's script. */
async function fetched(request, view) {
  const url = new URL(request.url);
  const headers = { ...Object.fromEntries(request.headers), referer: location.origin + routed() };
  const { method, signal } = request;
  return (await followed({ method, url, headers, body: await request.arrayBuffer(), view, signal })).answer;
}

/** An answer, after all redirections, and where it was found. */
async function followed(request) {
  const answer = await exchange(request);
  const { status, headers } = answer;
  if (status < 301 || status > 308 || !headers.has("location")) return { answer, url: request.url };
  const url = new URL(headers.get("location"), location.origin);
  const { accept = "*/*" } = request.headers;
  return followed({ ...request, method: "GET", url, headers: { accept }, body: new ArrayBuffer(0) });
}

/** One answer, whose body may still come. */
function exchange({ method, url, headers, body, view, signal }) {
  const number = ++count;
  const began = performance.now();
  setTimeout(() => answers.has(number) && heard < began && stopped(), SILENCE);
  const left = () => worker.postMessage({ number, left: true });
  return new Promise((done) => {
    let parts;
    const stream = new ReadableStream({ start: (controller) => (parts = controller), cancel: left });
    const hear = ({ status, headers: received, part, end, failed }) => {
      if (part) parts.enqueue(part);
      else if (end || failed) {
        answers.delete(number);
        if (failed) done(new Response(null, { status: 500 }));
        parts.close();
      } else done(new Response([204, 304].includes(status) ? null : unpacked(stream, received), { status, headers: received }));
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

/** What a body says, which comes compressed from another phone. */
function unpacked(stream, headers) {
  return headers["content-encoding"] === "gzip" ? stream.pipeThrough(new DecompressionStream("gzip")) : stream;
}

/** End what a page that is gone still listens to. */
function leave(view) {
  for (const hear of [...answers.values()]) if (view && hear.view === view) hear.leave();
}
