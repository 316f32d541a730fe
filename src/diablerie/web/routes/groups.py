"""The page of a group, which is its link: who is here, tonight's game, the series; and its forms."""

from typing import NamedTuple

from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import Frozen, Seat
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.table.commands import forfeits, groups, history
from diablerie.table.commands.groups import Group, GroupCommand
from diablerie.table.errors import BadInput, Refused
from diablerie.table.state.table_state import OPEN_TABLE, TableState
from diablerie.web.edges.forms import Count, Form
from diablerie.web.html import templates
from diablerie.web.html.option_fields import joined
from diablerie.web.html.previews import group_card
from diablerie.web.html.speech import Speech
from diablerie.web.people import identity, preferences
from diablerie.web.routes.endpoints import (
    authority_of,
    network_of,
    see_other,
    shown_again,
    table_of,
)
from diablerie.web.routes.history import day
from diablerie.web.routes.landing import OPTION

SIGNS = (  # of members: the colours and marks of the seats, see art/marks.py
    say("gold sun"),
    say("violet triangle"),
    say("blue square"),
    say("green diamond"),
    say("red star"),
    say("ring"),
)


class NewGroup(Frozen):
    """The form that makes a group: its name, and that of the person at this browser."""

    name: str = ""
    person: str = ""


class Person(Frozen):
    """A member by number; or a new one (0) by name and colour."""

    member: Count = 0
    name: str = ""
    colour: Seat | None = None


class Removed(Frozen):
    """A member who is removed, or one of the member's devices by its code; and the link, renewed."""

    member: Count = 0
    device: str = ""
    renewing: str = ""


class NewForfeit(Frozen):
    """A forfeit to add."""

    forfeit: str = ""


class Struck(Frozen):
    """A forfeit to strike out, by number."""

    number: Count = 0


class Playing(Frozen):
    """A game to begin, or a table to sit at, and the members at this browser who play."""

    game: str = ""
    table: str = ""
    who: dict[str, str] = field(default_factory=dict)  # by number, in fields `who-1=1`
    option: dict[str, str] = field(default_factory=dict)  # of all games: `option-coals-goal=300`
    share: bool = False  # this browser will send a nonce for the dice

    @property
    def members(self) -> list[int]:
        """The numbers of the members."""
        return [int(number) for number in self.who if number.isdecimal() and len(number) < 6]

    def options(self, game: Game) -> dict[str, str]:
        """The options of the game that begins."""
        own = f"{self.game}-"
        given = {k.removeprefix(own): text for k, text in self.option.items() if k.startswith(own)}
        return joined(game, given)


class GroupTable(NamedTuple):
    """A table of the group in the list."""

    live: TableState
    names: Speech
    joinable: bool  # an open seat, for somebody at this browser who has none
    own: bool


def link_of(request: Request) -> str:
    """The group's link, from the address."""
    return str(request.path_params["link"])


def page_of(link: str) -> str:
    """The address of a group's page."""
    return f"/g/{link}"


def group_page(request: Request) -> Response:
    """GET /g/{link}"""
    group = groups.find(authority_of(request), link_of(request), identity.visitor(request))
    if visitor := identity.visitor(request):
        groups.look_in(authority_of(request), group, visitor)
    return _page(request, group)


def refused(request: Request, _: object, error: Refused) -> Response:
    """The page again, with a refusal. Raises NotFound where the link leads nowhere."""
    group = groups.find(authority_of(request), link_of(request), identity.visitor(request))
    return _page(request, group, error)


def _page(request: Request, group: Group, refusal: Refused | None = None) -> Response:
    authority = authority_of(request)
    speech = templates.request_speech(request)
    lives = groups.tables_of(authority, group)
    reach = network_of(request).reach(request)
    # The page and its preview lead to the same address.
    score = history.series_of(authority, group.id)
    url = page_of(group.link)
    return templates.page_response(
        request,
        "group.html",
        group=group,
        here=groups.here(authority, group, lives),
        tables=[_row(request, group, live, speech) for live in lives],
        series=score,
        games=authority.games,
        address=reach.home + url,
        reach=reach,
        card=group_card(speech, reach.home, group.name, url, score.line, score.matches),
        url=url,
        name=preferences.remembered_name(request),
        refusal=refusal,
        renewed="renewed" in request.query_params and refusal is None,
        signs=SIGNS,
        forfeits=forfeits.forfeits_of(authority, group.id) if group.mine else [],
        most_forfeits=forfeits.MOST_FORFEITS,
        longest_forfeit=forfeits.LONGEST_FORFEIT,
        option=OPTION,
        day=lambda at: day(request, at),
    )


def _row(request: Request, group: Group, live: TableState, speech: Speech) -> GroupTable:
    there = {info.member for info in live.seats}
    coming = any(one.number not in there for one in group.mine)
    own = bool(live.seats_of(identity.visitor(request)))
    return GroupTable(
        live, speech.at(live), live.status == OPEN_TABLE and bool(live.free) and coming, own
    )


