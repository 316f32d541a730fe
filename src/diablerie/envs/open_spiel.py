"""OpenSpiel: importing this module registers every game as `diablerie_NAME`.

    game = pyspiel.load_game("diablerie_coals(players=4,mouth=0)")

The games are sequential with explicit chance. Where several seats decide at the same time, they
decide in the order of their numbers, and `redact` hides what others have decided already.

`apply_action` raises pyspiel.SpielError for what is not legal. Set `checking` to False, in this
module, where only legal actions are applied: stepping is faster, and others break the state.
"""

from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import extras, verbs
from diablerie.engine.compile import Floats32
from diablerie.engine.game import Game
from diablerie.engine.options import Option, OptionValues, Settled
from diablerie.engine.queries import chance_outcomes, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.envs.spiel_memory import World, trust_state, trusted_position
from diablerie.envs.spiel_notes import (
    DIGEST_ENTRIES,
    RECALL,
    differences,
    direct,
    note_events,
    write_information,
)
from diablerie.games import ALL
from diablerie.values.observation import ObservationLayout

with extras.needed("research"):
    import pyspiel


checking = True  # whether `apply_action` refuses what is not legal; without, it is faster
Parameter = int | str  # a bool is an int
PRIVATE_OF_NONE = pyspiel.PrivateInfoType.NONE
PRIVATE_OF_ONE = pyspiel.PrivateInfoType.SINGLE_PLAYER
PRIVATE_OF_ALL = pyspiel.PrivateInfoType.ALL_PLAYERS
SHORT_ROW = 256  # numbers that become a list at once faster than the changed ones are found


# -- parameters -----------------------------------------------------------------------------------

# Flags are true or false, whole numbers integers, and every other option its text, with `/` for each
# comma, since OpenSpiel takes commas for itself: `diablerie_coals(furnace=0/0/1/2/2/2/3)`.


def defaults(game: Game) -> dict[str, Parameter]:
    """The parameters of a game with their defaults: players, options, and the key of a position."""
    chosen = {option.name: parameter(option, option.default) for option in game.options}
    return {"players": game.seats[0], **chosen, "position": ""}


def parameter(option: Option, value: object) -> Parameter:
    """The value of an option as a parameter of OpenSpiel."""
    return value if isinstance(value, int) else option.format(value).replace(",", "/")


def seats_and_options(game: Game, given: Mapping[str, Parameter]) -> tuple[int, Settled]:
    """The number of seats and the options that parameters stand for. Raises BadOption."""
    chosen = {name: value for name, value in given.items() if name not in ("players", "position")}
    texts = {
        name: value if isinstance(value, bool) else str(value).replace("/", ",")
        for name, value in chosen.items()
    }
    seats = int(given.get("players", game.seats[0]))
    return seats, game.settled(seats, texts)


# -- observers -------------------------------------------------------------------------------------


class TensorLayout:
    """The tensors of a game at a number of seats.

    An observation is that of `values.observation`, scaled. An information state begins with it; then
    come the last `RECALL` events that the seat noted, the last first: one-hot who (a seat or chance;
    the last entry: nothing), and the bits of the number of the action or outcome plus 1, 0 for one
    that the seat did not see. Last are four parts of a digest, each scaled to below 1, of everything
    the seat has seen since the beginning: two information states differ however long the game is.
    """

    def __init__(self, game: Game, seats: int) -> None:
        self.game = game
        self.seats = seats
        self.observation = layout = ObservationLayout(game, seats, "scaled")
        self.width = seats + 2 + max(game.actions, game.outcomes).bit_length()
        self.size = layout.size
        self.recall_size = self.size + RECALL * self.width + DIGEST_ENTRIES
        self._raw = np.zeros((1, layout.raw_size), np.float32)
        self._shown = [(np.zeros(self.size, np.float32), [0.0] * self.size) for _ in range(seats)]
        self._at = np.zeros(self.size, np.int64)
        self._differ = direct(differences)
        skipped = sum(1 << node for node in game.skipped)
        note = direct(note_events)
        self.note = lambda *notes: note(*notes, skipped)
        self._write = direct(write_information)

    def write_recall(self, world: World, seat: int, out: Floats32) -> None:
        """Write the tensor of an information state: float32 (recall_size,)."""
        n = world.noted(self.note)
        seen = (n.rows, n.digests, n.events)
        layout = self.observation
        assert layout.columns
        rest = seat, layout.turns, *layout.columns, self._raw, out[np.newaxis], self.width
        self._write(*seen, *rest)

    def listed(self, row: Floats32, seat: int) -> list[float]:
        """What a seat reads, as a list: of a long observation only what changed is made anew."""
        if not SHORT_ROW < len(row) == self.size:
            return row.tolist()  # type: ignore[no-any-return]
        last, listed = self._shown[seat]
        for i in self._at[: self._differ(row, last, self._at)].tolist():
            listed[i] = row.item(i)
        return listed.copy()


