"""Names that people give themselves: to be seen, and not to be taken for a devil's."""

import unicodedata

from diablerie.bots.spec import KINDS
from diablerie.engine.text import say
from diablerie.table.errors import BadInput
from diablerie.table.state.table_state import DEVILS
from diablerie.table.state.visitors import clean

# Letters that are drawn as nothing, though Unicode counts them as letters and symbols.
BLANK = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0\u034f"))
# Cyrillic and Greek letters that look like Latin ones.
ALIKE = str.maketrans("аеорсухіјѕԁһмтвнкαορτνιε", "aeopcyxijsdhmtbhkaoptvie")


def chosen_name(text: str) -> str:
    """A person's name as it is shown, "" if none was given.

    Raises BadInput for one that cannot be seen, or that is a bot's.
    """
    name = clean(text.translate(BLANK))
    if text.strip() and not any(unicodedata.category(c)[0] in "LNPS" for c in name):
        raise BadInput(say("This name cannot be seen: take another."))
    if _folded(name) in _taken():
        raise BadInput(say("This is what a devil is called here: take another name."))
    return name


def _folded(name: str) -> str:
    """What a reader takes a name for: without case, accents, spaces and marks."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(ALIKE)
    return "".join(c for c in plain if c.isalnum())


def _taken() -> set[str]:
    titles = [_folded(str(kind.title)) for kind in KINDS.values()]
    devils = [_folded(str(name)) for name in DEVILS]
    return {*titles, *devils, *(title + name for title in titles for name in devils), "bot"}
