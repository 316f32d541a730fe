"""A lesson: short steps on real positions, each with something to do. Games bring theirs as data.

    Lesson(
        scenes={"first": Scene(seats=3, script="first 0, 1 bet 40")},
        steps=(LessonStep(title, text, scene="first", task=…, want=("0 bet 50",), then="2 bet 20"), …),
    )

The position of a step is its scene, played on by what the steps since want and bring about.
Scripts are events apart by commas: decisions begin with the seat, outcomes of chance do not.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from diablerie.engine.options import OptionValues
from diablerie.engine.plies import Event
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE

LEARNER = 0  # the seat of whoever takes the lesson
Arrange = Callable[[Any], None]  # of a state of the game's own class


@dataclass(frozen=True)
class Scene:
    """Where steps begin: a start, its script played, and `arrange` for what no short script gives.

    `arrange` changes the state of the opening in place, before the script.
    """

    seats: int
    script: str = ""
    options: OptionValues = field(default_factory=dict)
    arrange: Arrange | None = None


@dataclass(frozen=True)
class LessonStep:
    """One step: what is told, what is to be done, and what happens then.

    want: the actions that lead on, any of them (the lesson goes on as after the first); none if
    there is only something to read. wrong: said to other legal actions. then: the script of
    chance and devils that follows. scene: the name of the scene that begins with this step.
    """

    title: Line
    text: Line
    task: Line | None = None
    want: tuple[str, ...] = ()
    wrong: Line | None = None
    then: str = ""
    scene: str = ""


@dataclass(frozen=True)
class Glance:
    """A paragraph of the rules at a glance; its picture is the position of a step (from 1)."""

    title: Line
    text: Line
    step: int


@dataclass(frozen=True)
class Figure:
    """A picture beside a clause of the rules: a scene as a watcher sees it, and what it shows."""

    clause: str
    scene: Scene
    caption: Line


@dataclass(frozen=True)
class Lesson:
    """The lesson of a game, and what its positions illustrate: the rules at a glance, clauses."""

    names: Sequence[str]  # of the devils: seats 1 and up
    scenes: Mapping[str, Scene]
    steps: tuple[LessonStep, ...]
    glance: tuple[Glance, ...] = ()
    figures: tuple[Figure, ...] = ()

    def begin(self, number: int) -> int:
        """The step, counted from 1, whose scene the step `number` stands in."""
        return max(n for n, step in enumerate(self.steps[:number], 1) if step.scene)

    def script(self, number: int) -> list[tuple[int, str]]:
        """The scripts that lead from the scene to the step `number`, each with its step, in order."""
        first = self.begin(number)
        steps = enumerate(self.steps[first - 1 : number - 1], first)
        return [(n, _script_of(step)) for n, step in steps]


def _script_of(step: LessonStep) -> str:
    """What is wanted of the learner in a step, and what happens then."""
    wanted = [f"{LEARNER} {text}" for text in step.want[:1]]
    return ", ".join(filter(None, (*wanted, step.then)))


def script_events(script: str) -> Iterator[Event]:
    """The events of a script."""
    for word in script.replace("\n", ",").split(","):
        if text := " ".join(word.split()):
            first, _, rest = text.partition(" ")
            yield Event(int(first), rest) if first.isdigit() else Event(CHANCE, text)
