"""Batches: thousands of games of one kind that step together in compiled code.

    games = diablerie.batch("tails", n=4096, seats=3, seed=1)
    games.reset()
    games.step(games.sample())

A batch makes its arrays once and writes them in place at every step: copy what you keep
(`torch.from_numpy` shares them). In each game one seat decides at a time. Seats that decide at the
same time do so in their order, and none sees what another has not revealed yet.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diablerie.engine.compile import Floats
from diablerie.engine.extras import require_compiled
from diablerie.engine.game import Game
from diablerie.engine.options import OptionValues
from diablerie.engine.playout import buffers
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded, whole
from diablerie.engine.shared_rules import winner_takes_all
from diablerie.engine.threads import Threads
from diablerie.engine.verbs import OVER, SEATS
from diablerie.envs import stepping
from diablerie.envs.history import COLUMNS, HistoryLayout, node_masks
from diablerie.envs.stepping import Actions, BatchArrays, Flags, Observations
from diablerie.learning.inputs import LearnerInputs
from diablerie.values.observation import ObservationLayout

OPPONENTS = ("", "random", "sensible")
MODES = ("next-step", "same-step", "disabled")  # in the order of stepping's
MASKS = ("int8", "none")
BY_GAME = BatchArrays._fields.index("illegal") + 1  # so many arrays have an entry for each game
ILLEGAL = ("raise", "lose")
ONCE = {"seed", "random", "begun"}  # arrays of what is saved that no game has a row of
Saved = dict[str, NDArray[Any]]  # the arrays of a batch by name


class IllegalAction(ValueError):
    """An illegal action of `seat` in game `index`. No game of the batch was changed."""

    def __init__(self, index: int, seat: int, action: int) -> None:
        super().__init__(f"action {action} of seat {seat} in game {index} is not legal")
        self.index = index
        self.seat = seat
        self.action = action


class Batch:
    """`n` games and their arrays; the first axis of each array is the games.

    seat (int32 (n,)): who is to decide, or -2 when a game is over.
    observer (int32 (n,)): the same, or who decided last when it is over.
    observation (float32 (n, size)): what the observer sees, see `layout.planes`.
    actions (int32 (n, actions)): the legal actions, ascending, in the first `count` entries.
    count (int32 (n,)): how many actions are legal.
    mask (int8 (n, actions)): the same as a mask of 1 and 0; without entries if none is made.
    rewards (float32 (n, seats)): every seat's utility when a game ends, else 0.
    terminated (bool (n,)): the game ended with this step. Games are never truncated.
    illegal (bool (n,)): it ended by an illegal action.
    final_observation (float32 (n, size)): the last observation of the games that ended with this
    step and began again within it (autoreset "same-step").
    episode (int64 (n,)): the number of each game's episode, from 0.
    inputs (`LearnerInputs`, or None): what the built-in learner reads of position and actions.
    history (int32 (n, history, 3)): the last events that the observer may know, the newest first;
    the columns are those of `remembered`, a `HistoryLayout`.
    final_history: the same for final_observation.
    """

    def __init__(
        self,
        game: Game,
        n: int,
        *,
        seats: int | None = None,
        seed: int = 0,
        options: OptionValues | None = None,
        threads: int = 1,
        autoreset: str = "same-step",
        illegal: str = "raise",
        mask: str = "int8",
        players: Sequence[str] = (),
        encoding: str = "raw",
        inputs: bool = False,
        history: int = 0,
    ) -> None:
        """Make the arrays; `reset` begins the games.

        autoreset: when a game that is over begins again, in Gymnasium's words: in the "next-step"
        (whose action is ignored), within the "same-step", or "disabled": never.
        illegal: an illegal action either "raise"s IllegalAction, or the game ends and its seat
        "lose"s. mask: whether one is made: "int8" or "none".
        players: who decides for each seat: "random", "sensible" (as the bot: what the game advises
        for what the seat sees), or "": the caller, as for seats left out. encoding: of
        observations, as for `ObservationLayout`. inputs: whether `inputs` are written, too.
        history: how many events of the past are told.
        Raises BadOption as `Game.start`, TypeError for a size or seed that is no whole number,
        ValueError for other wrong values.
        """
        require_compiled("a batch")
        _check(n, threads, seed, autoreset, illegal, mask)
        count = game.seats[0] if seats is None else seats
        self.game = game
        self.n = n
        self.seats = count
        self.autoreset = autoreset
        self.raises = illegal == "raise"
        settled = game.settled(count, options or {})
        self._threads = Threads(threads)
        self.remembered = HistoryLayout.of(game, count, history)
        # As a copy or a restored batch is made of them: options as texts, every seat's player.
        self._settings: dict[str, Any] = {
            "n": n,
            "seats": count,
            "options": {o.name: o.format(settled[o.name]) for o in game.options},
            "autoreset": autoreset,
            "illegal": illegal,
            "mask": mask,
            "players": [*players, *[""] * (count - len(players))],
            "encoding": encoding,
            "inputs": bool(inputs),
            "history": self.remembered.length,
        }
        self.layout = ObservationLayout(game, count, encoding)
        self.inputs = LearnerInputs(game, n) if inputs else None
        self._make_arrays_of_games()
        self._make_observations()
        self._seed = np.array([seed % 2**64], np.uint64)
        self._random = seeded(seed + 1)
        self._chosen = np.zeros(n, np.int64)
        self._begun = np.zeros(1, np.bool_)
        # Compiled code gets the arrays as one tuple; each thread has a slice of its games.
        start = game.start(count, settled)
        self.whole = self._arrays(start, _players(players, count))
        self._slices = _slices(self.whole, game, threads)

    def _make_arrays_of_games(self) -> None:
        """The arrays that every step writes in place, but for observations."""
        n = self.n
        actions = self.game.actions
        self.states = np.zeros(n, self.game.state.dtype)
        self.episode = np.full(n, -1)
        self.seat = np.full(n, OVER, np.int32)
        self.observer = np.zeros(n, np.int32)
        self.actions = np.zeros((n, actions), np.int32)
        self.count = np.zeros(n, np.int32)
        self.mask = np.zeros((n, actions if self._settings["mask"] == "int8" else 0), np.int8)
        self.history = np.zeros((n, self.remembered.length, len(COLUMNS)), np.int32)
        self.final_history = self.history.copy()
        self.rewards = np.zeros((n, self.seats), np.float32)
        self.terminated = np.zeros(n, np.bool_)
        self.illegal = np.zeros(n, np.bool_)

    def _make_observations(self) -> None:
        """The observations, and what compiled code writes: the same, unless they are encoded."""
        layout = self.layout
        self.observation = np.zeros((self.n, layout.size), np.float32)
        self.final_observation = np.zeros((self.n, layout.size), np.float32)
        self._raw = self.observation
        self._raw_final = self.final_observation
        if layout.columns is not None:
            self._raw, self._raw_final = np.zeros((2, self.n, layout.raw_size), np.float32)

    def reset(self, *, seed: int | None = None, chosen: Flags | None = None) -> Observations:
        """Begin new episodes of the chosen games, bool (n,) (default: all); return `observation`.

        seed: begin again with the first episodes of this seed, which is for all games. Raises
        TypeError or ValueError if `seed` or `chosen` has another type or shape, ValueError for a
        seed for some games.
        """
        which = np.ones(self.n, np.int64)
        if chosen is not None:
            which[:] = checked_array(chosen, self.n, "b", "chosen games are")
        if seed is not None:
            if not which.all():
                raise ValueError("a seed is for all games: without one, chosen games begin again")
            self.reseed(seed)
        self._begun[0] = True
        self._run(which, anew=True)
        return self.observation

    @property
    def begun(self) -> bool:
        """Whether there has been a reset."""
        return bool(self._begun[0])

    def reseed(self, seed: int) -> None:
        """Let the next `reset` begin the first episodes of this seed. Raises TypeError."""
        self._seed[0] = whole("seed", seed) % 2**64
        self._random[:] = seeded(seed + 1)
        self.episode[:] = -1

    def step(self, actions: ArrayLike) -> None:
        """Carry out a decision in every game that waits for one, and write all arrays.

        actions: integers (n,); those of games that are over are ignored. Raises IllegalAction if
        the batch was made with `illegal="raise"`, TypeError or ValueError for actions of another
        type or shape, RuntimeError before the first `reset`.
        """
        if not self._begun[0]:
            raise RuntimeError("call reset before step: no game has begun")
        self._chosen[:] = checked_array(actions, self.n, "iu", "actions are")
        if self.raises:
            self._refuse()
        self._run(self._chosen)

    def sample(self, out: Actions | None = None) -> Actions:
        """A random legal action for every game, from the batch's own generator: int64 (n,)."""
        actions = np.zeros(self.n, np.int64) if out is None else out
        stepping.sample_actions(self.actions, self.count, self._random, actions)
        return actions

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    def save(self) -> Saved:
        """Copies of all that the games go on with, their generators included, by name.

        They are plain arrays, as `numpy.savez` takes them; the first axis of most is the games.
        `made` is a text, JSON: the versions and settings of the batch.
        """
        kept = {name: array.copy() for name, array in self._goes_on().items()}
        return kept | {"made": np.array(json.dumps(self._made()))}

    def restore(
        self, saved: Saved, rows: ArrayLike | None = None, *, seed: int | None = None
    ) -> None:
        """Go on from what `save` gave, of a batch that was made with the same arguments.

        Without rows the batches are equally large, and all goes on as it would there. rows:
        integers (n,), for each game of this batch the game of the other one that it becomes a copy
        of, or -1: it stays as it is. The sizes may differ, and this batch goes on with its own seed
        for later episodes. seed: the copies draw chance of their own from now on, which follows
        from the seed and their place in this batch; without it, copies of one game draw the same.

        Threads may differ. Raises ValueError if it is of another batch, or of another version of
        diablerie or of the rules, or for rows that it does not have, TypeError for rows or a seed
        that are no whole numbers. Then nothing has changed. Compiled rules check no bounds: restore
        only what a program that you trust has saved.
        """
        copied = None if rows is None else self._rows(saved, rows)
        if copied is None and seed is not None:
            raise ValueError("a seed is for copied rows: without rows, all goes on as it would")
        chance = None if seed is None else whole("seed", seed)
        own = self._goes_on()
        _check_made(saved, self._made(), () if copied is None else ("n",))
        if copied is None:
            _check_arrays(own, saved)
            for name, array in own.items():
                array[...] = saved[name]
            return
        by_game = {name: array for name, array in own.items() if name not in ONCE}
        _check_arrays(own, saved, by_game)
        places = np.flatnonzero(copied >= 0)
        for name, array in by_game.items():
            array[places] = saved[name][copied[places]]
        self._begun[0] = True
        if chance is not None:
            self._draw_anew(places, chance)

    def _rows(self, saved: Saved, rows: ArrayLike) -> Actions:
        """The rows to be copied. Raises as `restore`."""
        if "begun" not in saved or not saved["begun"].all():
            raise ValueError("no game of what was saved has begun")
        copied: Actions = checked_array(rows, self.n, "iu", "rows are").astype(np.int64)
        if copied.min() < -1 or copied.max() >= len(saved["seat"]):
            raise ValueError(f"rows are 0 to {len(saved['seat']) - 1}, or -1 for a game that stays")
        if (copied < 0).any() and not self.begun:
            raise ValueError("games that stay must have begun: call reset first")
        return copied

    def _draw_anew(self, places: Actions, seed: int) -> None:
        """Give games at these places generators of their own, of this seed."""
        rngs = self.whole.rngs
        for i in places.tolist():
            stepping.seed_of(np.uint64(seed % 2**64), i, int(self.episode[i]), rngs[i : i + 1])

    def _made(self) -> dict[str, Any]:
        """The versions and settings that what is saved belongs to."""
        rules, program = self.game.versions
        return {
            "diablerie": program,
            "game": self.game.name,
            "version of the rules": rules,
            **self._settings,
        }

    def _goes_on(self) -> Saved:
        """The arrays that `save` copies, by name."""
        fields = self.whole._asdict()
        kept = {name: fields[name] for name in (*BatchArrays._fields[:BY_GAME], "seed")}
        kept["states"] = kept["states"].view(np.uint8).reshape(self.n, -1)
        kept |= {"shown": self.observation, "shown_final": self.final_observation}
        if inputs := self.inputs:
            kept |= {"position": inputs.position, "kinds": inputs.kinds, "marks": inputs.marks}
        return kept | {"random": self._random, "begun": self._begun}

    def __reduce__(self) -> tuple[object, ...]:
        return remade, (self.game, self._threads.count, self._settings), self.save()

    __setstate__ = restore

    def _arrays(self, start: Record, inner: list[int]) -> BatchArrays:
        """The arrays of all games, as compiled code takes them."""
        shown = {name: x for name, x in vars(self).items() if name in BatchArrays._fields}
        others = {
            "rngs": np.zeros(self.n, np.uint64),
            "events": np.zeros((self.n, self.seats, self.remembered.length, 4), np.int32),
            "places": np.zeros((self.n, self.seats), np.int64),
            "counts": self.count,
            "observation": self._raw,
            "final": self._raw_final,
            "turns": self.layout.turns,
            "lost": np.stack([lost_returns(self.game, self.seats, k) for k in range(self.seats)]),
            "masks": np.array([*inner, *node_masks(self.game)]),
            "start": start.array,
            "seed": self._seed,
            "mode": np.array([MODES.index(self.autoreset)]),
        }
        return BatchArrays(**shown | others | scratch_room(self.game))

    def _refuse(self) -> None:
        i = stepping.first_illegal(self.seat, self.actions, self.count, self._chosen)
        if i >= 0:
            raise IllegalAction(i, int(self.seat[i]), int(self._chosen[i]))

    def _run(self, values: Actions, anew: bool = False) -> None:
        """The compiled step on every slice, in threads if there are any."""

        def run(part: tuple[int, BatchArrays]) -> None:
            first, arrays = part
            here = slice(first, first + len(arrays.seat))
            stepping.step_games(arrays, values[here], first, anew, self.raises)
            if self.layout.columns is not None:
                self.layout.convert(arrays.observation, self.observation[here])
                if self.autoreset == "same-step" and not anew:
                    self.layout.convert(arrays.final, self.final_observation[here])
            if self.inputs:
                self.inputs.write(arrays.states, arrays.seat, arrays.actions, arrays.counts, first)

        self._threads.map(run, self._slices)


