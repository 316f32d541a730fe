"""One word for one thing: no wording that was found wrong (see `wrong_words`), and no synonym that
docs/glossary.md forbids, is in any language."""

import re
from collections.abc import Iterator

import pytest

import diablerie
from diablerie.engine import rules_text
from tests.languages import LANGUAGES, ROOT, catalogue_of, messages_of
from tests.wrong_words import WRONG
from tools import catalogues

pytestmark = pytest.mark.xdist_group("sources")
TEXTS = ("en", *LANGUAGES)
README = (ROOT.parent.parent / "README.md").read_text("utf-8")
GLOSSARY = (ROOT.parent.parent / "docs" / "glossary.md").read_text("utf-8")
NAMES = {"en": "English", "de": "Deutsch", "fr": "Français", "ro": "Română"}
QUOTED = re.compile(r"“[^”]*”|„[^”“]*[”“]|«[^»]*»|\{\w+\}|<[^>]*>")  # not checked


def sentences(language: str) -> Iterator[tuple[str, str]]:
    """Every message of a language and every line of its rules texts, with where it is."""
    if language == "en":
        for message in messages_of():
            for text in [message.id] if isinstance(message.id, str) else message.id:
                yield message.locations[0][0] if message.locations else "", text
        yield from (("README.md", line) for line in README.splitlines())
    else:
        for message in catalogue_of(language):
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


def forbidden(language: str) -> dict[str, str]:
    """The glossary's forbidden words of a language, each with the right one."""
    section = GLOSSARY.partition(f"\n## {NAMES[language]}\n")[2].partition("\n## ")[0]
    table = section.partition("\n| never |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in row.split("|")[1:3]] for row in table.splitlines()[2:]]
    return {word: right for words, right in rows for word in words.split(", ")}


def pattern(word: str) -> str:
    """A regular expression of a word of the glossary, in which `*` is any ending."""
    return r"\b" + re.escape(word).replace(re.escape("*"), r"\w*") + r"\b"


def synonyms(language: str, text: str) -> list[str]:
    """The forbidden words in a text, each with the right one."""
    plain, words = QUOTED.sub("", text), forbidden(language)
    found_words = [word for word in words if re.search(pattern(word), plain, re.IGNORECASE)]
    return [f"{word!r}: {words[word]}" for word in found_words]


@pytest.mark.parametrize("language", TEXTS)
def test_no_text_has_a_word_that_the_glossary_forbids(language: str) -> None:
    assert len(forbidden(language)) >= 15
    texts = [text for _, text in sentences(language)]
    assert len(texts) > 1200
    assert not [(text, flaw) for text in texts for flaw in synonyms(language, text)]


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        ("en", "Ann turns up a devil.", "turns up"),
        ("en", "Variants of the game", "variant*"),
        ("de", "Die beste Kohle der Runde", "beste Kohle"),
        ("fr", "Les joueuses commencent.", "joueuse*"),
        ("ro", "Un aparat din rețea", "aparat"),
    ],
)
def test_a_forbidden_synonym_is_seen(language: str, text: str, word: str) -> None:
    (flaw,) = synonyms(language, text)
    assert flaw.startswith(repr(word))


def test_a_command_in_quotation_marks_may_say_what_the_glossary_forbids() -> None:
    assert not synonyms("en", "“lay” and 0, 1 or 2, or “pass”")
