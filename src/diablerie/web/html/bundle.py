"""A bundler: joins style sheets into one sheet and modules into one script.

So a browser requests two files instead of 40, some of them one after the other where modules import
each other. It does not minify: the sources stay as they are.
"""

import re
from collections.abc import Callable, Mapping

Read = Callable[[str], str]
IMPORT = re.compile(r'^import (\{ \w+(?:, \w+)* \}|\* as \w+) from "\./(\w+)\.js";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?function (\w+)|const (\w+) )", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|^.*\bimport\.meta\b.*", re.MULTILINE)


def sheet(layers: Mapping[str, str]) -> str:
    """One style sheet of cascade layers, given as their names and texts in their order.

    A rule of a later layer wins over those of earlier ones, however specific their selectors are.
    """
    return "\n".join(f"@layer {name} {{\n{text}\n}}\n" for name, text in layers.items())


def script(entry: str, read: Read) -> str:
    """One script of a module, named without its ending, and of all that it imports.

    Each module becomes a function that is called once, after those of the modules it imports, and
    returns its exports. `read` returns the source of a module. Raises ValueError if modules import
    each other in a cycle, and for imports and exports of another form than ours have.
    """
    done: dict[str, str] = {}
    _add(entry, read, done, ())
    return "\n".join(done.values())


def _add(name: str, read: Read, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module to `done`, after those it imports; `above` are those that import it."""
    if name in above:
        raise ValueError(f"a cycle of imports: {' → '.join((*above, name))}")
    source = read(name)
    for _, imported in IMPORT.findall(source):
        if imported not in done:
            _add(imported, read, done, (*above, name))
    done[name] = _module(name, source)


def _module(name: str, source: str) -> str:
    exported = [function or constant for function, constant in EXPORT.findall(source)]
    body = EXPORT.sub("", IMPORT.sub(_imported, source))
    if strange := OTHER.search(body):
        raise ValueError(f"{name}.js: this cannot be joined: {strange[0].strip()}")
    given = f"return {{ {', '.join(exported)} }};\n" if exported else ""
    return f"// -- {name}.js\nconst {_variable(name)} = (() => {{\n{body}{given}}})();\n"


def _imported(found: re.Match[str]) -> str:
    names = found[1].removeprefix("* as ")
    module = _variable(found[2])
    return f"const {names} = {module};"


def _variable(module: str) -> str:
    """The variable of a module's exports; no module uses such a name itself."""
    return f"{module}_js"
