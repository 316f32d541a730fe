"""Routes of playing: decide, draft a plan, take back, ask for a hint, play a rematch."""

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from diablerie.api import Deciding, Empty, Number, Operations
from diablerie.engine.text import say
from diablerie.table.commands import decisions, sequels
from diablerie.table.errors import BadInput, Repeated
from diablerie.table.state.table_state import TableState
from diablerie.table.state.transitions import split_steps
from diablerie.table.state.visitors import Visitor
from diablerie.web.edges import errors
from diablerie.web.edges.forms import Form, Owned
from diablerie.web.edges.requests import (
    at_table,
    page_of,
    see_other,
    table_page,
)
from diablerie.web.frames.table_page import FormAnswer, Page
from diablerie.web.frames.viewpoint import Viewpoint, secrets_at_stake, view_table
from diablerie.web.people import identity, preferences

AMOUNT_DIGITS = 12  # at most of `amount`


class Decision(Owned):
    """A decision (`do`, or `amount` for a number) after the decisions of `draft`.

    `ply` is that of the page; `send` confirms the draft; with `afresh` the decision replaces the
    draft.
    """

    ply: Number
    do: str = ""
    amount: str = ""
    draft: str = ""
    send: bool = False
    afresh: bool = False


class Ask(Owned):
    """The form that asks what a bot would do after the decisions of `draft`."""

    draft: str = ""


def decide(request: Request, form: Decision) -> Response:
    """POST /t/{id}/decide: play the decisions, or show them first if they are a plan."""
    authority, table, visitor = at_table(request)
    seen = view_table(authority, table, visitor, form.seat)
    before = split_steps(form.draft)
    draft = () if form.afresh else before
    wanted = (*draft, *_decision(seen, draft, form))
    if not wanted:
        raise BadInput(say("You have not chosen anything."))
    if not form.send and _goes_on(seen, before, wanted):
        return see_other(request, seen.drafted(wanted).url)
    authority.limits.take(Operations.decide.limit, identity.client(request))
    asked = Deciding(form.ply, "; ".join(wanted), form.seat)
    try:
        live = decisions.decide.do(authority, table, visitor, asked)
    except Repeated:  # sent twice by a page without our script: what was wanted is done
        if not errors.wants_page(request.headers):
            raise
        live = authority.live(table)
    response = see_other(request, next_url(live, visitor, form.seat))
    return preferences.dismiss_card(request, response, live.game.name)


def _decision(seen: Viewpoint, before: tuple[str, ...], form: Decision) -> tuple[str, ...]:
    if form.do or not form.amount:
        return split_steps(form.do)
    position = seen.live.position(seen.viewer, before)
    asked = position.game.amount(position.record, seen.viewer) if position.asked else None
    if asked is None:
        raise BadInput(say("You do not have to give a number now."))
    return (asked.template.format(form.amount.strip()[:AMOUNT_DIGITS]),)


def _goes_on(seen: Viewpoint, before: tuple[str, ...], wanted: tuple[str, ...]) -> bool:
    """Whether these decisions are a plan to be shown first: unfinished, or made one by one.

    Raises IllegalMove or BadInput if they cannot be made.
    """
    if not seen.live.game.plan:
        return False
    return seen.live.position(seen.viewer, wanted).unfinished or bool(before)


def next_url(live: TableState, visitor: Visitor, seat: int) -> str:
    """The address after a decision: seen from the same seat only while it goes on deciding."""
    own = live.seats_of(visitor)
    again = len(own) > 1 and seat in live.pending and secrets_at_stake(live, own)
    return f"/t/{live.id}" + (f"?as={seat}" if again else "")


def hint(request: Request, form: Ask) -> Response:
    """POST /t/{id}/hint: show what a bot would do."""
    authority, table, visitor = at_table(request)
    draft = split_steps(form.draft)
    seen = view_table(authority, table, visitor, form.chosen, draft)
    client = identity.client(request)
    asked = decisions.HintAsking(form.seat, draft)
    hints = decisions.ask_hints.do(authority, table, visitor, asked, client)
    if errors.wants_page(request.headers):
        return table_page(request, seen, hints=hints)
    return JSONResponse(_hinted(replace(page_of(request, seen), answer=FormAnswer(hints=hints))))


def _hinted(page: Page) -> dict[str, object]:
    """Hints for a program, the same as HTML for our script, and the ply they are for."""
    speech = page.speech
    hints = [
        {
            "do": hint.move.text,
            "chance": round(hint.chance, 3),
            "words": speech.plain(hint.words),
            "why": speech.plain(hint.why) if hint.why else "",
        }
        for hint in page.answer.hints
    ]
    return {"ply": page.live.ply, "hints": hints, "html": page.render("hints")}


def rematch(request: Request, form: Form) -> Response:
    """POST /t/{id}/rematch"""
    live = sequels.rematch.do(*at_table(request), Empty(), identity.client(request))
    return see_other(request, f"/t/{live.id}")
