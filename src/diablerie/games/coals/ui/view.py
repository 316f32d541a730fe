"""What one seat sees of COALS, typed, and what is told of it in few words."""

from collections.abc import Sequence

import msgspec

from diablerie.engine.text import Line, say
from diablerie.engine.verbs import EVERYTHING
from diablerie.games.coals.rules.hidden import is_open, owned
from diablerie.games.coals.rules.notation import KIND_NAMES
from diablerie.games.coals.rules.settling import space_of
from diablerie.games.coals.rules.state import UNSET, Node, State
from diablerie.games.coals.ui.log import Result, results, winners


class Player(msgspec.Struct, frozen=True):
    """One seat; money is None where C16 hides it, the stake where C7 does."""

    total: int | None
    chips: int | None
    stake: int | None
    staked: bool
    front: tuple[int, ...]  # pieces turned, by kind
    coal: int
    pieces: int
    busted: bool
    pact: bool
    space: int  # of the pawn, as in the state
    won: bool


class View(msgspec.Struct, frozen=True):
    """The table as `viewer` sees it. Tuples of 7 are by kind of piece."""

    node: str
    round: int
    first: int
    turn: int | None
    furnace: tuple[int, ...]  # pieces left
    full: tuple[int, ...]  # pieces of a full furnace
    aside: tuple[int, ...]
    marks: tuple[int, ...]
    goal: int
    goal_space: int
    viewer: int
    seats: tuple[Player, ...]
    last: tuple[Result, ...]  # empty before any round is settled

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.node == "over"

    @property
    def betting(self) -> bool:
        """Whether stakes are being made."""
        return self.node == "bet"


def look(s: State, viewer: int) -> View:
    """The table as `viewer`, a seat, WATCHER or EVERYTHING, sees it, from a redacted state."""
    aside = s.full - s.furnace - s.front.sum(axis=0)
    won = winners(s) if s.node == Node.OVER else []
    return View(
        node=Node(s.node).name.lower(),
        round=s.rounds,
        first=s.first,
        turn=s.turn if s.node in (Node.PULL, Node.COAL) else None,
        furnace=tuple(s.furnace.tolist()),
        full=tuple(s.full.tolist()),
        aside=tuple(aside.tolist()),
        marks=tuple(mark for mark in s.marks.tolist() if mark),
        goal=s.goal,
        goal_space=int(space_of(s, s.goal)),
        viewer=viewer,
        seats=_players(s, viewer, won),
        last=results(s) if s.last_stake[0] != UNSET else (),
    )


def _players(s: State, viewer: int, won: Sequence[int]) -> tuple[Player, ...]:
    # Fields are read once, for each look at one takes its time.
    chips, stakes, fronts, coal = (x.tolist() for x in (s.chips, s.stake, s.front, s.coal))
    pieces, busted, pacts, spaces = (x.tolist() for x in (s.pieces, s.busted, s.pact, s.space))
    players = []
    for i in range(s.seats):
        known = viewer == EVERYTHING or is_open(s, i, viewer)
        player = Player(
            total=int(owned(s, i)) if known else None,
            chips=chips[i] if known else None,
            stake=stakes[i] if stakes[i] >= 0 else None,
            staked=stakes[i] != UNSET,
            front=tuple(fronts[i]),
            coal=coal[i],
            pieces=pieces[i],
            busted=bool(busted[i]),
            pact=bool(pacts[i]),
            space=spaces[i],
            won=i in won,
        )
        players.append(player)
    return tuple(players)


def sketch(view: View) -> str:
    """The position in a few lines of text."""
    kinds = "  ".join(f"{n}×{name}" for n, name in zip(view.furnace, KIND_NAMES, strict=True))
    lines = [f"round {view.round}, {view.node}", f"furnace: {kinds}"]
    for i, own in enumerate(view.seats):
        mark = "→" if i == view.turn else " "
        total = "?" if own.total is None else own.total
        stake = own.stake if own.stake is not None else "hidden" if own.staked else "-"
        front = "busted" if own.busted else f"{own.coal} in {own.pieces}"
        pact = "  pact" if own.pact else ""
        lines.append(f"{mark} {i}  total {total}  stake {stake}  coal {front}{pact}")
    return "\n".join(lines)


def panel(view: View, seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = view.seats[seat]
    lines = []
    if own.total is not None:
        lines.append(say("{total} in total", total=own.total))
    if own.stake is not None:
        lines.append(say("staked {stake}", stake=own.stake))
    elif own.staked:
        lines.append(say("has staked"))
    if own.pact:
        lines.append(say("pact with the devil", "C22"))
    return lines
