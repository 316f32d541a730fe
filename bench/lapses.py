"""How badly the levels err: what their choices are worth beside the best, by a closer look.

Every level plays games against itself, beside the levels of former times, which played a share of
their decisions at random. At every decision all actions are judged on many guesses; a lapse is a
choice that is worse than the best by so many returns (-1 to 1).
"""

from collections.abc import Iterator

from bench.timing import note
from diablerie.bots.basic import Bot
from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.spec import parse_bot
from diablerie.engine import verbs
from diablerie.engine.game import Game, LevelParams
from diablerie.engine.playout import buffers, playout
from diablerie.engine.queries import redacted
from diablerie.engine.rng import Rng, seeded
from diablerie.games import OURS

LARGE = 0.2  # returns: such a lapse throws away a tenth of the chance to win, with two players
GUESSES, GAMES = 48, 4
FORMER = {  # the shares of random decisions that the first three levels had
    "coals": (0.8, 0.3, 0.15),
    "tails": (0.95, 0.52, 0.2),
    "underworld": (0.75, 0.4, 0.2),
    "kitchen": (0.75, 0.4, 0.15),
}
LEVELS = ("imp", "devil", "archdevil")


def losses(game: Game, bot: Bot, rng: Rng) -> Iterator[float]:
    """What every choice of one game with two seats loses, by a closer look at all actions."""
    judge = FallibleBot(game, LevelParams(GUESSES))
    s, (out, p) = game.start(2), buffers(game)
    while (seat := verbs.actor(s)) != verbs.OVER:
        if seat == verbs.CHANCE:
            playout(s, rng, out, p, 1)
            continue
        seen = redacted(s, seat)
        action = bot.choose(seen, seat, rng)
        if verbs.legal(s, seat, out) > 1:
            actions, worth = judge.judge(seen, seat, rng)
            yield float(worth.max() - worth[list(actions).index(action)])
        verbs.apply(s, seat, action)


def table() -> None:
    """For each game and level: mean loss, share of large lapses and the worst, then and now."""
    for game in OURS:
        for level, share in zip(LEVELS, FORMER[game.name], strict=True):
            for spec in (f"sensible:epsilon={share}", level):
                rng = seeded(1)
                lost = [
                    x for _ in range(GAMES) for x in losses(game, parse_bot(spec).make(game), rng)
                ]
                large = sum(x > LARGE for x in lost) / len(lost)
                note(
                    f"{game.name:11} {level:10} {spec:22} {len(lost):5} decisions, "
                    f"mean loss {sum(lost) / len(lost):.3f}, "
                    f"above {LARGE}: {large:6.1%}, worst {max(lost):.2f}"
                )
