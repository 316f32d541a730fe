"""What of TAILS is staged: one's own tails that meet or bring much, the longest at the end."""

from functools import cache

from diablerie.art.acting import Key, acted, keys, scene, scene_file, steps, swaying, use
from diablerie.art.marks import mark
from diablerie.art.svg import Svg, at, circle, element, group, path, placed, rect, svg_text
from diablerie.engine.feats import Feat
from diablerie.engine.moments import Moment
from diablerie.engine.text import say, says
from diablerie.games.tails.rules.sides import SIDE, owner
from diablerie.games.tails.rules.state import LETTERS, Node, State
from diablerie.games.tails.ui.drawing.layout import way
from diablerie.games.tails.ui.drawing.symbols import SPADE
from diablerie.games.tails.ui.log import side_points
from diablerie.games.tails.ui.tracing import Tail, finished, tails

MUCH_POINTS = 15  # points
TAIL_BOX = (215.0, 14.0, 372.0, 276.0)  # of a tail that ends, in its scene
LONGEST_TAIL_BOX = (215.0, 12.0, 372.0, 238.0)  # of the longest, at the end of the game
MOST_SIDES = 3  # at most
COUNTING_STEPS = 8  # steps in which their points are counted

FACES = {"run": "sly", "met": "burnt"}  # what whoever decided looks like, by scene


def moments(
    before: State, seat: int, action: int | None, after: State, viewer: int
) -> list[Moment]:
    """What of one decision or outcome is staged: all is open. Watchers have no side."""
    if before.node != Node.ROTATION:
        return []
    own = int(SIDE[after.seats, viewer]) if viewer >= 0 else -1
    closed = finished(tails(before), tails(after))
    ends = [_ended(after, tail) for tail in closed if _decides(after, tail, own)]
    return [*ends, *([_counted(after)] if after.node == Node.OVER else [])]


def _decides(after: State, tail: Tail, own: int) -> bool:
    """Whether a tail that ended covers the board: one of one's own that met another or brings much."""
    if tail.state == "met":
        return own in (tail.side, owner(after, tail.goal), -1)
    return tail.points >= MUCH_POINTS and own in (tail.side, -1)


def feats(before: State, seat: int, action: int, after: State) -> list[Feat]:
    """The tails that ended."""
    if before.node != Node.ROTATION:
        return []
    return [_long(after, tail) for tail in finished(tails(before), tails(after))]


def _long(after: State, tail: Tail) -> Feat:
    who = [i for i in range(after.seats) if SIDE[after.seats, i] == tail.side]
    words = says("{n} tile", "{n} tiles", tail.length)
    return Feat(say("The longest tail"), who, tail.length, words)


def _ended(after: State, tail: Tail) -> Moment:
    """The tail of one devil, with what it scores and its way, or with the devil it met."""
    if tail.state == "met":
        other = LETTERS[tail.goal], int(owner(after, tail.goal))
        return Moment("met", (tail.letter, tail.side, *other))
    return Moment("run", (tail.letter, tail.side, tail.points, *way(tail.pieces, TAIL_BOX)))


def _counted(after: State) -> Moment:
    """The tail that brought most, its way, how many sides there are, and their points step by step."""
    best = max(tails(after), key=lambda tail: (tail.points, tail.length))
    points = [int(n) for n in side_points(after)]
    counts = [
        (points[side] if side < len(points) else 0) * step // COUNTING_STEPS
        for side in range(MOST_SIDES)
        for step in range(1, COUNTING_STEPS + 1)
    ]
    words = best.letter, best.side, *way(best.pieces, LONGEST_TAIL_BOX), f"of{len(points)}"
    return Moment("count", (*words, *counts))


# -- the scenes --------------------------------------------------------------------------------


WAVE = 150  # the length of one, and half a tile's edge
LINE_LEVEL = 235
COUNT_MILLISECONDS = 260  # milliseconds from one number to the next, where points are counted
MOODS = ("sly", "triumph", "sulk", "wild")
STAR = "M0 -92L20 -42L66 -70L48 -20L100 -12L56 18L84 64L32 50L18 100L-10 54L-52 82L-44 32L-98 26L-54 -6L-80 -52L-30 -40Z"  # noqa: E501


@cache
def scenes() -> Svg:
    """All scenes of the game."""
    parts = (
        element("clipPath", rect(112, 0, 188, 400), id="stage-left-half"),
        path(SPADE, id="stage-spade"),
        group(_tail(), id="stage-tail"),
    )
    return scene_file(MOODS, parts, _run(), _met(), _count())


def _tail() -> Svg:
    """A tail that comes from far left and has its spade at (0, 0)."""
    half = WAVE / 2
    bows = "".join(f"q{-half / 2} {58 if k % 2 else -58} {-half} 0" for k in range(12))
    way = "M0 0" + bows
    spade = use("spade", class_="run-spade", transform="translate(-14 0) rotate(90) scale(3.4)")
    return group(path(way, "run-edge"), path(way, "run-ink"), path(way, "run-core"), spade)


def _tiles() -> Svg:
    """A strip of triangles for the tail to run over."""
    ups = "".join(f"M{x} 330L{x + WAVE} 330L{x + WAVE / 2} 150Z" for x in range(-75, 600, WAVE))
    downs = "".join(f"M{x} 150L{x + WAVE} 150L{x + WAVE / 2} 330Z" for x in range(0, 600, WAVE))
    return group(path(ups, "run-tile"), path(downs, "run-tile"))


