"""The buttons of a list of moves, which may be hundreds: a template would take four times as long."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, repeat

from markupsafe import Markup

from diablerie.table.state.table_state import LegalMove
from diablerie.web.html.speech import Speech

KEPT = 4096
BUTTON = Markup(
    '  <li><button class="{}" name="do" value="{}" id="do-{}" data-light="{}">{}</button></li>\n'
)


def buttons(
    moves: Sequence[LegalMove], speech: Speech, klass: str, first: str
) -> tuple[Markup, ...]:
    """A list item with a button for each move. `klass` is their class, `first` that of the first."""
    return tuple(
        _button(kind, move.text, move.action, speech.plain(move.line))
        for move, kind in zip(moves, chain([first], repeat(klass)), strict=False)
    )


@lru_cache(KEPT)
def _button(klass: str, text: str, action: int, words: str) -> Markup:
    return BUTTON.format(klass, text, action, text, words)
