"""Settings: how this browser shows the pages, in which language; a card that is put away."""

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.text import say
from diablerie.table.errors import BadInput
from diablerie.web.edges.requests import authority_of, see_other
from diablerie.web.html import templates
from diablerie.web.people import identity, language
from diablerie.web.people.preferences import (
    BETWEEN,
    CHOICES,
    KNOWN,
    dismissed_cards,
    looks,
    remember_preference,
)


class Back(Struct, frozen=True, kw_only=True):
    """Where to go afterwards: an address of this server."""

    back: str = "/"

    @property
    def address(self) -> str:
        """The address; that of the house if it leads elsewhere."""
        inside = self.back.startswith("/") and not self.back.startswith(("//", "/\\"))
        return self.back if inside and self.back.isprintable() else "/"


class Speak(Back, frozen=True, kw_only=True):
    """The language somebody wants to read, "" for what the browser asks for."""

    language: str = ""


class Chosen(Speak, frozen=True, kw_only=True):
    """What somebody wants the pages to look like, to say, and how they are to call."""

    theme: str = ""
    speed: str = ""
    sound: str = ""
    vibration: str = ""


class Known(Back, frozen=True, kw_only=True):
    """A game whose first-game card is to be put away."""

    game: str = ""


def settings_page(request: Request) -> Response:
    """GET /settings?back=/t/…"""
    back = Back(back=request.query_params.get("back", "/")).address
    visitor = identity.visitor(request)
    return templates.page_response(
        request,
        "settings.html",
        words=CHOICES,
        chosen=looks(request),
        spoken=language.remembered(request),
        back=back,
        path="/settings",
        calls=bool(request.app.state.bell),
        called=len(authority_of(request).subscriptions.of(visitor)) if visitor else 0,
    )


def save_settings(request: Request, form: Chosen) -> Response:
    """POST /settings"""
    chosen = {name: getattr(form, name) for name in CHOICES}
    for name, text in chosen.items():
        if text not in CHOICES[name]:
            raise BadInput(say("There is no setting “{text}”.", text=text[:40]))
    response = speak(request, form)
    for name, text in chosen.items():
        remember_preference(response, name, text)
    return response


def speak(request: Request, form: Speak) -> Response:
    """POST /language"""
    if form.language not in ("", *language.available()):
        raise BadInput(say("There is no setting “{text}”.", text=form.language[:40]))
    response = see_other(request, form.address)
    remember_preference(response, language.COOKIE, form.language)
    return response


def put_away(request: Request, form: Known) -> Response:
    """POST /known: the card of a first game is not shown any more."""
    if form.game not in authority_of(request).games:
        raise BadInput(say("There is no game “{name}” here.", name=form.game[:40]))
    response = see_other(request, form.address)
    remember_preference(response, KNOWN, BETWEEN.join({*dismissed_cards(request), form.game}))
    return response
