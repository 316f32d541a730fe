"""What kind of games these are: lengths and numbers of choices, by random and by advised play."""

import numpy as np

from bench.timing import note
from diablerie.engine import verbs
from diablerie.engine.game import Game
from diablerie.engine.queries import chance_outcomes, legal_actions
from diablerie.engine.rng import below, seeded, weighted
from diablerie.engine.verbs import CHANCE, OVER
from diablerie.games import OURS

PLAYED = 40  # games, with the fewest seats


def statistics() -> None:
    """A line of the table in docs/research.md for each game."""
    note("games for two: means of each game's decisions, choices and outcomes of chance")
    for game in OURS:
        for advised in (False, True):
            rows = np.array([of_one(game, seed, advised) for seed in range(PLAYED)])
            decisions, choices, _, draws = rows.mean(axis=0)
            note(
                f"{game.name}, {'advised' if advised else 'random'}: {decisions:.0f} decisions, "
                f"{choices:.1f} choices (most {rows[:, 2].max():.0f}), {draws:.0f} outcomes"
            )


def of_one(game: Game, seed: int, advised: bool) -> tuple[float, ...]:
    """Decisions, mean and greatest number of choices, and outcomes of chance in one game."""
    rng, s = seeded(seed), game.start(game.seats[0])
    widths, draws = [], 0
    while (who := verbs.actor(s)) != OVER:
        if who == CHANCE:
            found, p = chance_outcomes(game, s)
            verbs.apply(s, who, found[weighted(rng, np.array(p), len(p))])
            draws += 1
            continue
        possible = legal_actions(game, s, who)
        widths.append(len(possible))
        seen = s.copy()
        verbs.redact(seen, who)
        action = verbs.advise(seen, who, rng) if advised else possible[below(rng, len(possible))]
        verbs.apply(s, who, action)
    return len(widths), float(np.mean(widths)), max(widths), draws
