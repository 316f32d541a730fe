"""The places of the players of COALS (coal turned, stake, money, pact), and how a round was settled.

The slate stays until the furnace is opened again, for those who read slowly or missed it.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from diablerie.art import marks, pieces, props
from diablerie.art.cut import cut
from diablerie.art.devil import HANDS
from diablerie.art.svg import Svg, at, element, group, path, placed, rect, shortened, svg_text
from diablerie.engine.game import Translate
from diablerie.engine.text import Line, say, says
from diablerie.games.coals.rules.state import DEVIL, VALUES
from diablerie.games.coals.ui.drawing.furnace import HEIGHT
from diablerie.games.coals.ui.drawing.symbols import face, lumps, use
from diablerie.games.coals.ui.log import Result
from diablerie.games.coals.ui.view import Player, View, place_in_words

# -- how the previous round was settled, step by step ------------------------------------------


BEAT_MILLISECONDS = 1500  # from step to step
STAKES, DOUBLE, COAL, PIECES, TOTAL = range(1, 6)  # the beats
SLATE_LEFT = 86
SLATE_WIDTH = 428
SLATE_BOTTOM = 350
SLATE_LINE = 25


def settled(view: View) -> bool:
    """Whether the picture shows how the last round was settled."""
    return bool(view.last) and (view.betting or view.over)


def slate(view: View, t: Translate) -> Svg | None:
    """What was paid for, a line for each step."""
    return _slate(view.last, settled_round(view), t, view.over) if settled(view) else None


@lru_cache(64)
def _slate(last: tuple[Result, ...], number: int, t: Translate, over: bool) -> Svg:
    lines = list(_steps(last))
    high = SLATE_LINE * len(lines) + 10
    return group(
        rect(SLATE_LEFT, SLATE_BOTTOM - high, SLATE_WIDTH, high, "slate", rx=8),
        *(_row(number, k, step, t(line), len(lines)) for k, (step, line) in enumerate(lines)),
        id=f"coals-slate-{number}",
        data_pacer=None if over else 0,  # at the end nobody waits for the podium
        data_reader=True,
        data_word=t(say("Continue")),
    )


def _row(number: int, k: int, step: int, words: str, rows: int) -> Svg:
    y = SLATE_BOTTOM - 10 - SLATE_LINE * (rows - 1 - k)
    return group(
        svg_text(SLATE_LEFT + SLATE_WIDTH / 2, y, words, "slate-text", 19, text_anchor="middle"),
        id=f"coals-slate-{number}-{step}",
        **at_step(step),
    )


def _steps(last: tuple[Result, ...]) -> Iterator[tuple[int, Line]]:
    best = max(own.coal for own in last)
    yield STAKES, say("Stakes up to {best} are paid", "C17", best=best)
    if any(own.double for own in last):
        yield DOUBLE, say("The highest stake pays double", "C18")
    for step, amounts, words in (
        (COAL, [own.most_coal for own in last], say("The most coal: {n}", "C19", n=0)),
        (PIECES, [own.most_pieces for own in last], say("The most pieces: {n}", "C19", n=0)),
    ):
        if amount := max(amounts):
            yield step, words._replace(values={"n": amount})


def at_step(step: int) -> dict[str, object]:
    """Attributes by which the script shows an element when it comes to a step."""
    return {"data_enter": "pop", "data_beat": step, "data_delay": (step - 1) * BEAT_MILLISECONDS}


def parts(own: Result, i: int, number: int, y: int) -> Svg:
    """What each step of a round brought one seat, in a row."""
    x = 82.0
    drawn = []
    for step, amount in (
        (DOUBLE if own.double else STAKES, own.paid),
        (COAL, own.most_coal),
        (PIECES, own.most_pieces),
    ):
        if amount:
            words = f"{'+' if amount > 0 else '−'}{abs(amount)}"
            id_ = f"coals-part-{number}-{i}-{step}"
            drawn.append(svg_text(x, y, words, "place-part", 18, id=id_, **at_step(step)))
            x += 11 * len(words) + 8
    return group(*drawn)


def settled_round(view: View) -> int:
    """The number of the round that was settled last."""
    return view.round - (not view.over)


# -- the places of the players -----------------------------------------------------------------


PLACE_WIDTH = 292
PLACE_GAP = 8
LONGEST_NAME = 13  # letters that fit
COAL_LEFT = 98
COAL_ROOM = 116


class Card(NamedTuple):
    """How high a place is, and how far down in it things stand."""

    high: int
    name: int
    coal: int
    sum: int
    head: int
    scale: float  # of the head
    token: int
    wide_stake: bool  # a line of its own for the stake and the pact; else there is less room


CARD = Card(114, name=28, coal=57, sum=67, head=74, scale=0.42, token=96, wide_stake=True)
# Three rows of them leave room for the question on a phone.
LOW_CARD = Card(82, name=22, coal=50, sum=56, head=53, scale=0.34, token=68, wide_stake=False)
MOST_HIGH = 4  # players


def card(view: View) -> Card:
    """What the players' places are like."""
    return CARD if len(view.seats) <= MOST_HIGH else LOW_CARD