def remade(game: Game, threads: int, settings: Mapping[str, Any]) -> Batch:
    """A batch with the settings of a copied one."""
    return Batch(game, threads=threads, **settings)


def _check_made(saved: Saved, own: Mapping[str, Any], differing: Sequence[str]) -> None:
    """Raise ValueError if something was saved by a batch with other versions or settings.

    differing: the settings that may differ.
    """
    if "made" not in saved:
        raise ValueError("this was not saved by a batch, or by one of another diablerie")
    theirs = json.loads(str(saved["made"]))
    for name, value in own.items():
        if name not in differing and theirs.get(name) != value:
            raise ValueError(
                f"this was saved by a batch of another kind: its {name} is {theirs.get(name)!r}, "
                f"not {value!r}"
            )


def _check_arrays(own: Saved, saved: Saved, by_game: Saved | None = None) -> None:
    """Raise ValueError unless the arrays are those of such a batch.

    by_game: those whose first axis may have another length, the same for all.
    """
    few = {} if by_game is None else by_game
    theirs = {k: (_shape(x, k in few), x.dtype) for k, x in saved.items() if k != "made"}
    lengths = {len(saved[name]) for name in few if name in saved}
    kinds = {name: (_shape(array, name in few), array.dtype) for name, array in own.items()}
    if kinds != theirs or len(lengths) > 1:
        raise ValueError("these are not the arrays of such a batch")


