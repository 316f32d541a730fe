"""The pages of Markdown in the documents: as HTML beside the reference, and what the search finds.

Pages keep their places, so links between them stay as they are written, but for the ending. What
else a page shows or links to is copied.
"""

import re
import shutil
from collections.abc import Iterator
from functools import cached_property
from html import escape, unescape
from itertools import chain, pairwise
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pdoc.render import env

ROOT = Path(__file__).parent.parent
GROUPS = {
    "Play and host": (
        "README",
        "docs/install",
        "docs/trouble",
        "docs/hosting",
        "docs/site",
        "docs/fairness",
        "docs/sources",
    ),
    "Research": (
        "docs/research",
        "docs/own-learner",
        "docs/benchmark",
        "docs/strength",
        "docs/speed",
        "docs/studies/README",
        "plugins/exact/README",
    ),
    "Programs": ("docs/command-line", "docs/api", "docs/scaling"),
    "Work on it": (
        "ARCHITECTURE",
        "CONTRIBUTING",
        "SECURITY",
        "CHANGELOG",
        "docs/glossary",
        "docs/data-attributes",
        "docs/daily",
        "docs/storm",
        "examples/coasters/README",
    ),
}
FRONT = "README"  # the page that is the index
TAG = re.compile(r"<[^>]*>")
LINK = re.compile(r'\b(href|src|srcset)="([^"]*)"')
SECTION = re.compile(r'<h([1-3]) id="([^"]+)">(.*?)</h\1>', re.DOTALL)
OUTSIDE = re.compile(r"[a-z]+:")
DARK = re.compile(r'<source media="\(prefers-color-scheme: dark\)"[^>]*>')  # the site is light


class Section(NamedTuple):
    """A part of a page from one heading to the next."""

    anchor: str
    title: str
    text: str


class Page:
    """A page of Markdown. name: its path below the root, without its ending."""

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def place(self) -> str:
        """The path of its HTML."""
        return "index.html" if self.name == FRONT else f"{self.name}.html"

    @cached_property
    def html(self) -> str:
        """All of it as HTML, with an anchor at each heading, as GitHub names it."""
        markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
        tokens = markdown.parse((ROOT / f"{self.name}.md").read_text("utf-8"))
        taken: dict[str, int] = {}
        for opening, inside in pairwise(tokens):
            if opening.type == "heading_open":
                opening.attrSet("id", _anchor(_shown(inside), taken))
        return DARK.sub("", markdown.renderer.render(tokens, markdown.options, {}))

    @cached_property
    def sections(self) -> list[Section]:
        """What the search finds: its sections, as text."""
        found = [*SECTION.finditer(self.html)]
        ends = [*(one.start() for one in found[1:]), len(self.html)]
        return [
            Section(one[2], _text(one[3]), _text(self.html[one.end() : end]))
            for one, end in zip(found, ends, strict=True)
        ]

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.sections[0].title

    @property
    def prefix(self) -> str:
        """What leads from it to the root."""
        return "../" * self.place.count("/")

    @property
    def modulename(self) -> str:
        """The name by which the search finds the way to it."""
        return self.place.removesuffix(".html").replace("/", ".")


def _anchor(heading: str, taken: dict[str, int]) -> str:
    plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
    count = taken[plain] = taken.get(plain, -1) + 1
    return f"{plain}-{count}" if count else plain


def _shown(inline: Token) -> str:
    """The words of a heading without its marks."""
    return "".join(part.content for part in inline.children or [])


def _text(html: str) -> str:
    return " ".join(unescape(TAG.sub(" ", html)).split())


def pages() -> dict[str, list[Page]]:
    """All pages, by group. Studies follow the page that lists them."""
    listed = {group: [Page(name) for name in names] for group, names in GROUPS.items()}
    own = {page.name for group in listed.values() for page in group}
    studies = sorted((ROOT / "docs" / "studies").glob("*.md"))
    names = [path.relative_to(ROOT).with_suffix("").as_posix() for path in studies]
    listed["Studies"] = [Page(name) for name in names if name not in own]
    return listed


def write(folder: Path) -> None:
    """Write all pages, and copy what they show and link to."""
    groups = pages()
    known = {f"{page.name}.md": page for page in chain(*groups.values())}
    template = env.get_template("page.html.jinja2")
    for page in known.values():
        target = folder / page.place
        target.parent.mkdir(parents=True, exist_ok=True)
        html = LINK.sub(lambda found, page=page: _linked(found, page, known, folder), page.html)
        text = template.render(module=page, html=html, groups=groups, all_modules={})
        target.write_text(text, "utf-8")


def _linked(found: re.Match[str], page: Page, known: dict[str, Page], folder: Path) -> str:
    """A link of a page as it is in the folder."""
    kind, address = found[1], unescape(found[2])
    if OUTSIDE.match(address) or address.startswith("#"):
        return found[0]
    path, mark, anchor = address.partition("#")
    place = normpath(PurePosixPath(page.name).parent / path)
    if place in known:
        path = page.prefix + known[place].place
    elif (ROOT / place).is_dir():
        return f'{kind}="{page.prefix}{_listing(place, folder)}"'
    else:
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / place, folder / place)
    return f'{kind}="{escape(path + mark + anchor)}"'


def _listing(place: str, folder: Path) -> str:
    """A page that lists the files of a folder, which are copied."""
    shutil.copytree(
        ROOT / place,
        folder / place,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", ".*", "*.egg-info"),
    )
    files = sorted(path for path in (folder / place).rglob("*") if path.is_file())
    names = [path.relative_to(folder / place).as_posix() for path in files]
    lines = "".join(f'<li><a href="{escape(name)}">{escape(name)}</a></li>' for name in names)
    page = f"{place}/files.html"
    (folder / page).write_text(f"<!doctype html><title>{place}</title><ul>{lines}</ul>", "utf-8")
    return page


def found_by_search() -> Iterator[dict[str, str]]:
    """Every section of every page, as pdoc's search has its entries."""
    for page in chain(*pages().values()):
        for section in page.sections:
            title = page.title if section.title == page.title else f"{page.title}: {section.title}"
            yield {
                "fullname": f"{title} ({page.name}.md#{section.anchor})",
                "modulename": page.modulename,
                "qualname": section.anchor,
                "kind": "page",
                "doc": f"<p>{escape(section.text)}</p>",
            }


def broken_links(folder: Path) -> Iterator[str]:
    """Links of the written pages that lead nowhere."""
    anchors: dict[Path, set[str]] = {}

    def ids(path: Path) -> set[str]:
        if path not in anchors:
            anchors[path] = {*re.findall(r'\bid="([^"]+)"', path.read_text("utf-8"))}
        return anchors[path]

    for path in sorted(folder.rglob("*.html")):
        # Of members that a class inherits pdoc writes links, but not always what they lead to.
        of_pdoc = path.is_relative_to(folder / "diablerie")
        for kind, written in LINK.findall(_without_scripts(path.read_text("utf-8"))):
            address = unescape(written)
            if OUTSIDE.match(address):
                continue
            file, _, anchor = address.partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.exists() or (anchor and not of_pdoc and anchor not in ids(target)):
                yield f"{path.relative_to(folder)}: {kind} {address}"


def _without_scripts(html: str) -> str:
    return re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
