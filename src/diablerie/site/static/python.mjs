// Python with the pages of diablerie, in a web worker or in node: `start` gives an object that answers
// requests and lets the bots play.

/**
 * Start Python.
 * load: the function loadPyodide; place(pyodide): puts Python's packages into /app and the compiled
 * rules into /rules; database: a file of Python's, or ":memory:".
 */
export async function start(load, options, place, database = ":memory:", tempo = null, seed = null) {
  const pyodide = await load(options);
  await place(pyodide);
  const given = pyodide.toPy({ database, tempo, seed });
  pyodide.globals.set("given", given);
  await pyodide.runPythonAsync(`
import sys
from pathlib import Path
sys.path.insert(0, "/app")
from diablerie.site.browser import stand_ins
stand_ins.install(Path("/rules"))
from diablerie.site.pages import Pages, without_threads
without_threads()
pages = Pages(**{name: value for name, value in given.items() if value is not None})
`);
  return { pyodide, pages: pyodide.globals.get("pages") };
}
