"""The daily challenge: its page, the answer, the archive. Nothing is stored: answers are in addresses."""

import logging
import re
from datetime import date
from typing import Annotated, NamedTuple, cast
from urllib.parse import urlencode

import msgspec
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import Frozen
from diablerie.daily import challenge as calendars
from diablerie.daily.challenge import BadList, Calendar, Challenge, utc_day
from diablerie.engine.game import Game
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import Illegal, parse_legal_action
from diablerie.engine.text import Line, say
from diablerie.table.errors import BadInput, NotFound, Preparing
from diablerie.web.edges.errors import Unreadable
from diablerie.web.edges.forms import typed
from diablerie.web.edges.requests import authority_of, home_of, house_card, see_other
from diablerie.web.frames.daily_model import DailyModel, day_in_words, theme_line
from diablerie.web.frames.question import filled_choices
from diablerie.web.frames.regions import words_of
from diablerie.web.html import assets, previews, templates
from diablerie.web.html.previews import Card
from diablerie.web.people import language, preferences
from diablerie.web.routes.lessons import ready, waits_page
from diablerie.web.routes.pictures import PNG_TYPE, painted

log = logging.getLogger("diablerie.web")
DATE_PATTERN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
DAILY_DIGITS = 9  # of a number that is read
DAYS_LISTED = 28  # days on a page of the archive
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
    if not ready(request, challenge.rules):
        return _page(request, day)
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
    return templates.page_response(
        request,
        "daily-archive.html",
        rows=[_row(request, day) for day in days[first : first + DAYS_LISTED]],
        page=asked.page,
        pages=-(-len(days) // DAYS_LISTED),
        card=house_card(request, _title(request), "/daily/archive"),
    )


async def preview(request: Request) -> Response:
    """GET /daily/{date}/preview.png: the position, as the one who decides knows it."""
    model = _model(request, _day(request))
    if not ready(request, model.game):
        raise Preparing(model.game.title)

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
    if not ready(request, challenge.rules):
        heading = say("The challenge is ready in a moment.")
        return waits_page(request, challenge.rules, heading, f"/daily/{day.isoformat()}")
    if asked.do and not refusal:
        refusal = _refusal(challenge, asked.do)
    model = _model(request, day, "" if refusal else asked.do, asked.show)
    words = words_of(model.description, model.speech)
    return templates.page_response(
        request,
        "daily.html",
        model=model,
        speech=model.speech,
        refusal=refusal,
        board=Markup(model.board),
        slot=filled_choices(model.choices),
        words=Markup("".join(words)) if preferences.read_preferences(request).words else None,
        style=assets.game_stylesheet(model.game),
        card=_card(request, model),
    )


def _card(request: Request, model: DailyModel) -> Card:
    plain = model.speech.plain
    about = f"{plain(model.game.title)} · {plain(model.theme)}"
    return Card(
        title=f"{_title(request)}: {model.date}",
        description=f"{about}. {plain(model.position.prompt)}",
        url=model.home + model.path,
        image=f"{model.home}{model.path}/preview.png",
        alt=plain(say("The board of {game}", game=model.game.title)),
    )


def _title(request: Request) -> str:
    return templates.request_speech(request).plain(say("Daily challenge"))


def _row(request: Request, day: date) -> DailyRow:
    challenge = _challenge(request, day)
    words = day_in_words(day, language.request_language(request))
    return DailyRow(f"/daily/{day}", words, challenge.rules, theme_line(challenge))
