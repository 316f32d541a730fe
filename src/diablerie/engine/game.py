"""`Game`: the contract that every game fulfils.

A game is a package with three rooms, `rules`, `policy` and `ui`. `diablerie.engine.verbs` lists the
compiled functions that it defines, the protocols here the others. Code outside `games/` knows a game
only by its `Game`.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from diablerie.engine.lesson import Lesson
from diablerie.engine.moments import Moment
from diablerie.engine.notation import Notation
from diablerie.engine.options import BadOption, Option, OptionValues, Settled, settle
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.engine.text import Line, Section, nameless, say
from diablerie.engine.verbs import SIGNATURES, register

# Not imported, so that nothing is compiled anew for what is only printed.
if TYPE_CHECKING:
    from diablerie.engine.paper import Printed

CLAUSE = re.compile(r"^(?:- )?\*\*([A-Z]\d+[a-z]?)\*\*\s+(.+)$", re.MULTILINE)  # number, text

S = TypeVar("S", contravariant=True)  # a game's states
V = TypeVar("V")  # and its views
Translate = Callable[[Line], str]  # a line as text in the viewer's language, names filled in
Moves = Sequence[str]  # actions in notation


class Amount(NamedTuple):
    """A decision that is a number: shown as a field and a slider instead of many buttons.

    The action's notation is `template` with the number in place of `{}`; `doing`, if given, says
    on the button what is done, with `{}` in that place too.
    """

    low: int
    high: int
    step: int
    start: int
    template: str
    label: Line
    doing: Line | None = None


class Planned(NamedTuple):
    """A whole plan that its player has not sent yet: what he sees, and what he is asked."""

    view: Any
    question: Line


class Ui(Protocol[S, V]):
    """The room `ui`: what one seat sees, from a redacted state. `viewer` is a seat or WATCHER.

    Views are the game's own msgspec struct.
    """

    def look(self, s: S, viewer: int, /) -> V:
        """The position as `viewer` may see it: the game's own msgspec struct."""

    def sketch(self, view: V, /) -> str:
        """The position as a few lines of text, for a terminal."""

    def narrate(
        self, before: S, seat: int, action: int | None, after: S, viewer: int, /
    ) -> list[Line]:
        """The log's sentences for one decision or outcome (seat CHANCE), None if unseen."""

    def panel(self, view: V, seat: int, /) -> list[Line]:
        """What stands beside a player's name: score and condition, a few words each."""

    def label(self, s: S, seat: int, action: int, /) -> Line:
        """What the button of a legal action says."""

    def prompt(self, s: S, viewer: int, /) -> Line:
        """What is going on and, if `viewer` is to decide, what is asked."""

    def draw(self, view: V, moves: Moves, t: Translate, /) -> str:
        """The board as one `<svg>` element, from a view.

        Spots that stand for actions carry `data-action` with the notation; `moves` are the
        legal ones.
        """


class OtherVersion(ValueError):
    """Something was pickled, or saved by a batch, with other rules or another diablerie."""


@dataclass(frozen=True)
class Playout:
    """How far a search plays a position out before the game's `value` judges it.

    plies: the fewest moves that are played; rest: then the playout goes on to one of these nodes
    (empty: it stops at any); skill: the share of moves that follow `advise`, the others are
    random; most: the search decides for the action that it visited most (False: for the advised
    action, unless another one is significantly better).
    """

    plies: int = 0
    rest: frozenset[int] = frozenset()
    skill: float = 1.0
    most: bool = False


@dataclass(frozen=True)
class LearntPlay:
    """How the strongest level plays by the policy that comes with the game: `bots.network_bot`.

    seats: the sizes of tables at which it does so, of those that the policy has learnt; at others
    the level searches, as in other games. n: rollouts for a decision; decisions: choices of the
    seat in a rollout before the network judges; advised: the share of rollouts in which the others
    follow the game's advice; doubt: by how many standard errors an action must be better than the
    policy's to be played; temperature: 0 takes the policy's likeliest action as its own, above 0 it
    is drawn, at 1 by the policy's probabilities (a mixed strategy).
    """

    n: int
    decisions: int = 1
    advised: float = 1.0
    doubt: float = 1.0
    temperature: float = 0.0
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)


