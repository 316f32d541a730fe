// The web worker that runs Python: it answers the requests that the service worker hands on, and
// lets the bots play meanwhile.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { start } from "./python.mjs";

const DATA = "/data"; // what the browser keeps (IndexedDB)
const FRAMED = "frame-ancestors 'self'";
let saving = null;

const ready = boot();

self.onmessage = async ({ data, ports: [port] }) => {
  const { pyodide, pages } = await ready;
  const headers = pyodide.toPy({ ...data.headers, "accept-language": navigator.languages.join(",") });
  const body = pyodide.toPy(data.body);
  const left = pages.leaving();
  port.onmessage = () => left.set();
  const begin = (status, received) => {
    port.postMessage({ status, headers: within(received.toJs({ dict_converter: Object.fromEntries })) });
  };
  const write = (part) => {
    const bytes = part.toJs();
    port.postMessage({ part: bytes }, [bytes.buffer]);
  };
  await pages.exchange(data.method, data.url, headers, body.tobytes(), begin, write, left);
  port.postMessage({ end: true });
  if (data.method === "POST") save(pyodide);
};

/** A page's headers, as it is shown within the site's own page. */
function within(headers) {
  const policy = headers["content-security-policy"];
  if (policy) headers["content-security-policy"] = policy.replace("frame-ancestors 'none'", FRAMED);
  delete headers["x-frame-options"];
  return headers;
}

async function boot() {
  try {
    const found = await start(loadPyodide, { indexURL: "/pyodide/" }, place, `${DATA}/tables.db`);
    self.postMessage({ ready: true });
    work(found);
    return found;
  } catch (error) {
    self.postMessage({ failed: String(error) });
    throw error;
  }
}

/** Put packages, rules and what the browser keeps into Python's file system. */
async function place(pyodide) {
  pyodide.unpackArchive(await bytesOf("/app.zip"), "zip", { extractDir: "/app" });
  pyodide.unpackArchive(await bytesOf("/rules.zip"), "zip", { extractDir: "/rules" });
  pyodide.FS.mkdirTree(DATA);
  pyodide.FS.mount(pyodide.FS.filesystems.IDBFS, {}, DATA);
  await new Promise((done, failed) => {
    pyodide.FS.syncfs(true, (error) => (error ? failed(error) : done()));
  });
}

async function bytesOf(path) {
  return (await fetch(path)).arrayBuffer();
}

/** Let bots play, and what is due happen, again and again. */
function work({ pyodide, pages }) {
  const before = pages.changes;
  const pause = pages.step();
  if (pages.changes !== before) save(pyodide);
  setTimeout(work, Math.max(10, Math.min(pause, 0.25) * 1000), { pyodide, pages });
}

/** Have the browser keep what was changed. */
function save(pyodide) {
  saving ??= setTimeout(() => {
    saving = null;
    pyodide.FS.syncfs(false, () => {});
  }, 200);
}
