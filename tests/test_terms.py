"""No wording that was found wrong is in any language: see `wrong_words`."""

import re
from collections.abc import Iterator

import pytest

import diablerie
from diablerie.engine import rules_text
from tests.languages import LANGUAGES, ROOT
from tests.wrong_words import WRONG
from tools import catalogues
from tools.messages import messages

TEXTS = ("en", *LANGUAGES)
README = (ROOT.parent.parent / "README.md").read_text("utf-8")


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every message of a language and every line of its rules texts, with where it is."""
    if language == "en":
        for message in messages(ROOT):
            for text in [message.id] if isinstance(message.id, str) else message.id:
                yield message.locations[0][0] if message.locations else "", text
        yield from (("README.md", line) for line in README.splitlines())
    else:
        for message in catalogues.read_catalogue(catalogues.catalogue_file(ROOT, language)):
            for text in catalogues.forms(message) if message.id else ():
                yield message.locations[0][0], text
    for game in diablerie.GAMES.values():
        for line in rules_text.localized_rules(game, language).splitlines():
            yield f"rules of {game.name}", re.sub(r"^\*\*\w+\*\* ", "", line)


def found(language: str, text: str) -> list[str]:
    """What is wrong in a text, each with what would be right."""
    return [
        f"{hit[0]!r}: {wrong.right}"
        for wrong in WRONG[language]
        if (hit := re.search(wrong.pattern, text))
    ]


@pytest.mark.parametrize("language", TEXTS)
def test_no_wording_is_one_that_was_found_wrong(language: str) -> None:
    everything = list(sentences(language))
    assert len(everything) > 1200
    assert not [(where, flaw) for where, text in everything for flaw in found(language, text)]


def test_there_are_wrong_wordings_of_every_language() -> None:
    assert set(WRONG) == set(TEXTS)
    assert all(len(WRONG[language]) >= 15 for language in TEXTS)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Find your six letters and get out. The last one in stays for ever."),
        ("de", "{who} öffnet die Karte auf {space}."),
        ("fr", "L’Oberteufel aurait choisi"),
        ("ro", "Punctele nu trebuie folosite; tura se poate încheia oricând."),
    ],
)
def test_a_wording_that_comes_back_is_seen(language: str, text: str) -> None:
    assert found(language, text)
