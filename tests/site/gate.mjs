// node gate.mjs FOLDER GAME ASKED: play a game against an Oberteufel, by the pages, without NumPy or
// Numba, and let all levels decide. ASKED: a list in JSON, of a game and further arguments of
// `decisions` each.
// FOLDER has Pyodide's files, the packages (app), the compiled rules (rules) and decisions.py.
// Prints JSON.
import { start } from "./python.mjs";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, game, asked] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const mount = (pyodide) => {
  for (const name of ["app", "rules"]) {
    pyodide.FS.mkdirTree(`/${name}`);
    pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: `${folder}/${name}` }, `/${name}`);
  }
};
const began = performance.now();
const { pyodide, pages } = await start(loadPyodide, {}, mount, { tempo: 0, seed: 3 });
const ready = performance.now() - began;

const decoder = new TextDecoder();
async function ask(method, url, accept, fields = {}) {
  const form = { accept, "content-type": "application/x-www-form-urlencoded" };
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
  const answer = await pages.answer(method, url, pyodide.toPy(form), pyodide.toPy(body.buffer).tobytes());
  const [status, text] = [answer.status, decoder.decode(answer.body.toJs())];
  if (status >= 400) throw new Error(`${method} ${url}: ${status} ${text}`);
  return text;
}
const opened = { game, here: 1, bots: 1, bot: "oberteufel" };
const { url } = JSON.parse(await ask("POST", "/tables", "application/json", opened));
const told = { ready, pages: 0, bytes: 0, decisions: 0, slowest: 0, bot: 0 };
for (let data = {}; data.status !== "over"; ) {
  let at = performance.now();
  pages.step();
  told.bot = Math.max(told.bot, performance.now() - at);
  data = JSON.parse(await ask("GET", `${url}.json`, "application/json"));
  at = performance.now();
  told.html = await ask("GET", url, "text/html");
  told.slowest = Math.max(told.slowest, performance.now() - at);
  told.pages += 1;
  told.bytes += told.html.length;
  if (data.status === "over") break;
  if (!data.legal.length) continue;
  told.decisions += 1;
  const action = data.legal[told.decisions % data.legal.length];
  const decided = { seat: data.viewer, ply: data.ply, do: action.do, send: 1 };
  await ask("POST", `${url}/decide`, "application/json", decided);
}
pyodide.FS.writeFile("/app/decisions.py", readFileSync(`${folder}/decisions.py`));
pyodide.globals.set("asked", pyodide.toPy(JSON.parse(asked)));
told.decided = pyodide
  .runPython(`
from decisions import decisions
from diablerie.games import ALL
[decisions(ALL[name], *how) for name, *how in asked]
`)
  .toJs();
const loaded = pyodide.runPython("[n for n in ('numpy', 'numba') if hasattr(sys.modules[n], '__file__')]");
told.file = await ask("GET", `${url}/match.jsonl`, "*/*");
process.stdout.write(JSON.stringify({ ...told, loaded: loaded.toJs() }), () => process.exit(0));
