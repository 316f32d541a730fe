"""Batches: thousands of games of one kind that step together in compiled code.

    games = diablerie.batch("tails", n=4096, seats=3, seed=1)
    games.reset()
    games.step(games.sample())

The arrays belong to the batch, are made once and written in place: whoever keeps them copies them
(`torch.from_numpy` shares them). In a game the seats decide one after the other, those that decide
together in the order of seats, and none sees what another has not revealed yet.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from diablerie.engine.game import Game
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng, seeded
from diablerie.engine.utility import winner_takes_all
from diablerie.engine.verbs import OVER, SEATS
from diablerie.envs import stepping
from diablerie.envs.stepping import BatchArrays
from diablerie.values.observation import ObservationLayout

PLAYERS = ("", "random", "advice")
MODES = ("next-step", "same-step", "disabled")  # in the order of stepping's
MASKS = ("bool", "bits", "none")
BY_GAME = BatchArrays._fields.index("illegal") + 1  # so many arrays have an entry for each game
ILLEGAL = ("raise", "lose")


class IllegalAction(ValueError):
    """An action that is not legal: in game `index`, by `seat`. Nothing was carried out."""

    def __init__(self, index: int, seat: int, action: int) -> None:
        super().__init__(f"action {action} of seat {seat} in game {index} is not legal")
        self.index, self.seat, self.action = index, seat, action


def generator(seed: int, index: int, episode: int) -> Rng:
    """The generator of chance, and of the players inside, in one episode of one game."""
    rng = seeded(0)
    stepping.seed_of(np.uint64(seed % 2**64), index, episode, rng)
    return rng


class Batch:
    """`n` games and their arrays; the first axis of each is the games.

    seat (int32): who is to decide, or -2 when a game is over.
    observer (int32): the same, or who decided last when it is over.
    observation (float32 (n, size)): what the observer sees, see `layout.planes`.
    actions, count (int32): the legal actions, ascending, of which `count` entries are meant.
    mask (bool (n, actions)) or bits (uint64 (n, words)): the same, one of them is made.
    rewards (float32 (n, seats)): every seat's utility when a game ends, else 0.
    terminated (bool): the game ended with this step. Games are never truncated.
    illegal (bool): it ended by an action that was not legal.
    final_observation (float32 (n, size)): the last observation of the games that ended with this
    step and have begun anew within it (autoreset "same-step").
    episode (int64): how often each has begun, less one.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seats: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        threads: int = 1,
        autoreset: str = "same-step",
        illegal: str = "raise",
        mask: str = "bool",
        players: Sequence[str] = (),
    ) -> None:
        """Make the arrays; `reset` begins the games.

        autoreset: when a game that is over begins anew, as Gymnasium names it: with the
        "next-step" (whose action is ignored), within the "same-step", or "disabled": never.
        illegal: an action that is not legal either "raise"s, or the game ends and its seat "lose"s.
        mask: what is made beside the list, "bool", "bits" or "none".
        players: for each seat who decides inside: "random", "advice" (what the game advises for
        what the seat sees), or "": the caller, as for seats left out.
        Raises BadOption as `Game.start`, ValueError for other wrong values.
        """
        _check(n, threads, autoreset, illegal, mask)
        count = game.seats[0] if seats is None else seats
        self.game, self.n, self.seats = game, n, count
        self.autoreset, self.raises = autoreset, illegal == "raise"
        start = game.start(count, options)
        self.layout = layout = ObservationLayout(game, count)
        self.states = np.zeros(n, game.state.dtype)
        self.episode, self.seat = np.full(n, -1), np.full(n, OVER, np.int32)
        self.observer = np.zeros(n, np.int32)
        self.observation = np.zeros((n, layout.size), np.float32)
        self.final_observation = np.zeros((n, layout.size), np.float32)
        self.actions = np.zeros((n, game.actions), np.int32)
        self.count = np.zeros(n, np.int32)
        self.mask = np.zeros((n, game.actions if mask == "bool" else 0), np.bool_)
        self.bits = np.zeros((n, -(-game.actions // 64) if mask == "bits" else 0), np.uint64)
        self.rewards = np.zeros((n, count), np.float32)
        self.terminated, self.illegal = np.zeros(n, np.bool_), np.zeros(n, np.bool_)
        self._seed = np.array([seed % 2**64], np.uint64)
        self.whole = self._arrays(start, _players(players, count))
        self._slices = _slices(self.whole, game, threads)
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        self._random = seeded(seed + 1)
        self._chosen = np.zeros(n, np.int64)

    def reset(
        self, *, seed: int | None = None, chosen: NDArray[np.bool_] | None = None
    ) -> NDArray[np.float32]:
        """Begin new episodes of the chosen games (default: all); returns `observation`.

        seed: begin again with the first episodes of this seed.
        """
        if seed is not None:
            self._seed[0] = seed % 2**64
            self._random = seeded(seed + 1)
            self.episode[:] = -1
        which = np.ones(self.n, np.bool_) if chosen is None else np.asarray(chosen, np.bool_)
        self._run(which.astype(np.int64), anew=True)
        return self.observation

    def step(self, actions: Any) -> None:
        """Carry out a decision in every game that waits for one, and write all arrays.

        actions: integers (n,); those of games that are over are ignored. Raises IllegalAction.
        """
        self._chosen[:] = actions
        if self.raises:
            self._refuse()
        self._run(self._chosen)

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """A random legal action for every game, from a generator of the batch's own: int64 (n,)."""
        found = np.zeros(self.n, np.int64) if out is None else out
        stepping.sample_actions(self.actions, self.count, self._random, found)
        return found

    def close(self) -> None:
        """End the threads."""
        if self._pool:
            self._pool.shutdown()
            self._pool = None

    def _arrays(self, start: Record, inner: list[int]) -> BatchArrays:
        """Everything that compiled code works on, for all games."""
        return BatchArrays(
            states=self.states,
            rngs=np.zeros(self.n, np.uint64),
            episode=self.episode,
            seat=self.seat,
            observer=self.observer,
            observation=self.observation,
            final=self.final_observation,
            actions=self.actions,
            counts=self.count,
            mask=self.mask,
            words=self.bits,
            rewards=self.rewards,
            terminated=self.terminated,
            illegal=self.illegal,
            turns=self.layout.turns,
            lost=_lost(self.game, self.seats),
            inner=np.array(inner),
            start=start.array,
            seed=self._seed,
            mode=np.array([MODES.index(self.autoreset)]),
            **batch_arrays(self.game),
        )

    def _refuse(self) -> None:
        i = stepping.first_illegal(self.seat, self.actions, self.count, self._chosen)
        if i >= 0:
            raise IllegalAction(i, int(self.seat[i]), int(self._chosen[i]))

    def _run(self, values: NDArray[np.int64], anew: bool = False) -> None:
        """The compiled step on every slice, in threads if there are any."""

        def run(part: tuple[int, BatchArrays]) -> None:
            first, arrays = part
            stepping.step_games(
                arrays, values[first : first + len(arrays.seat)], first, anew, self.raises
            )

        if self._pool:
            list(self._pool.map(run, self._slices))
        else:
            for part in self._slices:
                run(part)


def _check(n: int, threads: int, autoreset: str, illegal: str, mask: str) -> None:
    if n < 1 or threads < 1:
        raise ValueError("a batch has at least one game and one thread")
    for value, known in ((autoreset, MODES), (illegal, ILLEGAL), (mask, MASKS)):
        if value not in known:
            raise ValueError(f"{value!r} is none of {', '.join(known)}")


def _players(players: Sequence[str], seats: int) -> list[int]:
    """The masks of the seats that play at random, and as advised."""
    if len(players) > seats or not set(players) <= set(PLAYERS):
        raise ValueError(f"players are at most {seats} of {', '.join(filter(None, PLAYERS))}")
    if len(players) == seats and all(players):
        raise ValueError("one seat at least is for the caller")
    return [sum(1 << k for k, who in enumerate(players) if who == name) for name in PLAYERS[1:]]


def lost_returns(game: Game, seats: int, seat: int) -> NDArray[np.float64]:
    """Every seat's utility if `seat`'s side loses alone: the others share +1."""
    teams, out = game.teams(seats), np.zeros(seats)
    winner_takes_all(np.array([float(team != teams[seat]) for team in teams]), seats, out)
    return out


def _lost(game: Game, seats: int) -> NDArray[np.float64]:
    return np.stack([lost_returns(game, seats, seat) for seat in range(seats)])


def _slices(whole: BatchArrays, game: Game, threads: int) -> list[tuple[int, BatchArrays]]:
    """The batch cut into as many parts as there are threads, each with scratch room of its own."""
    n, arrays = len(whole.seat), tuple[Any, ...](whole)
    slices = []
    for low, high in pairwise(n * k // threads for k in range(threads + 1)):
        if low < high:
            part = BatchArrays._make([*(a[low:high] for a in arrays[:BY_GAME]), *arrays[BY_GAME:]])
            slices.append((low, part._replace(**batch_arrays(game))))
    return slices


def batch_arrays(game: Game, parts: int = 1) -> dict[str, Any]:
    """Room for so many games that are stepped at the same time, by the names of `BatchArrays`."""
    out, p = buffers(game)
    return {
        "room": np.zeros(parts, game.state.dtype),
        "out": np.zeros((parts, len(out)), np.int64),
        "p": np.zeros((parts, len(p))),
        "returns": np.zeros((parts, SEATS)),
    }
