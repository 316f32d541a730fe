"""The screen in the middle of a table: the regions of its page, for all who sit round it.

It shows what anybody may see, and asks nobody: no form is on it, whoever looks. Only on the static
site, where the screen is the device that has all the tables, may its host begin there, remove people
and end the game (`tools`).
"""

from collections.abc import Callable, Mapping

from diablerie.web.frames import regions
from diablerie.web.frames.patch import parts_of
from diablerie.web.frames.question import LATEST_SHOWN, prompt_of, waiting_room
from diablerie.web.frames.regions import Region
from diablerie.web.frames.table_page import Page


def board(page: Page) -> Region:
    """The picture; before the start, how others come."""
    if page.viewpoint.position is None:
        return (page.render("screen-code"),)
    return parts_of(page.board.picture)


def turn(page: Page) -> Region:
    """Whose turn it is, and what happened last; before the start who is missing; at the end the podium."""
    lines = [line for entry in page.entries for line in entry.lines][-LATEST_SHOWN:]
    told = {"prompt": prompt_of(page), "latest": lines, "model": waiting_room(page)}
    return (page.render("screen", **told),)


def words(page: Page) -> Region:
    """The position in sentences, for who does not see the picture."""
    return tuple(page.board.words()) if page.viewpoint.position else ()


def tools(page: Page) -> Region:
    """What the host may do on the static site; nothing elsewhere."""
    return (page.render("screen-tools"),) if page.hosting else ()


MAKERS: Mapping[str, Callable[[Page], Region]] = {
    "board": board,
    "ask": turn,
    "seats": regions.seats_region,
    "log": regions.log,
    "words": words,
    "tools": tools,
    "moments": regions.moments,
    "faces": regions.faces,
}
