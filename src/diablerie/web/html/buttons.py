"""The buttons of a list of moves, which may be hundreds: a template would take four times as long."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from diablerie.table.state.table_state import LegalMove
from diablerie.web.html.speech import Speech

BUTTON = (
    '  <li><button class="{}" name="do" value="{}" id="do-{}" data-light="{}">{}</button></li>\n'
)


def buttons(moves: Sequence[LegalMove], speech: Speech, klass: str, first: str) -> Markup:
    """List items with a button for each move. `klass` is their class, `first` that of the first."""
    kinds = [first, *[klass] * (len(moves) - 1)]
    items = []
    for move, kind in zip(moves, kinds, strict=True):
        text, words = escape(move.text), escape(speech.plain(move.line))
        items.append(BUTTON.format(kind, text, move.action, text, words))
    return Markup("".join(items))
