"""A training by self-play: its config, rounds of learning, evaluations, and files to go on with."""

import io
import time
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import msgspec
import numpy as np

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.files import write_whole
from diablerie.engine.foreign_json import read_json
from diablerie.engine.game import Game
from diablerie.engine.text import UserError, say
from diablerie.lab.running.errors import BadConfig, BadFile
from diablerie.lab.running.matches import CheckedBot, bot_failure, exception_line
from diablerie.lab.running.run import Interrupted, Progress, no_progress, stopped_by_ctrl_c
from diablerie.lab.running.settings import (
    StudyConfig,
    option_texts,
    origin,
    settled,
    split_specs,
)
from diablerie.lab.running.study import check_writable, different_field
from diablerie.lab.statistics import Estimate, share_estimate, win_shares
from diablerie.learning.actors import ADVICE, PAST, Member, Opponent, PlaysByPolicy
from diablerie.learning.learner import Learner
from diablerie.learning.settings import TrainingSettings
from diablerie.learning.weights import (
    POLICY_FORMAT,
    PolicyFile,
    pack_policy,
    policy_bytes,
    policy_named,
)

CHECKPOINT_FORMAT = 4
OWN_POLICY = "own"  # names the policy that comes with the game


class TrainingConfig(StudyConfig, frozen=True):
    """A game, and how it is learnt. The settings name all options, sizes of tables and shares."""

    checkpoint: int  # the format of the file
    settings: TrainingSettings

    @property
    def opponent(self) -> str:
        """The specs of the bots that it is measured against: all but its past selves."""
        return ", ".join(one for one in self.settings.against if one != PAST) or ADVICE

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
    """A checked config.

    given: settings but for `begin`, of which `share` may be one number, and `against` one text.

    Raises BadConfig, BadOption, or BadSpec for `against`.
    """
    chosen = diablerie.game_named(game)
    seats = given.get("seats") or chosen.seats[:1]
    # Every size of table has to bear the options; the texts are the same for all.
    for size in seats:
        options = option_texts(chosen, size, given.get("options", {}))
    given |= {"seats": seats, "options": options}
    if isinstance(share := given.get("share"), int | float):
        given["share"] = (share,)
    if isinstance(against := given.get("against"), str):
        given["against"] = split_specs(against)
    if begin:
        given |= {"begin": begin.sha256, "hidden": begin.hidden}
    settings = settled(TrainingSettings, given)
    _check_opponents(settings)
    if len(settings.share) not in (1, len(seats)):
        raise BadConfig(say("name one share for all sizes of tables, or one for each"))
    if min(settings.share) < 1.0 and not settings.against:
        raise BadConfig(say("share counts games against a bot: name the bot as against"))
    return TrainingConfig(**origin(chosen), checkpoint=CHECKPOINT_FORMAT, settings=settings)


def _check_opponents(settings: TrainingSettings) -> None:
    """Raise BadSpec or BadConfig unless these bots can play, now rather than after a rollout."""
    for spec in settings.against:
        if spec != PAST:
            parse_bot(spec, imports=True)
    if settings.weights and len(settings.weights) != len(settings.against):
        raise BadConfig(say("name one weight for each bot to learn against"))
    if settings.weights and not sum(settings.weights):
        raise BadConfig(say("one of the weights must be more than 0"))


EVALUATION_SEED = 20_000_003  # of the dice: the same at each evaluation


class Evaluation(msgspec.Struct, frozen=True):
    """What was measured at one time. share: of the win against the opponent; fair: that of luck."""

    decisions: int
    seats: int
    share: Estimate
    fair: float
    entropy: float  # of the policy, in nats
    processor: float  # seconds of learning until then


class TrainingResult(msgspec.Struct, frozen=True):
    """The summary of a training so far."""

    config: TrainingConfig
    decisions: int
    games: int
    processor: float  # seconds of processor time that learning took, evaluations left out
    curve: list[Evaluation]

    @property
    def speed(self) -> float:
        """Decisions learnt a second of processor time."""
        return self.decisions / self.processor if self.processor else 0.0

    @property
    def last(self) -> list[Evaluation]:
        """The last evaluation for each number of seats."""
        return self.curve[-len(self.config.sizes) :]


class TrainingStopped(Interrupted):
    """Ctrl-C ended a training early. summary: of what was learnt so far."""

    counted = "decisions"


def opponents_of(config: TrainingConfig) -> list[Member]:
    """Who has the other seats, in the order of `against`."""
    return [
        one if one in (ADVICE, PAST) else partial(opponent_named, one, config.rules)
        for one in config.settings.against
    ]


def opponent_named(spec: str, game: Game) -> Opponent:
    """A bot of this spec, whose actions are checked unless compiled code plays for it.

    Raises BotFailure for a class of a user that cannot be made.
    """
    try:
        bot = parse_bot(spec, imports=True).make(game)
    except (UserError, KeyboardInterrupt):
        raise
    except BaseException as error:  # another's code may fail in any way, or end the program
        raise bot_failure(spec, exception_line(error)) from error
    return bot if isinstance(bot, PlaysByPolicy) else CheckedBot(spec, game, bot)


