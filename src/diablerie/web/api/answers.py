"""What the table answers to programs: `diablerie.api`, made from what a seat sees."""

from collections.abc import Iterable
from typing import cast

from diablerie import api
from diablerie.engine.game import Game, Translate
from diablerie.engine.text import Line
from diablerie.table.live import OVER, Live
from diablerie.web.api.calls import Call
from diablerie.web.fairness import Fairness
from diablerie.web.gathering import Browser, gather
from diablerie.web.language import chosen
from diablerie.web.page_model import PageModel
from diablerie.web.pages import speech
from diablerie.web.speech import Speech
from diablerie.web.viewpoint import choose


def home(call: Call) -> str:
    """The server's address as the program knows it."""
    return str(call.request.base_url).rstrip("/")


def model_of(call: Call, seat: int | None = None) -> PageModel:
    """What the page would show of the table, through the eyes of an own seat.

    Without `seat` it is the one of `Call.eyes`. Raises Forbidden for somebody else's seat.
    """
    seen = choose(call.live, call.visitor, call.eyes(seat))
    tongue, warm = chosen(call.request), call.request.app.state.warm
    return gather(call.authority, warm, seen, Browser(call.visitor, tongue, home(call)))


def table(call: Call, seat: int | None = None, since: int = 0, heard: int = 0) -> api.Table:
    """A table, with the log above the ply `since` and the chat above the line `heard`."""
    model = model_of(call, seat)
    live, tell, position = model.live, model.speech.plain, model.viewpoint.position
    viewer = model.viewpoint.viewer
    log = call.authority.log(live, viewer, since) if live.match else []
    return api.Table(
        id=live.id,
        url=model.address,
        game=live.game.name,
        rules=live.game.version,
        options=options(live),
        status=cast(api.Status, live.status),
        clock=live.pace,
        commitment=live.commitment,
        fair=_fair(model.fair, live.aborted),
        seats=_seats(call, live, model.speech),
        seat=_seat(viewer),
        own=list(model.viewpoint.own),
        ply=live.ply,
        pending=live.pending,
        prompt=tell(model.prompt),
        legal=[api.Move(do=m.text, label=tell(m.line)) for m in model.viewpoint.moves],
        view=position.view if position else None,
        record=position.record.asdict() if position else None,
        log=[api.Told(ply=e.ply, seat=_seat(e.seat), lines=_told(e.lines, tell)) for e in log],
        chat=[
            api.Said(id=said.id, seat=_seat(said.seat), text=said.text, at=said.at)
            for said in live.chat
            if said.id > heard
        ],
        returns=live.match.returns() if live.match and live.status == OVER else None,
        rematch=live.rematch,
    )


def _fair(fair: Fairness, aborted: int) -> api.Fair:
    return api.Fair(
        phase=fair.phase.value,
        asked=fair.asked,
        hashes=fair.hashes,
        digest=fair.digest,
        aborted=aborted,
    )


def _told(lines: Iterable[Line], tell: Translate) -> list[str]:
    return [tell(line) for line in lines]


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def options(live: Live) -> dict[str, str]:
    """The options of a table as text."""
    return {o.name: o.format(live.options[o.name]) for o in live.game.options}


def _seats(call: Call, live: Live, told: Speech) -> list[api.SeatInfo]:
    return [
        api.SeatInfo(
            seat=info.seat,
            kind=cast(api.Kind, info.kind),
            name=told.plain(live.name(info.seat)),
            bot=info.driver,
            here=presence.here,
            due=due,
        )
        for info, presence, due in zip(
            live.seats,
            call.authority.presence(live),
            call.authority.deadlines(live),
            strict=True,
        )
    ]


def row(call: Call, live: Live) -> api.Row:
    """A table in a list."""
    return api.Row(
        id=live.id,
        url=f"{home(call)}/t/{live.id}",
        game=live.game.name,
        options=options(live),
        status=cast(api.Status, live.status),
        public=live.public,
        created=live.created,
        seats=_seats(call, live, speech(call.request)),
    )


def game(call: Call, found: Game) -> api.GameInfo:
    """A game."""
    tell = speech(call.request).plain
    return api.GameInfo(
        name=found.name,
        title=tell(found.title),
        tagline=tell(found.tagline),
        seats=list(found.seats),
        options=[
            api.OptionInfo(
                name=option.name,
                label=tell(option.label),
                default=option.format(option.default),
                values=[word for word, _ in option.values],
            )
            for option in found.options
        ],
        rules=found.version,
        law=f"{home(call)}/rules/{found.name}",
    )


def done(live: Live, seat: int | None = None) -> api.Done:
    """That something was done at a table."""
    return api.Done(id=live.id, ply=live.ply, seat=seat)
