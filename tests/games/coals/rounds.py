"""Rounds of COALS for the tests: laid out by hand, played by script."""

from collections.abc import Sequence

from diablerie.engine.match import Match
from diablerie.games.coals.rules.hidden import owned
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import FULL
from tests.scripts import opening, play


def laid(
    chips: Sequence[int],
    pacts: Sequence[int] = (),
    furnace: Sequence[int] = FULL,
    first: int = 0,
    **options: object,
) -> Match:
    """A match at the bets of a round, with this money and the pacts of these seats."""
    match = opening("coals", len(chips), **options)
    play(match, f"first {first}")
    s = match.state
    s.chips[: len(chips)] = chips
    s.furnace[:] = furnace
    for i, total in enumerate(chips):
        s.space[i] = space_of(s, total)
        s.pact[i] = i in pacts
    return match


def bets(*stakes: int) -> str:
    """The script of all bets, by seat."""
    return ", ".join(f"{seat} bet {stake}" for seat, stake in enumerate(stakes))


def turn(seat: int, *pieces: object) -> str:
    """The script of one player's turn: these pieces, then a stop unless the last is a devil."""
    pulls = [f"{seat} pull, coal {piece}" for piece in pieces]
    if pieces[-1] != "devil":
        pulls.append(f"{seat} stop")
    return ", ".join(pulls)


def played(match: Match, stakes: Sequence[int], *turns: str) -> Match:
    """The match after the bets and these turns."""
    return play(match, ", ".join([bets(*stakes), *turns]))


def totals(match: Match) -> list[int]:
    """Everybody's money, stakes included once they lie apart."""
    return [int(owned(match.state, i)) for i in range(match.seats)]


def pacts(match: Match) -> list[int]:
    """The seats that have a pact."""
    return [i for i in range(match.seats) if match.state.pact[i]]
