"""Privacy: the page that says what is kept of people, and the form that deletes a browser's names."""

from starlette.requests import Request
from starlette.responses import Response

from diablerie.table.authority import ABANDONED
from diablerie.table.commands import erase
from diablerie.web.edges.forms import Form
from diablerie.web.edges.requests import authority_of, see_other
from diablerie.web.html import templates
from diablerie.web.people import identity
from diablerie.web.people.preferences import NAME


def kept_data(request: Request) -> Response:
    """GET /kept: what is kept of people, how long, and how to be rid of it."""
    return templates.page_response(request, "kept.html", days=ABANDONED // (24 * 3600))


def forget_names(request: Request, form: Form) -> Response:
    """POST /forget: the names this browser has given itself are gone."""
    visitor = identity.visitor(request)
    if visitor is not None:
        erase.delete_names(authority_of(request), visitor)
    response = see_other(request, "/kept")
    response.delete_cookie(NAME)
    return response
