"""The places of the players of COALS: coal turned, stake, money, pact."""

from functools import cache, lru_cache
from typing import NamedTuple

from diablerie.art import marks, pieces, props
from diablerie.art.body import HANDS
from diablerie.art.cut import cut
from diablerie.art.svg import Svg, at, element, group, path, placed, rect, shortened, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say, says
from diablerie.games.coals.rules.state import DEVIL, VALUES
from diablerie.games.coals.ui.drawing.furnace import HEIGHT
from diablerie.games.coals.ui.drawing.settled import TOTAL, at_step, parts, settled, settled_round
from diablerie.games.coals.ui.drawing.symbols import face, lumps, use
from diablerie.games.coals.ui.log import Result
from diablerie.games.coals.ui.view import Player, View

PLACE_ROW = 122
PLACE_WIDTH = 292
PLACE_HEIGHT = 114
LONGEST_NAME = 13  # letters that fit
COAL_LEFT = 98
COAL_ROOM = 116


class Place(NamedTuple):
    """All that is shown of one player; `last` of the round that was settled last, its number."""

    seat: int
    own: Player
    mood: str
    first: bool
    turn: bool
    last: Result | None
    number: int
    next: int  # the round that is next


def hand(view: View, i: int, t: Translate) -> Svg:
    """The place of one player, two in a row, in order of the seats."""
    last = view.last[i] if settled(view) else None
    place = Place(
        seat=i,
        own=view.seats[i],
        mood=mood(view, i),
        first=view.first == i and not view.over,
        turn=view.turn == i,
        last=last,
        number=settled_round(view) if last else 0,
        next=view.round if last else 0,
    )
    return _hand(place, t)


@lru_cache(1024)
def _hand(place: Place, t: Translate) -> Svg:
    own = place.own
    i = place.seat
    state = "winner" if own.won else "turn" if place.turn else ""
    x = 4 + i % 2 * 300
    y = HEIGHT + i // 2 * PLACE_ROW
    return group(
        rect(0, 0, PLACE_WIDTH, PLACE_HEIGHT, "place", rx=10),
        _person(place, t),
        _coal(place, t),
        _stake(own, i, t),
        _pact(own, i, t),
        id=f"coals-place-{i}",
        data_player=i,
        class_=f"hand seat-{i} {state}".strip(),
        transform=at(x, y),
    )


def _person(place: Place, t: Translate) -> Svg:
    i = place.seat
    total = place.own.total
    short = shortened(t(say("{who}", who=i)), LONGEST_NAME)
    return group(
        placed(40, 74, use(f"head-{place.mood}"), scale=0.42, class_=f"devil seat-{i}"),
        placed(40, 96, marks.token(i, 11)),
        svg_text(80, 28, short, "place-name", 20),
        _first(t) if place.first else None,
        svg_text(282, 28, total, "place-total", 21) if total is not None else None,
    )


def mood(view: View, i: int) -> str:
    """The mood of a player's head, by what has happened to the player."""
    own = view.seats[i]
    if view.over:
        return "triumph" if own.won else "sulk"
    if own.busted:
        return "burnt"
    if view.betting:
        return "sly" if own.staked else "think"
    return "think" if view.turn == i else "grin"


def _first(t: Translate) -> Svg:
    """A small fork marks who began the round."""
    fork = placed(70, 89, props.fork(), scale=0.2)
    return group(element("title", t(say("Begins this round", "C6"))), fork)


# -- the coal ----------------------------------------------------------------------------------


def _coal(place: Place, t: Translate) -> Svg | None:
    if place.own.busted:
        return _burnt(place.seat, t)
    if place.own.pieces:
        return _turned(place.own, place.seat)
    return _result(place, place.last, t) if place.last else None


def _turned(own: Player, i: int) -> Svg:
    """What lies in front: up to four pieces in a row, more in two."""
    kinds = [kind for kind, count in enumerate(own.front) for _ in range(count)]
    spots = _layout(len(kinds))
    drawn = [
        group(
            face(kind),
            transform=at(*spots[n], 0, 1 if len(kinds) < 5 else 0.78),
            id=f"coals-front-{i}-{VALUES[kind]}-{kinds[:n].count(kind)}",
            data_enter="turn",
            data_heard="coal",
            data_move=True,
        )
        for n, kind in enumerate(kinds)
    ]
    return group(*drawn, svg_text(282, 67, own.coal, "place-coal", 27))


