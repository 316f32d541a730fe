// node gate.mjs FOLDER GAME < ASKED: play a game against an Oberteufel, by the pages, without NumPy or
// Numba, let all levels decide, and walk. ASKED: in JSON, `decisions` and `walks`, each a list of a
// game and the further arguments of the function of that name in decisions.py.
// FOLDER has Pyodide's files, the packages (app), the compiled rules (rules) and decisions.py.
// Prints JSON.
import { start } from "./python.mjs";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, game] = process.argv.slice(2);
const asked = readFileSync(0, "utf8"); // standard input: arguments may not be so long
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide/pyodide.mjs`));
const mount = (pyodide) => {
  for (const name of ["app", "rules"]) {
    pyodide.FS.mkdirTree(`/${name}`);
    pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: `${folder}/${name}` }, `/${name}`);
  }
};
const { pyodide, pages } = await start(loadPyodide, {}, mount, { tempo: 0, seed: 3 });

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
const told = { decided: 0 };
for (let data = {}; data.status !== "over"; ) {
  pages.step();
  data = JSON.parse(await ask("GET", `${url}.json`, "application/json"));
  told.html = await ask("GET", url, "text/html");
  if (data.status === "over" || !data.legal.length) continue;
  told.decided += 1;
  const action = data.legal[told.decided % data.legal.length];
  const decision = { seat: data.viewer, ply: data.ply, do: action.do, send: 1 };
  await ask("POST", `${url}/decide`, "application/json", decision);
}
pyodide.FS.writeFile("/app/decisions.py", readFileSync(`${folder}/decisions.py`));
pyodide.globals.set("asked", asked); // whose numbers may be too large for JavaScript
const found = pyodide.runPython(`
import decisions, json
from diablerie.games import ALL
json.dumps({kind: [getattr(decisions, kind)(ALL[name], *how) for name, *how in all] for kind, all in json.loads(asked).items()})
`);
Object.assign(told, JSON.parse(found));
const loaded = pyodide.runPython("[n for n in ('numpy', 'numba') if hasattr(sys.modules[n], '__file__')]");
told.file = await ask("GET", `${url}/match.jsonl`, "*/*");
process.stdout.write(JSON.stringify({ ...told, loaded: loaded.toJs() }), () => process.exit(0));
