"""COALS in words: every piece, stake, pawn and purse that may be seen, and no other."""

from diablerie.engine.verbs import EVERYTHING
from diablerie.games.coals.rules.hidden import is_open
from diablerie.games.coals.rules.state import DEVIL, KINDS, SECRET, UNSET, VALUES, Node
from tests.games.told import Told, all_told


def test_the_furnace_is_told_piece_by_piece():
    for told in all_told("coals"):
        s, lines = told.s, told.sections["The furnace"]
        for kind in range(KINDS):
            name = "devils" if kind == DEVIL else f"worth {VALUES[kind]}"
            assert f"{name}: {s.furnace[kind]} of {s.full[kind]} left" in lines
        aside = int((s.full - s.furnace - s.front.sum(axis=0)).sum())
        words = [f"{aside} piece set aside", f"{aside} pieces set aside"]
        assert bool(aside) == any(line in words for line in lines)


def test_every_player_is_told_with_coal_stake_and_pact():
    stakes = set()
    for told in all_told("coals"):
        for i in range(told.s.seats):
            stakes.add(of_player(told, i))
    assert stakes == {"open", "secret", "none"}


def of_player(told: Told, i: int) -> str:
    s, lines = told.s, told.sections[f"player {i + 1}"]
    assert ("pact with the devil" in lines) == bool(s.pact[i])
    assert ("Burnt fingers" in lines) == bool(s.busted[i])
    values = [VALUES[k] for k in range(KINDS) for _ in range(s.front[i, k])]
    if values:
        front = ", ".join(map(str, values))
        assert any(f"in front: {front}; {s.coal[i]} in total" in line for line in lines)
    known = told.viewer == EVERYTHING or is_open(s, i, told.viewer)
    assert any(
        line.endswith(" in total") and line[0].isdigit() for line in lines if ";" not in line
    ) == (known)
    stake = int(s.stake[i])
    assert (f"staked {stake}" in lines) == (stake >= 0)
    assert ("has staked in secret" in lines) == (stake == SECRET)
    return (
        "open" if stake >= 0 else "secret" if stake == SECRET else "none" if stake == UNSET else ""
    )


def test_every_pawn_is_told_with_its_stone():
    for told in all_told("coals"):
        s, track = told.s, told.sections["The track"]
        marks = [0, *(int(mark) for mark in s.marks if mark)]
        assert f"The game ends when somebody owns {s.goal}" in track
        for i in range(s.seats):
            space = int(s.space[i])
            if space == 0:
                where = "on the first space, 0 to 50"
            elif space % 2 == 0:
                where = f"on {marks[space // 2]}"
            else:
                low = marks[space // 2] or 50
                where = f"between {low} and {marks[space // 2 + 1]}"
            assert f"player {i + 1}’s pawn: {where}" in track


def test_the_last_round_is_told_while_the_picture_shows_it():
    shown = set()
    for told in all_told("coals"):
        s = told.s
        there = bool(s.last_stake[0] != UNSET and s.node in (Node.BET, Node.OVER))
        assert ("The previous round" in told.sections) == there
        shown.add(there)
        for i in range(s.seats if there else 0):
            line = told.sections["The previous round"][i]
            assert line.startswith(f"player {i + 1}: staked {s.last_stake[i]}")
            assert ("burnt fingers" in line) == bool(s.last_busted[i])
            assert str(abs(int(s.gain[i]))) in line or not s.gain[i]
    assert shown == {True, False}
