"""The config of a training by self-play: all that fixes the weights that are learnt."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.text import UserError, say
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import (
    StudyConfig,
    check_bounds,
    check_seed,
    option_texts,
    origin,
)
from diablerie.learning.learner import ADVICE
from diablerie.learning.settings import SHARDS, LearnerSettings
from diablerie.learning.weights import PolicyFile, bundled_policy, read_policy

POLICY_TRAINING_FORMAT = 2  # of the file that a training goes on with
OWN = "own"  # names the policy that comes with the game


class PolicyTrainingConfig(StudyConfig, frozen=True):
    """A game, how it is learnt, and how that is measured on the way."""

    policy_training: int  # the format of the file
    learner: LearnerSettings
    looks: int
    games: int  # of a look, for each number of seats
    best: bool = False  # whether the policy of the best look is kept, not the last one

    @property
    def opponent(self) -> str:
        """The spec of the bot that it is measured against."""
        return self.learner.against or ADVICE

    @property
    def specs(self) -> tuple[str, ...]:
        """See `StudyConfig`."""
        return (self.learner.against,) if self.learner.against else ()

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that are measured, each once."""
        return tuple(dict.fromkeys(self.learner.seats))


BOUNDS: dict[str, tuple[float, float]] = {
    "decisions": (1, 10**12),
    "wide": (1, 1024),
    "narrow": (1, 1024),
    "round": (64 * SHARDS, 2**20),
    "passes": (1, 100),
    "batches": (1, 1000),
    "rate": (0.0, 1.0),
    "entropy": (0.0, 10.0),
    "trace": (0.0, 1.0),
    "longest": (0.0, 1e6),
    "looks": (1, 1000),
    "games": (2, 1_000_000),
}


def policy_to_begin_with(game: str, named: str) -> PolicyFile | None:
    """The policy of a file, or `own`: that which comes with the game; "": none.

    Raises BadPolicy, UserError where no policy comes with the game, and OSError.
    """
    chosen = diablerie.game_named(game)
    if not named:
        return None
    found = bundled_policy(chosen) if named == OWN else read_policy(Path(named), chosen)
    if found is None:
        raise UserError(
            say("{game} comes without a learnt policy: name a file.", game=chosen.title)
        )
    return found


def policy_training_config(
    game: str,
    *,
    seats: tuple[int, ...],
    options: Mapping[str, str],
    looks: int,
    games: int,
    against: str = "",
    begin: PolicyFile | None = None,
    best: bool = False,
    share: float | tuple[float, ...] = 1.0,
    **settings: Any,
) -> PolicyTrainingConfig:
    """A checked config; see `train` for the parameters.

    Raises BadConfig, BadOption, or BadSpec for `against`.
    """
    chosen = diablerie.game_named(game)
    if against:
        parse_bot(against, imports=True)
    if begin:
        settings |= {"begin": begin.sha256, "wide": begin.wide, "narrow": begin.narrow}
    tables = seats or chosen.seats[:1]
    for value in tables:
        texts = option_texts(chosen, value, options)
    shares = share if isinstance(share, tuple) else (share,)
    learner = LearnerSettings(
        seats=tables, options=texts, against=against, share=shares, **settings
    )
    check_seed(learner.seed)
    for what, (low, high) in BOUNDS.items():
        value = {"looks": looks, "games": games}.get(what, getattr(learner, what, 0))
        check_bounds(what, value, low, high)
    for one in shares:
        check_bounds("share", one, 0.0, 1.0)
    if len(shares) not in (1, len(tables)):
        raise BadConfig(say("name one share for all sizes of tables, or one for each"))
    if min(shares) < 1.0 and not against:
        raise BadConfig(say("share counts games against a bot: name the bot as against"))
    return PolicyTrainingConfig(
        **origin(chosen),
        policy_training=POLICY_TRAINING_FORMAT,
        learner=learner,
        looks=looks,
        games=games,
        best=best,
    )
