"""A batch whose arrays stay on the GPU: `diablerie.batch("tails", n, device="cuda")`.

Games, arrays and random numbers are those of `envs.batch.Batch`. The arrays are in GPU memory and
have `__cuda_array_interface__`. Kernels run in order on the default stream.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numba import cuda
from numba.cuda.cudadrv.driver import device_memset
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.rng import STEP
from diablerie.envs.batch import BY_GAME, Batch, IllegalAction, checked_array
from diablerie.envs.cuda import kernels
from diablerie.envs.cuda.driver import launch
from diablerie.envs.stepping import BatchArrays

ROOM = ("room", "out", "p", "returns")  # scratch room: every GPU thread has its own


class CardBatch:
    """`n` games on the GPU, with the arrays and methods of `Batch`; see there what they mean."""

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seats: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        autoreset: str = "same-step",
        illegal: str = "raise",
        mask: str = "int8",
        players: Sequence[str] = (),
        encoding: str = "raw",
    ) -> None:
        """As `Batch`. illegal: "raise" waits for the GPU at every step, "lose" does not.

        The encoding is "raw". Raises what `Batch` raises for wrong values.
        """
        if encoding != "raw":
            raise ValueError(f"on a GPU observations are raw, not {encoding}")
        model = Batch(
            game,
            min(n, 1),
            seats=seats,
            seed=seed,
            options=options,
            autoreset=autoreset,
            illegal=illegal,
            mask=mask,
            players=players,
        )
        self.game, self.n, self.seats, self.layout = game, n, model.seats, model.layout
        self.autoreset, self.raises = autoreset, illegal == "raise"
        self._arrays: Any = on_card(model.whole, n)
        b = self._arrays
        self.states, self.episode, self.seat, self.observer = (
            b.states,
            b.episode,
            b.seat,
            b.observer,
        )
        self.observation, self.final_observation, self.mask = b.observation, b.final, b.mask
        self.actions, self.count, self.bits = b.actions, b.counts, b.words
        self.rewards, self.terminated, self.illegal = b.rewards, b.terminated, b.illegal
        self._step = kernels.step_kernel(kernels.room_of(game), any(players))
        self._chosen, self._first_illegal = (
            cuda.device_array(n, np.int64),
            cuda.to_device(np.array([n])),
        )
        self._begun = False
        self._drawn = seed + 1  # the state of the generator of `sample`

    def reset(self, *, seed: int | None = None, chosen: Any = None) -> Any:
        """Begin new episodes of the chosen games (default: all); returns `observation`.

        seed: begin again with the first episodes of this seed. chosen: bool (n,), in CPU or GPU memory.
        """
        if seed is not None:
            self._arrays.seed.copy_to_device(np.array([seed % 2**64], np.uint64))
            self._arrays.episode.copy_to_device(np.full(self.n, -1))
            self._drawn = seed + 1
        all_games = np.ones(self.n, np.bool_)
        which = self._on_device(all_games if chosen is None else chosen, "b", "chosen games are")
        self._begun = True
        launch(self._step, self.n, self._arrays, which, True)
        return self.observation

    def step(self, actions: Any) -> None:
        """Carry out a decision in every game that waits for one, and write all arrays.

        actions: integers (n,), in CPU or GPU memory; those of games that are over are
        ignored. Raises as `Batch.step`.
        """
        if not self._begun:
            raise RuntimeError("call reset before step: no game has begun")
        chosen = self._on_device(actions)
        if self.raises:
            self._refuse(chosen)
        launch(self._step, self.n, self._arrays, chosen, False)

    def sample(self, out: Any = None) -> Any:
        """A random legal action for every game, the same as `Batch` draws: int64 (n,)."""
        actions = cuda.device_array(self.n, np.int64) if out is None else out
        kernel, b = kernels.compiled_kernel(kernels.sample_kernel), self._arrays
        launch(kernel, self.n, b.actions, b.counts, np.uint64(self._drawn % 2**64), actions)
        self._drawn += self.n * int(STEP)
        return actions

    def close(self) -> None:
        """Do nothing: the memory is freed with the arrays."""

    def _on_device(self, values: Any, kinds: str = "iu", what: str = "actions are") -> Any:
        """Values (n,) as int64 in GPU memory; not copied if they are there already.

        Raises as `checked_array`.
        """
        if not hasattr(values, "__cuda_array_interface__"):
            chosen = checked_array(values, self.n, kinds, what)
            self._chosen.copy_to_device(chosen.astype(np.int64))
            return self._chosen
        there = cuda.as_cuda_array(values)
        checked_array(np.broadcast_to(np.zeros((), there.dtype), there.shape), self.n, kinds, what)
        if there.dtype == np.int64 and there.is_c_contiguous():
            return there
        launch(kernels.compiled_kernel(kernels.widen), self.n, there, self._chosen)
        return self._chosen

    def _refuse(self, chosen: Any) -> None:
        b = self._arrays
        kernel = kernels.compiled_kernel(kernels.refuse)
        launch(kernel, self.n, b.seat, b.actions, b.counts, chosen, self._first_illegal)
        i = int(self._first_illegal.copy_to_host()[0])
        if i < self.n:
            self._first_illegal.copy_to_device(np.array([self.n]))
            raise IllegalAction(i, int(self.seat[i]), int(chosen[i]))


def on_card(model: BatchArrays, n: int) -> BatchArrays:
    """The arrays of a batch of one game as those of n games, in GPU memory."""
    arrays = {
        name: _many(array, n) if k < BY_GAME else cuda.to_device(np.ascontiguousarray(array))
        for k, (name, array) in enumerate(model._asdict().items())
        if name not in ROOM
    }
    return BatchArrays(**{name: arrays.get(name, arrays["seed"]) for name in BatchArrays._fields})


def _many(array: NDArray[np.generic], n: int) -> Any:
    """The array of one game repeated n times. Those with several axes are all 0 at first."""
    if array.ndim == 1:
        many = np.zeros(n, array.dtype)  # so that padding is 0, too
        many[:] = array[0]
        return cuda.to_device(many)
    zeros = cuda.device_array((n, *array.shape[1:]), array.dtype)
    if zeros.size:
        device_memset(zeros, 0, zeros.nbytes)
    return zeros
