"""A training by self-play: rounds of learning, looks at what is learnt, and files to go on with."""

import io
import time
import zipfile
import zlib
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from diablerie.bots.spec import parse_bot
from diablerie.engine.text import say
from diablerie.lab.running.errors import BadFile, write_whole
from diablerie.lab.running.results_file import check_writable
from diablerie.lab.running.study import stopped_by_ctrl_c
from diablerie.lab.running.terminal import Progress, no_progress
from diablerie.lab.simulate.columns import win_shares
from diablerie.lab.statistics import Estimate, share_estimate
from diablerie.lab.train.config import PolicyTrainingConfig
from diablerie.learning.learner import ADVICE, Learner
from diablerie.learning.rivals import MakeRival
from diablerie.learning.weights import POLICY_FORMAT, PolicyFile, pack_policy, policy_bytes

LOOK_SEED = 20_000_003  # of the dice of a look's games: the same at each look


class PolicyLook(msgspec.Struct, frozen=True):
    """What was measured at one time. share: of the win against the opponent; fair: that of luck."""

    decisions: int
    seats: int
    share: Estimate
    fair: float
    entropy: float  # of the policy, in nats
    processor: float  # seconds of learning until then


class PolicyTrainingResult(msgspec.Struct, frozen=True):
    """The summary of a training so far."""

    config: PolicyTrainingConfig
    decisions: int
    games: int
    processor: float  # seconds of processor time that learning took, looks left out
    curve: list[PolicyLook]

    @property
    def speed(self) -> float:
        """Decisions learnt a second of processor time."""
        return self.decisions / self.processor if self.processor else 0.0

    @property
    def last(self) -> list[PolicyLook]:
        """The last look for each number of seats."""
        return self.curve[-len(self.config.sizes) :] if self.curve else []

    @property
    def kept(self) -> list[PolicyLook]:
        """The look at the policy that is kept: the last one, or with `config.best` the best.

        The best is the first of the looks that win most at the size of table where they win least,
        counted in fair shares.
        """
        size = len(self.config.sizes)
        looks = [self.curve[at : at + size] for at in range(0, len(self.curve), size)]
        return max(looks, key=least_share) if self.config.best and looks else self.last


def least_share(look: list[PolicyLook]) -> float:
    """The wins of a look in fair shares (1 is luck), at the size of table with the fewest."""
    return min(one.share.value / one.fair for one in look)


class TrainingStopped(Exception):
    """Ctrl-C ended a training early. summary: of what was learnt so far."""

    def __init__(self, summary: PolicyTrainingResult) -> None:
        done, of = summary.decisions, summary.config.learner.decisions
        super().__init__(str(say("stopped after {done} of {of} decisions", done=done, of=of)))
        self.summary = summary


def rival_of(config: PolicyTrainingConfig) -> MakeRival | None:
    """Makes the bots that it is measured against; None if that is the game's advice."""
    if config.opponent == ADVICE:
        return None
    return partial(parse_bot(config.opponent, imports=True).make, config.rules)