class Training:
    """A learner, its curve and its files. Raises BadFile if the checkpoint is of another training.

    begin: the policy to begin with, if the config names one. workers: the most threads, one if left
    out. command: is noted in the file of the policy; page: written at each evaluation, by `draw`.
    """

    def __init__(
        self,
        config: TrainingConfig,
        begin: PolicyFile | None = None,
        *,
        checkpoint: Path | None = None,
        out: Path | None = None,
        workers: int | None = None,
        command: str = "",
        page: Path | None = None,
        draw: Callable[[TrainingResult, str], str] | None = None,
    ) -> None:
        for path in (checkpoint, out, page):
            if path:
                check_writable(path)
        self.config = config
        self.settings = config.settings
        self.checkpoint = checkpoint
        self.out = out
        self.command = command
        self.page = page
        self.draw = draw
        first = begin.unpacked() if begin else None
        opponents = opponents_of(config)
        self.learner = Learner(
            config.rules, self.settings, workers or 1, opponents=opponents, begin=first
        )
        self.curve: list[Evaluation] = []
        self.processor = 0.0
        self.entropy = 0.0
        # What was begun with counts for the first run alone: a checkpoint has weights of its own.
        if checkpoint and checkpoint.exists():
            self._load(checkpoint)

    def run(self, progress: Progress = no_progress) -> TrainingResult:
        """Learn all decisions. Raises TrainingStopped after Ctrl-C; the files are written then, too."""
        halt = Event()
        with stopped_by_ctrl_c(halt):
            self._learn(halt, progress)
            self.save()
            self.learner.close()
        if not self.learner.done:
            raise TrainingStopped(self.learner.decisions, self.settings.decisions, self.summary())
        return self.summary()

    def _learn(self, halt: Event, progress: Progress) -> None:
        learner = self.learner
        total = self.settings.decisions
        progress(min(learner.decisions, total), total)
        while not learner.done and not halt.is_set():
            began = time.process_time()
            self.entropy = learner.round()
            self.processor += time.process_time() - began
            due = len(self.curve) // len(self.config.sizes) + 1
            if learner.decisions * self.settings.evaluations >= due * total:
                self.evaluate()
            progress(min(learner.decisions, total), total)

    def evaluate(self) -> None:
        """Measure the network against its opponents, and write the files."""
        for seats in self.config.sizes:
            self.curve.append(self.measured(seats, self.settings.games, EVALUATION_SEED))
        self.save()

    def measured(self, seats: int, games: int, seed: int) -> Evaluation:
        """What the network wins now in so many games, on the dice of this seed."""
        teams = self.config.rules.teams(seats)
        returns = self.learner.evaluate(seats, games, seed)
        game = np.arange(games)
        share = share_estimate(win_shares(returns, teams)[game, game % seats])
        point = self.learner.decisions, seats, share, 1 / len(set(teams))
        return Evaluation(*point, self.entropy, self.processor)

    def summary(self) -> TrainingResult:
        """What is learnt so far."""
        done = self.learner.decisions, self.learner.games
        return TrainingResult(self.config, *done, self.processor, list(self.curve))

    def status(self) -> str:
        """How it stands, for a line of progress."""
        shares = ", ".join(f"{one.seats}: {one.share.value:.1%}" for one in self.summary().last)
        return f"entropy {self.entropy:.2f} nats; wins {shares}" if shares else ""

    # -- files -------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write all files, each whole or not at all. Raises OSError."""
        if self.out:
            write_whole(self.out, policy_bytes(self.policy()))
        if self.checkpoint:
            head = msgspec.json.encode(_Head(self.summary(), self.entropy))
            packed = io.BytesIO()
            arrays = self.learner.state()
            np.savez(packed, head=np.frombuffer(head, np.uint8), **arrays)  # type: ignore[arg-type]
            write_whole(self.checkpoint, packed.getvalue())
        if self.page and self.draw and self.curve:
            write_whole(self.page, self.draw(self.summary(), self.command).encode())

    def policy(self) -> PolicyFile:
        """The file of what is learnt so far."""
        config = self.config
        figures = {"entropy": round(self.entropy, 4)} | {
            f"wins against {config.opponent}, {one.seats} seats": round(one.share.value, 4)
            for one in self.summary().last
        }
        return PolicyFile(
            POLICY_FORMAT,
            config.diablerie,
            config.game,
            config.version,
            self.command,
            config.sizes,
            self.learner.decisions,
            figures,
            *self.settings.hidden,
            pack_policy(self.learner.flat),
        )

    def _load(self, file: Path) -> None:
        """Go on from a checkpoint."""
        try:
            with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as kept:
                arrays = dict(kept)
            head = read_json(arrays.pop("head").tobytes(), _Head)
            theirs = head.summary.config
            # of two settings the sentence names the one that differs, rather than all of them
            other = different_field(theirs.settings, self.settings)
            other = other or different_field(theirs, self.config)
            if not other:
                self.learner.restore(arrays)
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            raise BadFile(say("{file} holds no training ({why})", file=file, why=error)) from error
        if other:
            raise BadFile(say("{file} is of another training: {why}", file=file, why=other))
        self.curve = head.summary.curve
        self.processor = head.summary.processor
        self.entropy = head.entropy


class _Head(msgspec.Struct):
    summary: TrainingResult
    entropy: float
