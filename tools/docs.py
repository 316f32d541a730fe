"""The documents as a small site: `python -m tools.docs [FOLDER [MODULE…]]`.

Into build/docs: all pages of Markdown (`tools/doc_pages.py`), the reference of all modules, if none
is named, and one search over both; it opens from a folder, without a server. pdoc reads the
docstrings, which are Markdown. A warning is an error, and so is a public module, class or function
without a docstring, and a link that leads nowhere.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from pdoc import doc, render

from tools import doc_pages

ROOT = Path(__file__).parent.parent
TEMPLATES = Path(__file__).parent / "docs_templates"
SOURCE = ROOT / "src"
NOT = ("cli", "__main__", "site", "table", "web")  # commands, storage and pages are no library


class Module(doc.Module):
    """A module whose submodules are all there are, whatever `__all__` says."""

    @cached_property
    def submodules(self) -> list[doc.Module]:
        """Those one level below."""
        depth = self.fullname.count(".") + 1
        return [module(name) for name in names()
                if name.startswith(f"{self.fullname}.") and name.count(".") == depth]  # fmt: skip


@cache
def module(name: str) -> Module:
    """A module with all it offers, that too which it imports only when it is asked for."""
    found = import_module(name)
    for offered in getattr(found, "__all__", ()):
        if hasattr(found, offered):
            vars(found).setdefault(offered, getattr(found, offered))
    return Module(found)


def names() -> Iterator[str]:
    """Every public module of the library."""
    for path in sorted((SOURCE / "diablerie").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if not set(NOT) & set(parts[1:2]):
            yield ".".join(parts)


def bare(found: doc.Doc[Any]) -> Iterator[str]:
    """What of ours lacks a docstring, in a module or class and itself."""
    if found.name.startswith("_") or not found.taken_from[0].startswith("diablerie"):
        return
    law = found.name.startswith("test_")  # its name is the sentence
    kind = isinstance(found, doc.Function | doc.Class | doc.Module)
    if kind and not law and not found.docstring:
        yield found.fullname
    if isinstance(found, doc.Class):
        for member in found.own_members:
            if member.name not in vars(found.obj).get("__annotations__", ()):  # no field
                yield from bare(member)
    elif isinstance(found, doc.Module):
        for member in (*found.functions, *found.classes):
            yield from bare(member)


def main() -> int:
    """Write a page for every module, the pages of Markdown, and what the search finds."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "docs"
    wanted = ["diablerie", *sys.argv[2:]] if sys.argv[2:] else list(names())
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # rules are then functions, with their signatures
    sys.path.insert(0, str(SOURCE))
    warnings.simplefilter("error")
    render.configure(
        docformat="markdown",
        footer_text="diablerie",
        show_source=False,
        template_directory=TEMPLATES,
    )
    modules = {name: module(name) for name in wanted}
    for name, found in modules.items():
        page = folder / f"{name.replace('.', '/')}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(render.html_module(found, modules), "utf-8")
    doc_pages.write(folder)
    (folder / "search.js").write_text(_search_index(modules), "utf-8")
    lacking = sorted({name for found in modules.values() for name in bare(found)})
    wrong = [f"no docstring: {name}" for name in lacking]
    wrong += [f"no such place: {link}" for link in doc_pages.broken_links(folder)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(folder / "index.html")
    return 1 if wrong else 0


def _search_index(modules: dict[str, Module]) -> str:
    """Pdoc's index, with the pages of Markdown in it."""
    of_modules = render.make_index

    def of_all(*given: Any) -> list[dict[str, Any]]:
        return [*doc_pages.found_by_search(), *of_modules(*given)]

    render.make_index = of_all
    try:
        return render.search_index(modules)
    finally:
        render.make_index = of_modules


if __name__ == "__main__":
    raise SystemExit(main())
