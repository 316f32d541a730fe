"""Positions of UNDERWORLD in words: `board(2, "0 at w3", "B0 up at w2", "0 holds ABC")`.

What is not said: seat 0 is to move, disks stand in the corners and on the middle of two edges,
nobody has letters or devils, and unseen cards lie where they lie at the start.
"""

import re

import numpy as np

from diablerie.engine.match import Match
from diablerie.engine.record import copy
from diablerie.engine.replay import narrate
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games.underworld.rules.deck import clear, fix, loosen, put
from diablerie.games.underworld.rules.notation import CARD_NAMES, LETTER_NAMES, SPACE_NAMES
from diablerie.games.underworld.rules.play import cards
from diablerie.games.underworld.rules.state import ABSENT, ALL_LETTERS, IVY, UNSEEN, Node
from diablerie.games.underworld.rules.turns import begin
from tests.scripts import opening, play

STARTS = ("t1", "z7", "z1", "t7", "w1", "w7")


def space(name: str) -> int:
    return SPACE_NAMES.index(name)


def names(spaces: int) -> list[str]:
    return [SPACE_NAMES[i] for i in range(49) if spaces >> i & 1]


def board(seats: int, *words: str, turn: int = 0, **options: object) -> Match:
    """A match at the start of a turn."""
    match = opening("underworld", seats, **options)
    s = match.state
    s.disk[:seats] = [space(name) for name in STARTS[:seats]]
    for word in words:
        _arrange(s, word)
    s.first, s.turn = 0, turn
    begin(s)
    return match


def _arrange(s, word: str) -> None:
    for pattern, arrange in ARRANGE.items():
        if found := re.fullmatch(pattern, word):
            arrange(s, *found.groups())
            return
    raise ValueError(word)


def _stand(s, seat: str, where: str) -> None:
    s.disk[int(seat)] = space(where)


def _hold(s, seat: str, text: str) -> None:
    s.letters[int(seat)] = sum(1 << LETTER_NAMES.index(letter) for letter in text)


def _possess(s, seat: str) -> None:
    s.devil[int(seat)] = 1
    s.pegs -= 1


def _leave(s, seat: str) -> None:
    s.disk[int(seat)], s.letters[int(seat)] = ABSENT, ALL_LETTERS
    s.gone[int(seat)] = 1 + int((s.gone > 0).sum())


def _bare(s, where: str) -> None:
    """The card there moves to the ivy: there are always 42."""
    ivy = next(i for i in IVY if not (s.up | s.down) >> i & 1)
    s.card[ivy] = clear(s, space(where))
    s.down |= 1 << ivy


def _lay(s, card: str, side: str, where: str, seat: str | None) -> None:
    at, kind = space(where), CARD_NAMES.index(card)
    clear(s, at)
    fix(s, kind)
    s.card[at], s.known[at] = kind, 1 << int(seat) if seat else 0
    put(s, at, side == "up")


ARRANGE = {
    r"(\d) at (\w\d)": _stand,
    r"(\d) holds ([A-F]+)": _hold,
    r"(\d) possessed": _possess,
    r"(\d) left": _leave,
    r"bare (\w\d)": _bare,
    r"(\w+) (up|down) at (\w\d)(?: seen by (\d))?": _lay,
}


def open_all_but(match: Match, kept: str = "", loose: str = "") -> None:
    """Turn every card up, except the one at the space `kept`, which is to turn out as `loose`."""
    s = match.state
    if loose:
        fix(s, CARD_NAMES.index(loose))
    for where in range(49):
        if s.down >> where & 1 and SPACE_NAMES[where] != kept:
            _turn_any(s, where)
    if loose:
        loosen(s, CARD_NAMES.index(loose))


def _turn_any(s, where: int) -> None:
    out, p = np.empty(39, np.int64), np.empty(39)
    if s.card[where] == UNSEEN:
        cards(s, out, p)
        s.card[where] = out[0]
        fix(s, int(out[0]))
    put(s, where, True)


# -- what has come of it -----------------------------------------------------------------------


def told(match: Match, script: str, viewer: int = WATCHER) -> list[str]:
    """Play a script; the log's sentences for a viewer."""
    lines = []
    for word in script.split(","):
        before, notation = copy(match.state), match.game.notation
        play(match, word)
        seat, text = match.events[-1]
        if seat == CHANCE:
            number = notation.parse_outcome(before, text)
        else:
            number = notation.parse_action(before, seat, text)
        after = copy(match.state)
        lines += map(str, narrate(match.game, before, seat, number, after, viewer))
    return lines


def held(match: Match, seat: int) -> str:
    return "".join(x for i, x in enumerate(LETTER_NAMES) if match.state.letters[seat] >> i & 1)


def possessed(match: Match) -> list[int]:
    return [seat for seat in range(match.seats) if match.state.devil[seat]]


def gone(match: Match) -> list[int]:
    """The seats that have left, in that order."""
    left = [seat for seat in range(match.seats) if match.state.gone[seat]]
    return sorted(left, key=lambda seat: match.state.gone[seat])


def at(match: Match, seat: int) -> str:
    return SPACE_NAMES[match.state.disk[seat]]


def moves(match: Match) -> list[str]:
    """The spaces that the player can move to."""
    return [text.removeprefix("move ") for text in match.legal() if text.startswith("move")]


def node(match: Match) -> str:
    return Node(int(match.state.node)).name.lower()
