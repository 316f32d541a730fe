"""The daily challenge: its page, the answer, the archive. Nothing is stored: answers are in addresses."""

import logging
import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Annotated, NamedTuple, cast
from urllib.parse import urlencode

import msgspec
from babel.dates import format_date
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import Frozen
from diablerie.bots.levels import LEVELS
from diablerie.daily import challenge as calendars
from diablerie.daily.challenge import BadList, Calendar, Challenge, JudgedAction, utc_day
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import Illegal, parse_legal_action
from diablerie.engine.text import Line, say
from diablerie.table.errors import BadInput, NotFound
from diablerie.table.state.table_state import LegalMove, PositionView
from diablerie.table.state.visitors import DEVIL_NAMES
from diablerie.web.edges.errors import Unreadable
from diablerie.web.edges.forms import typed
from diablerie.web.frames.board import Board, SeatPanel
from diablerie.web.frames.question import filled_choices
from diablerie.web.html import assets, previews, templates
from diablerie.web.html.previews import Card, house_card
from diablerie.web.html.speech import Speech, speech_for
from diablerie.web.people import language, preferences
from diablerie.web.routes.endpoints import authority_of, home_of, see_other
from diablerie.web.routes.pictures import PNG_TYPE, painted

# -- what the page shows ---------------------------------------------------------------------------

TOP_SCORES = 3  # of the best actions are shown in the solution
TITLES = {level.name: level.title for level in LEVELS}


class ShownAction(NamedTuple):
    """An action in the solution: what its button said, of 100 games how many it wins, and why."""

    judged: JudgedAction
    label: Line
    percent: int
    why: Line | None


class ShownLevel(NamedTuple):
    """A level in the solution: its title, and whether it found the best action."""

    title: Line
    found: bool


@dataclass(frozen=True)
class DailyModel:
    """The challenge of a day in one language.

    answer: the action that the visitor chose, "" for none; solved: whether the solution is shown;
    home: the server's address.
    """

    day: date
    challenge: Challenge
    locale: str
    home: str
    answer: str = ""
    solved: bool = False
    top: int = TOP_SCORES

    @property
    def game(self) -> Game:
        """The game."""
        return self.challenge.rules

    @cached_property
    def speech(self) -> Speech:
        """How sentences become text: the visitor decides for one seat, devils have the others."""
        bare = speech_for(self.locale)
        seats = range(int(self.challenge.state.seats))
        own = self.challenge.seat
        named = (say("Robin (you)") if seat == own else DEVIL_NAMES[seat] for seat in seats)
        return speech_for(self.locale, *map(bare.plain, named))

    @cached_property
    def position(self) -> PositionView:
        """What the seat knows."""
        return PositionView(self.game, self.challenge.seat, self.challenge.state)

    # -- what is asked -----------------------------------------------------------------------------

    @cached_property
    def moves(self) -> list[LegalMove]:
        """What may be decided; nothing once the solution is shown."""
        return [] if self.solved else self.position.moves

    @cached_property
    def board(self) -> Board:
        """The position, with what may be decided."""
        position = self.position
        seats = int(self.challenge.state.seats)
        amount = self.game.amount(position.record, position.viewer)
        if amount:  # where a sensible player would begin, much of the answer would be told
            middle = amount.low + (amount.high - amount.low) // amount.step // 2 * amount.step
            amount = amount._replace(start=middle)
        return Board(self.game, position.view, seats, self.speech, self.moves, amount)

    @property
    def seats(self) -> list[SeatPanel]:
        """What is shown of each seat beside the board, as at a table."""
        return [self._seat(seat) for seat in range(self.board.seats)]

    def _seat(self, seat: int) -> SeatPanel:
        own = seat == self.challenge.seat
        what = "" if own else self.speech.plain(say("bot"))
        return self.board.panel(seat, what=what, mood="think" if own else "sly", deciding=own)

    # -- what it is about --------------------------------------------------------------------------

    @property
    def date(self) -> str:
        """The day in words."""
        return day_in_words(self.day, self.locale)

    @property
    def theme(self) -> Line:
        """The kind of decision in a few words."""
        return theme_line(self.challenge)

    @property
    def heading(self) -> str:
        """The same with a capital letter; others, as of German nouns, stay."""
        text = self.speech.plain(self.theme)
        return text[:1].upper() + text[1:]

    @property
    def chapter(self) -> Line | None:
        """The round or phase."""
        return self.game.chapter(self.challenge.state)

    @property
    def path(self) -> str:
        """The path of the page, without an answer."""
        return f"/daily/{self.day.isoformat()}"

    # -- the solution ------------------------------------------------------------------------------

    @cached_property
    def chosen(self) -> ShownAction | None:
        """The visitor's action."""
        judged = self.challenge.judged(self.answer)
        return self._shown(judged) if judged else None

    @cached_property
    def best(self) -> ShownAction:
        """The best action."""
        return self._shown(self.challenge.best)

    @cached_property
    def ranked(self) -> list[ShownAction]:
        """The best few actions, and the visitor's."""
        judged = self.challenge.actions
        shown = [one for k, one in enumerate(judged) if k < TOP_SCORES or one.text == self.answer]
        return [self._shown(one) for one in shown]

    @property
    def found(self) -> bool:
        """Whether the visitor found the best action."""
        return self.answer == self.challenge.best.text

    @property
    def lost(self) -> int:
        """How many of 100 games the visitor's action loses, about: as the chances are shown."""
        return self.best.percent - self.chosen.percent if self.chosen else 0

    @property
    def levels(self) -> list[ShownLevel]:
        """Which levels found the best action."""
        named = self.challenge.levels
        titles = (TITLES.get(one.level, Line("{name}", {"name": one.level})) for one in named)
        return [ShownLevel(title, one.found) for title, one in zip(titles, named, strict=True)]

    @property
    def result(self) -> str:
        """What the answer was worth, in a few words that give nothing away."""
        if not self.answer:
            return self.speech.plain(say("looked at the answer"))
        if self.found:
            return self.speech.plain(say("found the best action"))
        return self.speech.plain(say("lost about {n}%", n=self.lost))

    @property
    def to_paste(self) -> str:
        """Five lines to paste, which give nothing away."""
        finders = say(
            "{n} of {all} devils found it", n=self.challenge.finders, all=len(self.challenge.levels)
        )
        title = self.game.title
        plain = self.speech.plain
        lines = [
            f"diablerie daily {self.day.isoformat()}",
            f"{plain(title)} · {plain(self.theme)}",
            self.result,
            plain(finders),
            self.home + self.path,
        ]
        return "\n".join(lines)

    def _shown(self, judged: JudgedAction) -> ShownAction:
        s = self.challenge.state
        seat = self.challenge.seat
        action = self.game.notation.parse_action(s, seat, judged.text)
        label = self.game.ui.label(s, seat, action)
        why = self.game.reason(s, seat, action)
        return ShownAction(judged, label, percent_of(judged.chance), why)


