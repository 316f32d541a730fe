"""Gymnasium: one seat against bots, or a batch of such games.

Importing this module registers `diablerie/Coals-v0` and so on. For example:

    import gymnasium, diablerie.envs.gymnasium

    env = gymnasium.make("diablerie/Tails-v0", seats=3, opponents="sensible")
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.rng import seeded
from diablerie.envs.batch import Batch
from diablerie.envs.single_game import RENDER_MODES, SingleGame
from diablerie.envs.stepping import Actions, Mask, Observations
from diablerie.games import ALL
from diablerie.values.observation import ObservationLayout

Entry = TypeVar("Entry", bound=np.generic)
VERSION = 0  # raised when observations, actions or rules change (see tests/envs/versions.py)


NAMES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


def observation_box(layout: ObservationLayout) -> Any:
    """The space of observations: float32 (size,)."""
    return spaces.Box(layout.low, layout.high, dtype=np.float32)


class SeatEnv(gymnasium.Env[Observations, np.int64]):
    """One seat of a match; bots play the others.

    The observation is that of `values.observation`. `info["action_mask"]`, int8 (actions,), and
    `action_masks()` say which actions are legal. The reward is the seat's utility when the match
    ends, else 0. `reset(seed=…)` begins the match of `diablerie.start(game, seed=…)`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "sensible",
        options: Mapping[str, Any] | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        """opponents: the spec of a bot, or one for each other seat, in the order of seats.

        illegal: an illegal action ends the match with the lowest utility ("lose"), or "raise"s
        Illegal. Raises BadOption, BadSpec, or ValueError for a wrong seat, number of opponents,
        `illegal` or `render_mode`.
        """
        self.single = SingleGame(diablerie.game_named(game), seats, options, illegal, render_mode)
        self.seat, self.render_mode = seat, render_mode
        others = [k for k in range(self.single.seats) if k != seat]
        specs = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
        if not 0 <= seat < self.single.seats or len(specs) != len(others):
            raise ValueError("one of the seats, and a bot for each of the others")
        self._specs = {
            k: parse_bot(spec, imports=True) for k, spec in zip(others, specs, strict=True)
        }
        self.observation_space = observation_box(self.single.layout)
        self.action_space = spaces.Discrete(self.single.game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """See Gymnasium."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**63)) if seed is None else seed
        self.single.begin(chosen)
        self._bots = {k: spec.make(self.single.game) for k, spec in self._specs.items()}
        self._rng = seeded(chosen)
        self._others()
        return self.single.observe(self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Observations, float, bool, bool, dict[str, Any]]:
        """See Gymnasium."""
        self.single.decide(self.seat, int(action))
        self._others()
        reward = self.single.returns()[self.seat]
        return self.single.observe(self.seat), reward, self.single.over, False, self._info()

    def action_masks(self) -> Mask:
        """Which actions are legal: bool (actions,). sb3-contrib's MaskablePPO calls this."""
        return self.single.mask(self.seat).astype(np.bool_)

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the seat sees, as `render_mode` says: text, or pixels (height, width, 3)."""
        return self.single.render(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.single.mask(self.seat)}

    def _others(self) -> None:
        """The bots decide until the seat is to, or the match is over."""
        match = self.single.match
        while not self.single.over and (who := match.actor) != self.seat:
            assert who is not None
            action = self._bots[who].choose(match.seen_by(who), who, self._rng)
            self.single.decide(who, action)


class VectorGames(VectorEnv[Observations, Actions, NDArray[np.float64 | np.bool_]]):
    """`num_envs` games of one kind; `info["action_mask"]`, bool (num_envs, actions): what is legal.

    The chance of a game follows from the seed, its index and its episode, as in `envs.batch`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium has it)
        "autoreset_mode": AutoresetMode.NEXT_STEP
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        seats: int | None = None,
        seat: int = 0,
        opponents: str = "advice",
        options: Mapping[str, Any] | None = None,
        illegal: str = "lose",
        threads: int = 1,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: None = None,
    ) -> None:
        """opponents: "random" or "advice"; the rest as for Batch.

        copy: whether to return copies of observations and masks, or the batch's own arrays, which
        the next step overwrites. Raises as Batch, and ValueError for a seat that does not exist.
        """
        played = diablerie.game_named(game)
        count = played.seats[0] if seats is None else seats
        mode = AutoresetMode(autoreset_mode)
        if not 0 <= seat < count:
            raise ValueError(f"there is no seat {seat} of {count}")
        self.batch = Batch(
            played,
            num_envs,
            seats=count,
            options=options,
            threads=threads,
            illegal=illegal,
            autoreset=NAMES[mode],
            players=[opponents if k != seat else "" for k in range(count)],
        )
        self.num_envs, self.seat, self._copy = num_envs, seat, copy
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "autoreset_mode": mode}
        self.single_observation_space = observation_box(self.batch.layout)
        self.single_action_space = spaces.Discrete(played.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._truncated = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """See Gymnasium; `options["reset_mask"]` (bool) chooses the games.

        seed: one number for all. Raises ValueError for a list.
        """
        if isinstance(seed, list):
            raise ValueError("one seed for all games")
        if seed is None and self._np_random is None:
            seed = int(self.np_random.integers(2**63))
        chosen = (options or {}).get("reset_mask")
        self.batch.reset(seed=seed, chosen=chosen)
        return self._out(self.batch.observation), self._info()

    def step(
        self, actions: Actions
    ) -> tuple[Observations, NDArray[np.float64], Mask, Mask, dict[str, Any]]:
        """See Gymnasium.

        Returns observations (n, size), rewards of the seat (n,), terminated and truncated (n,).
        """
        batch = self.batch
        batch.step(actions)
        info = self._info()
        ended = batch.terminated
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP and ended.any():
            info["final_obs"] = self._out(batch.final_observation)
            info["_final_obs"] = ended.copy()
        rewards = batch.rewards[:, self.seat].astype(np.float64)
        return (self._out(batch.observation), rewards, ended.copy(), self._truncated.copy(), info)

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self.batch.close()

    def _out(self, array: NDArray[Entry]) -> NDArray[Entry]:
        return array.copy() if self._copy else array

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._out(self.batch.mask)}


def id_of(name: str) -> str:
    """The id of a game's environment."""
    return f"diablerie/{name.capitalize()}-v{VERSION}"


for _name in ALL:
    gymnasium.register(
        id_of(_name),
        entry_point="diablerie.envs.gymnasium:SeatEnv",
        vector_entry_point="diablerie.envs.gymnasium:VectorGames",
        kwargs={"game": _name},
    )
