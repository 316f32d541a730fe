"""What a browser keeps in its cookies: appearance, dismissed cards, the player's name, muted players.

For each muted player the cookie holds a mark, a hash that means nothing elsewhere. So a player stays
muted at every table, for this browser alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response

from diablerie.api import Frozen
from diablerie.engine.text import Line, say
from diablerie.games import ALL
from diablerie.table.errors import BadInput
from diablerie.table.state.table_state import ChatLine, TableState
from diablerie.table.state.visitors import LONGEST_NAME, Visitor, chosen_name, clean, hashed
from diablerie.web.people.identity import COOKIE_SECONDS

# -- preferences -----------------------------------------------------------------------------------

THEMES: Mapping[str, Line] = {
    "": say("As set on this device"),
    "light": say("Light"),
    "dark": say("Dark"),
}
SPEEDS: Mapping[str, Line] = {
    "slow": say("Slow"),
    "": say("Normal"),
    "fast": say("Fast"),
    "none": say("None: show changes at once"),
}
SWITCH: Mapping[str, Line] = {"": say("Off"), "on": say("On")}
VOLUMES: Mapping[str, Line] = {"quiet": say("Quiet"), "": say("Normal"), "loud": say("Loud")}
# the cookie of the games whose first-game card was put away, and the first table
KNOWN_COOKIE = "known"
COOKIE_SEPARATOR = "."
NAME_COOKIE = "name"  # the cookie of the player's name


PREFERENCE_CHOICES: Mapping[str, Mapping[str, Line]] = {
    "theme": THEMES,
    "speed": SPEEDS,
    "sound": SWITCH,
    "volume": VOLUMES,
    "vibration": SWITCH,
    "words": SWITCH,
    "clauses": SWITCH,
}


class Back(Frozen):
    """A form that says which address of this server to go to afterwards."""

    back: str = "/"

    @property
    def address(self) -> str:
        """The address; "/" if it is one of another server."""
        inside = self.back.startswith("/") and not self.back.startswith(("//", "/\\"))
        return self.back if inside and self.back.isprintable() else "/"


class Preferences(Back):
    """What a browser has chosen; "" where it has chosen nothing. The forms that choose it, too."""

    language: str = ""
    theme: str = ""
    speed: str = ""
    sound: str = ""
    volume: str = ""  # of sounds
    vibration: str = ""
    words: str = ""  # whether the position is told in sentences, too
    clauses: str = ""  # the rule's number after each sentence


def read_preferences(request: Request) -> Preferences:
    """The preferences in a request's cookies. Unknown values count as no choice."""
    chosen = {name: request.cookies.get(name, "") for name in PREFERENCE_CHOICES}
    return Preferences(
        **{name: word for name, word in chosen.items() if word in PREFERENCE_CHOICES[name]}
    )


def dismissed_cards(request: Request) -> list[str]:
    """The games whose first-game card this browser has put away."""
    return [
        name for name in request.cookies.get(KNOWN_COOKIE, "").split(COOKIE_SEPARATOR)[:50] if name
    ]


def asking_table(request: Request) -> str:
    """The table at which this browser is asked for a name, once: its first one; "" before."""
    return next((one for one in dismissed_cards(request) if one not in ALL), "")


def dismiss_card(request: Request, response: Response, game: str) -> Response:
    """The response with a cookie that puts the first-game card of this game away."""
    dismissed = dismissed_cards(request)
    if game not in dismissed:
        remember_preference(response, KNOWN_COOKIE, COOKIE_SEPARATOR.join([*dismissed, game]))
    return response


def remembered_name(request: Request) -> str:
    """The name last used in this browser, "" if there is none or it is not allowed."""
    try:
        return chosen_name(unquote(request.cookies.get(NAME_COOKIE, "")[: 12 * LONGEST_NAME]))
    except BadInput:
        return ""


def keep_name(response: Response, name: str) -> Response:
    """The response with a cookie for the player's name; an empty name sets none."""
    if name.strip():
        remember_preference(response, NAME_COOKIE, quote(clean(name)))
    return response


def remember_preference(response: Response, name: str, value: str) -> None:
    """Set the cookie of a preference, for a year."""
    response.set_cookie(name, value, max_age=COOKIE_SECONDS, httponly=True, samesite="lax")


# -- mutes -----------------------------------------------------------------------------------------

MUTES_COOKIE = "muted"
MOST_MUTES = 50  # marks that are kept, the newest
MUTE_MARK_LENGTH = 12  # characters of a mark
CHAT_LINES_SHOWN = 60  # lines of the chat on a table's page
REPORTABLE = 20  # of those, the latest


@dataclass(frozen=True)
class ChatView:
    """The chat of a table as one browser shows it."""

    chat: tuple[ChatLine, ...]  # without lines of muted players
    hidden: int  # so many lines of muted players
    talkers: tuple[int, ...]  # the seats of other people who have said something or are muted
    muted: frozenset[int]

    @property
    def reportable(self) -> tuple[ChatLine, ...]:
        """The latest lines of other people, the newest first."""
        return tuple(s for s in self.chat if s.seat in self.talkers)[::-1][:REPORTABLE]


def mute_marks(request: Request) -> frozenset[str]:
    """The marks of the players that a browser has muted."""
    return frozenset(
        request.cookies.get(MUTES_COOKIE, "").split(COOKIE_SEPARATOR)[-MOST_MUTES:]
    ) - {""}


def chat_view(live: TableState, visitor: Visitor | None, marked: frozenset[str]) -> ChatView:
    """The chat of a table for a browser that has muted the players with these marks."""
    own = live.seats_of(visitor)
    others = [info for info in live.seats if info.owner and info.seat not in own]
    muted = frozenset(s.seat for s in others if marked and _mute_mark(visitor, s.owner) in marked)
    latest = live.chat[-CHAT_LINES_SHOWN:]
    heard = tuple(line for line in latest if line.seat not in muted)
    voices = muted | {line.seat for line in latest}
    talkers = tuple(info.seat for info in others if info.seat in voices)
    return ChatView(heard, len(latest) - len(heard), talkers, muted)


def remember_mute(
    response: Response, request: Request, live: TableState, visitor: Visitor, seat: int, hear: bool
) -> None:
    """Set the cookie so that the browser mutes a player, or (`hear`) no longer does."""
    mark = _mute_mark(visitor, live.seats[seat].owner)
    others = [
        one
        for one in request.cookies.get(MUTES_COOKIE, "").split(COOKIE_SEPARATOR)
        if one not in ("", mark)
    ]
    remember_preference(
        response,
        MUTES_COOKIE,
        COOKIE_SEPARATOR.join([*others, *([] if hear else [mark])][-MOST_MUTES:]),
    )


def _mute_mark(visitor: Visitor | None, owner: Visitor | None) -> str:
    return hashed("mute", f"{visitor} {owner}")[:MUTE_MARK_LENGTH]
