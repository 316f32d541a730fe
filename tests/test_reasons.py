"""What speaks for a move: told beside a hint, and beside a mistake in the replay."""

from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

import diablerie
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.text import Line
from diablerie.games import ALL
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import MILK, POTS
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.state import LETTERS

GOLDEN = Path(__file__).parent / "games"
Reasoned = list[tuple[Record, int, int, Line]]  # what the seat knows, the seat, an action, why


@cache
def reasons(name: str) -> dict[str, Reasoned]:
    """The reasons at some positions of the golden games, by their message."""
    found: dict[str, Reasoned] = defaultdict(list)
    for file in sorted((GOLDEN / name / "golden").glob("*.jsonl"))[:3]:
        match = diablerie.load(file)
        for ply in range(1, match.ply, 1 + match.ply // 100):
            past = match.at(ply)
            if past.actor is None:
                continue
            seen = redacted(past.state, past.actor)
            for action in legal_actions(ALL[name], seen, past.actor)[:30]:
                why = ALL[name].reason(seen, past.actor, action)
                if why:
                    found[why.text].append((seen, past.actor, action, why))
    return found


@pytest.mark.parametrize("name", ALL)
def test_each_names_a_clause_of_the_rules(name: str) -> None:
    lines = [line for some in reasons(name).values() for *_, line in some]
    assert len(reasons(name)) > 3
    assert {line.clause for line in lines} <= ALL[name].clause_texts.keys()
    assert all(str(line) for line in lines)


def test_a_letter_that_is_lost_can_be_had_again_where_its_card_lies_open() -> None:
    s = diablerie.load(sorted((GOLDEN / "underworld" / "golden").glob("*.jsonl"))[0]).state
    game, seat = ALL["underworld"], 1
    s.node = game.node.LOSE
    s.hit = seat
    told = {}
    for letter in range(LETTERS):
        action = game.notation.parse_action(s, seat, f"lose {'ABCDEF'[letter]}")
        told[letter] = str(game.reason(s, seat, action))
    where = {int(s.card[space]): space for space in range(49) if int(s.up) >> space & 1}
    open_ones = {letter for letter in range(LETTERS) if LETTERS * seat + letter in where}
    assert 0 < len(open_ones) < LETTERS
    for letter, line in told.items():
        assert ("lies face up" in line) == (letter in open_ones)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("underworld", "From there your {letter} is one move away."),
        ("underworld", "At a tower you may put your devil back, and look at a card."),
        ("tails", "No tail has reached it yet."),
        ("tails", "It lengthens {who}’s tail {letter} to {n}."),
        ("underworld", "From there you can reveal {n} card that you have not seen."),
        ("underworld", "You know of no letter that you could take now."),
        ("kitchen", "The pot is then {n} step from your grill."),
        ("kitchen", "The nearest pot to serve is then {n} step away."),
        ("kitchen", "A pot stands there that this devil can carry."),
        ("coals", "Somebody pulls that much {percent}% of the time."),
    ],
)
def test_it_is_said_in_golden_games(name: str, message: str) -> None:
    assert reasons(name)[message]


def test_the_nearest_pot_is_one_that_stands_on_the_board_and_is_no_own_milk() -> None:
    said = [
        (s, action, why)
        for text in (
            "The nearest pot to serve is then {n} step away.",
            "A pot stands there that this devil can carry.",
        )
        for s, _, action, why in reasons("kitchen")[text]
    ]
    for s, action, why in said:
        _, to, load = move_of(action)
        known_milk = {pot for pot in range(POTS) if s.card[pot] == MILK}
        there = [pot for pot in range(POTS) if s.pot[pot] == to and pot not in known_milk]
        assert not load
        assert bool(there) == ("stands there" in why.text)
        assert why.values.get("n") != 0
    assert {why.values.get("n") for *_, why in said} >= {None, 1, 2}


def test_a_swap_has_a_reason_only_while_no_missing_letter_can_be_fetched() -> None:
    for s, seat, _, _ in reasons("underworld")["You know of no letter that you could take now."]:
        moves = [a for a in legal_actions(ALL["underworld"], s, seat) if a < actions.SWAP]
        labels = [str(ALL["underworld"].reason(s, seat, action) or "") for action in moves]
        assert labels
        assert not any("then still need" in label or "can no longer" in label for label in labels)
