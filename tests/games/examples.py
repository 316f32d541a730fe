"""The worked examples of the rules texts, and the figures that they tell."""

import re

import diablerie
from diablerie.engine import rules_text
from tests.languages import LANGUAGES

HEAD = re.compile(r"^\*\*\w+ (\d+)\s?: (.+?)\*\* (.+)$", re.MULTILINE)
FIGURE = re.compile(r"[\w-]*\d[\w-]*")
CLAUSE = re.compile(r"[CTUK]\d+[a-z]?")


def examples(name: str, language: str = "en") -> dict[int, str]:
    """The text of every worked example of a game by its number."""
    text = rules_text.localized_rules(diablerie.GAMES[name], language)
    return {int(number): told for number, _, told in HEAD.findall(text)}


def figures(name: str, number: int, language: str) -> set[str]:
    """What an example tells in digits: sums, cells, tiles; the clauses that it names left out."""
    return {
        found
        for found in FIGURE.findall(examples(name, language)[number])
        if not CLAUSE.fullmatch(found)
    }


def tells(name: str, number: int, *given: object) -> None:
    """Assert that an example tells just these figures, in every language."""
    for language in ("en", *LANGUAGES):
        assert figures(name, number, language) == set(map(str, given)), language
