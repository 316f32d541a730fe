"""A batch as Gymnasium's `VectorEnv`: one seat of every game, the others played inside."""

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

import diablerie
from diablerie.envs.batch import Batch
from diablerie.envs.gymnasium import observation_box
from diablerie.envs.stepping import Actions, Mask, Observations

Entry = TypeVar("Entry", bound=np.generic)
NAMES = {
    AutoresetMode.NEXT_STEP: "next-step",
    AutoresetMode.SAME_STEP: "same-step",
    AutoresetMode.DISABLED: "disabled",
}


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
