"""Several drawings as one animated `<svg>`: what they share is in it once.

The drawings are merged into one tree. Each element is shown while the drawings it comes from are,
by a CSS animation for each set of drawings. Where less motion is wanted, the last one stands still.
"""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from xml.etree import ElementTree

from diablerie.art.svg import SVG_NAMESPACE

ElementTree.register_namespace("", SVG_NAMESPACE.strip("{}"))
FILM_PREFIX = "film-"  # begins the class of a set of drawings, in which its bits are hexadecimal
STILL_FOR_LESS_MOTION = "@media (prefers-reduced-motion:reduce){*{animation:none!important}}"
Key = tuple[object, ...]


class Merged:
    """An element of one or more of the drawings, and the set of those: a bit for each."""

    def __init__(self, element: ElementTree.Element, drawing: int) -> None:
        self.key = _key(element)
        self.element = element
        self.shown = 1 << drawing
        self.children = [Merged(child, drawing) for child in element]

    def add(self, element: ElementTree.Element, drawing: int) -> None:
        """Take in an equal element of another drawing, with what is inside."""
        self.shown |= 1 << drawing
        self.children = _together(self.children, list(element), drawing)

    def tree(self, around: int) -> ElementTree.Element:
        """As an element, marked where it is not always shown when what is `around` it is."""
        made = ElementTree.Element(self.element.tag, dict(self.element.attrib))
        made.text = self.element.text
        made.tail = self.element.tail
        if self.shown != around:
            made.set("class", f"{made.get('class', '')} {FILM_PREFIX}{self.shown:x}".strip())
        made.extend(self._inside())
        return made

    def _inside(self) -> Iterable[ElementTree.Element]:
        """The children; of definitions, which are shown by others, each once and unmarked."""
        if self.element.tag != f"{SVG_NAMESPACE}defs":
            return [child.tree(self.shown) for child in self.children]
        return {child.element.get("id"): child.element for child in self.children}.values()

    def sets(self) -> set[int]:
        """All sets of drawings in it."""
        inside = [] if self.element.tag == f"{SVG_NAMESPACE}defs" else self.children
        return {self.shown}.union(*(child.sets() for child in inside))


def _key(element: ElementTree.Element) -> Key:
    return (element.tag, *sorted(element.attrib.items()), (element.text or "").strip())


def _together(old: list[Merged], new: list[ElementTree.Element], drawing: int) -> list[Merged]:
    """The children of two equal elements in an order that is that of both."""
    matcher = SequenceMatcher(
        None, [child.key for child in old], list(map(_key, new)), autojunk=False
    )
    merged = list[Merged]()
    for same, a, b, c, d in matcher.get_opcodes():
        merged += old[a:b]
        if same == "equal":
            for child, element in zip(old[a:b], new[c:d], strict=True):
                child.add(element, drawing)
        else:
            merged += (Merged(element, drawing) for element in new[c:d])
    return merged


def animated(drawings: Sequence[str], style: str, seconds: float, rest: int = 3) -> str:
    """The drawings (each one `<svg>`) in a loop, the last shown `rest` times as long as others.

    style: their CSS; seconds: how long each is shown. Raises ElementTree.ParseError.
    """
    roots = [_plain(ElementTree.fromstring(drawing)) for drawing in drawings]
    merged = Merged(roots[0], 0)
    for k, root in enumerate(roots[1:], 1):
        merged.add(root, k)
    last = len(roots) - 1
    steps = [*range(len(roots)), *[last] * (rest - 1)]
    made = merged.tree(merged.shown)
    sheet = ElementTree.Element(f"{SVG_NAMESPACE}style")
    sheet.text = style + "\n".join(_rules(sorted(merged.sets()), steps, seconds))
    made.insert(0, sheet)
    return ElementTree.tostring(made, "unicode")


def _rules(sets: Iterable[int], steps: Sequence[int], seconds: float) -> Iterable[str]:
    """What is shown of each set: still, and with motion."""
    moving = list[str]()
    for shown in sets:
        if not shown >> steps[-1] & 1:
            yield f".{FILM_PREFIX}{shown:x}{{visibility:hidden}}"
        frames = "".join(_turns([bool(shown >> step & 1) for step in steps]))
        name = f"{FILM_PREFIX}{shown:x}"
        time = f"{seconds * len(steps):g}s step-end infinite"
        moving.append(f"@keyframes {name}{{{frames}}}.{name}{{animation:{name} {time}!important}}")
    yield f"@media (prefers-reduced-motion:no-preference){{{''.join(moving)}}}"
    yield STILL_FOR_LESS_MOTION


def _turns(shown: Sequence[bool]) -> Iterable[str]:
    """The keyframes at which it appears and disappears."""
    for k, now in enumerate(shown):
        if not k or now != shown[k - 1]:
            at = f"{100 * k / len(shown):.4g}%"
            yield f"{at}{{visibility:{'visible' if now else 'hidden'}}}"


def _plain(root: ElementTree.Element) -> ElementTree.Element:
    """A drawing without what only a page needs: titles, attributes, ids and what nobody refers to."""
    used = {element.get("href", "").removeprefix("#") for element in root.iter()}
    for definitions in root.iter(f"{SVG_NAMESPACE}defs"):
        for part in [part for part in definitions if part.get("id") not in used]:
            definitions.remove(part)
    for element in root.iter():
        for name in [name for name in element.attrib if name.startswith("data-")]:
            del element.attrib[name]
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        for attribute in ("tabindex", "role"):
            element.attrib.pop(attribute, None)
        for title in element.findall(f"{SVG_NAMESPACE}title"):
            element.remove(title)
    return root
