// The web worker that runs Python: it answers the requests of the pages, and lets the bots play
// meanwhile. Every file that it downloads is compared with its digest.
import { takeOver } from "./earlier.js";
import { base, named } from "./names.js";
import { linked, resume, start, unpack } from "./python.js";

const DATA = `/kept${base.pathname.replace(/\/$/, "")}`; // what the browser keeps (IndexedDB)
const KEPT = { database: `${DATA}/tables.db`, cookies: `${DATA}/cookies.json` };
const PYTHON = "python/"; // the folder of what Python is made of
const DEFLATED = "-gz.bin"; // at the end of names of files that are compressed as a whole
const SQUEEZED = "-zst.bin"; // the same, by what only Python knows
const LIBRARY = `.so${DEFLATED}`;
const MEMORY = "memory"; // what is kept for the next visit, beside Python's packages
const SOON = 300; // milliseconds in which no other window has started Python
const LATER = 5000; // milliseconds until anything is kept, so that nobody waits for it, or tried again

class Damaged extends Error {}

const download = self.fetch.bind(self);
const site = download(new URL("site.json", base), { cache: "no-cache" }).then((answer) => answer.json());
const leaving = new Map(); // by number of a request: ends it
const puts = []; // of files that the browser is storing
let keeping = true;
let told = false; // whether it was said that the last changes are not stored
let waiting = false; // whether changes are about to be kept
let saved = Promise.resolve();
let released; // what is called when Python may start
let downloaded = 0; // bytes

const running = boot();

self.addEventListener("unhandledrejection", ({ reason }) => self.postMessage({ failed: String(reason) }));

self.onmessage = async ({ data }) => {
  if ("hurried" in data) return released(data);
  if (data.leave) return leave(data.leave);
  const { pyodide, pages } = await running;
  try {
    await done(pyodide, pages, data);
  } catch (error) {
    survived(pyodide, error);
    if (data.guest) self.postMessage({ guest: data.guest, close: true });
    else self.postMessage({ number: data.number, failed: true });
  }
};

/** Say what went wrong with one message; if Python has ended, that is told as its end. */
function survived(pyodide, error) {
  pyodide.runPython("None");
  console.error(error);
}

async function done(pyodide, pages, data) {
  if (data.guest) return heard(pyodide, pages, data);
  if (data.left) return leaving.get(data.number)?.set();
  const headers = pyodide.toPy({ ...data.headers, "accept-language": navigator.languages.join(",") });
  const left = pages.leaving();
  leaving.set(data.number, left);
  const begin = (status, received) => {
    self.postMessage({ number: data.number, status, headers: received.toJs({ dict_converter: Object.fromEntries }) });
  };
  const write = (part) => {
    const bytes = part.toJs();
    self.postMessage({ number: data.number, part: bytes }, [bytes.buffer]);
  };
  const body = pyodide.toPy(data.body).tobytes();
  try {
    await pages.exchange(data.method, data.url, headers, body, begin, write, left);
  } finally {
    leaving.delete(data.number);
    if (data.method === "POST") save(pyodide);
  }
  self.postMessage({ number: data.number, end: true });
}

// -- friends ---------------------------------------------------------------------------------------

const guests = new Map(); // by the names of their channels

/** What a friend does whom DTLS has proved (`who`), or sends, and that it does not answer, or is gone. Throws an error. */
function heard(pyodide, pages, { guest, who, text, lost, gone }) {
  const send = (message) => self.postMessage({ guest, bytes: message.toJs() });
  const kept = () => (saved = saved.then(() => keeping && synchronised(pyodide, false).catch(unkept)));
  if (who !== undefined) guests.set(guest, pyodide.pyimport("diablerie.site.guests").Guest(pages, who, send, kept));
  else if (text !== undefined) guests.get(guest)?.receive(text);
  if (!lost && !gone) return null;
  const leaving = guests.get(guest)?.leave();
  if (gone) guests.delete(guest);
  return leaving;
}

async function boot() {
  try {
    const found = (await resumed().catch(console.warn)) ?? (await afresh());
    self.fetch = download; // so that the files' bytes are freed
    self.postMessage({ started: found.how });
    if (found.pages.set_aside) self.postMessage({ say: "aside" });
    setTimeout(() => store(found.kept).catch(console.warn), LATER);
    work(found);
    return found;
  } catch (error) {
    self.postMessage(error instanceof Damaged ? { damaged: error.message } : { failed: String(error) });
    return new Promise(() => {}); // nothing is answered
  }
}

