"""A page as text: what it says, and what of it can be reached and pressed, as its HTML tells it.

Headings, landmarks, lists, forms with their fields and buttons, links, live regions, and the board's
spots, each with its accessible name (W3C's accname, the parts that pages here use). A line each,
indented by what it stands in. What is hidden from all (`aria-hidden`, scripts) is left out; what is
`hidden` until a script shows it says so. Ids drawn by chance and times are replaced.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from diablerie import __version__

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
SILENT = {"script", "style", "template", "defs"}
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
FIELDS = {"input", "select", "textarea", "output", "meter", "progress"}
INLINE = {
    "a",
    "abbr",
    "b",
    "bdi",
    "br",
    "code",
    "em",
    "i",
    "kbd",
    "mark",
    "q",
    "s",
    "small",
    "span",
}
INLINE |= {"strong", "sub", "sup", "time", "u", "var", "wbr", "img", "svg", "label"}
PLAIN = {"div", "p", "html", "dt", "dd", "tbody", "thead"}  # say nothing but what stands in them
STATES = ("role", "lang", "open", "disabled", "required", "checked", "selected", "readonly", "type")
STATES += ("href", "action", "formaction", "method", "for", "name", "value", "min", "max", "step")
STATES += (
    "minlength",
    "maxlength",
    "pattern",
    "placeholder",
    "autocomplete",
    "inputmode",
    "target",
)
STATES += ("title", "tabindex", "hidden", "contenteditable", "accesskey", "download", "datetime")
CHANCE = re.compile(r"[0-9a-f]{12,}|[\w-]{40,}")
ART = re.compile(r"<(symbol|defs)\b[^>]*>.*?</\1>", re.DOTALL)  # silent, and half of a page
ALERT = re.compile(r'role="alert"[^>]*>')
TIME = re.compile(r"\b17000\d{5}(\.\d+)?\b")


@dataclass
class Node:
    """An element: its tag, attributes, and the texts and elements in it."""

    tag: str
    attrs: dict[str, str]
    children: list["Node | str"] = field(default_factory=list)
    parent: "Node | None" = None

    def within(self) -> Iterator["Node"]:
        yield self
        for child in self.children:
            if isinstance(child, Node):
                yield from child.within()

    def text(self) -> str:
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)


class Tree(HTMLParser):
    """Reads a page, whose elements must all be closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.root = self.at = Node("page", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs}, parent=self.at)
        self.at.children.append(node)
        if tag not in VOID:
            self.at = node

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> closes <{self.at.tag}>, line {self.getpos()[0]}"
        assert self.at.parent
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.children.append(data)


def tree_of(html: str) -> Node:
    """The elements of a page, or of a part of one."""
    tree = Tree()
    tree.feed(ART.sub("", html))
    tree.close()
    assert tree.at is tree.root, f"<{tree.at.tag}> is not closed"
    return tree.root


def outline(html: str, footer: bool = True) -> str:
    """The outline of a page, or of a part of one; without what its footer says on request."""
    root = tree_of(html)
    for node in [] if footer else [node for node in root.within() if node.tag == "footer"]:
        node.children = ["…"]
    return without_chance("".join(f"{line}\n" for line in Outline(root).lines(root)))


def alerts(html: str) -> list[str]:
    """The title of a page, and what it says aloud at once."""
    told = [html.partition("<title>")[2].partition("</title>")[0]]
    for found in ALERT.finditer(html):
        tag = html[html.rindex("<", 0, found.start()) + 1 :].partition(" ")[0]
        told.append(words(html[found.end() :].partition(f"</{tag}>")[0]))
    return [text for text in told if text]


def words(html: str) -> str:
    """The text of a piece of a page."""
    return unescape(" ".join(re.sub(r"<[^>]*>", " ", html).split()))


def without_chance(text: str) -> str:
    """A text with ids drawn by chance numbered as they come, without the time and the version."""
    numbers = dict[str, int]()
    text = text.replace(f"diablerie {__version__}", "diablerie VERSION")
    return CHANCE.sub(
        lambda found: f"ID{numbers.setdefault(found[0], len(numbers) + 1)}", TIME.sub("NOW", text)
    )


