"""The words of a page, and those that were left in English when it is read in another language."""

import re
from collections.abc import Iterable
from html.parser import HTMLParser

from diablerie.games import ALL
from tests.languages import catalogue_of
from tools import catalogues

SHOWN = ("aria-label", "title", "alt", "placeholder", "data-doing", "data-word", "data-failed")
SILENT = ("script", "style", "code", "pre")
WORD = re.compile(r"(?![A-F]+\b)[^\W\d_]{3,}")  # shorter ones, and A to F, are letters of games
HOUSE = {
    "diablerie",
    "http",
    "https",
    "Elo",
    "SHA",
    "English",
    "Deutsch",
    "français",
    "română",
    "HTTP",
    "JSON",
    "openapi",
    "json",
}


class Words(HTMLParser):
    """Everything that is seen, or read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._silent: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in SILENT:
            self._silent.append(tag)
        self.found |= {value for name, value in attrs if name in SHOWN and value}

    def handle_endtag(self, tag: str) -> None:
        if self._silent and self._silent[-1] == tag:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.found.add(" ".join(data.split()))


def words(html: str) -> set[str]:
    """The texts of a page, piece by piece, that have words in them."""
    reader = Words()
    reader.feed(html)
    return {text for text in reader.found if WORD.search(text)}


def left_over(there: str, english: str, language: str, names: Iterable[str] = ()) -> set[str]:
    """What a page in another language has in common with the same page in English.

    Names and the titles of the original games are no words, and some messages are the same in both.
    """
    same = {
        form
        for m in catalogue_of(language)
        for form in catalogues.forms(m)
        if form in ((m.id,) if isinstance(m.id, str) else m.id)  # “1 point” in French, too
    }
    titles = [game.original.title for game in ALL.values() if game.original]
    known = HOUSE | set(names) | {word for form in [*same, *titles] for word in WORD.findall(form)}
    common = words(there) & words(english)
    return {text for text in common if not known.issuperset(WORD.findall(text))}