@dataclass(frozen=True)
class LevelParams:
    """How a level that does not search judges its actions: see `diablerie.bots.noisy_one_ply`.

    guesses: over how many guesses at what it cannot see, and at the luck to come, it takes the
    mean; neglect: the share of the others' moves on the way that it takes to be random; habit: what
    it adds to the return (-1 to 1) of the action that the game advises; memory: the probability with
    which it remembers each thing that it learnt in secret (`Game.forget`); temperature: an action
    whose return seems lower by this much is chosen e times less often (a softmax).
    """

    guesses: int = 8
    neglect: float = 0.0
    habit: float = 0.0
    memory: float = 1.0
    temperature: float = 0.1


LEVEL_PARAMS = (
    LevelParams(guesses=1, neglect=1.0, memory=0.2, temperature=0.3),
    LevelParams(guesses=3, neglect=0.5, memory=0.6, temperature=0.12),
    LevelParams(guesses=12, temperature=0.04),
)


class AppraisedAction(NamedTuple):
    """What an appraisal knows of an action.

    samples: on how many it was judged; returns: every seat's mean return (-1 to 1); error: the
    standard error of the deciding seat's return.
    """

    action: int
    samples: int
    returns: tuple[float, ...]
    error: float


class Appraisal(Protocol):
    """Judges all actions of one decision on the same random samples; only one thread may use it.

    A game offers one where a sample says something about every action: a search tree, whose
    playouts say something about one action each, is weaker there.
    """

    def sample(self, rng: Rng, n: int, /) -> None:
        """Judge all actions on `n` more samples."""

    def judged(self) -> list[AppraisedAction]:
        """All actions, those judged on the most samples first, and of these the best first.

        The best is the one that the game thinks should be chosen now: it need not have the highest
        return.
        """


class Original(NamedTuple):
    """The published game that a game follows, to be credited.

    language: that of the title, as in HTML; year: of the first edition.
    """

    title: str
    authors: tuple[str, ...]
    publisher: str
    year: int
    language: str = "de"


class Length(NamedTuple):
    """How long a game can be at most, in decisions and in outcomes of chance."""

    decisions: int
    outcomes: int


class ShortGame(NamedTuple):
    """A shorter game: about how many minutes two people play, and options, as texts by name."""

    minutes: int
    options: Mapping[str, str]


def no_answer(*about: object) -> None:
    """What a game answers where it has nothing to say."""


def no_moments(*about: object) -> Sequence[Moment]:
    """What a game stages that stages nothing."""
    return ()


def unbounded(seats: int, options: OptionValues) -> Length:
    """What is taken for the length of a game that declares none."""
    return Length(1_000_000, 1_000_000)


BY_NAME = {  # fields of a game, by the room that offers each; constants are written in capitals
    "rules": ("State", "Node", "ACTIONS", "OUTCOMES", "NOTATION"),
    "policy": ("appraise", "forget"),
    "ui": (
        "LESSON",
        "amount",
        "planned",
        "refuse",
        "reason",
        "points",
        "progress",
        "ending",
        "describe",
        "chapter",
        "THEMES",
        "moments",
        "scenes",
        "FACES",
        "printed",
    ),
}


