"""What is compiled of a game, in units: what play needs first is compiled first.

Matches and usual bots run compiled from `BOTS_UNIT` on, and are interpreted before; what plays by a
learnt policy plays after `LEARNT_UNIT`, and what searches after `SEARCH_UNIT`. Units that do not
build on each other are compiled at the same time.
"""

import fcntl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import NamedTuple

from diablerie.bots.basic import Bot
from diablerie.bots.levels import StrongestBot, learnt_sizes
from diablerie.bots.network_bot import NetworkBot
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.rollouts import Rollouts
from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.checked_files import is_whole, read_checked, write_checked
from diablerie.engine.code_files import used
from diablerie.engine.game import Game, LevelParams
from diablerie.engine.interpreted import PLAY_UNIT, rules
from diablerie.engine.match import Match
from diablerie.engine.numba_internals import base_of_code, signature_of_code
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.sources import cache_folder
from diablerie.engine.text import UserError
from diablerie.games import ALL

TABLE_UNIT = "table"
BOTS_UNIT = PLAY_UNIT
LEARNT_UNIT = "learnt"
SEARCH_UNIT = "search"
CHANCES_UNIT = "chances"
ODD_DECISIONS = 60
ODD_STRIDE = 7  # of the legal actions, so that in the end each kind is taken


class Unit(NamedTuple):
    """One part of a game's compiled code.

    work: compiles it, and yields `steps` times; after: the units that it builds on.
    """

    work: Callable[[Game], Iterator[None]]
    steps: int
    after: tuple[str, ...] = ()


def unit_marker(game: str, unit: str) -> Path:
    """The file that says that one unit of a game is in the cache, and in which files."""
    return cache_folder() / f"{game}.{unit}"


def mark_unit(game: str, unit: str) -> None:
    """Leave the mark, with the names of all code that this process has used. Raises OSError."""
    here = cache_folder()
    names = sorted(str(path.relative_to(here)) for path in used if path.is_relative_to(here))
    write_checked(unit_marker(game, unit), "\n".join(names).encode())


def compiled_units(games: Iterable[str]) -> set[tuple[str, str]]:
    """The units of these games whose code is in the cache, and whole: each file is looked at."""
    whole = cache(is_whole)
    return {(game, unit) for game in games for unit in UNITS if is_compiled(game, unit, whole)}


def is_compiled(game: str, unit: str, whole: Callable[[Path], bool] = is_whole) -> bool:
    """Whether the mark of a unit is there, and all the code that it names is `whole`."""
    names = read_checked(unit_marker(game, unit))
    if names is None:
        return False
    return all(whole(cache_folder() / name) for name in names.decode().splitlines())


