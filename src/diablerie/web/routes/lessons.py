"""Lessons: people learn a game by playing, one step to a page.

The server stores nothing: the position of a step follows from its number and the lesson's script.
The rules check each action first, so that a lesson refuses exactly what a table refuses.
"""

from dataclasses import dataclass, replace
from typing import Annotated

import msgspec
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from diablerie.api import Frozen
from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Amount, Game
from diablerie.engine.lesson import LEARNER, Lesson, LessonStep, Scene, script_events
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import Illegal
from diablerie.engine.replay import narrate, number_of
from diablerie.engine.text import Line, say
from diablerie.table.state.table_state import LegalMove, PositionView
from diablerie.web.edges import forms
from diablerie.web.frames.board import Board
from diablerie.web.html import assets, templates
from diablerie.web.html.speech import Speech
from diablerie.web.people import preferences
from diablerie.web.routes.endpoints import authority_of

MOST_UNFOLDED_ACTIONS = 3  # more actions than these are folded away behind the picture
Number = Annotated[int, msgspec.Meta(ge=1, lt=100)]
OFF_LESSON = say("You may do that; the lesson continues when you do what is asked above.")


class LessonQuery(Frozen):
    """The query: a step, from 1."""

    step: Number = 1


class Doing(Frozen):
    """The form of a step: an action (`do`), a number (`amount`), or `show` to see the answer."""

    step: Number
    do: str = ""
    amount: str = ""
    show: bool = False


@dataclass(frozen=True)
class LessonState:
    """A step of a lesson: its position, and the sentences on what led there from the step before."""

    game: Game
    lesson: Lesson
    number: int
    match: Match
    happened: tuple[Line, ...]

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.lesson.steps[self.number - 1]

    @property
    def last(self) -> bool:
        """Whether nothing comes after it."""
        return self.number == len(self.lesson.steps)

    @property
    def known(self) -> bool:
        """Whether the step before, which was only to be read, has shown this position."""
        before = self.lesson.steps[self.number - 2] if self.number > 1 else None
        return bool(before and not before.want and not self.step.scene)

    @property
    def moves(self) -> list[LegalMove]:
        """The learner's legal actions; none in a step that is only to be read."""
        here = PositionView(self.game, LEARNER, self.match.state)
        return here.moves if self.step.want else []

    @property
    def amount(self) -> Amount | None:
        """The number that the learner is to choose, set to what is asked for; else None."""
        amount = self.game.amount(self.match.state, LEARNER) if self.step.want else None
        if amount is None:
            return None
        [number] = self.step.want[0].split()[1:]
        return amount._replace(start=int(number))

    def board(self, speech: Speech) -> Board:
        """The position as the learner sees it."""
        view = self.match.view(LEARNER)
        return Board(self.game, view, self.match.seats, speech, self.moves, self.amount)

    def picture(self, board: Board) -> Markup:
        """The board, on which the expected actions are marked (`data-wanted`)."""
        drawn = board.picture
        for action in self.step.want:
            spot = f'data-action="{action}"'
            drawn = drawn.replace(spot, f"{spot} data-wanted")
        return Markup(drawn)

    def still(self, speech: Speech) -> Markup:
        """The board as the learner sees it, without actions."""
        return replace(self.board(speech), moves=()).html

    def answer(self, text: str) -> Line | None:
        """Why the action `text` is not the expected one, None if it is.

        Of several actions in a row (`a; b`), as the picture offers them, it checks the first.
        """
        first = text.partition(";")[0].strip()
        try:
            self.match.check(first, LEARNER)
        except (Illegal, NotationError) as error:
            return error.line
        return None if first in self.step.want else self.step.wrong or OFF_LESSON


def lesson_state(game: Game, number: int) -> LessonState:
    """A step, from 1. Raises HTTPException (404) if the lesson or the step does not exist."""
    lesson = game.lesson
    if lesson is None or not 1 <= number <= len(lesson.steps):
        raise HTTPException(404)
    match = scene_match(game, lesson.scenes[lesson.steps[lesson.begin(number) - 1].scene])
    lines: tuple[Line, ...] = ()
    for step, script in lesson.script(number):
        played = play_script(match, script)
        lines = played if step == number - 1 else ()
    return LessonState(game, lesson, number, match, () if lesson.steps[number - 1].scene else lines)


def scene_match(game: Game, scene: Scene) -> Match:
    """A match that has come to a scene."""
    match = Match.opening(game, seats=scene.seats, fair=DiceStream.seeded(0), options=scene.options)
    if scene.arrange:
        scene.arrange(match.state)
    play_script(match, scene.script)
    return match


def play_script(match: Match, script: str) -> tuple[Line, ...]:
    """Play a script; return the sentences that the log shows the learner."""
    lines: list[Line] = []
    for event in script_events(script):
        before = match.state.copy()
        number = number_of(match.game, match.state, event)
        match.apply(event)
        lines += narrate(match.game, before, event.seat, number, match.state, LEARNER)
    return tuple(lines)


def learn(request: Request) -> Response:
    """GET /learn/{game}?step=3"""
    asked = forms.typed(LessonQuery, request.query_params, 404)
    return _page(request, asked.step)


def do(request: Request, form: Doing) -> Response:
    """POST /learn/{game}: go on to the next step, or say why the action is not the expected one."""
    game = _game(request)
    standing = lesson_state(game, form.step)
    if standing.last:
        return RedirectResponse(f"/learn/{game.name}?step={form.step}", 303)
    if standing.step.want and not form.show:
        amount = standing.amount
        text = amount.template.format(form.amount) if amount and not form.do else form.do
        if refusal := standing.answer(text):
            return _page(request, form.step, refusal)
    return RedirectResponse(f"/learn/{game.name}?step={form.step + 1}", 303)


def _game(request: Request) -> Game:
    game: Game | None = authority_of(request).games.get(request.path_params["game"])
    if game is None or game.lesson is None:
        raise HTTPException(404)
    return game


def lesson_speech(request: Request, lesson: Lesson) -> Speech:
    """How sentences become text in a lesson, with the names of its players."""
    speech = templates.request_speech(request)
    devils = map(speech.texts.gettext, lesson.names)  # as bots are called at tables
    return Speech(speech.texts, (speech.plain(say("Robin (you)")), *devils))


def _page(request: Request, number: int, refusal: Line | None = None) -> Response:
    game = _game(request)
    # Nothing is stored: the position is played anew from the script.
    standing = lesson_state(game, number)
    speech = lesson_speech(request, standing.lesson)
    board = standing.board(speech)
    wanted = bool(preferences.read_preferences(request).words)
    return templates.page_response(
        request,
        "lesson.html",
        game=game,
        standing=standing,
        step=standing.step,
        board=standing.picture(board),
        words=board.in_words() if wanted else None,
        speech=speech,
        refusal=refusal,
        few=MOST_UNFOLDED_ACTIONS,
        style=assets.game_stylesheet(game),
    )