def percent_of(chance: float) -> int:
    """A chance in percent, as it is told: neither nothing nor all is sure."""
    return min(max(round(100 * chance), 1), 99)


def theme_line(challenge: Challenge) -> Line:
    """The kind of decision in a few words: as its game says, else the name of the node."""
    kind = challenge.theme.split()[1]
    return challenge.rules.themes.get(int(challenge.state.node)) or Line("{kind}", {"kind": kind})


def day_in_words(day: date, locale: str) -> str:
    """A day as a language writes it."""
    return format_date(day, "long", locale=locale)


# -- routes ----------------------------------------------------------------------------------------

log = logging.getLogger("diablerie.web")
DATE_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DAILY_DIGITS = 9  # of a number that is read
DAYS_LISTED = 28  # days on a page of the archive
DAILY_TITLE = say("Daily challenge")
Page = Annotated[int, msgspec.Meta(ge=1, lt=10**6)]


class Answering(Frozen):
    """The form: an action (`do`), a number (`amount`), or `show` to see the answer."""

    do: str = ""
    amount: str = ""
    show: bool = False


class ArchiveQuery(Frozen):
    """The query of the archive: a page, from 1, the latest days first."""

    page: Page = 1


class DailyRow(NamedTuple):
    """A day in a list: its address, its date in words, its game and theme."""

    path: str
    date: str
    game: Game
    theme: Line


def calendar_of(request: Request) -> Calendar:
    """The list of challenges. Raises Unreadable for a damaged one."""
    try:
        return cast(Calendar | None, request.app.state.calendar) or calendars.calendar()
    except BadList as error:
        raise Unreadable(500, error.line) from error


def today(request: Request) -> date:
    """The day now, UTC."""
    return utc_day(authority_of(request).clock())


def todays_row(request: Request) -> DailyRow | None:
    """Today's challenge for the landing page; None if there is none."""
    try:
        return _row(request, today(request))
    except NotFound:
        return None
    except Unreadable as error:
        log.error("%s", error)  # the page of the challenge says so, too
        return None


def daily_today(request: Request) -> Response:
    """GET /daily: today's challenge."""
    return _page(request, today(request))


def daily_page(request: Request) -> Response:
    """GET /daily/{date}: the challenge of a day; with ?do=ACTION how good that is."""
    return _page(request, _day(request))