def compile_unit(game: str, name: str) -> Iterator[int]:
    """Compile a unit of a game, yield how many of its steps are done, and leave its mark.

    Another process that wants it meanwhile waits. Raises OSError if nothing can be kept.
    """
    unit = UNITS[name]
    marker = unit_marker(game, name)
    with marker.with_suffix(f".{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        there = is_compiled(game, name)
        steps = range(unit.steps) if there else unit.work(ALL[game])
        if not there:
            for one in ALL.values():  # each compiled at its first use, and none interpreted
                verbs.compile_first(one.state)
        yield from (done for done, _ in enumerate(steps, 1))
        if not there:
            mark_unit(game, name)


def load_unit(game: str, name: str) -> None:
    """Load a unit that is compiled into this process, so that nobody waits for it later.

    Raises LookupError if it is not whole.
    """
    names = read_checked(unit_marker(game, name))
    if names is None:
        raise LookupError(name)
    by_file = {base_of_code(rule): rule for rule in rules()}
    for file in names.decode().splitlines():
        path = cache_folder() / file
        content = read_checked(path)
        if content is None:
            raise LookupError(file)
        rule = by_file.get(path.with_name(path.name.rsplit(".", 2)[0]))
        if rule is not None:  # else of a module that this process has not imported
            rule.compile(signature_of_code(content))


def take_over_play(game: Game) -> None:
    """Load what matches of a game and its usual bots are played by, and play by that from now on.

    Raises LookupError if it is not whole.
    """
    for unit in needed(BOTS_UNIT):
        load_unit(game.name, unit)
    compiled = verbs.CompiledVerbs(game.state.dtype)
    compiled.load()
    verbs.take_over(game.state, compiled)


def needed(unit: str) -> tuple[str, ...]:
    """The unit and all that it builds on, in the order of UNITS."""
    found = set()
    todo = [unit]
    while todo:
        name = todo.pop()
        found.add(name)
        todo += UNITS[name].after
    return tuple(name for name in UNITS if name in found)


def unit_of(bot: Bot, seats: int) -> str:
    """The unit of compiled code that a bot needs at a table of this size."""
    if isinstance(bot, StrongestBot):
        bot = bot.thinker(seats)
    if isinstance(bot, NetworkBot):
        return LEARNT_UNIT
    return SEARCH_UNIT if isinstance(bot, SearchBot) else BOTS_UNIT


def units_of_hints(game: Game, seats: int) -> tuple[str, str]:
    """The units that hints and analyses need at a table of this size."""
    return LEARNT_UNIT if seats in learnt_sizes(game) else SEARCH_UNIT, CHANCES_UNIT


def units_of_play(game: Game) -> list[str]:
    """The units that tables of any size need: all but a search that no level of the game asks for."""
    learnt = frozenset[int]()
    with suppress(UserError, OSError):  # of a damaged policy, which its bots will tell
        learnt = learnt_sizes(game)
    return [name for name in UNITS if name != SEARCH_UNIT or learnt < set(game.seats)]


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
    seat = match.actor or 0
    rng = seeded(0)
    FallibleBot(game, LevelParams(1), glance=glance).choose(redacted(match.state, seat), seat, rng)
    yield


def _bots(game: Game) -> Iterator[None]:
    match = Match.new(game, seed=0)
    rng = seeded(0)
    _play(match, lambda seat: verbs.advise(match.seen_by(seat), seat, rng), 60)
    _show(match)
    _show_oddities(game)
    yield


def _search(game: Game) -> Iterator[None]:
    match = Match.new(game, seed=0)
    seat = match.actor or 0
    SearchBot(game, n=10, tree=True).think(redacted(match.state, seat), seat, seeded(0))
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
    seen = redacted(match.state, seat)
    action = match.actions(seat)[0]
    Rollouts(game).chances(seen, seeded(0), 1, seat, action)
    yield


def _play(match: Match, choose: Callable[[int], int], decisions: int) -> None:
    for _ in range(decisions):
        seat = match.actor
        if seat is None:
            return
        match.play(match.game.notation.format_action(match.state, seat, choose(seat)), seat)


def _show_oddities(game: Game) -> None:
    """Draw decisions of all kinds: pages ask rules of theirs that good play seldom reaches."""
    match = Match.new(game, seed=0)
    number = count()

    def any_kind(seat: int) -> int:
        actions = match.actions(seat)
        return actions[ODD_STRIDE * next(number) % len(actions)]

    for _ in range(ODD_DECISIONS):
        _play(match, any_kind, 1)
        _show(match)


def _show(match: Match) -> None:
    for viewer in (verbs.WATCHER, 0):
        match.log(viewer), match.game.ui.draw(match.view(viewer), match.legal(), str)


UNITS: Mapping[str, Unit] = {
    "moves": Unit(_named("apply", "chance", "actor", "pending", "witness", "redact"), 6),
    "choices": Unit(_named("legal", "forbids"), 2),
    "advice": Unit(_named("advise"), 1),
    TABLE_UNIT: Unit(_table, 3, ("moves", "choices")),
    "values": Unit(_named("guess", "value", "returns"), 3),
    "glance": Unit(_glance, 1, ("moves", "choices", "advice", "values")),
    "appraisal": Unit(_appraisal, 1, ("moves", "choices", "advice", "values")),
    BOTS_UNIT: Unit(_bots, 1, (TABLE_UNIT, "glance", "appraisal")),
    LEARNT_UNIT: Unit(_learnt, 1, (BOTS_UNIT,)),
    SEARCH_UNIT: Unit(_search, 1, (BOTS_UNIT,)),
    CHANCES_UNIT: Unit(_chances, 1, (BOTS_UNIT,)),
}
