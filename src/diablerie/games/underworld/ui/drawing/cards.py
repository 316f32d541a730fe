"""Cards and grounds of UNDERWORLD, each 82 by 82 from its top left corner.

A back shows a shut eye. Somebody who has looked at it left an open one on it, and shows it to
nobody else.
"""

from functools import cache
from typing import NamedTuple

from diablerie.art import marks
from diablerie.art.cut import cut
from diablerie.art.head import head
from diablerie.art.svg import Svg, at, circle, element, group, path, placed, rect, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import say
from diablerie.games.underworld.rules.notation import COLUMNS
from diablerie.games.underworld.rules.state import PEGS
from diablerie.games.underworld.ui.view import Card, Space

CARD = 72
EDGE = 5  # from the space's corner to the card's
LEAF = "M0 2C-9 -2 -14 -9 -11 -15C-8 -13 -6 -14 -5 -17C-3 -14 -1 -15 0 -20C1 -15 3 -14 5 -17C6 -14 8 -13 11 -15C14 -9 9 -2 0 2Z"  # noqa: E501
LEAVES = ((-17, -6, -40), (16, -9, 35), (-2, 12, 170), (-20, 20, -110), (20, 18, 120), (0, -18, 5))
EYES = (  # a lid, and its lashes
    ("M15 36Q36 56 57 36", "M18 43L13 49M26 48L23 55M36 50V58M46 48L49 55M54 43L59 49"),
    ("M10 34Q20 46 30 34M42 34Q52 46 62 34", "M13 39L10 45M20 41V48M59 39L62 45M52 41V48"),
    ("M13 27Q38 54 60 38", "M19 35L12 40M29 42L25 50M41 45L41 54M53 43L57 51"),
    ("M10 38Q20 25 30 38M42 38Q52 25 62 38", "M28 53Q36 60 44 53M15 29L11 24M57 29L61 24"),
    ("M12 38Q34 54 59 27", "M19 43L15 51M31 45L31 54M43 42L47 50M53 35L60 40"),
)
LOOKING = "M-11 0Q0 -9 11 0Q0 9 -11 0Z"
WALL = "M-18 30L-15 -8H-20V-26H-12V-19H-5V-26H5V-19H12V-26H20V-8H15L18 30Z"
HOLES = ((16, 18), (66, 18), (16, 68), (66, 68))


@cache
def definitions() -> Svg:
    """What is shown many times, drawn once."""
    return element(
        "defs",
        *(group(drawn_back(n), id=f"uw-back-{n}") for n in range(len(EYES))),
        group(_ivy(), id="uw-ivy"),
        group(drawn_tower(), id="uw-tower"),
        *(group(head(mood), id=f"uw-head-{mood}") for mood in ("wild", "sly", "sleep", "triumph")),
        id="uw-parts",
    )


def use(name: str, **attrs: object) -> Svg:
    """A `<use>` of the part with this name."""
    return element("use", href=f"#uw-{name}", **attrs)


# -- the ground --------------------------------------------------------------------------------


def ground(space: Space, pegs: int) -> Svg:
    """What a space looks like without its card."""
    if space.ground == "face":
        return _face(pegs)
    pit = rect(EDGE, EDGE, CARD, CARD, "pit", rx=7)
    if space.ground == "ivy":
        return group(pit, use("ivy", transform=at(41, 41)))
    return pit


@cache
def _ivy() -> Svg:
    stem = path("M-28 26C-14 14 -18 2 -6 -4C4 -10 8 -20 24 -24", "uw-stem")
    leaves = (
        group(path(LEAF, "uw-leaf"), path("M0 0V-13", "uw-vein"), transform=at(*leaf))
        for leaf in LEAVES
    )
    return group(stem, *leaves)


def _face(pegs: int) -> Svg:
    """The devil's face: asleep with all pegs about it; once all are gone, the way is open."""
    mood = "sly" if pegs else "triumph"
    if pegs == PEGS:
        mood = "sleep"
    seats = [circle(x, y, 5, "hole") for x, y in HOLES]
    # A peg that has been taken leaves a hole.
    home = [
        placed(
            x,
            y + 8,
            use("head-wild"),
            scale=0.135,
            class_="devil",
            id=f"uw-home-{k}",
            data_enter="fly",
        )
        for k, (x, y) in enumerate(HOLES[:pegs])
    ]
    return group(
        rect(EDGE - 3, EDGE - 3, CARD + 6, CARD + 6, "lava" if pegs else "lava open", rx=9),
        placed(41, 62, use(f"head-{mood}"), scale=0.3, class_="devil"),
        *seats,
        *home,
    )


# -- cards -------------------------------------------------------------------------------------


class Lying(NamedTuple):
    """All that the card at a space is drawn from; `turn` in which it was moved, the last one."""

    space: Space
    turn: int | None
    picked: bool
    seats: int


