"""The rules of every game in every language have one structure, and say what they rest on."""

import re
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import rules_text
from tests.games.examples import examples
from tests.languages import LANGUAGES

ROOT = Path(__file__).parent
SOURCES = (ROOT.parent / "docs" / "sources.md").read_text("utf-8")
SECTIONS = 9
PLAYERS, WORTH, KNOWS, CHOSEN = 0, 5, 6, 7
LEAST = 5  # worked examples of each game
CLAUSE = re.compile(r"\b([CTUK]\d+[a-z]?)\b")

games = pytest.mark.parametrize("game", diablerie.GAMES.values(), ids=lambda game: game.name)
every = pytest.mark.parametrize("language", ["en", *LANGUAGES])


def sections(game, language: str) -> list[tuple[str, str]]:
    """Title and text of every section."""
    parts = rules_text.localized_rules(game, language).split("\n## ")[1:]
    return [(title, text) for title, _, text in (part.partition("\n") for part in parts)]


def numbered(text: str) -> list[str]:
    """The clauses that are written in a text."""
    return re.findall(r"^\*\*([CTUK]\d+[a-z]?)\*\* ", text, re.MULTILINE)


@every
def test_the_sections_of_all_games_have_the_same_titles(language: str) -> None:
    titles = {tuple(title for title, _ in sections(g, language)) for g in diablerie.GAMES.values()}
    assert len(titles) == 1
    assert len(titles.pop()) == SECTIONS


@games
@every
def test_a_text_has_the_clauses_and_headings_of_the_english_one_in_each_section(
    game, language: str
) -> None:
    ours, english = sections(game, language), sections(game, "en")
    for (_, text), (_, other) in zip(ours, english, strict=True):
        assert numbered(text) == numbered(other)
        assert text.count("\n### ") == other.count("\n### ")
    assert [bool(numbered(text)) for _, text in ours] == [False, *[True] * 4, *[False] * 4]


@games
@every
def test_players_and_playing_time_are_those_of_the_game(game, language: str) -> None:
    _, said = sections(game, language)[PLAYERS]
    assert re.findall(r"\d+", said) == list(map(str, (game.seats[0], game.seats[-1], game.minutes)))


@games
@every
def test_worth_and_knowledge_are_told(game, language: str) -> None:
    _, worth = sections(game, language)[WORTH]
    assert {"+1", "−1", "0"} <= set(re.findall(r"[+−]?\d", worth))
    assert len(sections(game, language)[KNOWS][1].split()) > 15


@games
@every
def test_what_we_chose_is_what_the_page_of_sources_calls_decisions(game, language: str) -> None:
    said, _, options = sections(game, language)[CHOSEN][1].partition(". ")
    section = SOURCES.partition(f"\n## {game.title}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| ([\w, ]+) \| .+ \|$", section, re.MULTILINE)
    assert CLAUSE.findall(said) == [clause for clause, kinds in rows if "decision" in kinds]
    assert set(CLAUSE.findall(options)) == {option.help.clause for option in game.options}
    assert "docs/sources.md" in options


@games
@every
def test_every_worked_example_is_a_test(game, language: str) -> None:
    told = examples(game.name, language)
    assert list(told) == list(examples(game.name)) == list(range(1, len(told) + 1))
    assert len(told) >= LEAST
    tests = (ROOT / "games" / game.name / "test_examples.py").read_text("utf-8")
    for number, text in told.items():
        assert f"def test_example_{number}_" in tests
        assert f'tells("{game.name}", {number}' in tests
        named, english = CLAUSE.findall(text), CLAUSE.findall(examples(game.name)[number])
        assert named == english
        assert set(named) <= set(game.clause_texts)
