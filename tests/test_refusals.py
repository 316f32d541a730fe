"""Refusals: for whatever the rules forbid, one short sentence, with the law behind a clause."""

import re

import pytest

from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.queries import refusal
from diablerie.engine.rng import seeded
from diablerie.games import ALL, OURS

LONGEST = 100  # characters: two lines beside the spot that was tried


def refused(game, seats: int, plies: int):
    """Every refusal met on the way through one game, by clause and sentence."""
    match, rng = Match.new(game, seats=seats, seed=seats), seeded(seats)
    for _ in range(plies):
        if match.over:
            return
        seat, s = match.actor, match.state
        for action in range(game.actions):
            if code := verbs.forbids(s, seat, action):
                yield code, s, action
        match.carry_out(verbs.advise(s, seat, rng), seat)


@pytest.mark.parametrize("name", [game.name for game in OURS])
def test_every_refusal_is_one_short_sentence_with_its_clause(name: str):
    game, met = ALL[name], set()
    for seats in game.seats[:2]:
        for code, s, action in refused(game, seats, 40):
            line = refusal(game, code, s, action, "this").line
            met.add((line.clause, str(line)))
    assert len(met) >= 3
    for clause, told in met:
        assert clause in game.clause_texts
        assert told != game.clause_texts[clause], f"{clause} has no sentence of its own"
        assert len(told) <= LONGEST
        assert re.fullmatch(r"[A-Z][^.!?]*[.!?]", told)
        assert not re.search(r"[A-Z]\d|[“”\[\]_]", told), "no notation, no clause"


def test_a_clause_without_a_sentence_speaks_for_itself():
    game = ALL["coals"]
    s = Match.new(game, seed=1).state
    assert str(refusal(game, 13, s, 0, "x").line) == game.clause_texts["C13"]


def test_a_program_is_told_what_it_tried():
    with pytest.raises(ValueError, match=r"“pull” is not allowed here: Not now.* \[C5\]"):
        Match.new(ALL["coals"], seed=1).play("pull")
