// What sites before 0.4.0 left in a browser: caches whose names told no folder, and one database with the
// games of all folders of an origin. Every folder that had such a site takes the games over; the last one
// removes them. Where no caches tell the folders (over plain http), the first one does both.

import { base } from "./names.js";

const DATABASE = "/data"; // as Emscripten calls a file system that is mounted there
const FILES = "FILE_DATA"; // its files, by path
const OURS = /^\/data\/((tables\.db|cookies\.json)[^/]*)$/; // other programs may keep theirs beside them
const KNOWN = { "tables.db": "CREATE TABLE matches", "cookies.json": '"diablerie"' }; // what ours hold
const CACHE = "diablerie-"; // how names of its caches began
const CACHED = /^(.*\/)(?:site\.json|python\/pyodide[^/]*)$/; // what is in them, for any folder

/** keep: stores the contents of files, by name, and ends when that is done; null if this folder has games already. */
export async function takeOver(keep) {
  const database = await opened();
  try {
    const before = await folders();
    const own = before.get(base.href) ?? [];
    const found = own.length || !before.size ? await ours(database) : new Map();
    if (keep && found.size) await keep(byName(found));
    for (const name of own) await forget(name, [...before.keys()]);
    if ((keep || own.length) && found.size && !(await folders()).size) await removed(database, found);
  } finally {
    database?.close();
  }
}

/** The database; null if there is none, or none of files. */
function opened() {
  return new Promise((done, failed) => {
    const opening = indexedDB.open(DATABASE);
    opening.onupgradeneeded = () => opening.transaction.abort(); // it is not there
    opening.onerror = () => (opening.error.name === "AbortError" ? done(null) : failed(opening.error));
    opening.onsuccess = () => {
      const { result } = opening;
      if (result.objectStoreNames.contains(FILES)) return done(result);
      result.close();
      return done(null);
    };
  });
}

/** All files of a store, by path. */
async function all(store) {
  const [paths, files] = await Promise.all([store.getAllKeys(), store.getAll()].map(answered));
  return new Map(paths.map((path, at) => [path, files[at]]));
}

/** The files of this program, by path, if one of them shows that it has kept them. */
async function ours(database) {
  const files = database ? await all(database.transaction(FILES).objectStore(FILES)) : new Map();
  const found = new Map([...files].filter(([path, { contents }]) => OURS.test(path) && ArrayBuffer.isView(contents)));
  const text = (contents) => new TextDecoder("latin1").decode(contents);
  const shows = ([name, mark]) => text(found.get(`${DATABASE}/${name}`)?.contents).includes(mark);
  return Object.entries(KNOWN).some(shows) ? found : new Map();
}

/** The contents of files by their names alone. */
function byName(files) {
  return Object.fromEntries([...files].map(([path, { contents }]) => [path.match(OURS)[1], contents]));
}

/** The addresses of folders that had such a site, each with the names of its caches. */
async function folders() {
  const found = new Map();
  const names = await self.caches?.keys().catch(() => []); // some browsers keep a database and no caches
  for (const name of (names ?? []).filter((one) => one.startsWith(CACHE))) {
    const kept = await (await caches.open(name)).keys();
    const of = kept.map(({ url }) => url.match(CACHED)?.[1]).filter(Boolean);
    for (const folder of new Set(of)) found.set(folder, [...(found.get(folder) ?? []), name]);
  }
  return found;
}

/** Have a cache forget this folder's files; others of the same version have theirs there. */
async function forget(name, all) {
  const within = all.filter((folder) => folder !== base.href && folder.startsWith(base.href));
  const cache = await caches.open(name);
  const kept = await cache.keys();
  const own = kept.filter(({ url }) => url.startsWith(base.href) && !within.some((folder) => url.startsWith(folder)));
  for (const request of own) await cache.delete(request);
  if (own.length === kept.length) await caches.delete(name);
}

/** Remove files, unless a window of a site from before has changed one meanwhile. */
async function removed(database, files) {
  const store = database.transaction(FILES, "readwrite").objectStore(FILES);
  const now = await all(store);
  const same = ([path, { timestamp }]) => Number(now.get(path)?.timestamp) === Number(timestamp);
  if (![...files].every(same)) return;
  await Promise.all([...files.keys()].map((path) => answered(store.delete(path))));
}

const answered = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
