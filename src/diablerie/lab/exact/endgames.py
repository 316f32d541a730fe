"""Endgames of a game in which nothing is hidden: what bots lose there by each decision.

A bot plays whole games on all seats. Then every game is gone back over from its end, and each
decision is held against all that might have followed, as far back as the tree is small enough.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from rich.console import Group, RenderableType
from rich.table import Table as Rows
from rich.text import Text

import diablerie
from diablerie.bots.basic import Bot
from diablerie.bots.exact.tree import TooLarge, Tree
from diablerie.bots.spec import parse
from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.config import check_player
from diablerie.lab.errors import BadConfig
from diablerie.lab.exact.losses import mean
from diablerie.lab.exact.report import told
from diablerie.lab.intervals import Estimate

MOST = 20_000  # positions of a tree that are looked at
NOTE = (
    "Lost: by how much less utility (-1 to 1) the action was worth than the best one, when both "
    "sides then play as well as can be. From the end: how many actions and draws were left of the "
    "game as it was played. Intervals are 95 %, over decisions."
)


class Lost(msgspec.Struct, frozen=True):
    """What a bot lost by its decisions at one place before the end.

    node: what was decided; left: steps to the end, this one included; worse: the share of them
    that were not the best.
    """

    player: str
    node: str
    left: int
    decisions: int
    lost: Estimate
    worse: float


class Decision(msgspec.Struct, frozen=True):
    """One decision: how many steps before the end, what kind, what was lost."""

    left: int
    node: str
    lost: float


def endgames(game: str, player: str, options: Mapping[str, Any] | None = None, *, games: int,
             seed: int = 1, most: int = MOST,
             tell: Callable[[int], object] = int) -> list[Lost]:  # fmt: skip
    """What a bot loses in the endgames of so many games of two.

    most: positions of a tree, see `Tree`. Raises BadConfig for a game in which something is
    hidden, BadOption, BadSpec for what is no bot.
    """
    chosen = diablerie.game_named(game)
    start = chosen.start(2, options or {})
    if not chosen.perfect_information:
        raise BadConfig(say("{game} hides something: its endgames are no trees", game=chosen.title))
    check_player(player)
    bot, found = parse(player, imports=True).make(chosen), []
    for k in range(games):
        found += decisions(chosen, start, bot, seeded(seed * 1_000_003 + k), most)
        tell(k + 1)
    return _by_place(player, found)


def decisions(game: Game, start: Record, bot: Bot, rng: Rng, most: int) -> list[Decision]:
    """Play a game and judge its last decisions, the last one first."""
    steps, found, tree = _played(game, start.copy(), bot, rng), [], Tree(game, most=most)
    for left, (s, who, action) in enumerate(reversed(steps), start=1):
        if who == CHANCE:
            continue
        try:
            worth = tree.actions(s)
        except TooLarge:
            break
        sign = 1 if tree.for_first(s, who) else -1
        best = max(sign * x for x in worth.values())
        node = game.node(int(s.node)).name.lower()
        if len(worth) > 1:
            found.append(Decision(left, node, best - sign * worth[action]))
    return found


def _played(game: Game, s: Record, bot: Bot, rng: Rng) -> list[tuple[Record, int, int]]:
    steps, (out, p) = [], buffers(game)
    while (who := verbs.actor(s)) != OVER:
        if who == CHANCE:
            action = int(out[weighted(rng, p, verbs.chance(s, out, p))])
        else:
            action = int(bot.choose(redacted(s, who), who, rng))
        steps.append((s.copy(), who, action))
        verbs.apply(s, who, action)
    return steps


def _by_place(player: str, found: Sequence[Decision]) -> list[Lost]:
    places = sorted({(one.left, one.node) for one in found})
    return [_lost(player, left, node, found) for left, node in places]


def _lost(player: str, left: int, node: str, found: Sequence[Decision]) -> Lost:
    here = np.array([one.lost for one in found if (one.left, one.node) == (left, node)])
    return Lost(player, node, left, len(here), mean(here), float((here > 1e-9).mean()))


def report(game: str, found: Sequence[Lost]) -> RenderableType:
    """All of it as a table."""
    table = Rows()
    table.add_column("player", overflow="fold")
    for heading in ("decision", "from the end", "decisions", "lost", "not the best"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found:
        table.add_row(one.player, one.node, str(one.left), str(one.decisions), told(one.lost),
                      f"{one.worse:.0%}")  # fmt: skip
    title = Text(f"{game}, 2 seats, endgames", style="bold")
    return Group(title, table, Text(NOTE, style="dim"))