/** Another window takes the games: keep what was changed unless it may have read that already, and end. */
async function leave(since) {
  const { pyodide } = await running;
  if (keeping && Date.now() - since < SOON) await synchronised(pyodide, false).catch(console.warn);
  self.close();
}

/** Start Python, and keep its memory for the next visit. */
async function afresh() {
  const bytes = await verifiedAll((path) => path.startsWith(PYTHON));
  const release = new Promise((done) => (released = done));
  self.postMessage({ downloaded: true });
  const { hurried } = await release; // whether somebody waits for another page than the landing page
  const stored = () => Promise.all(puts).then(() => self.postMessage({ stored: true }));
  if (!hurried) stored(); // or that somebody would wait longer
  const kept = {};
  const keep = (memory) => (kept[MEMORY] = memory);
  const placed = async (pyodide) => {
    await place(pyodide, bytes, kept);
    unpack(pyodide, kept.rules, "/rehearsal");
  };
  const rehearsal = { languages: navigator.languages.join(","), landing: !hurried };
  const found = await start(...(await loader(bytes)), placed, KEPT, keep, rehearsal);
  if (hurried) stored();
  return { ...found, kept, how: "afresh" };
}

/** Go on from the memory that the visit before has kept; nothing if there is none. */
async function resumed() {
  const memory = await recalled(MEMORY);
  if (!memory) return null;
  const [app, rules, bytes] = await Promise.all([
    recalled("app"),
    recalled("rules"),
    verifiedAll((path) => path.startsWith(PYTHON) && !path.endsWith(SQUEEZED)),
  ]);
  const placed = (pyodide) => place(pyodide, bytes, { app, rules });
  const found = await resume(...(await loader(bytes, memory.length)), placed, KEPT, memory);
  self.postMessage({ stored: true });
  return { ...found, how: "resumed" };
}

/** What loads Pyodide from these files, and its options. size: of the memory it shall have. */
async function loader(bytes, size = 0) {
  self.fetch = (input, init) => given(bytes, input) ?? download(input, init);
  const [{ loadPyodide }, { default: create }] = await Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => module(bytes, name)));
  const libraries = Object.keys(bytes).filter((path) => path.endsWith(LIBRARY));
  const placed = libraries.map((path) => [path.slice(PYTHON.length - 1, -DEFLATED.length), new Uint8Array(bytes[path])]);
  const createPyodideModule = linked(create, Object.fromEntries(placed), size);
  return [loadPyodide, { indexURL: new URL(PYTHON, base).href, createPyodideModule }];
}

// -- files -----------------------------------------------------------------------------------------

/** The bytes of the files that are wanted, by path. Raises Damaged. */
async function verifiedAll(wanted) {
  const paths = Object.keys((await site).files).filter(wanted);
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await verified(path)])));
}

/** The browser's cache of this version of the site; nothing where there is none. */
async function opened() {
  const { version } = await site;
  try {
    return await self.caches?.open(named(`files ${version}`));
  } catch {
    return null; // it may store nothing
  }
}

/** The bytes of a file, which are those that the site was built with. Raises Damaged. */
async function verified(path) {
  const { files } = await site;
  const cache = await opened();
  const url = new URL(path, base);
  const known = await cache?.match(url);
  for (const fetched of known ? [() => known.clone()] : [() => download(url), () => download(url, { cache: "reload" })]) {
    const answer = await fetched();
    const bytes = await (known ? answer : counted(answer.clone(), files)).arrayBuffer();
    if (!answer.ok && answer.status !== 404) throw new Error(`${path}: the host answers ${answer.status}`);
    if (!answer.ok || !(await same(bytes, files[path]))) continue;
    if (!known && cache) puts.push(cache.put(url, answer).catch(console.warn));
    return path.endsWith(DEFLATED) ? inflated(bytes) : bytes;
  }
  await cache?.delete(url);
  throw new Damaged(path);
}