def _devil(
    x: float, words: int, moods: tuple[str, str], turns: int, flip: bool = False, y: float = 260
) -> Svg:
    """A devil with the letter and the colour that two words tell; his mood turns."""
    before, after = moods
    first = acted((Key(0), Key(turns), Key(turns + 1, shown=0)), use(f"head-{before}"))
    then = acted((Key(0, shown=0), Key(turns, shown=0), Key(turns + 1)), use(f"head-{after}"))
    # Flipped, the devil is mirrored, but not his letter.
    faces = group(first, then, transform="scale(-1.25 1.25)" if flip else "scale(1.25)")
    disc = placed(
        0,
        74,
        circle(0, 0, 33, "edge-fill"),
        circle(0, 0, 29, "seat-fill ink-line"),
        svg_text(0, 12, "", "seat-text", 36, data_put=words),
    )
    return placed(
        x,
        y,
        group(faces, class_="devil", data_put=words + 1),
        disc,
        data_put=words + 1,
    )


def _run() -> Svg:
    """The tail runs from its devil, the way it lies on the board; there stands what it scores."""
    bang = (
        Key(0, shown=0, wide=0.2, high=0.2),
        Key(650, shown=0, wide=0.2, high=0.2),
        Key(748, wide=1.15, high=1.15, turn=-8),
        Key(813, turn=-4),
        Key(943, turn=-4),
        Key(1170, wide=1.25, high=1.25, turn=8),
    )
    score = placed(
        300,
        342,
        acted(
            bang,
            path(STAR, "run-star"),
            svg_text(0, 28, "", "run-points", 82, data_put=2),
        ),
        scale=0.6,
    )
    return scene(
        "run",
        1170,
        845,
        # The way and the cells are words of the moment: they differ from game to game.
        *_laid(3, Key(0, wide=0), Key(65, wide=0), Key(650)),
        _devil(106, 0, ("sly", "triumph"), 680),
        score,
        heard="run 97;tile 656",
    )


def _laid(word: int, *running: Key) -> tuple[Svg, Svg]:
    """The cells that a tail crosses, and the tail as it runs: its way is one word, they the next."""
    line = {"data_act": steps(*running), "data_put": word, "pathLength": 1}
    inks = (path("M0 0", f"run-{ink} way", **line) for ink in ("edge", "ink", "core"))
    tail = group(*inks, class_="object", data_put=1)
    return path("M0 0", "run-tile", data_put=word + 1), tail


def _count() -> Svg:
    """The longest tail runs once more, and the points of all are counted."""
    scores = (_score(side) for side in range(MOST_SIDES))
    coins = ";".join(f"coin {COUNT_MILLISECONDS * k}" for k in range(1, COUNTING_STEPS + 1))
    return scene(
        "count",
        3600,
        2900,
        *_laid(2, Key(0, wide=0), Key(200, wide=0), Key(2300)),
        acted(swaying(170, 22, y=-9), _devil(106, 0, ("sly", "triumph"), 2350, y=196)),
        group(*scores, data_put=4),
        heard=f"run 200;{coins};tile 2350",
    )


def _score(side: int) -> Svg:
    """The points of a side, one number after the other."""
    first = 5 + COUNTING_STEPS * side
    numbers = []
    for k in range(COUNTING_STEPS):
        text = "0 shown0; 1 shown0; 2 wide1.15 high1.15; 120" + "; 260; 261 shown0" * (
            k < COUNTING_STEPS - 1
        )
        number = svg_text(52, 20, "", "run-score", 58, data_put=first + k)
        numbers.append(acted(keys(text, COUNT_MILLISECONDS * (k + 1)), number))
    disc = group(circle(0, 0, 27, "edge-fill"), circle(0, 0, 23, "seat-fill ink-line"))
    place = at(60 + 190 * side, 352)
    return group(disc, mark(side, 30), *numbers, class_=f"seat-{side}", transform=place)


def _met() -> Svg:
    """Two tails run at each other, bump, and shrink."""
    run = (
        Key(0, x=70),
        Key(65, x=70),
        Key(390, x=292),
        Key(442, x=250, wide=0.85),
        Key(520, x=268),
        Key(975, x=210, wide=0.75),
    )
    bang = (
        Key(0, shown=0, wide=0.2, high=0.2),
        Key(384, shown=0, wide=0.2, high=0.2),
        Key(455, wide=1.2, high=1.2, turn=-12),
        Key(715, turn=-6),
        Key(813, shown=0, wide=0.7, high=0.7),
    )

    # One half is drawn and mirrored; each is clipped, so that neither tail runs into the other's half.
    def side(words: int, flip: bool) -> Svg:
        tail = placed(0, LINE_LEVEL, acted(run, use("tail")), data_put=words + 1)
        clipped = group(tail, clip_path="url(#stage-left-half)")
        return group(clipped, transform="translate(600 0) scale(-1 1)" if flip else None)

    star = acted(bang, path(STAR, "run-star"), class_="object")
    return scene(
        "met",
        1040,
        494,
        _tiles(),
        side(0, flip=False),
        side(2, flip=True),
        _devil(106, 0, ("wild", "sulk"), 400),
        _devil(494, 2, ("wild", "sulk"), 400, flip=True),
        placed(300, LINE_LEVEL, star),
        heard="run 39;bump 383",
    )
