"""What a lesson is made of: scenes, the steps that stand in them, and scripts."""

from diablerie.engine.lesson import Lesson, LessonStep, Scene, script_events
from diablerie.engine.plies import Event
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE


def step(want: str = "", then: str = "", scene: str = "") -> LessonStep:
    return LessonStep(
        say("…"), say("…"), want=(want, "not this") if want else (), then=then, scene=scene
    )


LESSON = Lesson(
    names=("Cinder",),
    scenes={"first": Scene(2), "second": Scene(2)},
    steps=(step(scene="first"), step("pull", "coal 10"), step("stop"),
           step("bet 50", scene="second"), step(then="1 stop"), step()),
)  # fmt: skip


def test_a_step_stands_in_the_last_scene_that_has_begun() -> None:
    assert [LESSON.begin(n) for n in range(1, 7)] == [1, 1, 1, 4, 4, 4]


def test_what_leads_to_a_step_is_what_those_since_the_scene_want_and_bring_about() -> None:
    assert LESSON.script(1) == LESSON.script(4) == []
    assert LESSON.script(3) == [(1, ""), (2, "0 pull, coal 10")]
    assert LESSON.script(6) == [(4, "0 bet 50"), (5, "1 stop")]


def test_a_script_s_decisions_begin_with_the_seat_and_outcomes_do_not() -> None:
    found = list(script_events("0 bet 50,\n 1 bet  40, , coal 10"))
    assert found == [Event(0, "bet 50"), Event(1, "bet 40"), Event(CHANCE, "coal 10")]
