"""docs/sources.md says of every clause, once, what it rests on."""

import re
from collections import Counter
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import rules_text

PAGE = (Path(__file__).parent.parent / "docs" / "sources.md").read_text("utf-8")
KINDS = {"sheet", "public", "derived", "decision"}


@pytest.mark.parametrize("name", diablerie.GAMES)
def test_every_clause_of_a_game_has_a_source(name: str):
    game = diablerie.GAMES[name]
    section = PAGE.partition(f"\n## {game.title}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\w+) \| ([\w, ]+) \| .+ \|$", section, re.MULTILINE)
    (listed,) = re.findall(r"alone: ([\w, ]+)\.$", section, re.MULTILINE)
    named = Counter([*listed.split(", "), *(clause for clause, _ in rows[1:])])
    clauses = re.findall(r"^\*\*(\w+)\*\*", rules_text.localized_rules(game, "en"), re.MULTILINE)
    assert named == Counter(clauses)
    for _, sources in rows[1:]:
        assert set(sources.split(", ")) <= KINDS


@pytest.mark.parametrize("name", diablerie.GAMES)
def test_the_options_that_the_page_names_are_there(name: str):
    game = diablerie.GAMES[name]
    section = PAGE.partition(f"\n## {game.title}\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"[Oo]ption `(\w+)`", section))
    assert named <= {option.name for option in game.options}
