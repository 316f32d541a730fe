"""Looks: how a browser wants the pages shown and which games it knows, kept in its cookies."""

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from diablerie.engine.text import Line, say
from diablerie.web.who import YEAR

THEMES: Mapping[str, Line] = {
    "": say("As this device has it"),
    "light": say("Light"),
    "dark": say("Dark"),
}
SPEEDS: Mapping[str, Line] = {
    "slow": say("Slow"),
    "": say("Usual"),
    "fast": say("Fast"),
    "none": say("None: show what has changed at once"),
}
KNOWN = "known"  # the cookie of the games whose first-game card was put away
BETWEEN = "."


class Looks(NamedTuple):
    """What a browser has chosen: "" is what it is without a choice."""

    theme: str = ""
    speed: str = ""


def looks(request: Request) -> Looks:
    """The looks of a request; what nobody can have chosen is as if nothing were."""
    theme, speed = request.cookies.get("theme", ""), request.cookies.get("speed", "")
    return Looks(theme if theme in THEMES else "", speed if speed in SPEEDS else "")


def known(request: Request) -> list[str]:
    """The games whose first-game card this browser has put away."""
    return [name for name in request.cookies.get(KNOWN, "").split(BETWEEN)[:50] if name]


def keep(response: Response, name: str, value: str) -> None:
    """Have the browser remember a choice."""
    response.set_cookie(name, value, max_age=YEAR, httponly=True, samesite="lax")
