"""What cannot be a position of KITCHEN: bytes from outside are held against this first.

Plain Python, but for what the end is told by, since rules trust their state.
"""

from collections.abc import Iterator
from typing import Any

from diablerie.engine.record import Record
from diablerie.games.kitchen.rules.board import (
    CELLS,
    COLOURS,
    GRILLS,
    SPACES,
    STARTS,
)
from diablerie.games.kitchen.rules.lookup import colour_of
from diablerie.games.kitchen.rules.state import (
    BANISHED,
    CARDS,
    DEVILS,
    DICE,
    GOAL,
    HAND,
    LAST_TURN,
    LOST,
    MILK,
    NONE,
    POTS,
    SECRET,
    SIGNS,
    UNSET,
    Duel,
    Node,
)
from diablerie.games.kitchen.rules.turns import ten_possible

PIPS = (0, max(max(dice) for dice in DICE))
BURSTS = 2**15 - 2  # what the field holds, less the press to come

RANGES = {
    "node": (Node.MENU, Node.DEFEND),
    "seats": (2, COLOURS),
    "turn": (0, COLOURS - 1),
    "first": (0, COLOURS - 1),
    "stove": (2, 20),
    "points": (0, max(sum(dice) for dice in DICE)),
    "extra": (0, 1),
    "wings": (0, 1),
    "obliged": (NONE, DEVILS - 1),
    "mover": (NONE, DEVILS - 1),
    "duel": (Duel.NONE, Duel.LOST),
    "attacker": (0, COLOURS - 1),
    "fighter": (0, DEVILS - 1),
    "foe_colour": (0, COLOURS - 1),
    "foe": (0, DEVILS - 1),
    "burst": (0, BURSTS),
    "turns": (0, LAST_TURN - 1),
    "dice": PIPS,
    "devil": (BANISHED, CELLS - 1),
    "cap": (0, 1),
    "pot": (min(HAND, -2), CELLS - 1),
    "card": (SECRET, max(CARDS)),
    "score": (0, GOAL - 1),  # K32
    "winner": (0, 0),
}
FIXED = ("seats", "stove")


def flaw(s: Record, first: Record) -> str:
    """Why a state, whose fields are in their ranges, is no position; "" if it is one.

    first: the first state of a game with these seats and options.
    """
    flaws = _setting_up(s, first) if s.node in (Node.MENU, Node.POT) else _flaws(s, first)
    return next(flaws, "")


def colours(s: Record) -> list[int]:
    """The colours that are played, by seat."""
    return [int(colour_of(s, seat)) for seat in range(s.seats)]


def own(array: Any, colour: int) -> list[int]:
    """What an array by pot holds for the pots of a colour."""
    return [int(x) for x in array[SIGNS * colour : SIGNS * (colour + 1)]]


def _setting_up(s: Record, first: Record) -> Iterator[str]:
    """K8 to K10: beside menus, pots and who begins nothing has changed yet."""
    made = first.copy()
    made.card, made.pot = s.card, s.pot
    if s.node == Node.POT:
        made.node, made.first, made.turn = s.node, s.first, s.turn
    if made.data != s.data:
        yield "more than menus and pots before the first roll (K8 to K10)"
    chosen = [set(own(s.card, c)) != {UNSET} for c in colours(s)]
    if all(chosen) != (s.node == Node.POT):
        yield "whether all menus are chosen (K8)"
    for seat, c in enumerate(colours(s)):
        if chosen[seat] and not _menu(own(s.card, c)):
            yield "a menu (K8)"
    yield from _others(s, first, ("card", "pot"), SIGNS)
    yield from _putting(s, first)


def _putting(s: Record, first: Record) -> Iterator[str]:
    """K10."""
    seats = int(s.seats)
    if s.node == Node.MENU and (s.pot != first.pot).any():
        yield "pots are put after the menus (K10)"
    if max(s.turn, s.first) >= seats:
        yield "a seat that there is not"
    put = [[at for at in own(s.pot, c) if at != HAND] for c in colours(s)]
    if any(at not in SPACES for pots in put for at in pots):
        yield "a pot that is on no cooking place (K10)"
    if any(len(set(pots)) != len(pots) for pots in put):
        yield "two pots of a colour on one place (K10)"
    ahead = (int(s.turn) - int(s.first)) % seats  # so many have put one more than the others
    for seat in range(seats):
        more = (seat - int(s.first)) % seats < ahead
        if s.node == Node.POT and len(put[seat]) != len(put[s.turn]) + more:
            yield "whose turn it is to put a pot (K10)"


def _others(s: Record, first: Record, names: tuple[str, ...], each: int) -> Iterator[str]:
    """Nobody has touched what belongs to colours that nobody plays."""
    for c in set(range(COLOURS)) - set(colours(s)):
        for name in names:
            mine = slice(each * c, each * (c + 1))
            if (getattr(s, name)[mine] != getattr(first, name)[mine]).any():
                yield f"{name} of a colour that nobody plays (K7)"


