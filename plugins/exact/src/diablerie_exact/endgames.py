"""Endgames of a game with perfect information: what bots lose there by each decision.

A bot plays whole games on all seats. Then each decision, from the last one backwards, is compared
with the values of the game tree below it, as long as the tree is small enough.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from rich.console import RenderableType

import diablerie
from diablerie.bots.basic import Bot
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded, weighted
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.lab.html.page import SummaryTable, format_estimate, terminal_report
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.run import Progress, no_progress
from diablerie.lab.running.settings import check_players
from diablerie.lab.statistics import Estimate, mean_estimate
from diablerie_exact.tree import TooLarge, Tree

MAX_POSITIONS = 20_000  # of a tree
ENDGAME_NOTE = (
    "Lost: by how much less utility (-1 to 1) the action was worth than the best one, when both "
    "sides then play as well as can be. From the end: how many actions and draws were left of the "
    "game as it was played. Intervals are 95 %, over decisions."
)


class EndgameLoss(msgspec.Struct, frozen=True):
    """What a bot lost by its decisions at one distance from the end.

    node: the kind of decision; left: steps to the end, this one included; worse: the share of
    decisions that were not the best.
    """

    player: str
    node: str
    left: int
    decisions: int
    lost: Estimate
    worse: float


class JudgedDecision(msgspec.Struct, frozen=True):
    """One decision: its distance from the end in steps, its kind, and the utility it lost."""

    left: int
    node: str
    lost: float


def endgame_losses(
    game: str,
    player: str,
    options: Mapping[str, Any] | None = None,
    *,
    games: int,
    seed: int = 1,
    most: int = MAX_POSITIONS,
    progress: Progress = no_progress,
) -> list[EndgameLoss]:
    """What a bot loses in the endgames of so many games of two.

    most: positions of a tree, see `Tree`. Raises BadConfig for a game with hidden information,
    BadOption, and BadSpec or BadConfig if `player` is no spec of a bot.
    """
    chosen = diablerie.game_named(game)
    start = chosen.start(2, options or {})
    if not chosen.perfect_information:
        raise BadConfig(say("{game} hides something: its endgames are no trees", game=chosen.title))
    check_players([player])
    bot = parse_bot(player, imports=True).make(chosen)
    judged = []
    for k in range(games):
        # More games begin with the same ones; those of other seeds lie far from them.
        judged += judge_decisions(chosen, start, bot, seeded(seed * 1_000_003 + k), most)
        progress(k + 1, games)
    places = sorted({(one.left, one.node) for one in judged})
    return [_loss(player, left, node, judged) for left, node in places]


def judge_decisions(
    game: Game, start: Record, bot: Bot, rng: Rng, most: int
) -> list[JudgedDecision]:
    """Play a game and judge its last decisions, the last one first."""
    steps = _play(game, start.copy(), bot, rng)
    judged = []
    tree = Tree(game, most=most)
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
            judged.append(JudgedDecision(left, node, best - sign * worth[action]))
    return judged


def _play(game: Game, s: Record, bot: Bot, rng: Rng) -> list[tuple[Record, int, int]]:
    steps = []
    out, p = buffers(game)
    while (who := verbs.actor(s)) != OVER:
        if who == CHANCE:
            action = int(out[weighted(rng, p, verbs.chance(s, out, p))])
        else:
            action = int(bot.choose(redacted(s, who), who, rng))
        steps.append((s.copy(), who, action))
        verbs.apply(s, who, action)
    return steps


def _loss(player: str, left: int, node: str, judged: Sequence[JudgedDecision]) -> EndgameLoss:
    lost = np.array([one.lost for one in judged if (one.left, one.node) == (left, node)])
    mean = mean_estimate(lost, single=float("inf"))
    worse = float((lost > 1e-9).mean())
    return EndgameLoss(player, node, left, len(lost), mean, worse)


def endgame_tables(game: str, losses: Sequence[EndgameLoss]) -> RenderableType:
    """The losses as a table for a terminal."""
    rows = [
        (
            one.player,
            one.node,
            str(one.left),
            str(one.decisions),
            format_estimate(one.lost),
            f"{one.worse:.0%}",
        )
        for one in losses
    ]
    head = "player", "decision", "from the end", "decisions", "lost", "not the best"
    table = SummaryTable("players", head, rows, names=2)
    title = f"{game}, 2 seats, endgames"
    return terminal_report(title, [table], ENDGAME_NOTE, endgame_finding(losses))


def endgame_finding(losses: Sequence[EndgameLoss]) -> str:
    """What was found, in a sentence: how much each bot loses with a decision near the end."""
    players = dict.fromkeys(one.player for one in losses)
    found = []
    for player in players:
        own = [one for one in losses if one.player == player]
        decisions = sum(one.decisions for one in own)
        mean = sum(one.decisions * one.lost.value for one in own) / decisions
        found.append(f"{player} loses {mean:.4f} a decision")
    return f"Near the end, against exact play: {', '.join(found)}." if found else ""
