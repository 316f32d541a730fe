"""What a table's page tells before the game begins."""

from typing import NamedTuple

from diablerie.compiling.rules_compiler import CompileProgress
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say, says
from diablerie.games import ALL
from diablerie.table.state.nonce_exchange import waited
from diablerie.web.frames.table_page import Page


class WaitingRoom(NamedTuple):
    """What the viewer is told and offered before the game begins."""

    prompt: Line  # what the table waits for
    ready: list[Game]  # other games that can be played at once, while this one is compiled
    late: bool  # the viewer may begin without players whose browsers do not answer


def waiting_room(page: Page) -> WaitingRoom:
    """The waiting room of a table's page."""
    steps = page.compiler.progress() if page.compiler and page.compiling else {}
    ready = [ALL[name] for name, step in steps.items() if step.ready and name in ALL]
    here = [who.here for who in page.context.presence]
    late = page.seated and bool(page.fair.phase) and waited(page.live, page.context.now, here)
    return WaitingRoom(waits_for(page), ready, late)


def waits_for(page: Page) -> Line:
    """The sentence that says what a table waits for."""
    if page.fair.phase:
        return say("One moment: the browsers are adding their part of the dice.")
    if page.live.free:
        return says("{n} seat is still open.", "{n} seats are still open.", page.live.free)
    return ready_in(page.compiling)


def ready_in(progress: CompileProgress | None) -> Line:
    """The sentence that says how long a game takes to be ready."""
    if progress is None or progress.seconds <= 1:
        return say("The game is ready in a moment.")
    return says(
        "The game is ready in about {n} second.",
        "The game is ready in about {n} seconds.",
        progress.seconds,
    )
