// Python with the pages of diablerie, in a web worker or in node: `start` gives an object that answers
// requests and lets the bots play. `resume` gives the same, much sooner, from memory of a start before.

const IMPORT = `
import sys
from pathlib import Path
sys.path.insert(0, "/app")
from diablerie.site.browser import libraries, stand_ins
stand_ins.install(Path("/rehearsal"))
from diablerie.site.pages import Pages, rehearse, without_threads
without_threads()
`;
// No memory holds on to a library: another Python has other addresses for its functions.
const FORGET = `
import gc
libraries.use(Path("/rules"))
gc.collect()
`;
const RESUME = `
import importlib, random
importlib.invalidate_caches()
random.seed()  # the memory's numbers would be the same each time
`;

/**
 * Start Python.
 * load: the function loadPyodide; place(pyodide): puts Python's packages into /app, and the compiled
 * rules into /rules and /rehearsal; given: arguments of `Pages`, by name; keep: gets the memory of Python
 * with all that it has imported, after a rehearsal. It is for `resume`, which needs libraries that are
 * `linked`. rehearsal: the visitor's languages, and whether the landing page is rehearsed, too.
 */
export async function start(load, options, place, given = {}, keep = null, rehearsal = null) {
  const pyodide = await load({ ...options, _makeSnapshot: Boolean(keep) });
  await place(pyodide);
  pyodide.runPython(IMPORT);
  if (keep) await rehearse(pyodide, rehearsal);
  pyodide.runPython(FORGET);
  keep?.(pyodide.makeMemorySnapshot());
  return open(pyodide, given);
}

/** No object of Python may be held here when its memory is taken, so this is run as text. */
function rehearse(pyodide, { languages, landing }) {
  return pyodide.runPythonAsync(`await rehearse(${JSON.stringify(languages)}, ${landing ? "True" : "False"})`);
}

/** Go on from memory that `start` gave to `keep`, with the same files in their places. */
export async function resume(load, options, place, given, memory) {
  const pyodide = await load({ ...options, _loadSnapshot: memory });
  await place(pyodide);
  pyodide.runPython(RESUME);
  return open(pyodide, given);
}

function open(pyodide, given) {
  pyodide.globals.set("given", pyodide.toPy(given));
  pyodide.runPython("pages = Pages(**given)");
  return { pyodide, pages: pyodide.globals.get("pages") };
}

/**
 * Pyodide's `createPyodideModule`, which loads these libraries (bytes by path) before Python runs:
 * so their functions and data are at the same addresses each time, as `resume` needs it.
 * size: the bytes of memory that there must be.
 */
export function linked(create, libraries, size = 0) {
  return async (settings) => {
    settings.preRun.push((module) => link(module, libraries));
    const module = await create(settings);
    if (size > module.HEAP8.length) module.growMemory(size);
    return module;
  };
}

async function link(module, libraries) {
  module.addRunDependency("libraries");
  const flags = { loadAsync: true, global: false, nodelete: true };
  for (const [path, bytes] of Object.entries(libraries)) {
    write(module.FS, path, bytes);
    module.preloadedWasm[path] = await module.loadWebAssemblyModule(bytes, flags, path, {}, 0);
  }
  module.removeRunDependency("libraries");
}

/** Write the files of a zip archive, which is not compressed, into a folder. */
export function unpack({ FS }, archive, folder) {
  const zip = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const [short, long] = [(at) => zip.getUint16(at, true), (at) => zip.getUint32(at, true)];
  const end = archive.byteLength - 22; // the record at the end, which has no comment
  const text = new TextDecoder();
  for (let left = short(end + 10), at = long(end + 16); left; left -= 1) {
    const [size, name, start] = [long(at + 24), short(at + 28), long(at + 42)];
    const path = text.decode(archive.subarray(at + 46, at + 46 + name));
    const data = start + 30 + short(start + 26) + short(start + 28);
    write(FS, `${folder}/${path}`, archive.subarray(data, data + size));
    at += 46 + name + short(at + 30) + short(at + 32);
  }
}

/** Write a file, whose bytes are not copied. */
function write(FS, path, bytes) {
  FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  FS.writeFile(path, bytes, { canOwn: true });
}
