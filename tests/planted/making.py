"""How the small game is made, as it should be or with mistakes, and held to a law."""

from collections.abc import Callable, Mapping
from inspect import signature
from itertools import count
from types import SimpleNamespace
from typing import Any

from diablerie.engine.game import Game
from diablerie.engine.record import Record, record
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.testing.positions import all_settings

NUMBER = count()  # two games may not share a name nor a class of states
UI = ["look", "sketch", "narrate", "panel", "label", "prompt", "amount", "draw"]
UI_TOO = ["describe", "moments"]  # what a game may leave out


def make(module: Mapping[str, Any], planted: Mapping[str, Any]) -> Game:
    """The game that a module defines, with what is planted in place of its own.

    module: its functions by name (those for words and pictures may be missing: see below),
    `Node`, `Layout`, `TEXT` (the rules), `begin(s)` (the first state, from a record of zeros) and
    `FIELDS` (what else a `Game` needs).
    """
    shared = {verb: globals()[verb] for verb in UI if verb in globals()}
    room: Any = SimpleNamespace(**{**shared, **module, **planted})
    name = f"planted{next(NUMBER)}"
    state: Any = record(type(name, (Record,), {"__annotations__": room.Layout.__annotations__}))
    globals()[name] = state  # where a pickle looks it up

    def start(seats: int, options: Any) -> Any:
        s = state.zero()
        s.seats = seats
        room.begin(s)
        return s

    room.start, room.State, room.NOTATION = start, state, room
    kind = type("Planted", (Game,), {"text": room.TEXT})
    fields = {
        "home": __package__,
        "name": name,
        "title": say("A small game"),
        "tagline": say("It is for tests."),
        "seats": (2, 3),
        "options": (),
        "minutes": 1,
        "poster": "",
        "longest": room.longest,
        "rules": room,
        "policy": room,
        "ui": SimpleNamespace(
            **{verb: getattr(room, verb) for verb in UI + UI_TOO if hasattr(room, verb)}
        ),
    }
    made: Game = kind(**fields, **room.FIELDS)
    return made


def hold(law: Callable[..., None], game: Game) -> None:
    """Hold a law against a game, with every number of seats. Raises what the law raises."""
    ALL.loaded[game.name] = game  # where the laws look games up
    try:
        if "name" in signature(law).parameters:
            law(name=game.name)
        else:
            for setting in all_settings([game.name]):
                law(setting)
    finally:
        del ALL.loaded[game.name]


# -- what it says and draws ----------------------------------------------------------------------


def look(s: Any, viewer: int) -> Any:
    """What there is, by field."""
    return s.asdict()


def sketch(view: Any) -> str:
    """The same as text."""
    return str(view)


def panel(view: Any, seat: int) -> list[Any]:
    """Nothing beside a name."""
    return []


def prompt(s: Any, viewer: int) -> Any:
    """Whose turn it is, without a name."""
    return say("Decide.") if viewer >= 0 else say("Wait.")


def amount(s: Any, seat: int) -> None:
    """No decision is a number."""


def draw(view: Any, moves: Any, t: Any) -> str:
    """A spot for every move."""
    spots = "".join(f'<g id="{i}" data-action="{move}"/>' for i, move in enumerate(moves))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{spots}</svg>'