class PolicyTraining:
    """A learner, its curve and its files. Raises BadFile if `file` is of another training.

    begin: the policy to begin with, if the config names one. workers: the most threads, one if left
    out. command: is noted in the file of the policy; page: written at each look, by `draw`.
    """

    def __init__(
        self,
        config: PolicyTrainingConfig,
        *,
        begin: PolicyFile | None = None,
        file: Path | None = None,
        out: Path | None = None,
        workers: int | None = None,
        command: str = "",
        page: Path | None = None,
        draw: Any = None,
    ) -> None:
        for path in (file, out, page):
            if path:
                check_writable(path)
        self.config, self.file, self.out, self.command = config, file, out, command
        self.page, self.draw = page, draw
        first = begin.unpacked() if begin else None
        self.learner = Learner(
            config.rules, config.learner, workers or 1, rival=rival_of(config), begin=first
        )
        self.curve: list[PolicyLook] = []
        self.best = self.learner.flat.copy()  # the weights of the best look
        self.processor, self.entropy = 0.0, 0.0
        if file and file.exists():
            self._load(file)

    def run(self, progress: Progress = no_progress) -> PolicyTrainingResult:
        """Learn all decisions. Raises TrainingStopped after Ctrl-C; the files are written then, too."""
        halt = _Halt()
        with stopped_by_ctrl_c(halt):
            self._learn(halt, progress)
            self.save()
            self.learner.close()
        if not self.learner.done:
            raise TrainingStopped(self.summary())
        return self.summary()

    def _learn(self, halt: "_Halt", progress: Progress) -> None:
        learner, total = self.learner, self.config.learner.decisions
        progress(min(learner.decisions, total), total)
        while not learner.done and not halt.stopped:
            began = time.process_time()
            self.entropy = learner.round().entropy
            self.processor += time.process_time() - began
            if self._due():
                self.look()
            progress(min(learner.decisions, total), total)

    def _due(self) -> bool:
        """Whether the next look is due."""
        config, looked = self.config, len(self.curve) // len(self.config.sizes)
        return self.learner.decisions * config.looks >= (looked + 1) * config.learner.decisions

    def look(self) -> None:
        """Measure the network against the advice or its rivals, and write the files."""
        games = self.config.games
        for seats in self.config.sizes:
            teams = self.config.rules.teams(seats)
            returns = self.learner.measure(seats, games, LOOK_SEED)
            game = np.arange(len(returns))
            share = share_estimate(win_shares(returns, teams)[game, game % seats])
            point = self.learner.decisions, seats, share, 1 / len(set(teams))
            self.curve.append(PolicyLook(*point, self.entropy, self.processor))
        result = self.summary()
        if result.kept == result.last:
            self.best = self.learner.flat.copy()
        self.save()

    def summary(self) -> PolicyTrainingResult:
        """What is learnt so far."""
        learner = self.learner
        return PolicyTrainingResult(
            self.config, learner.decisions, learner.games, self.processor, list(self.curve)
        )

    def status(self) -> str:
        """How it stands, for a line of progress."""
        shares = ", ".join(f"{one.seats}: {one.share.value:.1%}" for one in self.summary().last)
        return f"entropy {self.entropy:.2f} nats; wins {shares}" if shares else ""

    # -- files -------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write all files, each whole or not at all. Raises OSError."""
        if self.out:
            write_whole(self.out, policy_bytes(self.policy()))
        if self.file:
            head = msgspec.json.encode({"summary": self.summary(), "entropy": self.entropy})
            kept: dict[str, Any] = {"best": self.best} if self.config.best else {}
            packed = io.BytesIO()
            np.savez(packed, head=np.frombuffer(head, np.uint8), **kept, **self.learner.state())
            write_whole(self.file, packed.getvalue())
        if self.page and self.draw and self.curve:
            write_whole(self.page, self.draw(self.summary(), self.command).encode())

    def policy(self) -> PolicyFile:
        """The file of what is learnt so far, or of the best look."""
        config, kept = self.config, self.summary().kept
        flat, decisions, entropy = self.learner.flat, self.learner.decisions, self.entropy
        if config.best and kept:
            flat, decisions, entropy = self.best, kept[0].decisions, kept[0].entropy
        figures = {"entropy": round(entropy, 4)}
        for one in kept:
            figures[f"wins against {config.opponent}, {one.seats} seats"] = round(
                one.share.value, 4
            )
        return PolicyFile(
            POLICY_FORMAT,
            config.diablerie,
            config.game,
            config.version,
            self.command,
            config.sizes,
            decisions,
            figures,
            config.learner.wide,
            config.learner.narrow,
            pack_policy(flat),
        )

    def _load(self, file: Path) -> None:
        """Go on from a file."""
        try:
            with np.load(io.BytesIO(file.read_bytes()), allow_pickle=False) as kept:
                arrays: dict[str, Any] = dict(kept)
            head = msgspec.json.decode(arrays.pop("head").tobytes(), type=_Head)
            if head.summary.config != self.config:
                raise BadFile(say("{file} is of another training: another config", file=file))
            best = arrays.pop("best") if self.config.best else self.best
            if (best.shape, best.dtype) != (self.best.shape, self.best.dtype):
                raise ValueError("best")
            self.learner.restore(arrays)
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile, zlib.error) as error:
            if isinstance(error, BadFile):
                raise
            raise BadFile(say("{file} holds no training ({why})", file=file, why=error)) from error
        self.curve, self.processor = head.summary.curve, head.summary.processor
        self.entropy, self.best = head.entropy, best


class _Head(msgspec.Struct):
    summary: PolicyTrainingResult
    entropy: float


class _Halt:
    """What Ctrl-C sets."""

    stopped = False

    def set(self) -> None:
        """Stop after this round."""
        self.stopped = True
