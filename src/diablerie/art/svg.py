"""Building SVG from Python: `element("circle", r=3, class_="chip")`, escaped and without styles."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from unicodedata import east_asian_width

SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"  # before each tag, as ElementTree has it
SHAPES_KEPT = 8192  # shapes without children, which pictures repeat
SPECIAL = re.compile(r"[&<>\"\n\r\t]").search
# The module xml.sax.saxutils does the same, and imports forty others, which takes long in a browser.
ESCAPES = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
        '"': "&quot;",
        "\n": "&#10;",
        "\r": "&#13;",
        "\t": "&#9;",
    }
)


class Svg(str):
    """Markup: neither `element` nor a template escapes it again."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


class Parted(Svg):
    """Markup cut into `parts`; the server sends only parts that have changed (`web/frames/patch.py`).

    Compression alone would not do: an event may refer to the text of the last ones (web/frames/frames.py),
    but the browser would have to read all of the picture again, and the server to compress it.

    A part that is a whole element with an id can move without being sent again.
    """

    parts: tuple[str, ...]


def element(tag: str, *children: object, **attrs: object) -> Svg:
    """One element. Text children are escaped; attributes that are None or False are left out.

    An attribute's underscores become hyphens and a trailing one is dropped: `class_`,
    `text_anchor`, `data_action`. True stands for an attribute without a value.
    """
    head = _head(tag, attrs)
    inner = "".join([c if type(c) is Svg else markup(c) for c in children if c is not None])
    return Svg(f"<{head}>{inner}</{tag}>" if inner else f"<{head}/>")


def parted(tag: str, *children: object, **attrs: object) -> Parted:
    """One element, as `element` makes it, of which each child is a part.

    The parts of a `Parted` child, and the members of a sequence, are parts of their own.
    """
    head = _head(tag, attrs)
    inner: list[str] = []
    _collect(children, inner)
    parts = [f"<{head}>", *inner, f"</{tag}>"] if inner else [f"<{head}/>"]
    joined = Parted("".join(parts))
    joined.parts = tuple(parts)
    return joined


def _collect(children: Iterable[object], parts: list[str]) -> None:
    """Append the parts of all children."""
    for child in children:
        if type(child) is Svg:
            parts.append(child)
        elif isinstance(child, Parted):
            parts += child.parts
        elif isinstance(child, (list, tuple)):
            _collect(child, parts)
        elif child is not None:
            parts.append(markup(child))


def _head(tag: str, attrs: Mapping[str, object]) -> str:
    for name, value in attrs.items():
        if value is not None and value is not False:
            tag += _attribute(name, value)
    return tag


@lru_cache(SHAPES_KEPT, typed=True)  # True, 1 and 1.0 are written differently
def _attribute(name: str, value: object) -> str:
    return f" {name.rstrip('_').replace('_', '-')}={_quoted(value)}"


def markup(child: object) -> str:
    """A child as markup: text escaped, sequences joined, None nothing."""
    if isinstance(child, Svg):
        return child
    if isinstance(child, (list, tuple)):
        return "".join([markup(part) for part in child])
    if child is None:
        return ""
    return svg_number(child).replace("&", "&amp;").replace(">", "&gt;").replace("<", "&lt;")


def svg_number(value: object) -> str:
    """Text of a value; numbers with at most two decimals."""
    if isinstance(value, float):
        short = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if short == "-0" else short
    return str(value)


def _quoted(value: object) -> str:
    """A value between quotes; most hold nothing that would have to be escaped."""
    text = "" if value is True else svg_number(value)
    text = text.translate(ESCAPES) if SPECIAL(text) else text
    return f'"{text}"'


def group(*children: object, **attrs: object) -> Svg:
    """A `<g>`."""
    return element("g", *children, **attrs)


@lru_cache(SHAPES_KEPT, typed=True)
def path(d: str, klass: str = "", **attrs: object) -> Svg:
    """A `<path>`."""
    return element("path", d=d, class_=klass or None, **attrs)


@lru_cache(SHAPES_KEPT, typed=True)
def circle(x: float, y: float, r: float, klass: str = "", **attrs: object) -> Svg:
    """A `<circle>`."""
    return element("circle", cx=x, cy=y, r=r, class_=klass or None, **attrs)


@lru_cache(SHAPES_KEPT, typed=True)
def rect(x: float, y: float, w: float | str, h: float, klass: str = "", **attrs: object) -> Svg:
    """A `<rect>`."""
    return element("rect", x=x, y=y, width=w, height=h, class_=klass or None, **attrs)


def svg_text(
    x: float,
    y: float,
    words: object,
    klass: str = "",
    font_size: float | None = None,
    **attrs: object,
) -> Svg:
    """A `<text>`."""
    return element("text", words, x=x, y=y, class_=klass or None, font_size=font_size, **attrs)


def shortened(words: str, letters: int) -> str:
    """Words in the room of so many letters; wide ones, as M, take more.

    Of three words or more a short last one tells most: "Sensible devil Soot".
    """
    if _breadth(words) <= letters:
        return words
    first, _, last = words.rpartition(" ")
    if " " in first and 3 * _breadth(last) <= 2 * letters:
        return f"… {last}"
    while _breadth(words) > letters - 1:
        words = words[:-1]
    return words + "…"


def _breadth(words: str) -> float:
    """About how many letters of usual breadth this is."""
    widest = sum(c in "MW" or east_asian_width(c) in "WF" for c in words)
    return len(words) + 0.7 * widest + 0.5 * sum(c in "mw" for c in words)


@lru_cache(SHAPES_KEPT)
def at(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """A `transform`: move to (x, y), then turn by degrees, then scale."""
    parts = [f"translate({svg_number(x)} {svg_number(y)})"]
    if turn:
        parts.append(f"rotate({svg_number(turn)})")
    if scale != 1:
        parts.append(f"scale({svg_number(scale)})")
    return " ".join(parts)


def placed(
    x: float, y: float, *children: object, turn: float = 0, scale: float = 1, **attrs: object
) -> Svg:
    """A `<g>` moved to (x, y), turned by degrees and scaled."""
    return group(*children, transform=at(x, y, turn, scale), **attrs)


def svg(
    wide: float, high: float, /, *children: object, left: float = 0, top: float = 0, **attrs: object
) -> Svg:
    """A complete `<svg>`. With `title` it is an image of that name, without it decoration."""
    title = attrs.pop("title", None)
    named = {"role": "img"} if title else {"aria_hidden": "true"}
    box = " ".join(svg_number(x) for x in (left, top, wide, high))
    label = element("title", title) if title else None
    return element(
        "svg", label, *children, xmlns="http://www.w3.org/2000/svg", viewBox=box, **named, **attrs
    )