@dataclass(frozen=True)
class Game:
    """One game: a package `home` with the rooms `rules`, `policy` and `ui`, and RULES.md.

    Each room's `__init__` imports what the room offers: the verbs, which the game registers, and
    the fields in `BY_NAME`, which `Game(…)` does not take. Raises AttributeError if a verb is
    missing, ValueError if two games have the same class of states or `quick` is none of `seats`.
    """

    home: str
    rules: Any  # start(seats, options), and the verbs but for two
    policy: Any  # the verbs advise and value, and perhaps FEATURES
    ui: Ui[Any, Any]
    name: str
    title: Line
    tagline: Line
    clauses: str  # the letter of its clauses
    seats: tuple[int, ...]
    minutes: int  # how long people play, about, for two
    poster: str  # the devil's pose on the landing page, see art.devil; unknown ones are a grin
    options: tuple[Option, ...] = ()
    original: Original | None = None  # credited on the landing page; RULES.md credits it, too
    version: int = 1  # of the rules: a replay under another version is refused
    plan: frozenset[int] = frozenset()  # nodes that go on with a plan its player may call off
    forced: frozenset[int] = frozenset()  # nodes whose single option the table plays by itself
    # Nodes whose decisions, sent together, are all played, whatever chance brings between them.
    batched: frozenset[int] = frozenset()
    playout: Playout = Playout()
    learnt: LearntPlay | None = None  # None: the strongest level searches
    temperature: float = 1.0  # of win chances from rollouts, see bots.rollouts
    levels: tuple[LevelParams, LevelParams, LevelParams] = (
        LEVEL_PARAMS  # of imp, devil and archdevil
    )
    daring: tuple[float, float] = (0.0, 0.0)  # of bold and careful ones, see bots.noisy_one_ply
    teams: Callable[[int], tuple[int, ...]] = field(default=lambda n: tuple(range(n)))
    longest: Callable[[int, OptionValues], Length] = unbounded  # of seats, settled options
    perfect_information: bool = False  # nothing is ever hidden from anybody
    opened: frozenset[int] = frozenset()  # nodes whose last decision shows more than witness says
    unguessed: frozenset[str] = frozenset()  # hidden fields that a guess may leave blank
    short: ShortGame | None = None  # offered beside the usual game, where that takes an evening
    quick: int = 0  # players of a game begun at once; 0: as many as the lesson plays with
    players_shown: bool = False  # the picture shows each player by name and all that `panel` says
    skipped: frozenset[int] = frozenset()  # chance nodes that a fixed outcome leaves out: a secret

    # Offered by the room `rules`.
    state: Any = field(init=False)  # the declared record class
    node: type[IntEnum] = field(init=False)
    actions: int = field(init=False)  # actions are 0 to actions-1
    outcomes: int = field(init=False)
    notation: Notation = field(init=False)

    # Offered by the room `policy`, or not.
    appraise: Callable[[Record, int], Appraisal | None] | None = field(init=False, default=None)
    forget: Callable[[Record, int, float, Rng], None] | None = field(init=False, default=None)

    # Offered by the room `ui`, or not.
    lesson: Lesson | None = field(init=False, default=None)
    amount: Callable[[Record, int], Amount | None] = field(init=False, default=no_answer)
    planned: Callable[[Record, Sequence[int], Record, int], Planned] | None = field(
        init=False, default=None
    )  # of the records before and after the actions of a plan (`plan`), and the viewer
    refuse: Callable[[Record, int, str], Line | None] = field(init=False, default=no_answer)
    reason: Callable[[Record, int, int], Line | None] = field(init=False, default=no_answer)
    points: Callable[[Record], Sequence[float]] | None = field(init=False, default=None)
    progress: Callable[[Record], Sequence[float]] | None = field(init=False, default=None)
    ending: Callable[[Record], Line] | None = field(init=False, default=None)
    describe: Callable[[Any], Sequence[Section]] | None = field(init=False, default=None)
    chapter: Callable[[Record], Line | None] = field(init=False, default=no_answer)
    themes: Mapping[int, Line] = field(init=False, default_factory=dict)  # what a node is about
    moments: Callable[..., Sequence[Moment]] = field(init=False, default_factory=lambda: no_moments)
    scenes: Callable[[], str] | None = field(init=False, default=None)
    faces: Mapping[str, str] = field(init=False, default_factory=dict)  # moods by scene
    printed: "Callable[[Translate], Printed] | None" = field(init=False, default=None)  # on paper

    def __post_init__(self) -> None:
        """Look up what the rooms offer, and register the verbs."""
        fields = vars(self)
        for room, names in BY_NAME.items():
            for name in names:
                if hasattr(fields[room], name):
                    fields[name.lower()] = getattr(fields[room], name)
        fields["quick"] = self.quick or self._taught()
        if self.quick not in self.seats:
            raise ValueError(f"{self.name}: quick is {self.quick}, and seats are {self.seats}")
        rooms = {"advise": self.policy, "value": self.policy}
        verbs = {name: getattr(rooms.get(name, self.rules), name) for name in SIGNATURES}
        register(self.state, verbs, self.name, self.home)

    def _taught(self) -> int:
        """How many players the largest table of the lesson has; the fewest, without a lesson."""
        scenes = self.lesson.scenes.values() if self.lesson else ()
        return max((scene.seats for scene in scenes), default=self.seats[0])

    def __reduce__(self) -> tuple[object, ...]:  # a copy is the game itself
        return pickled_game, (self.name, *self.versions)

    @property
    def versions(self) -> tuple[int, str]:
        """The versions of the rules and of diablerie, to which pickles and saved batches belong."""
        return self.version, import_module("diablerie").__version__

    def start(self, seats: int, options: OptionValues | None = None) -> Record:
        """The first state. Raises BadOption for seats or options the game does not have."""
        settled = self.settled(seats, options or {})
        return cast(Record, self.rules.start(seats, settled))

    def settled(self, seats: int, options: OptionValues) -> Settled:
        """All options with their values. Raises BadOption as `start`, but runs no rules."""
        whole = isinstance(seats, Integral)
        if not whole or seats not in self.seats:
            raise BadOption(
                say(
                    "{game} is for {low} to {high} players, not {n}.",
                    game=self.title,
                    low=self.seats[0],
                    high=self.seats[-1],
                    n=seats if whole else repr(seats),
                )
            )
        return settle(self.options, options)

    def description(self, view: Any, seats: int) -> Sequence[Section]:
        """The whole position in sentences, from a view of it: what the picture shows, for the ear.

        A game without `describe` tells of each player what `panel` says.
        """
        if self.describe:
            return self.describe(view)
        return [Section(say("{who}", who=seat), self.ui.panel(view, seat)) for seat in range(seats)]

    def asked_of_plan(
        self, before: Record, actions: Sequence[int], after: Record, viewer: int
    ) -> Planned:
        """What the player sees of a whole plan, and is asked before it is sent."""
        if self.planned:
            return self.planned(before, actions, after, viewer)
        return Planned(self.ui.look(after, viewer), say("Is this your plan?"))

    def clause(self, code: int) -> str:
        """The clause a `forbids` code stands for: 12 is C12, 1012 is C12a, 2012 is C12b."""
        letter = " abcdefghijklmnopqrstuvwxyz"[code // 1000].strip()
        return f"{self.clauses}{code % 1000}{letter}"

    @cached_property
    def text(self) -> str:
        """The rules text, RULES.md beside the rooms, with its clauses."""
        return (files(self.home) / "RULES.md").read_text("utf-8")

    @cached_property
    def clause_texts(self) -> dict[str, str]:
        """The text of every clause by its number, as RULES.md has it: `**C7** …` to line's end."""
        return dict(CLAUSE.findall(self.text))


def pickled_game(name: str, rules: int, program: str) -> Game:
    """The game of this name, for what was pickled with these versions of its rules and diablerie.

    Raises BadOption if there is none, OtherVersion (a ValueError) if its versions are others.
    """
    game = cast(Game, import_module("diablerie").game_named(name))
    check_versions(game, rules, program)
    return game


def check_versions(game: Game, rules: int, program: str) -> None:
    """Raise OtherVersion if something saved with these versions does not belong to the game's."""
    if (rules, program) != game.versions:
        raise OtherVersion(
            f"this was saved with diablerie {program}, version {rules} of the rules of "
            f"{game.name}; here is diablerie {game.versions[1]}, version {game.version}"
        )


def no_game(name: str, games: Iterable[str]) -> Line:
    """That there is no game of this name, and which there are."""
    if not name.strip():
        return nameless(games)
    names = ", ".join(games)
    return say("There is no game “{name}”; there are {names}.", name=name[:40], names=names)
