"""The games of a tournament in order, and how those of one that was extended go on."""

from collections.abc import Sequence

from diablerie.lab.config import Config
from diablerie.lab.pairing import Fixture, Stage, fixtures, mixed_tables, round_robin


def schedule(config: Config, before: Sequence[Config] = ()) -> list[Fixture]:
    """Every game of a tournament, in order.

    before: what it was until it was extended, the oldest first. Their games come first, so that
    they keep their numbers and dice; more games of the same players are the same as if they had
    been asked for at once.
    """
    stages = [Stage(len(one.players), one.games) for one in (*before, config)]
    if config.mixed:
        tables = mixed_tables(stages, config.sides, config.seed)
    else:
        tables = round_robin(stages)
    return list(fixtures(tables, config.teams))
