"""Extracts every message that a person can see into the template (.pot) of all catalogues.

`python -m tools.messages src/coasters` writes `src/coasters/locales/coasters.pot`.
"""

import ast
import string
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

COMMANDS = "lab"  # the package whose messages only commands print, in English
METHODS = [
    (f"{COMMANDS}/**.py", "ignore"),
    ("**.py", "python"),
    ("**/templates/**.html", "jinja2.ext:babel_extract"),
]
KEYWORDS = {"say": None, "says": (1, 2), "_": None, "gettext": None, "ngettext": (1, 2)}


def messages(package: Path) -> Catalog:
    """A catalogue of all messages in a package's folder, with the files they occur in."""
    catalog = Catalog(project=package.name, charset="utf-8")
    extracted = extract_from_dir(package, METHODS, keywords=KEYWORDS, comment_tags=("i18n:",))
    for file, line, message, comments, _ in extracted:
        catalog.add(message, None, [(file, line)], auto_comments=comments)
    return catalog


def calls(package: Path) -> Iterator[tuple[str, ast.Call]]:
    """Every call of `say` and `says` in a package's folder, with its file and line."""
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id in ("say", "says"):  # type: ignore[attr-defined]
                yield f"{path.relative_to(package)}:{node.lineno}", node  # type: ignore[attr-defined, misc]


def missing(call: ast.Call) -> set[str]:
    """The placeholders of a call's messages for which it passes no value.

    Raises ValueError if a message is no literal: then it cannot be extracted.
    """
    several = isinstance(call.func, ast.Name) and call.func.id == "says"
    given = {k.arg for k in call.keywords} | ({"n"} if several else set())
    named: set[str] = set()
    for text in call.args[: 2 if several else 1]:
        if not isinstance(text, ast.Constant) or not isinstance(text.value, str):
            raise ValueError("a message has to be a literal")
        named |= {field for _, field, _, _ in string.Formatter().parse(text.value) if field}
    return set() if None in given else {name for name in named if name not in given}


def main() -> None:
    """Write the template of the package in the folder that the command line names."""
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "__init__.py").is_file():
        print("usage: python -m tools.messages FOLDER-OF-A-PACKAGE", file=sys.stderr)
        raise SystemExit(2)
    package = Path(sys.argv[1]).resolve()
    target = package / "locales" / f"{package.name}.pot"
    target.parent.mkdir(exist_ok=True)
    template = messages(package)
    with target.open("wb") as file:
        write_po(file, template, omit_header=False, sort_output=True, width=100)
    print(f"{len(template)} messages in {target.relative_to(package.parent)}")


if __name__ == "__main__":
    main()
