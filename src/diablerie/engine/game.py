"""`Game`: the contract that every game fulfils.

A game is a folder of small modules. `diablerie.engine.verbs` says what its compiled functions must
do, the protocols here say what its other modules offer. Code outside `games/` knows a game only by
its `Game`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from importlib.resources import files
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from diablerie.engine.lesson import Lesson
from diablerie.engine.options import BadOption, Option, settle
from diablerie.engine.record import Record
from diablerie.engine.rng import Rng
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import register

CLAUSE = re.compile(r"^(?:- )?\*\*([A-Z]\d+[a-z]?)\*\*\s+(.+)$", re.MULTILINE)  # number, text

Translate = Callable[[Line], str]  # a line as text in the viewer's language, names filled in


class Notation(Protocol):
    """`games/NAME/rules/notation.py`: actions and outcomes as short text, both ways, in a given position.

    The parsers raise NotationError for text that is no action (outcome) of this kind of node at
    all; an action that is merely illegal parses, so that `forbids` can say why.
    """

    def format_action(self, s: Record, seat: int, action: int, /) -> str:
        """The text of an action."""

    def parse_action(self, s: Record, seat: int, text: str, /) -> int:
        """The action that a text names."""

    def format_outcome(self, s: Record, outcome: int, /) -> str:
        """The text of an outcome of this chance node."""

    def parse_outcome(self, s: Record, text: str, /) -> int:
        """The outcome of this chance node that a text names."""


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


class Ui(Protocol):
    """The room `ui`: what one seat sees, from a redacted state. `viewer` is a seat or WATCHER."""

    def look(self, s: Record, viewer: int, /) -> Any:
        """The position as `viewer` may see it: the game's own msgspec struct."""

    def sketch(self, view: Any, /) -> str:
        """The position as a few lines of text, for a terminal."""

    def narrate(
        self, before: Record, seat: int, action: int | None, after: Record, viewer: int, /
    ) -> list[Line]:
        """The log's sentences for one decision or outcome (seat CHANCE), None if unseen."""

    def panel(self, view: Any, seat: int, /) -> list[Line]:
        """What stands beside a player's name: score and condition, a few words each."""

    def label(self, s: Record, seat: int, action: int, /) -> Line:
        """What the button of a legal action says."""

    def prompt(self, s: Record, viewer: int, /) -> Line:
        """What is going on and, if `viewer` is to decide, what is asked."""

    def amount(self, s: Record, seat: int, /) -> Amount | None:
        """The number to choose at this node, if it is one."""

    def draw(self, view: Any, moves: Sequence[str], t: Translate, /) -> str:
        """The board as one `<svg>` element, from a view.

        Spots that stand for actions carry `data-action` with the notation; `moves` are the
        legal ones.
        """


@dataclass(frozen=True)
class Playout:
    """How a search plays on from a position before it is judged by the game's value.

    plies: at least so many moves; rest: then on to one of these nodes, or to any if there are
    none; skill: the share of moves that follow advice, the others being random; most: whether the
    search plays what it has visited most, and not the advised action unless another is surely
    better.
    """

    plies: int = 0
    rest: frozenset[int] = frozenset()
    skill: float = 1.0
    most: bool = False


@dataclass(frozen=True)
class LevelParams:
    """How a level that does not search judges its actions: see `diablerie.bots.noisy_one_ply`.

    guesses: on so many guesses at what it cannot see, and at the luck to come; plies: looking so
    many moves ahead at least (None: as far as `Playout`); neglect: the share of the others' moves
    on the way that it takes to be random; habit: so much better than it judges seems to it what the
    game advises, in returns (-1 to 1); memory: how likely it thinks of each thing that it has
    learnt in secret (`Game.forget`); temperature: what seems worse by so many returns is taken e
    times less often.
    """

    guesses: int = 8
    plies: int | None = None
    neglect: float = 0.0
    habit: float = 0.0
    memory: float = 1.0
    temperature: float = 0.1


LEVEL_PARAMS = (
    LevelParams(guesses=1, neglect=1.0, memory=0.2, temperature=0.3),
    LevelParams(guesses=3, neglect=0.5, memory=0.6, temperature=0.12),
    LevelParams(guesses=12, temperature=0.04),
)


class JudgedAction(NamedTuple):
    """What an appraisal knows of an action.

    samples: on how many it was judged; returns: every seat's mean return (-1 to 1); error: the
    standard error of the return of who decides.
    """

    action: int
    samples: int
    returns: tuple[float, ...]
    error: float