def places_height(view: View) -> int:
    """What all rows of places take."""
    return (len(view.seats) + 1) // 2 * (card(view).high + PLACE_GAP)


def _row_top(view: View, i: int) -> int:
    return HEIGHT + i // 2 * (card(view).high + PLACE_GAP)


class Place(NamedTuple):
    """All that is shown of one player; `last` of the round that was settled last, its number."""

    card: Card
    top: int

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
        card=card(view),
        top=_row_top(view, i),
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
    state = "turn" if place.turn else ""
    if own.won:
        state = "winner"
    x = 4 + i % 2 * 300
    seen = group(
        rect(0, 0, PLACE_WIDTH, place.card.high, "place", rx=10),
        _person(place, t),
        _coal(place, t),
        _stake(place, t),
        _pact(place, t),
        aria_hidden="true",
    )
    return group(
        seen,
        role="img",
        aria_label=t(place_in_words(i, own)),
        id=f"coals-place-{i}",
        data_player=i,
        class_=f"hand seat-{i} {state}".strip(),
        transform=at(x, place.top),
    )


def _person(place: Place, t: Translate) -> Svg:
    i = place.seat
    card = place.card
    total = place.own.total
    head = use(f"head-{place.mood}")
    short = shortened(t(say("{who}", who=i)), LONGEST_NAME)
    return group(
        placed(40, card.head, head, scale=card.scale, class_=f"devil seat-{i}"),
        placed(40, card.token, marks.token(i, 11)),
        svg_text(80, card.name, short, "place-name", 20),
        _first(card, t) if place.first else None,
        svg_text(282, card.name, total, "place-total", 21) if total is not None else None,
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


def _first(card: Card, t: Translate) -> Svg:
    """A small fork marks who began the round."""
    fork = placed(70, card.token - 7, props.fork(), scale=0.2)
    return group(element("title", t(say("Begins this round", "C6"))), fork)


# -- the coal ----------------------------------------------------------------------------------


def _coal(place: Place, t: Translate) -> Svg | None:
    if place.own.busted:
        return _burnt(place, t)
    if place.own.pieces:
        return _turned(place.own, place.seat, place.card)
    return _result(place, place.last, t) if place.last else None


def _turned(own: Player, i: int, card: Card) -> Svg:
    """What lies in front: up to four pieces in a row, more in two."""
    kinds = [kind for kind, count in enumerate(own.front) for _ in range(count)]
    spots = _layout(len(kinds), card.coal)
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
    return group(*drawn, svg_text(282, card.sum, own.coal, "place-coal", 27))


def _layout(count: int, y: int) -> list[tuple[float, float]]:
    if count < 5:
        return [(COAL_LEFT + 36 * n, y) for n in range(count)]
    row = (count + 1) // 2
    step = min(29.0, COAL_ROOM / (row - 1))
    return [(COAL_LEFT - 4 + step * (n % row), y - 11 + 25 * (n // row)) for n in range(count)]


def _burnt(place: Place, t: Translate) -> Svg:
    y = place.card.coal
    devil = placed(
        COAL_LEFT,
        y + 1,
        face(DEVIL),
        scale=1.1,
        id=f"coals-burnt-{place.seat}",
        data_enter="shock",
        data_heard="burn",
    )
    words = svg_text(124, place.card.sum - 2, t(say("Burnt fingers", "C12")), "place-burnt", 20)
    return group(devil, words)


def _result(place: Place, last: Result, t: Translate) -> Svg:
    """The previous round: what was pulled, and what it brought, step by step and in all."""
    i = place.seat
    y = place.card.coal
    gain = last.gain
    sign = "±"
    klass = "even"
    if gain:
        sign, klass = ("+", "gain") if gain > 0 else ("−", "loss")
    pulled = _ghosts(last.pieces, y + 9) if last.pieces else None
    # Who burnt the fingers has nothing to show but the devil.
    if last.busted:
        pulled = placed(COAL_LEFT, y + 9, face(DEVIL), scale=0.8)
    return group(
        element("title", t(say("The previous round", "C17"))),
        pulled,
        svg_text(160, y + 15, last.coal, "place-last", 19) if last.pieces else None,
        parts(last, i, place.number, y - 7),
        svg_text(
            282,
            place.card.sum,
            f"{sign}{abs(gain)}",
            f"place-{klass}",
            25,
            id=f"coals-gain-{place.next}-{i}",
            **at_step(TOTAL),
        ),
        class_="result",
    )


def _ghosts(count: int, y: int) -> Svg:
    step = min(14.0, 44 / max(1, count - 1))
    return lumps([(COAL_LEFT - 6 + n * step, y) for n in range(count)], 0.62)


# -- the money ---------------------------------------------------------------------------------


def _stake(place: Place, t: Translate) -> Svg | None:
    own = place.own
    i = place.seat
    wide = place.card.wide_stake
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
            transform=at(98, 98) if wide else at(264, 80, 0, 0.72),
        )
    most = 6 if wide else 3
    heap = pieces.chips(own.stake, 9.5, most)
    left = 14 + _chips_width(own.stake, most)
    number = svg_text(left, 7, own.stake, "place-stake", 21)
    return group(
        label,
        heap if own.stake else None,
        number,
        id=f"coals-stake-{i}-open",
        data_enter="pop",
        transform=at(90, 94) if wide else at(280 - left - 13 * len(str(own.stake)), 70),
    )


def _chips_width(amount: int, most: int) -> float:
    count = min(most, len(pieces.change(amount)))
    return (count - 1) * 9.5 * 0.9 if count else -22


@cache
def _fist() -> Svg:
    """A stake not shown yet is held in the fist."""
    knuckles = path("M-6 9l3 4M-1 10l2 5M4 9l3 4", "ink-fine")
    held = placed(9, 0, pieces.chips(10, 8))
    fist = group(held, cut(HANDS["fist"], "seat-fill", knuckles), class_="fist")
    return placed(0, -12, fist, turn=-24, scale=1.1)


def _pact(place: Place, t: Translate) -> Svg | None:
    if not place.own.pact:
        return None
    title: Line = say("Pact with the devil: 50 for every devil another player pulls", "C14")
    return group(
        element("title", t(title)),
        placed(0, -14, props.scroll(), scale=0.36),
        id=f"coals-pact-{place.seat}",
        data_enter="pop",
        transform=at(258, 92) if place.card.wide_stake else at(204, 21, 0, 0.66),
    )


def ashes(view: View, t: Translate) -> Svg | None:
    """Where a last player would sit beside an odd one: the pieces set aside."""
    count = sum(view.aside)
    seats = len(view.seats)
    if seats % 2 == 0 or not count:
        return None
    top = card(view).high - 72
    spots = [(40 + n % 16 * 14 + n // 16 * 7, top + n // 16 * 13) for n in range(count)]
    words = t(says("{n} piece set aside", "{n} pieces set aside", count, "C23"))
    return group(
        lumps(spots, 0.62),
        element(
            "text",
            words,
            x=146,
            y=top + 62,
            class_="place-note",
            text_anchor="middle",
            font_size=19,
        ),
        class_="ashes",
        transform=at(304, _row_top(view, seats)),
    )