class Observer:
    """One kind of observation of a state: `tensor` (float32 (size,), or None), `dict`, and a string.

    It shows the record redacted for a seat, or for a watcher if private information is left out.
    While chance acts it stays what it was: how many outcomes follow each other can be a secret.
    Raises ValueError for kinds with perfect recall that mix what several seats know.
    """

    def __init__(
        self, game: Game, layout: TensorLayout, kind: pyspiel.IIGObservationType | None
    ) -> None:
        self.game = game
        self.layout = layout
        self.kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        self.recall = self.kind.perfect_recall
        if self.recall and not (
            self.kind.public_info and self.kind.private_info in (PRIVATE_OF_ONE, PRIVATE_OF_NONE)
        ):
            raise ValueError("perfect recall is of what is public, or of what a seat has seen")
        usual = self.kind.public_info and self.kind.private_info == PRIVATE_OF_ONE
        self.tensor: NDArray[np.float32] | None = None
        self.dict: dict[str, Floats32] = {}
        if usual:
            size = layout.recall_size if self.recall else layout.size
            self.tensor = np.zeros(size, np.float32)
            self.dict["information_state" if self.recall else "observation"] = self.tensor

    def set_from(self, state: "SpielState", player: int) -> None:
        """Fill the tensor with what a player observes, or with its information state."""
        if self.tensor is None:
            return
        world = state.world
        if self.recall:
            self.layout.write_recall(world, player, self.tensor)
        else:
            # a copy, or a record of its own: `write` redacts it once more, which changes nothing
            seen = world.s.copy() if _is_shown(world) else self._seen(world, player)
            self.layout.observation.write(seen, player, self.tensor)

    def string_from(self, state: "SpielState", player: int) -> str:
        """What a player observes, as text."""
        world = state.world
        private = self.kind.private_info
        if self.recall:
            return self._information(world, WATCHER if private == PRIVATE_OF_NONE else player)
        if private == PRIVATE_OF_ALL:
            return described(self.game, world.s)
        if not self.kind.public_info:
            return "" if private == PRIVATE_OF_NONE else self._private(world, player)
        if private == PRIVATE_OF_NONE:
            return described(self.game, self._seen(world, WATCHER))
        return f"seat={player} {described(self.game, self._seen(world, player))}"

    def _private(self, world: World, player: int) -> str:
        """The fields that look different to a seat than to a watcher."""
        own, public = (self._seen(world, viewer).asdict() for viewer in (player, WATCHER))
        return _joined({name: value for name, value in own.items() if value != public[name]})

    def _seen(self, world: World, viewer: int) -> Record:
        if _is_shown(world):
            return redacted(world.s, viewer)
        return world.noted(self.layout.note).shown(viewer)

    def _information(self, world: World, viewer: int) -> str:
        """The information state of a seat, or of a watcher, as text."""
        name = "watcher" if viewer == WATCHER else f"seat {viewer}"
        k = viewer if viewer >= 0 else -1
        digest = int(world.noted(self.layout.note).digests[k])
        return f"{name}:{world.texts(self.game).texts[k]} #{digest:016x}"