class Appraisal(Protocol):
    """All actions of one decision, judged on the same samples, more and more; for one thread.

    Where one sample tells something about every action, that is worth more than a tree.
    """

    def sample(self, rng: Rng, n: int, /) -> None:
        """Judge on so many samples more."""

    def judged(self) -> list[JudgedAction]:
        """All actions: those judged on the most samples first, and of these the best.

        The best is what the game thinks should be done now, and not always of the highest return.
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


def unbounded(seats: int, options: Mapping[str, Any]) -> Length:
    """What is taken for the length of a game that declares none."""
    return Length(1_000_000, 1_000_000)


@dataclass(frozen=True)
class Game:
    """One game. Creating it makes its functions known to the verbs."""

    name: str
    title: Line
    tagline: Line
    clauses: str  # the letter of its clauses
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    state: Any  # the declared record class
    node: type[IntEnum]
    actions: int  # actions are 0 to actions-1
    outcomes: int
    minutes: int  # how long people play, about, for two
    poster: str  # the devil's pose on the landing page, see art.poses; unknown ones are a grin
    rules: ModuleType  # the room: start(seats, options), notation, and the verbs but for two
    policy: ModuleType  # the room: the verbs advise, value
    ui: Ui  # the room
    original: Original | None = None  # credited on the landing page; RULES.md credits it, too
    version: int = 1  # of the rules: a replay under another version is refused
    plan: frozenset[int] = frozenset()  # nodes that go on with a plan its player may call off
    forced: frozenset[int] = frozenset()  # nodes whose single option the table plays by itself
    playout: Playout = Playout()
    appraise: Callable[[Record, int], Appraisal | None] | None = None  # None: it is searched
    temperature: float = 1.0  # of win chances from rollouts, see bots.rollouts
    wits: tuple[LevelParams, LevelParams, LevelParams] = LEVEL_PARAMS  # of imp, devil and archdevil
    daring: tuple[float, float] = (
        0.0,
        0.0,
    )  # of the bold and the careful one, see bots.noisy_one_ply
    forget: Callable[[Record, int, float, Rng], None] | None = None  # blank secrets but for a share
    lesson: Lesson | None = None  # how it is learnt by playing
    refuse: Callable[[Record, int, str], Line | None] | None = None  # short, see queries.refusal
    teams: Callable[[int], tuple[int, ...]] = field(default=lambda n: tuple(range(n)))
    points: Callable[[Record], Sequence[float]] | None = None  # by seat, of a finished game
    ending: Callable[[Record], Line] | None = None  # what ended a finished game, and its clause
    longest: Callable[[int, Mapping[str, Any]], Length] = unbounded  # of seats, settled options
    perfect_information: bool = False  # nothing is ever hidden from anybody
    opened: frozenset[int] = frozenset()  # nodes whose last decision shows more than witness says
    unguessed: frozenset[str] = frozenset()  # hidden fields that a guess may leave blank
    players_shown: bool = False  # the picture shows each player by name and all that `panel` says
    skipped: frozenset[int] = frozenset()  # chance nodes that a fixed outcome leaves out: a secret

    def __post_init__(self) -> None:
        """Register the verbs."""
        verbs = {
            name: getattr(module, name)
            for module, names in (
                (self.rules, "actor pending legal forbids chance apply returns"),
                (self.rules, "witness redact guess"),
                (self.policy, "advise value"),
            )
            for name in names.split()
        }
        register(self.state, verbs)

    @property
    def notation(self) -> Notation:
        """How actions and outcomes are written."""
        return self.rules.notation  # type: ignore[no-any-return]

    def start(self, seats: int, options: Mapping[str, Any] | None = None) -> Record:
        """The first state. Raises BadOption for seats or options the game does not have."""
        settled = self.settled(seats, options or {})
        return self.rules.start(seats, settled)  # type: ignore[no-any-return]

    def settled(self, seats: int, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with their values. Raises BadOption as `start`, but runs no rules."""
        if seats not in self.seats:
            raise BadOption(
                say(
                    "{game} is for {low} to {high} players, not {n}.",
                    game=self.title,
                    low=self.seats[0],
                    high=self.seats[-1],
                    n=seats,
                )
            )
        return settle(self.options, options)

    def clause(self, code: int) -> str:
        """The clause a `forbids` code stands for: 12 is C12, 1012 is C12a, 2012 is C12b."""
        letter = " abcdefghijklmnopqrstuvwxyz"[code // 1000].strip()
        return f"{self.clauses}{code % 1000}{letter}"

    @cached_property
    def text(self) -> str:
        """The rules text, RULES.md beside the room of the rules, with its clauses."""
        home = self.rules.__name__.rpartition(".")[0]
        return (files(home) / "RULES.md").read_text("utf-8")

    @cached_property
    def clause_texts(self) -> dict[str, str]:
        """The text of every clause by its number, as RULES.md has it: `**C7** …` to line's end."""
        return dict(CLAUSE.findall(self.text))