def answer(request: Request, form: Answering) -> Response:
    """POST /daily/{date}: lead to the page that shows what the answer is worth."""
    day = _day(request)
    challenge = _challenge(request, day)
    if form.show:
        return see_other(request, f"/daily/{day.isoformat()}?show=1")
    text = _decision(challenge, form)
    if refusal := _refusal(challenge, text):
        return _page(request, day, refusal)
    return see_other(request, f"/daily/{day.isoformat()}?{urlencode({'do': text})}")


def archive(request: Request) -> Response:
    """GET /daily/archive?page=2: all days so far, the latest first."""
    asked = typed(ArchiveQuery, request.query_params, 404)
    now = today(request)
    days = calendar_of(request).days(now)
    first = DAYS_LISTED * (asked.page - 1)
    if first >= max(1, len(days)):
        raise NotFound(say("There are no earlier days."))
    speech = templates.request_speech(request)
    return templates.page_response(
        request,
        "daily-archive.html",
        rows=[_row(request, day) for day in days[first : first + DAYS_LISTED]],
        page=asked.page,
        pages=-(-len(days) // DAYS_LISTED),
        card=house_card(speech, home_of(request), speech.plain(DAILY_TITLE), "/daily/archive"),
    )


async def preview(request: Request) -> Response:
    """GET /daily/{date}/preview.png: the position, as the one who decides knows it."""
    model = _model(request, _day(request))

    def draw() -> bytes:
        return previews.table_preview(model.game, model.position.view, model.speech)

    return await painted(request, ("daily", model.path, model.locale), draw, PNG_TYPE)


# -- what is asked for -----------------------------------------------------------------------------


def _day(request: Request) -> date:
    """The day in the address. Raises BadInput for text that is no date."""
    text = request.path_params["date"]
    try:
        if not DATE_PATTERN.fullmatch(text):
            raise ValueError(text)
        return date.fromisoformat(text)
    except ValueError:
        example = today(request).isoformat()
        line = say("“{text}” is not a day such as {example}.", text=text[:40], example=example)
        raise BadInput(line) from None


def _challenge(request: Request, day: date) -> Challenge:
    """The challenge of a day. Raises NotFound before the first day, and for days to come."""
    now = today(request)
    found = calendar_of(request)
    if day > now:
        raise NotFound(say("The challenge of that day is not shown before the day begins (UTC)."))
    challenge = found.on(day)
    if challenge is None:
        first = day_in_words(found.first, language.request_language(request))
        raise NotFound(say("The first daily challenge is that of {day}.", day=first))
    return challenge


def _decision(challenge: Challenge, form: Answering) -> str:
    """The action that a form names; of several in a row, as the picture offers them, the first."""
    amount = challenge.rules.amount(challenge.state, challenge.seat)
    if amount and form.amount and not form.do:
        return amount.template.format(form.amount.strip()[:DAILY_DIGITS])
    return form.do.partition(";")[0].strip()


def _refusal(challenge: Challenge, text: str) -> Line | None:
    """Why an action is not legal; None if it is."""
    if not text:
        return say("Nothing was chosen.")
    try:
        parse_legal_action(challenge.rules, challenge.state, challenge.seat, text)
    except (Illegal, NotationError) as error:
        return error.line
    return None


# -- pages -----------------------------------------------------------------------------------------


def _model(request: Request, day: date, answer: str = "", solved: bool = False) -> DailyModel:
    locale = language.request_language(request)
    home = home_of(request)
    challenge = _challenge(request, day)
    return DailyModel(day, challenge, locale, home, answer, solved or bool(answer))


def _page(request: Request, day: date, refusal: Line | None = None) -> Response:
    asked = typed(Answering, request.query_params if request.method != "POST" else {})
    challenge = _challenge(request, day)
    # Anybody can write an address: what it holds is judged only if it is legal.
    if asked.do and not refusal:
        refusal = _refusal(challenge, asked.do)
    model = _model(request, day, "" if refusal else asked.do, asked.show)
    return templates.page_response(
        request,
        "daily.html",
        model=model,
        speech=model.speech,
        refusal=refusal,
        board=model.board.html,
        slot=filled_choices(model.board),
        words=model.board.in_words() if preferences.read_preferences(request).words else None,
        style=assets.game_stylesheet(model.game),
        card=_card(model),
    )


def _card(model: DailyModel) -> Card:
    plain = model.speech.plain
    about = f"{plain(model.game.title)} · {plain(model.theme)}"
    return Card(
        title=f"{plain(DAILY_TITLE)}: {model.date}",
        description=f"{about}. {plain(model.position.prompt)}",
        url=model.home + model.path,
        image=f"{model.home}{model.path}/preview.png",
        alt=plain(say("The board of {game}", game=model.game.title)),
    )


def _row(request: Request, day: date) -> DailyRow:
    challenge = _challenge(request, day)
    words = day_in_words(day, language.request_language(request))
    return DailyRow(f"/daily/{day}", words, challenge.rules, theme_line(challenge))