def _is_shown(world: World) -> bool:
    """Whether the position is what seats are shown: somebody is to decide, or the game is over."""
    return world.who >= 0 or world.who == OVER


def described(game: Game, s: Record) -> str:
    """All fields of a state, as text."""
    return _joined({**s.asdict(), "node": game.node(s.node).name.lower()})


def _joined(values: Mapping[str, object]) -> str:
    return " ".join(f"{name}={value}".replace(" ", "") for name, value in values.items())


# -- games and states -------------------------------------------------------------------------------


def type_of(game: Game) -> pyspiel.GameType:
    """The `pyspiel.GameType` of a game."""
    information = pyspiel.GameType.Information
    return pyspiel.GameType(
        short_name=f"diablerie_{game.name}",
        long_name=f"diablerie {game.title}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION
        if game.perfect_information
        else information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        # All kinds of observation: learners of OpenSpiel ask for one or the other.
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=defaults(game),
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its number of players and options.

    Raises BadOption for those the game does not have, BadPosition for a key of no position.
    """

    game: ClassVar[Game]

    def __init__(self, params: Mapping[str, Parameter]) -> None:
        game = self.game
        if key := str(params.get("position", "")):
            start, self.seats, self.options = trusted_position(game, key)
        else:
            self.seats, self.options = seats_and_options(game, params)
            start = game.start(self.seats, self.options)
        self.length = game.longest(self.seats, self.options)
        self.layout = TensorLayout(game, self.seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.actions,
            max_chance_outcomes=game.outcomes,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.length.decisions,
        )
        # OpenSpiel makes a text of the parameters, by which it loads the game again: so all are named.
        super().__init__(type_of(game), info, self._parameters(params))
        self.first = World.of(game, start.copy(), self.seats)
        self.observer = self.make_py_observer()
        self.recaller = self.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))

    def _parameters(self, params: Mapping[str, Parameter]) -> dict[str, Parameter]:
        """All parameters; a position has its own seats and options."""
        chosen = {o.name: parameter(o, self.options[o.name]) for o in self.game.options}
        return {**params, **chosen, "players": self.seats}

    def new_initial_state(self) -> "SpielState":
        """The state that the game begins in."""
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """The most outcomes of chance that a game can have; `max_game_length` has the decisions."""
        return self.length.outcomes

    def __reduce__(self) -> tuple[object, ...]:
        return pickled_spiel, (str(self), self.game)

    def make_py_observer(
        self, kind: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> Observer:
        """An observer of this kind (default: without recall). Raises ValueError for parameters."""
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        return Observer(self.game, self.layout, kind or None)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state. Only `world` changes; it is the one attribute that copies and pickles hold."""

    __slots__ = ("__dict__", "game", "spiel")

    def __init__(self, spiel: SpielGame) -> None:
        super().__init__(spiel)
        self.game = spiel.game
        self.spiel = spiel
        self.world: World = spiel.first.__deepcopy__(None)

    def current_player(self) -> "int | pyspiel.PlayerId":
        """The seat to decide, CHANCE or TERMINAL."""
        who = self.world.who
        if who >= 0:
            return who
        return pyspiel.PlayerId.TERMINAL if who == OVER else pyspiel.PlayerId.CHANCE

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.world.who == OVER

    def _legal_actions(self, player: int) -> list[int]:
        if not 0 <= player < self.spiel.seats:
            return []
        out = np.empty(self.game.actions, np.int64)
        legal: list[int] = out[: verbs.legal(self.world.s, player, out)].tolist()
        if player == self.world.who:
            self.world.offered = legal
        return legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities."""
        outcomes, p = chance_outcomes(self.game, self.world.s)
        self.world.offered = outcomes
        return list(zip(outcomes, p, strict=True))

    def _apply_action(self, action: int) -> None:
        if checking and action not in self.world.offered and not self._may(action):
            raise pyspiel.SpielError(f"action {action} is not legal here: {self}")
        self.world.apply(action)

    def _may(self, action: int) -> bool:
        """Whether the rules allow this action, or outcome of chance, now."""
        who = self.world.who
        if who >= 0:
            known = 0 <= action < self.game.actions
            return known and not verbs.forbids(self.world.s, who, action)
        return who != OVER and any(action == outcome for outcome, _ in self.chance_outcomes())

    def _action_to_string(self, player: int, action: int) -> str:
        if player == CHANCE:
            return self.game.notation.format_outcome(self.world.s, action)
        return self.game.notation.format_action(self.world.s, player, action)

    def returns(self) -> list[float]:
        """Every seat's utility, all 0 while the game runs."""
        out = np.zeros(verbs.SEATS)
        if self.world.who == OVER:
            verbs.returns(self.world.s, out)
        return out[: self.num_players()].tolist()  # type: ignore[no-any-return]

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """As OpenSpiel's own, which begins a game at every call to learn the size of the tensor."""
        return self._tensor(self.spiel.observer, player)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """As `observation_tensor`."""
        return self._tensor(self.spiel.recaller, player)

    def _tensor(self, observer: Observer, player: int | None) -> list[float]:
        """What an observer writes for a player, by default who is to act."""
        seat = self.current_player() if player is None else player
        if not 0 <= seat < self.spiel.seats:
            raise pyspiel.SpielError(f"{seat} is not player >= 0, player < {self.spiel.seats}")
        observer.set_from(self, seat)
        assert observer.tensor is not None
        return self.spiel.layout.listed(observer.tensor, seat)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """A random state that looks the same to `player`: `guess` fills in what it cannot see.

        sampler: returns numbers from 0 to 1, as `pyspiel.UniformProbabilitySampler`. The history is
        still that of the true state, so a search must not look at it.
        """
        world = self.world
        s = redacted(self.world.s, player)
        verbs.guess(s, player, seeded(int(sampler() * 2**53)))
        resampled: SpielState = self.clone()
        texts = world.texts(self.game).guessed(s, player)
        first = texts, world.noted(self.spiel.layout.note).guessed(s, player)
        resampled.world = World(s, world.who, (), first)
        return resampled

    def __reduce__(self) -> tuple[object, ...]:
        return unpickled, (pyspiel.serialize_game_and_state(self.get_game(), self), self.game)

    def __str__(self) -> str:
        return described(self.game, self.world.s)


def game_from_state(
    game: Game, s: Record, seats: int, options: OptionValues | None = None
) -> SpielGame:
    """The OpenSpiel game that begins in a state of this process, with these seats and options.

    The game can be pickled and serialized within this process alone. No rule checks the state: the
    caller must pass one that the rules can lead to. Raises BadOption and BadPosition, also for a
    state that hides something from somebody.
    """
    key = trust_state(game, s, seats, options or {})
    return pyspiel.load_game(f"diablerie_{game.name}(position={key})")  # type: ignore[no-any-return]


def pickled_spiel(text: str, game: Game) -> SpielGame:
    """The game from its text. `game` is pickled with it, and so are its versions."""
    return pyspiel.load_game(text)  # type: ignore[no-any-return]


def unpickled(text: str, game: Game) -> SpielState:
    """The state from the text that OpenSpiel writes.

    OpenSpiel's own pickling loses the attributes that Python adds. `game` is pickled with it, and
    so are its versions.
    """
    return pyspiel.deserialize_game_and_state(text)[1]  # type: ignore[no-any-return]


# Each game has a class of its own, as OpenSpiel's own games have: its registry outlives the
# interpreter, and dropping the last reference to another kind of object at that point crashes.
for _game in ALL.values():
    pyspiel.register_game(type_of(_game), type(_game.name, (SpielGame,), {"game": _game}))
