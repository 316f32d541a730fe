"""The page of a group's last evening, with its postcard. Only devices of the group see it."""

from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.text import say
from diablerie.table.commands import evenings, groups
from diablerie.table.errors import Forbidden
from diablerie.web.edges.security import CONTENT_POLICY
from diablerie.web.html import postcard, templates
from diablerie.web.people import identity
from diablerie.web.routes.endpoints import authority_of, see_other, table_of
from diablerie.web.routes.groups import link_of, page_of
from diablerie.web.routes.history import day

# The page draws its own card on a canvas: an image whose address only this page knows.
CARD_POLICY = CONTENT_POLICY.replace("img-src 'self'", "img-src 'self' blob:")


def evening_page(request: Request) -> Response:
    """GET /g/{link}/evening"""
    authority = authority_of(request)
    group = groups.find(authority, link_of(request), identity.visitor(request))
    if not group.mine:
        raise Forbidden(say("This device does not belong to the group: open the group’s link."))
    speech = templates.request_speech(request)
    lives = evenings.last_evening(authority, group.id)
    members = {one.number for one in group.members}
    games = [postcard.game_on_card(live, speech, members) for live in lives]
    date = day(request, lives[-1].changed) if lives else ""
    response = templates.page_response(
        request,
        "evening.html",
        group=group,
        url=page_of(group.link),
        date=date,
        drawn=postcard.postcard(group.name, date, games, speech) if games else None,
        told=postcard.card_in_words(games),
    )
    response.headers["content-security-policy"] = CARD_POLICY
    return response


def evening_of_table(request: Request) -> Response:
    """GET /t/{id}/evening: to the evening of the table's group, for browsers that belong to it."""
    group = groups.group_of_table(
        authority_of(request), table_of(request), identity.visitor(request)
    )
    return see_other(request, page_of(group.link) + "/evening")
