// The web worker that runs Python: it answers the requests of the pages, and lets the bots play
// meanwhile. Every file that it downloads is compared with its digest.
import { start } from "./python.mjs";

const base = new URL("./", import.meta.url);
const DATA = "/data"; // what the browser keeps (IndexedDB)
const KEPT = { database: `${DATA}/tables.db`, cookies: `${DATA}/cookies.json` };
const PYTHON = "python/"; // the folder of what Python is made of
const DEFLATED = ".gz"; // at the end of names of files that are compressed as a whole

class Damaged extends Error {}

const download = self.fetch.bind(self);
const site = download(new URL("site.json", base), { cache: "no-cache" }).then((answer) => answer.json());
const leaving = new Map(); // by number of a request: ends it
let keeping = true;
let waiting = false; // whether changes are about to be kept
let saved = Promise.resolve();

const running = boot();

self.onmessage = async ({ data }) => {
  const { pyodide, pages } = await running;
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
  await pages.exchange(data.method, data.url, headers, body, begin, write, left);
  self.postMessage({ number: data.number, end: true });
  leaving.delete(data.number);
  if (data.method === "POST") save(pyodide);
};

async function boot() {
  try {
    const { files } = await site;
    const needed = Object.keys(files).filter((path) => path.startsWith(PYTHON));
    const bytes = Object.fromEntries(await Promise.all(needed.map(async (path) => [path, await verified(path)])));
    self.fetch = (input, init) => given(bytes, input) ?? download(input, init);
    const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => module(bytes, name)));
    const options = { indexURL: new URL(PYTHON, base).href, createPyodideModule };
    const found = await start(loadPyodide, options, (pyodide) => place(pyodide, bytes), KEPT);
    self.postMessage({ started: true });
    if (found.pages.set_aside) self.postMessage({ say: "aside" });
    work(found);
    return found;
  } catch (error) {
    self.postMessage(error instanceof Damaged ? { damaged: error.message } : { failed: String(error) });
    throw error;
  }
}

// -- files -----------------------------------------------------------------------------------------

/** The bytes of a file, which are those that the site was built with. Raises Damaged. */
async function verified(path) {
  const { version, files } = await site;
  const cache = await self.caches?.open(`diablerie-${version}`).catch(() => null);
  const url = new URL(path, base);
  const known = await cache?.match(url);
  for (const fetched of known ? [() => known.clone()] : [() => download(url), () => download(url, { cache: "reload" })]) {
    const answer = await fetched();
    const bytes = await answer.clone().arrayBuffer();
    if (!answer.ok || !(await same(bytes, files[path]))) continue;
    if (!known) await cache?.put(url, answer).catch(() => {});
    return path.endsWith(DEFLATED) ? inflated(bytes) : bytes;
  }
  await cache?.delete(url);
  throw new Damaged(path);
}

/** Whether bytes have this length and SHA-256; over plain http browsers compute no digest. */
async function same(bytes, { size, digest }) {
  if (bytes.byteLength !== size) return false;
  if (!self.crypto?.subtle) return true;
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") === digest;
}

function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
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

/** Put packages, rules and what the browser keeps into Python's file system. */
async function place(pyodide, bytes) {
  for (const name of ["app", "rules"]) unpack(pyodide, bytes[`${PYTHON}${name}.zip.zst`], `/${name}`);
  pyodide.FS.mkdirTree(DATA);
  try {
    pyodide.FS.mount(pyodide.FS.filesystems.IDBFS, {}, DATA);
    await synchronised(pyodide, true);
  } catch {
    forget();
  }
}

function unpack(pyodide, archive, folder) {
  pyodide.globals.set("archive", pyodide.toPy(archive));
  pyodide.globals.set("folder", folder);
  pyodide.runPython(`
import io, zipfile
from compression import zstd
with zipfile.ZipFile(io.BytesIO(zstd.decompress(archive))) as packed:
    packed.extractall(folder)
del archive
`);
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
    await synchronised(pyodide, false).catch(forget);
  });
}

function forget() {
  keeping = false;
  self.postMessage({ say: "forgetful" });
}

/** Let bots play, and what is due happen, again and again. */
function work({ pyodide, pages }) {
  const before = pages.changes;
  const pause = pages.step();
  if (pages.changes !== before) save(pyodide);
  setTimeout(work, Math.max(5, Math.min(pause, 0.1) * 1000), { pyodide, pages });
}