def create(request: Request, form: NewGroup) -> Response:
    """POST /groups"""
    caller = identity.Caller(request)
    asked = groups.GroupMaking(form.name, form.person)
    client = identity.client(request)
    group = groups.create.do(authority_of(request), caller.visitor, asked, client)
    response = caller.keep(see_other(request, page_of(group.link)))
    return preferences.keep_name(response, form.person)


def join(request: Request, form: Person) -> Response:
    """POST /g/{link}/join: say who is at this browser, or that somebody new is."""
    caller = identity.Caller(request)
    link = link_of(request)
    colour = -1 if form.colour is None else form.colour
    group = groups.join(authority_of(request), link, caller.visitor, form.member, form.name, colour)
    response = caller.keep(see_other(request, page_of(group.link)))
    called = group.member(form.member).name if form.member else form.name
    return preferences.keep_name(response, called if len(group.mine) == 1 else "")


def leave(request: Request, form: Person) -> Response:
    """POST /g/{link}/leave: a member is no longer at this browser."""
    if visitor := identity.visitor(request):
        groups.leave(authority_of(request), link_of(request), visitor, form.member)
    return see_other(request, page_of(link_of(request)))


def change(request: Request, form: Person) -> Response:
    """POST /g/{link}/member: another name or colour."""
    colour = -1 if form.colour is None else form.colour
    asked = groups.MemberChange(form.member, form.name, colour)
    groups.change.do(authority_of(request), link_of(request), identity.visitor(request), asked)
    return see_other(request, page_of(link_of(request)))


def forget(request: Request, form: Removed) -> Response:
    """POST /g/{link}/forget: nobody of the group plays at a member's device any more."""
    authority = authority_of(request)
    link = link_of(request)
    asked = groups.DeviceForgetting(form.member, form.device, bool(form.renewing))
    now = groups.forget.do(authority, link, identity.visitor(request), asked)
    return _at_home(request, now)


def rename(request: Request, form: NewGroup) -> Response:
    """POST /g/{link}/rename: another name for the group."""
    visitor = identity.visitor(request)
    groups.rename(authority_of(request), link_of(request), visitor, form.name)
    return see_other(request, page_of(link_of(request)))


def write_forfeit(request: Request, form: NewForfeit) -> Response:
    """POST /g/{link}/forfeit: what the last of a game owes."""
    asked = forfeits.ForfeitWriting(form.forfeit)
    return _about_forfeits(request, forfeits.write, asked)


def strike_forfeit(request: Request, form: Struck) -> Response:
    """POST /g/{link}/strike: a forfeit that is owed no more."""
    return _about_forfeits(request, forfeits.strike, forfeits.ForfeitStriking(form.number))


def _about_forfeits(request: Request, command: GroupCommand[..., None], asked: Struct) -> Response:
    link = link_of(request)
    command.do(authority_of(request), link, identity.visitor(request), asked)
    return see_other(request, page_of(link) + "#forfeits")


def remove(request: Request, form: Removed) -> Response:
    """POST /g/{link}/remove: remove a member; with the last the group."""
    authority = authority_of(request)
    visitor = identity.visitor(request)
    asked = groups.MemberRemoval(form.member, bool(form.renewing))
    now = groups.remove.do(authority, link_of(request), visitor, asked)
    return _at_home(request, now)


def renew(request: Request, form: Form) -> Response:
    """POST /g/{link}/renew: a new link; the old one works no more."""
    visitor = identity.visitor(request)
    return _at_home(request, groups.renew(authority_of(request), link_of(request), visitor))


def _at_home(request: Request, link: str) -> Response:
    """To the group's page at its link now, which says so if that is new; or to the front page."""
    fresh = link and link != link_of(request)
    return see_other(request, page_of(link) + "?renewed=1" * bool(fresh) if link else "/")


def play(request: Request, form: Playing) -> Response:
    """POST /g/{link}/play: open a table, or sit down at one."""
    authority = authority_of(request)
    link = link_of(request)
    visitor = identity.visitor(request)
    group = groups.find(authority, link, visitor)
    # A browser with one member need not say who plays.
    who = form.members or [one.number for one in group.mine if len(group.mine) == 1]
    if visitor is None:
        raise BadInput(groups.NOBODY_NAMED)
    if form.table:
        live = groups.sit(authority, link, visitor, form.table, who, share=form.share)
    else:
        client = identity.client(request)
        options = form.options(authority.game(form.game))
        asked = groups.EveningTable(form.game, who, options, form.share)
        live = groups.open_evening.do(authority, link, visitor, asked, client)
    return see_other(request, f"/t/{live.id}")


def of_table(request: Request) -> Response:
    """GET /t/{id}/group: to the page of the table's group, for browsers that belong to it."""
    group = groups.group_of_table(
        authority_of(request), table_of(request), identity.visitor(request)
    )
    return see_other(request, page_of(group.link))


again = shown_again(refused)