class Outline:
    """The lines of a page."""

    def __init__(self, root: Node) -> None:
        nodes = list(root.within())
        self._ids = {node.attrs["id"]: node for node in nodes if "id" in node.attrs}
        self._labels = {n.attrs["for"]: n for n in nodes if n.tag == "label" and "for" in n.attrs}

    def lines(self, node: Node) -> Iterator[str]:
        """What stands in an element: pieces of text, each on a line, and elements."""
        text = ""
        for child in node.children:
            if isinstance(child, str) or self._is_text(child):
                text += child if isinstance(child, str) else self._inline(child)
                continue
            yield from said(text)
            text = ""
            yield from self._element(child)
        yield from said(text)

    def _element(self, node: Node) -> Iterator[str]:
        if silent(node) or (node.tag == "label" and "for" in node.attrs):
            return
        if node.tag == "svg":
            yield from self._picture(node)
            return
        told = states(node)
        if node.tag in HEADINGS | {
            "button",
            "a",
            "option",
            "title",
            "summary",
            "legend",
            "caption",
        }:
            yield " ".join([node.tag, f'"{self.name(node)}"', *told])
            return
        if node.tag == "label":  # it is the name of the field in it
            yield from (line for n in node.within() if n.tag in FIELDS for line in self._element(n))
            return
        if node.tag in FIELDS:
            inside = " | ".join(self.lines(node))
            named = "" if node.attrs.get("type") == "hidden" else f'"{self.name(node)}"'
            yield " ".join(
                [node.tag, *([named] if named else []), *told, *([inside] if inside else [])]
            )
            return
        if node.tag == "tr":
            cells = [" ".join(self.lines(c)) for c in node.children if isinstance(c, Node)]
            yield " | ".join(cells)
            return
        if node.tag in {"meta", "link"} and not told:
            return
        inner = list(self.lines(node))
        named = self.name(node, by_content=False)
        if (node.tag in PLAIN or node.tag == "span") and not told and not named:
            yield from inner
            return
        head = " ".join([node.tag, *([f'"{named}"'] if named else []), *told])
        if node.tag == "li" and len(inner) == 1:
            yield f"{head}: {inner[0]}"
            return
        yield head
        yield from (f"  {line}" for line in inner)

    def _is_text(self, node: Node) -> bool:
        """Whether an element is a piece of the text it stands in."""
        if node.tag not in INLINE or (node.tag == "svg" and picture(node)):
            return silent(node)
        if node.tag == "a":
            beside = node.parent.children if node.parent else []
            return any(isinstance(c, str) and re.search(r"\w", c) for c in beside)
        inner = [child for child in node.children if isinstance(child, Node)]
        return all(child.tag != "a" and self._is_text(child) for child in inner)

    def _inline(self, node: Node) -> str:
        if silent(node) or (node.tag == "label" and "for" in node.attrs):
            return ""
        if node.tag == "br":
            return " / "
        told = states(node)
        if node.tag in {"a", "img", "svg"}:
            return f"[{' '.join([node.tag, self.name(node), *told])}]"
        inner = "".join(c if isinstance(c, str) else self._inline(c) for c in node.children)
        named = node.attrs.get("aria-label", "")
        return f"[{' '.join([node.tag, named, *told, inner])}]" if told or named else inner

    def _picture(self, svg: Node) -> Iterator[str]:
        """A drawing, and of what stands in it what has a name, a role or an action."""
        yield " ".join(["picture", f'"{self.name(svg)}"', *states(svg)])
        for node in svg.within():
            named, told = self.name(node, by_content=False), states(node)
            if node is not svg and (named or told) and node.tag != "use" and not silent(node):
                yield "  " + " ".join(["spot", f'"{named}"', *told])

    def name(self, node: Node, by_content: bool = True) -> str:
        """The accessible name: labelled by others, by itself, by its label, by its content."""
        labelled = [self._ids.get(i) for i in node.attrs.get("aria-labelledby", "").split()]
        if "aria-labelledby" in node.attrs:
            assert all(labelled), f"nothing has the id in {node.attrs}"
        texts = [self._content(other) for other in labelled if other]
        texts += [node.attrs.get("aria-label", ""), node.attrs.get("alt", "")]
        if (label := self._labels.get(node.attrs.get("id", ""))) and node.tag in FIELDS:
            texts.append(self._content(label))
        if node.tag in FIELDS:
            above = node.parent
            while above and above.tag != "label":
                above = above.parent
            texts.append(self._content(above) if above else "")
        title = next((c for c in node.children if isinstance(c, Node) and c.tag == "title"), None)
        if title and node.tag not in {"head", "page", "html"}:
            texts.append(title.text())
        if by_content and node.tag not in FIELDS | {"svg"}:
            texts.append(self._content(node))
        return next((told for text in texts if (told := " ".join(text.split()))), "")

    def _content(self, node: Node) -> str:
        """The text of an element, with the names of pictures in it and no fields."""
        if silent(node) or node.tag in FIELDS:
            return ""
        if node.tag == "svg" or node.tag == "img":
            return self.name(node)
        if "aria-label" in node.attrs and node.tag not in {"a", "button"} | HEADINGS:
            return node.attrs["aria-label"]
        return "".join(c if isinstance(c, str) else self._content(c) for c in node.children)


def said(text: str) -> Iterator[str]:
    if told := " ".join(text.split()):
        yield told


def silent(node: Node) -> bool:
    """Whether an element is hidden from all, at any time."""
    return node.tag in SILENT or node.attrs.get("aria-hidden") == "true"


def picture(svg: Node) -> bool:
    """Whether there is more in a drawing than its name."""
    return "picture" in svg.attrs.get("class", "").split()


def states(node: Node) -> list[str]:
    """Attributes that say what an element is, can do, or does when a script runs."""
    if node.tag in {"link", "meta"}:  # those for browsers are not for people
        return [f"{name}={node.attrs[name]}" for name in ("http-equiv",) if name in node.attrs]
    drawn = node.tag in {"g", "path", "rect", "circle", "text", "svg", "use", "title"}
    told = [
        f'{name}="{" ".join(value.split())}"' if value else name
        for name, value in node.attrs.items()
        if (name in STATES and not (drawn and name in {"href", "type"}))
        or (name.startswith("aria-") and name not in {"aria-label", "aria-labelledby"})
        or (name.startswith("data-") and (not drawn or name == "data-action"))
    ]
    return sorted(told)
