"""What each level decides, how walks go, and whether an old database is upgraded.

The same questions for Numba's rules and for WebAssembly.
"""

import shutil
from contextlib import closing

from diablerie.bots.levels import LEVELS
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.rng import seeded
from diablerie.engine.walk import walk
from diablerie.site.pages import Pages

STEP = 5  # decisions from one position to the next


def decisions(
    game: Game, positions: int, seats: int | None = None, seed: int = 1
) -> list[list[int]]:
    """The actions of all levels at so many positions of matches whose dice follow from a seed."""
    found = list[list[int]]()
    bots = [level.make(game) for level in LEVELS]
    match, made = Match.new(game, seats=seats, seed=seed), 0
    while len(found) < positions:
        seat = match.actor
        if seat is None:
            match = Match.new(game, seats=seats, seed=seed + len(found))
            continue
        if made % STEP == 0:
            chosen = [bot.choose(match.seen_by(seat), seat, seeded(seed + made)) for bot in bots]
            found.append([int(action) for action in chosen])
        advised = verbs.advise(match.seen_by(seat), seat, seeded(seed + made))
        match.play(game.notation.format_action(match.state, seat, advised), seat)
        made += 1
    return found


def walks(game: Game, seats: int, seed: int, options: dict[str, str]) -> list[str]:
    """The lines of a walk."""
    return list(walk(game, game.start(seats, options), seed))


def games(game: Game, database: str) -> list[str]:
    """The tables of this game in a copy of a database, which may be of an earlier version."""
    copy = shutil.copy(database, "copy.db")
    with closing(Pages(str(copy))) as pages:
        assert not pages.set_aside
        lives = map(pages.authority.live, pages.store.all())
        return [live.id for live in lives if live.game is game]