def _flaws(s: Record, first: Record) -> Iterator[str]:
    if s.node not in (Node.MOVE, Node.DEFEND):
        yield "nobody is to decide there"
    if max(s.turn, s.first, s.attacker) >= s.seats:
        yield "a seat that there is not"
    yield from _others(s, first, ("card", "pot"), SIGNS)
    yield from _others(s, first, ("cap", "score"), 1)
    yield from _pots(s)
    yield from _neutral(s, first)
    yield from _devils(s)
    if not ten_possible(s):
        yield "the game is over (K33)"
    if tuple(int(x) for x in s.dice) not in DICE:
        yield "dice that cannot be thrown (K2)"
    if s.points > s.dice.sum():
        yield "more points than were thrown (K13)"
    yield from _asked(s) if s.node == Node.DEFEND else _moving(s)


def _menu(cards: list[int]) -> bool:
    """K8: each card once, or not for everybody's eyes."""
    known = [card for card in cards if card != SECRET]
    return len(set(known)) == len(known) and set(known) <= set(CARDS)


def _pots(s: Record) -> Iterator[str]:
    grills = [GRILLS[c] for c in colours(s)]
    for c in colours(s):
        if not _menu(own(s.card, c)):
            yield "a menu (K8)"
        if any(at not in SPACES and at not in grills for at in own(s.pot, c)):
            yield "a pot where none can be (K10, K14)"
    for c in colours(s):
        served = [pot for pot in range(POTS) if s.pot[pot] == GRILLS[c]]
        mine = sum(pot // SIGNS == c for pot in served)
        if any(s.card[pot] == SECRET for pot in served):
            yield "a card drawn that nobody sees (K29)"
        if s.score[c] != sum(int(s.card[pot]) for pot in served):
            yield "the points of what was served (K29)"
        if mine == len(served) > 2:
            yield "three own pots first (K28)"
        milk = sum(s.card[pot] == MILK for pot in served)
        if [int(at) for at in s.devil[c]].count(BANISHED) != milk:
            yield "devils thrown out for milk (K31)"


def _neutral(s: Record, first: Record) -> Iterator[str]:
    """K7, K12, K26."""
    for c in set(range(COLOURS)) - set(colours(s)):
        for d in range(DEVILS):
            if s.devil[c, d] not in (first.devil[c, d], LOST):
                yield "devils of a colour that nobody plays (K12)"


def _devils(s: Record) -> Iterator[str]:
    for c in colours(s):
        at = [int(x) for x in s.devil[c]]
        if any(x >= 0 and x != STARTS[c] and x not in SPACES for x in at):
            yield "a devil where none can be (K14, K30)"
        if any(x == LOST and s.cap[c, d] for d, x in enumerate(at)):
            yield "a devil lost with its cap (K24)"
        if at.count(LOST) == DEVILS:
            yield "the last devil is not lost (K24)"
    if sum(bool((s.devil[c] >= 0).any()) for c in colours(s)) < 2:
        yield "the game is over (K33)"
    if not (s.devil[colours(s)[s.turn]] >= 0).any():
        yield "a turn without devils (K33)"
    yield from _standing(s)


def _standing(s: Record) -> Iterator[str]:
    """K15, K19: who may share a place."""
    mine = colours(s)[s.turn]
    walks = (mine, int(s.obliged)) if s.obliged != NONE else None
    meets = (mine, int(s.mover)) if s.node == Node.DEFEND else None
    everyone = [(c, d) for c in range(COLOURS) for d in range(DEVILS)]
    stand = [int(s.devil[who]) for who in everyone if who not in (walks, meets)]
    if any(stand.count(at) > 1 for at in stand if at in SPACES):
        yield "two devils on a place (K15, K19)"
    if walks and not (
        s.obliged == s.mover and s.points and not s.extra and s.node == Node.MOVE
        and s.devil[walks] in SPACES
        and [int(x) for x in s.devil[mine]].count(int(s.devil[walks])) == 2
    ):  # fmt: skip
        yield "which devil has to walk on (K15)"


def _asked(s: Record) -> Iterator[str]:
    """K19: a duel, before anybody has pressed."""
    mine = colours(s)[s.turn]
    fresh = s.duel == Duel.ASKED and not (s.burst or s.extra or s.wings)
    if not fresh or s.attacker != s.turn or s.fighter != s.mover:
        yield "whose duel it is (K19)"
    if s.foe_colour == mine or s.foe_colour not in colours(s):
        yield "whose devil is challenged (K19, K26)"
    if s.devil[s.foe_colour, s.foe] != s.devil[mine, s.fighter] or (
        s.devil[mine, s.fighter] not in SPACES
    ):
        yield "where the duel is (K19)"


def _moving(s: Record) -> Iterator[str]:
    """K13, K16, K22."""
    mine = colours(s)[s.turn]
    if s.duel in (Duel.ASKED, Duel.FOUGHT):
        yield "a duel is not over (K21)"
    if bool(s.extra) != (s.duel == Duel.WON) or (
        s.extra and (s.attacker != s.turn or s.fighter != s.mover or s.devil[mine, s.mover] < 0)
    ):
        yield "who has a point for a duel won (K22)"
    if s.wings and (s.points or s.extra or s.dice.any()):
        yield "two wings (K16)"
    if not (s.points or s.extra or s.wings):
        yield "no points left (K13)"
