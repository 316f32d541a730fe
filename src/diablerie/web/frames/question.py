"""The question to a viewer, as parts: a template, and what is put into its slots.

The template is rendered once for all who are shown the same but for the slots, at any table. What
changes from ply to ply (the sentence, the buttons, numbers) is in the slots.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast
from urllib.parse import quote

from markupsafe import Markup

from diablerie.engine.game import Amount
from diablerie.engine.text import Line
from diablerie.table.state.table_state import LegalMove
from diablerie.web.frames.page_model import Choices, PageModel
from diablerie.web.html import templates
from diablerie.web.html.buttons import buttons

CUT = "\0"  # marks the place in a template where parts are put in that are made apart
MANY = 5  # buttons; more of them are small
FIRST = 3  # if there are so few moves, the first stands out


class QuestionKey(NamedTuple):
    """All that the question shows apart from its slots. Equal keys give the same template."""

    tongue: str
    seated: bool
    asked: bool
    returnable: bool
    requestable: bool
    advisable: bool
    listed: int  # moves with a button each: 0, some (1), or more than MANY (2)
    offered: int  # the same of those that the picture offers, too
    amount: tuple[str, ...]


def question(model: PageModel) -> tuple[str, ...]:
    """The parts of the question's region."""
    key, parts = _key(model), list[str]()
    pieces = _rendered(model) if key is None else model.memory.get(key, lambda: _rendered(model))
    for i, piece in enumerate(pieces):
        if i % 2:
            parts += FILLS[piece](model)
        else:
            parts.append(piece)
    return tuple(parts)


def _rendered(model: PageModel) -> list[str]:
    """The template; every second piece is the name of a slot."""
    text = templates.render_template(
        model.tongue, "parts/ask.html", model=model, speech=model.speech, slot=SLOTS
    )
    return text.split(CUT)


def _key(model: PageModel) -> QuestionKey | None:
    """The key for a viewer who waits or decides; None if there is more to show."""
    live, seen = model.live, model.viewpoint
    plain = model.running and len(seen.own) < 2 and seen.chosen is None and not seen.draft
    more = model.relieved is not None or model.next_here is not None or bool(model.hints)
    if not plain or more or live.origin or live.request or model.refusal:
        return None
    amount = model.amount
    return QuestionKey(
        model.tongue,
        model.seated,
        model.asked,
        model.returnable,
        model.requestable,
        model.advisable,
        0 if amount else _several(model.listed),
        0 if amount else _several(model.offered),
        _words_of(model, amount) if amount else (),
    )


def _several(moves: Sequence[LegalMove]) -> int:
    return 0 if not moves else 2 if len(moves) > MANY else 1


def _words_of(model: PageModel, amount: Amount) -> tuple[str, ...]:
    doing = model.speech.plain(amount.doing) if amount.doing else ""
    return amount.template, str(amount.step), model.speech.plain(amount.label), doing


# -- what is put into the slots --------------------------------------------------------------------


def _prompt(model: PageModel) -> tuple[str, ...]:
    """The sentence above the board, and the clause that it rests on."""
    line, tongue, game = model.prompt, model.tongue, model.game

    def link() -> str:
        return str(templates.macro(tongue, "clause")(Line("", {}, "", line.clause), game, True))

    clause = model.memory.get(("clause", tongue, game.name, line.clause), link)
    return (model.speech.html(line), cast(str, clause))


def _buttons(model: Choices, moves: Sequence[LegalMove]) -> tuple[str, ...]:
    kind = "btn small wide" if len(moves) > MANY else "btn"
    first = f"{kind} primary" if len(model.moves) <= FIRST else kind
    return buttons(moves, model.speech, kind, first)


def _number(name: str) -> Callable[[Choices], tuple[str, ...]]:
    return lambda model: (str(getattr(model.amount, name)),)


CHOICES: Mapping[str, Callable[[Choices], tuple[str, ...]]] = {
    "listed": lambda model: _buttons(model, model.listed),
    "offered": lambda model: _buttons(model, model.offered),
}
NUMBERS: Mapping[str, Callable[[Choices], tuple[str, ...]]] = {
    name: _number(name) for name in ("low", "high", "start")
}
FILLS: Mapping[str, Callable[[PageModel], tuple[str, ...]]] = {
    "table": lambda model: (model.live.id,),
    "ply": lambda model: (str(model.live.ply),),
    "seat": lambda model: (str(max(model.viewpoint.viewer, 0)),),
    "back": lambda model: (quote(model.viewpoint.url),),
    "prompt": _prompt,
    "waiting": lambda model: (model.speech.html(model.waiting),),
    **CHOICES,
    **NUMBERS,
}
SLOTS = {name: f"{CUT}{name}{CUT}" for name in FILLS}


def filled_choices(model: Choices) -> dict[str, Markup]:
    """What is put into the slots of `parts/choices.html`, for a page that is rendered at once."""
    fills = NUMBERS if model.amount else CHOICES
    return {name: Markup("".join(fill(model))) for name, fill in fills.items()}