def _layout(count: int) -> list[tuple[float, float]]:
    if count < 5:
        return [(COAL_LEFT + 36 * n, 57) for n in range(count)]
    row = (count + 1) // 2
    step = min(29.0, COAL_ROOM / (row - 1))
    return [(COAL_LEFT - 4 + step * (n % row), 46 + 25 * (n // row)) for n in range(count)]


def _burnt(i: int, t: Translate) -> Svg:
    devil = placed(
        COAL_LEFT,
        58,
        face(DEVIL),
        scale=1.1,
        id=f"coals-burnt-{i}",
        data_enter="shock",
        data_heard="burn",
    )
    words = svg_text(124, 65, t(say("Burnt fingers", "C12")), "place-burnt", 20)
    return group(devil, words)


def _result(place: Place, last: Result, t: Translate) -> Svg:
    """The previous round: what was pulled, and what it brought, step by step and in all."""
    i = place.seat
    gain = last.gain
    sign, klass = ("+", "gain") if gain > 0 else ("−", "loss") if gain < 0 else ("±", "even")
    pulled = _ghosts(last.pieces) if last.pieces else None
    # Who burnt the fingers has nothing to show but the devil.
    if last.busted:
        pulled = placed(COAL_LEFT, 66, face(DEVIL), scale=0.8)
    return group(
        element("title", t(say("The previous round", "C17"))),
        pulled,
        svg_text(160, 72, last.coal, "place-last", 19) if last.pieces else None,
        parts(last, i, place.number),
        svg_text(
            282,
            67,
            f"{sign}{abs(gain)}",
            f"place-{klass}",
            25,
            id=f"coals-gain-{place.next}-{i}",
            **at_step(TOTAL),
        ),
        class_="result",
    )


def _ghosts(count: int) -> Svg:
    step = min(14.0, 44 / max(1, count - 1))
    return lumps([(COAL_LEFT - 6 + n * step, 66) for n in range(count)], 0.62)


# -- the money ---------------------------------------------------------------------------------


def _stake(own: Player, i: int, t: Translate) -> Svg | None:
    if not own.staked:
        return None
    label = element("title", t(say("Stake", "C7")))
    if own.stake is None:
        return group(
            label,
            _fist(),
            # Open it has another name, so that it appears anew when the fists open.
            id=f"coals-stake-{i}",
            data_enter="pop",
            data_heard="coal",
            transform=at(98, 98),
        )
    heap = pieces.chips(own.stake, 9.5, 6)
    number = svg_text(14 + _chips_width(own.stake), 7, own.stake, "place-stake", 21)
    return group(
        label,
        heap if own.stake else None,
        number,
        id=f"coals-stake-{i}-open",
        data_enter="pop",
        transform=at(90, 94),
    )


def _chips_width(amount: int) -> float:
    count = min(6, len(pieces.change(amount)))
    return (count - 1) * 9.5 * 0.9 if count else -22


@cache
def _fist() -> Svg:
    """A stake not shown yet is held in the fist."""
    knuckles = path("M-6 9l3 4M-1 10l2 5M4 9l3 4", "ink-fine")
    held = placed(9, 0, pieces.chips(10, 8))
    fist = group(held, cut(HANDS["fist"], "seat-fill", knuckles), class_="fist")
    return placed(0, -12, fist, turn=-24, scale=1.1)


def _pact(own: Player, i: int, t: Translate) -> Svg | None:
    if not own.pact:
        return None
    title: Line = say("Pact with the devil: 50 for every devil another player pulls", "C14")
    return group(
        element("title", t(title)),
        placed(0, -14, props.scroll(), scale=0.36),
        id=f"coals-pact-{i}",
        data_enter="pop",
        transform=at(258, 92),
    )


def ashes(view: View, t: Translate) -> Svg | None:
    """Where a last player would sit beside an odd one: the pieces set aside."""
    count = sum(view.aside)
    seats = len(view.seats)
    if seats % 2 == 0 or not count:
        return None
    spots = [(40 + n % 16 * 14 + n // 16 * 7, 42 + n // 16 * 13) for n in range(count)]
    words = t(says("{n} piece set aside", "{n} pieces set aside", count, "C23"))
    return group(
        lumps(spots, 0.62),
        element(
            "text", words, x=146, y=104, class_="place-note", text_anchor="middle", font_size=19
        ),
        class_="ashes",
        transform=at(304, HEIGHT + seats // 2 * PLACE_ROW),
    )
