"""Gymnasium: one seat against bots, or a batch of such games.

Importing this module registers `diablerie/Coals-v2` and so on. For example:

    import gymnasium, diablerie.envs.gymnasium

    env = gymnasium.make("diablerie/Tails-v2", seats=3, opponents="sensible")
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine import extras
from diablerie.engine.compile import Floats
from diablerie.engine.options import OptionValues
from diablerie.engine.rng import seeded, whole
from diablerie.envs.batch import MODES, OPPONENTS, Batch
from diablerie.envs.history import HistoryLayout
from diablerie.envs.history_rules import Rows
from diablerie.envs.single_game import (
    RENDER_MODES,
    CopiedWhole,
    GameSettings,
    Info,
    SingleGame,
    action_number,
    history_box,
    observation_box,
)
from diablerie.envs.stepping import Actions, Flags, Mask, Observations
from diablerie.games import ALL
from diablerie.learning.inputs import LearnerInputs
from diablerie.values.observation import ObservationLayout

with extras.needed("research"):
    import gymnasium
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space


Entry = TypeVar("Entry", bound=np.generic)
INSIDE = set(OPPONENTS[1:])  # who can play inside a batch
VERSION = 2  # raised when observations, actions or rules change (see tests/envs/versions.py)


NAMES = dict(zip(AutoresetMode, MODES, strict=True))  # of a batch


class WithHistory(TypedDict):
    """What is observed where a history is asked for."""

    observation: Observations
    history: Rows


Observed = Observations | WithHistory


def observation_space(
    layout: ObservationLayout, inputs: LearnerInputs | None, remembered: HistoryLayout
) -> spaces.Space[Any]:
    """The space of what one game shows: of observations, with a history in a Dict."""
    box = observation_box(layout, inputs)
    if not remembered.length:
        return box
    return spaces.Dict({"observation": box, "history": history_box(remembered)})


class SeatEnv(CopiedWhole, gymnasium.Env[Observed, np.int64]):
    """One seat of a match; bots play the others.

    The observation is that of `values.observation`; with `history`, it is a dict of this, as
    `observation`, and `history`, int32 (history, 3): see `HistoryLayout`.
    `info["action_mask"]`, int8 (actions,), and `action_masks()` say which actions are legal;
    `info["illegal"]` (bool) says whether the seat's last action was not, and ended the match. The
    reward is the seat's utility when the match ends, else 0. `reset(seed=…)` begins the match of
    `diablerie.start(game, seed=…)`.
    """

    metadata: Info = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        opponents: str | Sequence[str] = "sensible",
        **chosen: Unpack[GameSettings],
    ) -> None:
        """opponents: the spec of a bot, or one for each other seat, in the order of seats.

        chosen: seats, options, illegal, encoding, inputs, history and render_mode, see `SingleGame`.
        Raises as that, BadSpec, or ValueError for a wrong seat or number of opponents.
        """
        self.single = SingleGame(diablerie.game_named(game), **chosen)
        self.seat = seat
        self.render_mode = self.single.render_mode
        others = [k for k in range(self.single.seats) if k != seat]
        specs = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
        if not 0 <= seat < self.single.seats:
            raise ValueError(f"there is no seat {seat} of {self.single.seats}")
        if len(specs) != len(others):
            raise ValueError(f"a bot for each of the {len(others)} other seats, not {len(specs)}")
        self._specs = {
            k: parse_bot(spec, imports=True) for k, spec in zip(others, specs, strict=True)
        }
        seen = self.single.layout, self.single.inputs, self.single.remembered
        self.observation_space = observation_space(*seen)
        self.action_space = spaces.Discrete(self.single.game.actions)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, object] | None = None
    ) -> tuple[Observed, Info]:
        """See Gymnasium."""
        super().reset(seed=None if seed is None else whole("seed", seed))
        chosen = int(self.np_random.integers(2**63)) if seed is None else seed
        self.single.begin(chosen)
        self._bots = {k: spec.make(self.single.game) for k, spec in self._specs.items()}
        self._rng = seeded(chosen)
        self._others()
        return self._observed(), self._info()

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, Info]:
        """See Gymnasium. Raises TypeError for what is no whole number, ResetNeeded before a reset."""
        self.single.decide(self.seat, action_number(action))
        self._others()
        reward = self.single.returns()[self.seat]
        return self._observed(), reward, self.single.over, False, self._info()

    def action_masks(self) -> Mask:
        """Which actions are legal: int8 (actions,). sb3-contrib's MaskablePPO calls this."""
        return self.single.mask(self.seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the seat sees, as `render_mode` says: text, or pixels (height, width, 3).

        Raises ResetNeeded before the first reset.
        """
        self.single.need_begun()
        return self.single.render(self.seat)

    def _observed(self) -> Observed:
        seen = self.single.observe(self.seat)
        if not self.single.remembered.length:
            return seen
        return {"observation": seen, "history": self.single.history(self.seat)}

    def _info(self) -> Info:
        return {
            "action_mask": self.action_masks(),
            **self.single.entries(self.seat),
            "illegal": self.single.loser is not None,
        }

    def _others(self) -> None:
        """The bots decide until the seat is to, or the match is over."""
        match = self.single.match
        while not self.single.over and (who := match.actor) != self.seat:
            assert who is not None
            action = self._bots[who].choose(match.seen_by(who), who, self._rng)
            self.single.decide(who, action)


class BatchSettings(TypedDict, total=False):
    """What `VectorGames` hands to its batch."""

    options: OptionValues | None
    encoding: str
    inputs: bool
    history: int
    threads: int


def _players_inside(count: int, seat: int, opponents: str | Sequence[str]) -> list[str]:
    """Who plays each seat of a batch, "" for the caller's. Raises ValueError."""
    if not 0 <= seat < count:
        raise ValueError(f"there is no seat {seat} of {count}")
    players = [opponents] * (count - 1) if isinstance(opponents, str) else list(opponents)
    if len(players) != count - 1 or not set(players) <= INSIDE:
        raise ValueError(
            f"each of the {count - 1} opponents is random or sensible here; other bots play "
            'with vectorization_mode="sync"'
        )
    players.insert(seat, "")
    return players


class VectorGames(CopiedWhole, VectorEnv[Observed, Actions, NDArray[np.float64 | np.bool_]]):
    """`num_envs` games of one kind; `info["action_mask"]`, int8 (num_envs, actions): what is legal.

    `info["illegal"]`, bool (num_envs,), marks the games that ended by an illegal action. The chance
    of a game follows from the seed, its index and its episode, as in `envs.batch`.

    autoreset_mode, as Gymnasium's: with NEXT_STEP (the default) a game that is over begins again in
    the step after, whose action is ignored. With SAME_STEP it begins in the step that ends it;
    observation and info are those of the new game, `info["final_obs"]` and `info["final_info"]`
    those of the old one where `info["_final_obs"]` is true. With DISABLED it stays over, and its
    actions are ignored, until `reset(options={"reset_mask": …})`, bool (num_envs,).
    """

    metadata: Info = {  # noqa: RUF012 (as Gymnasium has it)
        "autoreset_mode": AutoresetMode.NEXT_STEP
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "sensible",
        illegal: str = "lose",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: None = None,
        **chosen: Unpack[BatchSettings],
    ) -> None:
        """opponents: "random" or "sensible", or one for each other seat, in the order of seats.

        The rest (chosen: options, encoding, inputs, history and threads) is as for Batch; with
        `inputs`, observations are `LearnerInputs.position` (of a game that is over all 0), and infos
        hold `kinds` and `marks`; with `history`, observations are dicts as those of `SeatEnv`. copy:
        whether to return copies, or the batch's own arrays, which the next step overwrites. Raises
        as Batch, and ValueError for a seat that does not exist or for other opponents.
        """
        self.closed = True  # if this is refused: Gymnasium 1.2 closes what it forgets and is open
        played = diablerie.game_named(game)
        count = played.seats[0] if seats is None else seats
        mode = AutoresetMode(autoreset_mode)
        if render_mode is not None:
            raise ValueError("games that step together are not drawn: render_mode is None")
        players = _players_inside(count, seat, opponents)
        self.batch = Batch(
            played,
            num_envs,
            seats=count,
            illegal=illegal,
            autoreset=NAMES[mode],
            players=players,
            **chosen,
        )
        self.closed = False
        self.num_envs = num_envs
        self.seat = seat
        self._copy = copy
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        # Gymnasium asks a vector for the spaces of one game, and for those of all together.
        seen = self.batch.layout, self.batch.inputs, self.batch.remembered
        self.single_observation_space = observation_space(*seen)
        self.single_action_space = spaces.Discrete(played.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: Mapping[str, Flags] | None = None,
    ) -> tuple[Observed, Info]:
        """See Gymnasium; `options["reset_mask"]`, bool (num_envs,), chooses the games.

        seed: one number for all; without one, games go on with the chance of the last seed, or of
        a fresh one. Raises ValueError for a list of seeds, for a seed with a mask, and for a mask
        of another shape or without a game, TypeError for one of another type.
        """
        if isinstance(seed, list):
            raise ValueError("one seed is for all games, and each gets chance of its own")
        chosen = (options or {}).get("reset_mask")
        if chosen is not None and not np.any(chosen):
            raise ValueError("the reset mask chooses no game")
        # A batch has a generator of its own: Gymnasium's only makes it a seed, once, if none is given.
        super().reset(seed=None if seed is None else whole("seed", seed))
        if seed is None and not self.batch.begun:
            self.batch.reseed(int(self.np_random.integers(2**63)))
        self.batch.reset(seed=seed, chosen=chosen)
        return self._shown(self._observed, self.batch.history), self._info()

    def step(self, actions: Actions) -> tuple[Observed, Floats, Flags, Flags, Info]:
        """See Gymnasium. Raises ResetNeeded before the first reset, else as `Batch.step`.

        Returns observations (n, size), rewards of the seat (n,), terminated and truncated (n,).
        """
        batch = self.batch
        try:
            batch.step(actions)
        except RuntimeError as error:
            raise ResetNeeded(str(error)) from None
        info = self._info()
        ended = batch.terminated
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and ended.any():
            # The batch has begun the next games already: only observations of the last are kept.
            last = np.zeros_like(self._observed) if batch.inputs else batch.final_observation
            info["final_obs"] = self._shown(last, batch.final_history)
            final_mask = np.where(ended[:, None], np.int8(0), batch.mask)
            info["final_info"] = {"action_mask": final_mask, "illegal": info["illegal"]}
            info["_final_obs"] = info["_final_info"] = ended.copy()
            info["illegal"] = np.zeros(self.num_envs, np.bool_)
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        seen = self._shown(self._observed, batch.history)
        return seen, rewards, ended.copy(), self._truncated.copy(), info

    def close_extras(self, **kwargs: object) -> None:
        """End the threads."""
        self.batch.close()

    def _out(self, array: NDArray[Entry]) -> NDArray[Entry]:
        return array.copy() if self._copy else array

    def _shown(self, observation: Observations, history: Rows) -> Observed:
        """What is returned of observations, with the history if one is asked for."""
        seen = self._out(observation)
        if not self.batch.remembered.length:
            return seen
        return {"observation": seen, "history": self._out(history)}

    def _info(self) -> Info:
        info: Info = {"action_mask": self._out(self.batch.mask)}
        if inputs := self.batch.inputs:
            info |= {"kinds": self._out(inputs.kinds), "marks": self._out(inputs.marks)}
        return {**info, "illegal": self.batch.illegal.copy()}

    @property
    def _observed(self) -> Observations:
        inputs = self.batch.inputs
        return inputs.position if inputs else self.batch.observation


for _name in ALL:
    # Without Gymnasium's wrappers: copies of a wrapper share the game, and `SeatEnv` itself checks
    # the order of calls.
    gymnasium.register(
        f"diablerie/{_name.capitalize()}-v{VERSION}",
        entry_point="diablerie.envs.gymnasium:SeatEnv",
        vector_entry_point="diablerie.envs.gymnasium:VectorGames",
        order_enforce=False,
        disable_env_checker=True,
        kwargs={"game": _name},
    )