def _shape(array: NDArray[Any], by_game: bool) -> tuple[int, ...]:
    return array.shape[1:] if by_game else array.shape


def _check(n: int, threads: int, seed: int, autoreset: str, illegal: str, mask: str) -> None:
    for name, number in (("n", n), ("threads", threads), ("seed", seed)):
        whole(name, number)
    if n < 1 or threads < 1:
        raise ValueError("a batch has at least one game and one thread")
    for value, known in ((autoreset, MODES), (illegal, ILLEGAL), (mask, MASKS)):
        if value not in known:
            raise ValueError(f"{value!r} is none of {', '.join(known)}")


def checked_array(values: ArrayLike, n: int, kinds: str, what: str) -> NDArray[Any]:
    """Values (n,) as an array whose type is one of NumPy's `kinds`; `what` begins the message.

    Raises TypeError for another type, ValueError for another shape.
    """
    array = np.asarray(values)
    if array.dtype.kind not in kinds:
        wanted = "bool" if kinds == "b" else "whole numbers"
        raise TypeError(f"{what} {wanted}, not {array.dtype}")
    if array.shape != (n,):
        raise ValueError(f"{what} an array of shape ({n},), not {array.shape}")
    return array


def _players(players: Sequence[str], seats: int) -> list[int]:
    """The bit masks of the seats that play at random, and as advised. Raises ValueError."""
    if unknown := set(players) - set(OPPONENTS):
        raise ValueError(f"{min(unknown)!r} cannot play inside a batch; random and sensible can")
    if len(players) > seats:
        raise ValueError(f"there are {seats} seats, not {len(players)}")
    if len(players) == seats and all(players):
        raise ValueError("one seat at least is for the caller")
    return [_seats_of(name, players) for name in OPPONENTS[1:]]


