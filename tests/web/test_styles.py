"""Style sheets hold nothing that no page uses: every class is set, every custom property is read.

A class counts as used if a template, a Python string or a script's string names it, or begins its
name (`seat-{n}`).
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import diablerie
from diablerie.web.html import assets

pytestmark = pytest.mark.xdist_group("sources")
ROOT = Path(diablerie.__file__).parent
WORD = re.compile(r"[\w-]+")
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
OPEN = re.compile(r"([\w-]+-)(?:\{\{|\$\{|$)")  # what is followed by a value


@cache
def sheets() -> dict[str, str]:
    """Every sheet of the pages by its path, without comments."""
    found = [*assets.STATIC_FOLDER.glob("*.css"), *(ROOT / "games").rglob("*.css")]
    texts = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(found)}
    return {path: COMMENT.sub("", text) for path, text in texts.items()}


def classes(sheet: str) -> set[str]:
    """The classes in a sheet's selectors."""
    heads = [head for head in re.findall(r"([^{};]+)\{", sheet) if not head.strip().startswith("@")]
    return {name for head in heads for name in CLASS.findall(head)}


@cache
def texts() -> set[str]:
    """Everything that may name a class: strings of Python, scripts without comments, templates."""
    found = [text for path in sorted(ROOT.rglob("*.py")) for text in strings(path)]
    scripts = [re.sub(r"^\s*(//|/\*).*", "", p.read_text("utf-8"), flags=re.MULTILINE)
               for p in sorted(assets.STATIC_FOLDER.glob("*.js"))]  # fmt: skip
    quoted = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`")
    found += [text for script in scripts for text in quoted.findall(script)]
    templates = sorted((ROOT / "web" / "templates").rglob("*.html"))
    return {*found, *(part for path in templates for part in named(path.read_text("utf-8")))}


def strings(path: Path) -> Iterator[str]:
    """The strings of a module, and the parts of its f-strings; no docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    nodes = list(ast.walk(tree))
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.value


def named(template: str) -> list[str]:
    """The values of a template's attributes `class`, and the strings in its expressions."""
    given = re.findall(r'class="((?:\{\{.*?\}\}|\{%.*?%\}|[^"])*)"', template)
    code = re.findall(r"\{[{%](.*?)[%}]\}", template)
    plain = [re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "{{", one) for one in given]
    kinds = re.findall(r"{% block kind %}(\w+)", template)  # the class of <body>
    return kinds + plain + [text for one in code for text in re.findall(r"\"[^\"]*\"|'[^']*'", one)]


def words(text: str) -> list[str]:
    """The classes that a string may name: it has nothing else, or HTML, or a selector."""
    if re.fullmatch(r"[\"'`a-z0-9 _{$-]*", text):
        return WORD.findall(text)
    given = re.findall(r'class=\\?"([^"]*)', text)
    return [*WORD.findall(" ".join(given)), *CLASS.findall(text)]


@cache
def used() -> tuple[set[str], tuple[str, ...]]:
    """All that may be the name of a class, and all that names may begin with."""
    starts = tuple({start for text in texts() for start in OPEN.findall(text)})
    return {word for text in texts() for word in words(text)}, starts


def unused(sheet: str) -> set[str]:
    """The classes of a sheet that nobody names."""
    named, starts = used()
    return {name for name in classes(sheet) if name not in named and not name.startswith(starts)}


def test_every_class_of_a_style_sheet_is_used():
    assert {path: unused(sheet) for path, sheet in sheets().items() if unused(sheet)} == {}
    assert sum(len(classes(sheet)) for sheet in sheets().values()) > 300


def test_every_custom_property_is_read_and_every_one_that_is_read_is_set():
    everything = "\n;\n".join([*sheets().values(), *texts()])
    written = set(re.findall(r"(--[\w-]+)\s*:", everything))
    read = set(re.findall(r"var\(\s*(--[\w-]+)", everything))
    by_script = set(re.findall(r"(--[\w-]+)(?![\w-]|\s*:)", "\n;\n".join(texts())))
    assert written - read - by_script == set()
    assert read - written == set()
    assert len(written) > 80


def test_a_class_is_laid_out_by_one_sheet_of_the_pages():
    """Two sheets that mean different things by one name lay out each other's parts."""
    laid_out: dict[str, set[str]] = {}
    for path, sheet in sheets().items():
        for head, body in re.findall(r"([^{};]+)\{([^{}]*)\}", sheet):
            alone = [re.fullmatch(r"\s*\.([\w-]+)\s*", one) for one in head.split(",")]
            for name in (found[1] for found in alone if found):
                if "web/static" in path and re.search(r"\bmargin|\bdisplay\b", body):
                    laid_out.setdefault(name, set()).add(path)
    assert {name: found for name, found in laid_out.items() if len(found) > 1} == {}
    assert len(laid_out) > 50


def below_has(sheet: str) -> list[str]:
    """Selectors whose last part stands below one with `:has`, and names neither class, id nor tag.

    For one such selector a browser looks anew at all that lies below any element with a `:has`,
    whatever changes there: most of the table, at each event.
    """
    found = []
    for head in re.findall(r"([^{};]+)\{", sheet):
        while "(" in head:
            head = re.sub(r"\([^()]*\)", inside, head)
        for selector in head.split(","):
            above, _, last = re.sub(r"\s*[>+~]\s*", " ", selector.strip()).rpartition(" ")
            named = re.sub(r"::?(?!is|where)[\w-]+(‹[^›]*›)?", "", last)
            if ":has" in above and not re.search(r"[\w.#\[]", named):
                found.append(selector.strip())
    return found


def inside(found: re.Match[str]) -> str:
    """Of what stands in brackets: whether it asks for something inside an element."""
    return "‹:has›" if ":has" in found[0] else "‹›"


def test_what_stands_below_has_is_named():
    assert {path: below_has(sheet) for path, sheet in sheets().items() if below_has(sheet)} == {}
    assert below_has(".list li:has(.chance) > :first-child { color: red }")
    assert below_has(".list:has(li) :not(svg), b:has(i) p { color: red }")
    assert not below_has(".list:has(> li) > p:first-child { color: red }")


def test_a_class_that_nobody_names_is_seen():
    assert unused(".panel .no-such-thing, .seat-3 { color: red }") == {"no-such-thing"}
