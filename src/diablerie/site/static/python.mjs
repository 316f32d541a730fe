// Python with the pages of diablerie, in a web worker or in node: `start` gives an object that answers
// requests and lets the bots play.

/**
 * Start Python.
 * load: the function loadPyodide; place(pyodide): puts Python's packages into /app and the compiled
 * rules into /rules; given: arguments of `Pages`, by name.
 */
export async function start(load, options, place, given = {}) {
  const pyodide = await load(options);
  await place(pyodide);
  pyodide.globals.set("given", pyodide.toPy(given));
  await pyodide.runPythonAsync(`
import sys
from pathlib import Path
sys.path.insert(0, "/app")
from diablerie.site.browser import stand_ins
stand_ins.install(Path("/rules"))
from diablerie.site.pages import Pages, without_threads
without_threads()
pages = Pages(**given)
`);
  return { pyodide, pages: pyodide.globals.get("pages") };
}
