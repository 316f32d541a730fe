"""Drawings of a golden game as text that a reviewer can read: an element a line, an id once.

The first picture is printed whole; of each later one, the elements with an id in which something is
not as it was one picture before, and the ids that are gone. What bears no meaning (no id, words,
action or name) is printed once a game, under a name of its own: `edge/2` is the second drawing whose
first class is `edge`. A tag is not closed: what stands in it is indented, or follows on its line (an
only child, or a short group in braces).
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions
from diablerie.engine.verbs import WATCHER

NUMBER = re.compile(r"-?\d+\.\d+")
NAMESPACE = "{http://www.w3.org/2000/svg}"
Lines = list[str]
Units = dict[str, str]  # the text of each element that has an id
TELLING = ("id", "role", "href", "tabindex")
POSITIONS = 3
WIDTH = 150  # a group as short as that stands on one line
SMALL = 4  # art of fewer elements is printed where it stands


def of_match(match: Match) -> dict[str, str]:
    """What is drawn of three positions, by name, and `parts`, the art that stands in them."""
    files, parts = dict[str, str](), Parts()
    before, known = Units(), dict[tuple[str, str], int]()
    for number, ply in enumerate(plies(match)):
        viewer, svg = drawn(match.at(ply), number)
        units = parts.units(ET.fromstring(svg))
        name = f"ply-{ply:03}-{'watcher' if viewer == WATCHER else f'seat-{viewer}'}"
        files[name] = "".join(changes(before, units, known))
        known = dict.fromkeys(units.items(), ply) | known
        before = units
    return {**files, "parts": parts.told()}


def plies(match: Match) -> list[int]:
    """The start, the end, and between them a ply of each span, at nodes met as seldom as can be."""
    met, chosen = dict[tuple[int, bool], int](), [0]
    span = match.ply / (POSITIONS - 1)
    for number in range(1, POSITIONS - 1):
        near = range(round((number - 0.5) * span), round((number + 0.5) * span))
        kinds = {ply: (int(match.at(ply).state.node), number % 4 < 2) for ply in near}
        ply = min(near, key=lambda ply: met.get(kinds[ply], 0))
        met[kinds[ply]] = met.get(kinds[ply], 0) + 1
        chosen.append(ply)
    return [*chosen, match.ply]


def drawn(match: Match, number: int) -> tuple[int, str]:
    """Who looks, and the picture: in turn who decides, who decides, somebody else, a watcher."""
    game, pending = match.game, verbs.pending(match.state)
    deciding = [seat for seat in range(match.seats) if pending >> seat & 1]
    others = [seat for seat in range(match.seats) if seat not in deciding]
    viewers = (deciding, deciding, others, [])[number % 4]
    viewer = viewers[number % len(viewers)] if viewers else WATCHER
    seen, actions = match.seen_by(viewer), list[str]()
    if viewer in deciding:
        legal = legal_actions(game, seen, viewer)
        actions = [game.notation.format_action(seen, viewer, action) for action in legal]
    return viewer, game.ui.draw(match.view(viewer), actions, str)


def changes(before: Units, units: Units, known: dict[tuple[str, str], int]) -> Iterator[str]:
    """The elements that are not as they were, and those that are gone.

    One that has been printed is not printed again: `known` says at which ply it was.
    """
    gone = [name for name in before if name not in units]
    if gone:
        yield f"gone: {' '.join(gone)}\n"
    again, new = dict[int, list[str]](), list[str]()
    for name, text in units.items():
        if before.get(name) == text:
            continue
        if (name, text) in known:
            again.setdefault(known[name, text], []).append(name)
        else:
            new.append(text)
    for ply, names in sorted(again.items()):
        yield f"as at ply {ply}: {' '.join(names)}\n"
    yield from new


class Parts:
    """Names for all art of a game's pictures, in the order of its first appearance."""

    def __init__(self) -> None:
        self._art = dict[str, str]()  # by its text
        self._defined = dict[str, str]()  # by its id
        self._numbers = dict[str, int]()

    def told(self) -> str:
        """All parts, each with its name."""
        art = [f"{name}:\n{text}" for text, name in self._art.items()]
        return "".join([*self._defined.values(), *art])

    def units(self, picture: ET.Element) -> Units:
        """The text of each element that has an id, without those that stand in it."""
        units = Units()

        def told(element: ET.Element, within: str = "") -> Lines:
            name = element.get("id", "")
            if name and name != within:
                units[name] = ""  # it stands before those in it
                units[name] = "".join(f"{line}\n" for line in told(element, name))
                return [f"#{name}"]
            head = start(element)
            if element.tag == NAMESPACE + "defs":
                return [" ".join([head, *self._define(element)])]
            if not meaningful(element) and len(list(element.iter())) >= SMALL:
                return [f"{head} = {self._named(element)}"]
            return indented(head, [told(child, within) for child in element])

        told(picture)
        return units

    def _define(self, defs: ET.Element) -> list[str]:
        """Keep what is defined; its ids."""
        for child in defs:
            name, text = child.get("id", ""), "".join(f"{line}\n" for line in plain(child))
            assert name, "what is defined has an id"
            assert self._defined.setdefault(name, text) == text, f"{name} is drawn in two ways"
        return [f"#{child.get('id')}" for child in defs]

    def _named(self, element: ET.Element) -> str:
        """The name of what stands in an element."""
        text = "".join(f" {line}\n" for child in element for line in plain(child))
        if text not in self._art:
            classes = [found for e in element.iter() if (found := e.get("class"))]
            kind = (classes or ["shapes"])[0].replace(" ", ".")
            self._numbers[kind] = self._numbers.get(kind, 0) + 1
            self._art[text] = f"{kind}/{self._numbers[kind]}"
        return self._art[text]


def meaningful(element: ET.Element) -> bool:
    """Whether something in it can be addressed, read or chosen."""
    return any(
        (e.text or "").strip()
        or any(k in TELLING or k.startswith(("data-", "aria-")) for k in e.attrib)
        for e in element.iter()
    )


def plain(element: ET.Element) -> Lines:
    """An element and all in it."""
    return indented(start(element), [plain(child) for child in element])


def indented(head: str, children: list[Lines]) -> Lines:
    """An element a line, but an only child on its parent's, a short group and many ids on one."""
    if len(children) == 1:
        first, *rest = children[0]
        return [f"{head} {first}", *rest]
    together = f"{head} {{ {' '.join(' '.join(child) for child in children)} }}"
    if children and len(together) <= WIDTH:
        return [together]
    lines, references = [head], False
    for child in children:
        if references and child[0].startswith("#"):
            lines[-1] += f" {child[0]}"
        else:
            lines += [f" {line}" for line in child]
        references = child[0].startswith("#")
    return lines


def start(element: ET.Element) -> str:
    """The tag, the attributes with numbers of at most two places, and the words."""
    told = [element.tag.removeprefix(NAMESPACE)]
    told += [f'{name}="{NUMBER.sub(rounded, value)}"' for name, value in element.attrib.items()]
    words = f"{element.text or ''} {element.tail or ''}"
    return f"<{' '.join(told)}>{' '.join(words.split())}"


def rounded(number: re.Match[str]) -> str:
    return f"{round(float(number[0]), 2) + 0.0:g}"