def space_card(lying: Lying, t: Translate) -> Svg | None:
    """The card that lies at a space. Its id says what happened to it, and nothing hidden."""
    space = lying.space
    moved = lying.turn is not None
    if space.side is None:
        return None
    turn = f"-{lying.turn}" if moved else ""
    face_up = space.card if space.side == "up" else None
    # What has moved flies in; what has been turned over in its place turns.
    turned = ("turn", "card") if face_up else (None, None)
    enter, heard = ("fly", "swap") if moved else turned
    return group(
        face(face_up, lying.seats, bool(space.disks)) if face_up else _down(lying, t),
        id=f"uw-{space.side}-{space.name}{turn}",
        class_=_state(lying),
        data_enter=enter,
        data_heard=heard,
        transform=at(EDGE, EDGE),
    )


def _state(lying: Lying) -> str:
    """How a card stands to the viewer and to what is being chosen."""
    words = ["card-here"]
    space = lying.space
    if lying.picked:
        words.append("picked")
    if space.card and space.card.held:
        words.append("walked")
    elif space.card and space.card.wanted:
        words.append("wanted")
    return " ".join(words)


@cache
def drawn_back(n: int = 0) -> Svg:
    """A card's back: somebody asleep."""
    return group(
        rect(0, 0, CARD, CARD, "white ink-line", rx=7),
        rect(4, 4, CARD - 8, CARD - 8, f"uw-back-ground back-{n}", rx=5),
        path(EYES[n][0], "uw-lid"),
        path(EYES[n][1], "uw-lash"),
    )


def _down(lying: Lying, t: Translate) -> Svg:
    space = lying.space
    own = _glimpse(space.card, lying.seats, t) if space.card else None
    eyes = [_eye(seat, k, t) for k, seat in enumerate(space.seen_by)]
    column = COLUMNS.index(space.name[0])
    row = int(space.name[1])
    return group(
        use(f"back-{(column + 2 * row) % len(EYES)}"), own, *eyes
    )  # by place: it tells nothing


def _glimpse(card: Card, seats: int, t: Translate) -> Svg:
    """A card face down that the viewer alone has seen: a ghost of its face on its back."""
    note = element("title", t(say("You have looked at this card", "U15")))
    picture = placed(14, 17, face(card, seats, False), scale=0.6)
    return group(note, rect(11, 14, 50, 50, "ghost", rx=6), picture, class_="glimpse")


def _eye(seat: int, k: int, t: Translate) -> Svg:
    """The open eye of someone who has looked."""
    note = element("title", t(say("{who} has looked at this card", "U15", who=seat)))
    look = group(path(LOOKING, "uw-eye"), circle(0, 0, 4.6, "seat-fill ink-thin"))
    x = 17 + k % 3 * 19
    y = 12 + k // 3 * 16
    return placed(x, y, note, look, scale=1.3, class_=f"seat-{seat}")


@cache
def _letter(letter: str, colour: int, covered: bool) -> Svg:
    big = svg_text(36, 53, letter, "seat-text", 48)
    index = svg_text(12, 20, letter, "seat-text", 19) if covered else None
    mark = placed(60, 60, marks.mark(colour, 13))
    ground = rect(4, 4, CARD - 8, CARD - 8, "seat-fill", rx=5)
    return group(_paper(), ground, big, index, mark, class_=f"seat-{colour}")


@cache
def _stray(letter: str, covered: bool) -> Svg:
    """A letter of a colour that nobody plays."""
    big = svg_text(36, 53, letter, "stray-letter", 48)
    index = svg_text(12, 20, letter, "stray-letter", 19) if covered else None
    return group(_paper(), rect(4, 4, CARD - 8, CARD - 8, "stray", rx=5), big, index)


def face(card: Card, seats: int, covered: bool) -> Svg:
    """A card's face; with a disk on it, its letter is in the corner too."""
    if card.letter is None or card.colour is None:
        return _devil(covered) if card.kind == "devil" else _watch(covered)
    if card.colour < seats:
        return _letter(card.letter, card.colour, covered)
    return _stray(card.letter, covered)


def _paper() -> Svg:
    return rect(0, 0, CARD, CARD, "white ink-line", rx=7)


@cache
def _devil(covered: bool) -> Svg:
    corner = placed(14, 23, use("head-wild"), scale=0.13) if covered else None
    return group(
        _paper(),
        rect(4, 4, CARD - 8, CARD - 8, "card-ground", rx=5),
        placed(36, 58, use("head-wild"), scale=0.36),
        corner,
        class_="devil",
    )


@cache
def _watch(covered: bool) -> Svg:
    corner = use("tower", transform=at(13, 14, 0, 0.3)) if covered else None
    sky = rect(4, 4, CARD - 8, CARD - 8, "watch-sky", rx=5)
    return group(_paper(), sky, use("tower", transform=at(36, 36)), corner)


@cache
def drawn_tower() -> Svg:
    """A watch tower with its open eye."""
    eye = placed(0, -1, path(LOOKING, "uw-eye"), circle(0, 0, 4, "black"))
    door = path("M-5 30V20C-5 13 5 13 5 20V30Z", "black")
    return cut(WALL, "uw-wall", path("M-14 8H-6M6 14H15M-15 20H-9", "ink-fine"), door, eye)
