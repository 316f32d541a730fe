"""The screen in the middle of a table: the regions of its page, for all who sit round it.

It shows what anybody may see, and asks nobody: no form is on it, whoever looks. Only on the static
site, where the screen is the device that has all the tables, may its host begin there, say who plays
and end the game (`host_tools`).
"""

from collections.abc import Callable, Mapping

from diablerie.web.frames import regions
from diablerie.web.frames.patch import parts_of
from diablerie.web.frames.question import LATEST_SHOWN, prompt_of, waiting_room, wishes_of
from diablerie.web.frames.regions import Region
from diablerie.web.frames.table_page import Page


def picture_or_code(page: Page) -> Region:
    """The picture; before the start, how others come."""
    if page.viewpoint.position is None:
        return (page.render("screen-code"),)
    return parts_of(page.board.picture)


def whose_turn(page: Page) -> Region:
    """Whose turn it is, and what happened last; before the start who is missing; at the end the podium."""
    lines = [line for entry in page.entries for line in entry.lines][-LATEST_SHOWN:]
    wishes = wishes_of(page) if page.hosting else ()
    told = {
        "prompt": prompt_of(page),
        "latest": lines,
        "model": waiting_room(page),
        "wishes": wishes,
    }
    return (page.render("screen", **told),)


def sentences(page: Page) -> Region:
    """The position in sentences, for who does not see the picture."""
    return tuple(page.board.words()) if page.viewpoint.position else ()


def host_tools(page: Page) -> Region:
    """What the host may do on the static site; nothing elsewhere."""
    return (page.render("screen-tools"),) if page.hosting else ()


SCREEN_MAKERS: Mapping[str, Callable[[Page], Region]] = {
    "board": picture_or_code,
    "ask": whose_turn,
    "seats": regions.seats_region,
    "log": regions.log,
    "words": sentences,
    "tools": host_tools,
    "moments": regions.moments,
    "faces": regions.faces,
}
