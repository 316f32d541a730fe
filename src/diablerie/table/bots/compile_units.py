"""What is compiled of a game, in units: what play needs first is compiled first.

A match can begin when `TABLE` is compiled, its usual bots play after `BOTS`, what plays by a learnt
policy after `LEARNT`, and what searches after `SEARCH`. Units that do not build on each other are
compiled at the same time.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.game import Game, LevelParams
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import ENGLISH, Line, render_line
from diablerie.table.bots.compile_process import compiled_marker as compiled_marker
from diablerie.table.tables import BOTS, CHANCES, LEARNT, SEARCH
from diablerie.table.tables import TABLE_RULES as TABLE


class Unit(NamedTuple):
    """One part of a game's compiled code.

    work: compiles it, and yields `steps` times; after: the units that it builds on; seconds: how
    long it takes on an idle core of 2024.
    """

    work: Callable[[Game], Iterator[None]]
    steps: int
    seconds: float
    after: tuple[str, ...] = ()


def unit_marker(game: str, unit: str) -> Path:
    """The file that says that one unit of a game is in the cache."""
    return compiled_marker(game).with_suffix(f".{unit}")


def is_compiled(game: str, unit: str) -> bool:
    """Whether a unit of this version of a game is in the cache."""
    return compiled_marker(game).exists() or unit_marker(game, unit).exists()


def needed(unit: str) -> tuple[str, ...]:
    """The unit and all that it builds on, in the order of UNITS."""
    found, todo = set(), [unit]
    while todo:
        name = todo.pop()
        found.add(name)
        todo += UNITS[name].after
    return tuple(name for name in UNITS if name in found)


def tour(game: Game) -> Iterator[None]:
    """Call every function of a game that tables use, so that Numba compiles it."""
    for unit in UNITS.values():
        yield from unit.work(game)


def _named(*names: str) -> Callable[[Game], Iterator[None]]:
    """Compile these verbs, without calling them."""

    def work(game: Game) -> Iterator[None]:
        for name in names:
            getattr(game.state.verbs, name)
            yield

    return work


def _table(game: Game) -> Iterator[None]:
    """A match that begins, is told and drawn."""
    match = Match.new(game, seed=0)
    yield
    _play(match, lambda seat: match.actions(seat)[0], 30)
    yield
    _show(match)
    yield


def _glance(game: Game) -> Iterator[None]:
    """The look ahead that generic bots judge by."""
    yield from _judge(game, glance=True)


def _appraisal(game: Game) -> Iterator[None]:
    """The game's own judgement, where it has one."""
    if game.appraise:
        yield from _judge(game, glance=False)
    else:
        yield


def _judge(game: Game, glance: bool) -> Iterator[None]:
    match = Match.new(game, seed=0)
    seat, rng = match.actor or 0, seeded(0)
    FallibleBot(game, LevelParams(1), glance=glance).choose(redacted(match.state, seat), seat, rng)
    yield


def _bots(game: Game) -> Iterator[None]:
    match = Match.new(game, seed=0)
    rng = seeded(0)
    _play(match, lambda seat: verbs.advise(match.seen_by(seat), seat, rng), 60)
    _show(match)
    yield


def _search(game: Game) -> Iterator[None]:
    match = Match.new(game, seed=0)
    seat = match.actor or 0
    for tree in (False, True):
        SearchBot(game, n=10, tree=tree).think(redacted(match.state, seat), seat, seeded(0))
        yield


def _learnt(game: Game) -> Iterator[None]:
    """The learnt policy, where the strongest level plays by it."""
    if game.learnt:
        match = Match.new(game, seed=0)
        seat = match.actor or 0
        NetworkBot(game, n=2).think(redacted(match.state, seat), seat, seeded(0))
    yield


def _chances(game: Game) -> Iterator[None]:
    match = Match.new(game, seed=0)
    seat = match.actor or 0
    seen, action = redacted(match.state, seat), match.actions(seat)[0]
    Rollouts(game).chances(seen, seeded(0), 1, seat, action)
    yield


def _play(match: Match, choose: Callable[[int], int], decisions: int) -> None:
    for _ in range(decisions):
        seat = match.actor
        if seat is None:
            return
        match.play(match.game.notation.format_action(match.state, seat, choose(seat)), seat)


def _show(match: Match) -> None:
    for viewer in (verbs.WATCHER, 0):
        match.log(viewer), match.game.ui.draw(match.view(viewer), match.legal(), _plain)


def _plain(line: Line) -> str:
    return render_line(line, ENGLISH, lambda seat: f"player {seat + 1}")


# Measured for our four games, cold: see docs/speed.md
UNITS: Mapping[str, Unit] = {
    "moves": Unit(_named("apply", "chance", "actor", "pending", "witness", "redact"), 6, 5),
    "choices": Unit(_named("legal", "forbids"), 2, 3),
    "advice": Unit(_named("advise"), 1, 7),
    TABLE: Unit(_table, 3, 0.5, ("moves", "choices")),
    "values": Unit(_named("guess", "value", "returns"), 3, 3),
    "glance": Unit(_glance, 1, 2, ("moves", "choices", "advice", "values")),
    "appraisal": Unit(_appraisal, 1, 1, ("moves", "choices", "advice", "values")),
    BOTS: Unit(_bots, 1, 0.2, (TABLE, "glance", "appraisal")),
    LEARNT: Unit(_learnt, 1, 9, (BOTS,)),
    SEARCH: Unit(_search, 2, 15, (LEARNT,)),
    CHANCES: Unit(_chances, 1, 3, (BOTS,)),
}
STEPS = sum(UNITS[name].steps for name in needed(TABLE))  # until a match can begin