/** An answer whose bytes are counted as they come. */
function counted(answer, files) {
  const whole = Object.entries(files).reduce((sum, [path, { size }]) => sum + (path.startsWith(PYTHON) ? size : 0), 0);
  const transform = (part, onwards) => {
    downloaded += part.length;
    self.postMessage({ done: Math.min(downloaded, whole), whole });
    onwards.enqueue(part);
  };
  return new Response(answer.body.pipeThrough(new TransformStream({ transform })));
}

/** Whether bytes have this length and SHA-256; over plain http browsers compute no digest. */
async function same(bytes, { size, digest }) {
  if (bytes.byteLength !== size) return false;
  if (!self.crypto?.subtle) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") === digest;
}

function inflated(bytes) {
  const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** The response to what Pyodide fetches, if it is among these files. */
function given(bytes, input) {
  const path = String(input.url ?? input).slice(base.href.length);
  const found = bytes[path + DEFLATED];
  const type = path.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return found && Promise.resolve(new Response(found, { headers: { "content-type": type } }));
}

/** Import a module from its bytes. */
function module(bytes, name) {
  const script = new Blob([bytes[PYTHON + name + DEFLATED]], { type: "text/javascript" });
  return import(URL.createObjectURL(script));
}

/** Put packages, rules and what the browser keeps into Python's file system. kept: archives, as they are. */
async function place(pyodide, bytes, kept) {
  for (const name of ["app", "rules"]) {
    kept[name] ??= expanded(pyodide, bytes[`${PYTHON}${name}.zip${SQUEEZED}`]);
    unpack(pyodide, kept[name], `/${name}`);
  }
  pyodide.FS.mkdirTree(DATA);
  try {
    pyodide.FS.mount(pyodide.FS.filesystems.IDBFS, {}, DATA);
    await synchronised(pyodide, true);
    await takeOver(pyodide.FS.analyzePath(KEPT.database).exists ? null : (files) => put(pyodide, files));
  } catch (error) {
    console.warn(error);
    keeping = false; // what cannot be read must not be overwritten
    self.postMessage({ say: "forgetful" });
  }
}

/** Keep files, by name, as if they had been here before. */
function put(pyodide, files) {
  for (const [name, contents] of Object.entries(files)) pyodide.FS.writeFile(`${DATA}/${name}`, contents);
  return synchronised(pyodide, false);
}

function expanded(pyodide, archive) {
  pyodide.FS.writeFile("/archive", new Uint8Array(archive), { canOwn: true });
  pyodide.runPython(`
from compression import zstd
with open("/archive", "rb") as file:
    archive = zstd.decompress(file.read())
with open("/archive", "wb") as file:
    file.write(archive)
del archive
`);
  const found = pyodide.FS.readFile("/archive");
  pyodide.FS.unlink("/archive");
  return found;
}

// -- the memory of Python ----------------------------------------------------------------------------

/** Keep archives and memory for the next visit, the memory last: where it is, all is. */
async function store(kept = {}) {
  const cache = await opened();
  await Promise.all(puts);
  for (const [name, bytes] of Object.entries(kept)) {
    await cache?.put(new URL(`kept/${name}`, base), new Response(bytes));
    delete kept[name];
  }
}

async function recalled(name) {
  const found = await (await opened())?.match(new URL(`kept/${name}`, base));
  return found && new Uint8Array(await found.arrayBuffer());
}

// -- what the browser keeps ------------------------------------------------------------------------

/** Read what the browser keeps, or write it. */
function synchronised({ FS }, reading) {
  return new Promise((done, failed) => FS.syncfs(reading, (error) => (error ? failed(error) : done())));
}

/** Have the browser keep what was changed, in a moment, and after what it is keeping just now. */
function save(pyodide) {
  if (!keeping || waiting) return;
  waiting = true;
  saved = saved.then(async () => {
    await new Promise((later) => setTimeout(later, 100));
    waiting = false;
    await synchronised(pyodide, false).then(() => (told = false), (error) => {
      unkept(error);
      setTimeout(save, LATER, pyodide);
    });
  });
}

/** The browser did not store what was changed. */
function unkept(error) {
  console.warn(error);
  if (!told) self.postMessage({ say: "unkept" });
  told = true;
}

/** Let bots play, and what is due happen, again and again. */
function work({ pyodide, pages }) {
  const before = pages.changes;
  const pause = pages.step();
  if (pages.changes !== before) save(pyodide);
  setTimeout(work, Math.max(5, Math.min(pause, 0.1) * 1000), { pyodide, pages });
}