def _seats_of(name: str, players: Sequence[str]) -> int:
    """The seats of a player, as a bit mask."""
    return sum(1 << seat for seat, who in enumerate(players) if who == name)


def lost_returns(game: Game, seats: int, seat: int) -> Floats:
    """Every seat's utility if the side of `seat` loses and the others win: float64 (seats,)."""
    teams = game.teams(seats)
    out = np.zeros(seats)
    winner_takes_all(np.array([float(team != teams[seat]) for team in teams]), seats, out)
    return out


def _slices(whole: BatchArrays, game: Game, threads: int) -> list[tuple[int, BatchArrays]]:
    """One slice of the batch for each thread, with scratch room of its own, and its first game."""
    n = len(whole.seat)
    arrays = tuple[Any, ...](whole)
    slices = []
    for low, high in pairwise(n * k // threads for k in range(threads + 1)):
        if low < high:
            part = BatchArrays._make([*(a[low:high] for a in arrays[:BY_GAME]), *arrays[BY_GAME:]])
            slices.append((low, part._replace(**scratch_room(game))))
    return slices


def scratch_room(game: Game) -> dict[str, Any]:
    """Scratch room for one thread: fields of `BatchArrays`."""
    out, p = buffers(game)
    return {"room": np.zeros(1, game.state.dtype), "out": out, "p": p, "returns": np.zeros(SEATS)}
