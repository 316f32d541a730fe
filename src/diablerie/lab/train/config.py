"""The config of a training by self-play: all that fixes the weights that are learnt."""

from typing import Any

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import StudyConfig, option_texts, origin, settled
from diablerie.learning.learner import ADVICE
from diablerie.learning.settings import TrainingSettings
from diablerie.learning.weights import PolicyFile, policy_named

CHECKPOINT_FORMAT = 3
OWN_POLICY = "own"  # names the policy that comes with the game


class TrainingConfig(StudyConfig, frozen=True):
    """A game, and how it is learnt. The settings name all options, sizes of tables and shares."""

    checkpoint: int  # the format of the file
    settings: TrainingSettings

    @property
    def opponent(self) -> str:
        """The spec of the bot that it is measured against."""
        return self.settings.against or ADVICE

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of tables that are measured, each once."""
        return tuple(dict.fromkeys(self.settings.seats))


def policy_to_begin_with(game: str, named: str) -> PolicyFile | None:
    """The policy of a file, or `own`: that which comes with the game; "": none.

    Raises as `policy_named`.
    """
    chosen = diablerie.game_named(game)
    return policy_named(chosen, "" if named == OWN_POLICY else named) if named else None


def training_config(game: str, begin: PolicyFile | None = None, **given: Any) -> TrainingConfig:
    """A checked config. given: settings, of which `share` may be one number; but for `begin`.

    Raises BadConfig, BadOption, or BadSpec for `against`.
    """
    chosen = diablerie.game_named(game)
    seats = given.get("seats") or chosen.seats[:1]
    for size in seats:
        options = option_texts(chosen, size, given.get("options", {}))
    given |= {"seats": seats, "options": options}
    if isinstance(share := given.get("share"), int | float):
        given["share"] = (share,)
    if begin:
        given |= {"begin": begin.sha256, "hidden": begin.hidden}
    settings = settled(TrainingSettings, given)
    if settings.against:
        parse_bot(settings.against, imports=True)
    if len(settings.share) not in (1, len(seats)):
        raise BadConfig(say("name one share for all sizes of tables, or one for each"))
    if min(settings.share) < 1.0 and not settings.against:
        raise BadConfig(say("share counts games against a bot: name the bot as against"))
    return TrainingConfig(**origin(chosen), checkpoint=CHECKPOINT_FORMAT, settings=settings)
