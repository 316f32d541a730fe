"""Forfeits: written and struck out by members, drawn for the last place without the dice."""

import pytest

from diablerie.engine import files
from diablerie.table.authority import Authority
from diablerie.table.commands import forfeits, groups, lobby, seats
from diablerie.table.commands.forfeits import MOST_FORFEITS, Forfeit, drawn_forfeit
from diablerie.table.errors import BadInput, Forbidden, NotFound, TooMany
from diablerie.web.html import endings
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY
from tests.table.test_groups import family, table

ON_BOTH = IN_CI


def texts(authority: Authority, group: str) -> list[str]:
    return [one.text for one in forfeits.forfeits_of(authority, group)]


def test_members_write_five_and_any_member_strikes_one_out(authority: Authority) -> None:
    group = family(authority)
    for n in range(MOST_FORFEITS):
        forfeits.write(authority, group.link, ANN if n % 2 else BO, f"owes {n} \u202e pies ")
    assert texts(authority, group.id) == [f"owes {n} pies" for n in range(MOST_FORFEITS)]
    with pytest.raises(TooMany, match="strike one out"):
        forfeits.write(authority, group.link, ANN, "washes up")
    forfeits.strike(authority, group.link, ANN, 3)
    with pytest.raises(NotFound, match="already"):
        forfeits.strike(authority, group.link, BO, 3)
    forfeits.write(authority, group.link, BO, "washes up")
    assert texts(authority, group.id)[2] == "washes up"


def test_a_forfeit_is_bounded_seen_and_there_once(authority: Authority) -> None:
    group = family(authority)
    forfeits.write(authority, group.link, ANN, "x" * 500)
    assert texts(authority, group.id) == ["x" * forfeits.LONGEST_FORFEIT]
    for empty in ("", "  ", "\u2800", "\u200b\u202e"):
        with pytest.raises(BadInput, match="What does the last place owe"):
            forfeits.write(authority, group.link, ANN, empty)
    forfeits.write(authority, group.link, ANN, "Washes up")
    with pytest.raises(BadInput, match="there already"):
        forfeits.write(authority, group.link, BO, " wаshes  up")


def test_who_has_the_link_but_says_not_who_they_are_changes_nothing(authority: Authority) -> None:
    group = family(authority)
    forfeits.write(authority, group.link, ANN, "washes up")
    for visitor in (CY, None):
        with pytest.raises(Forbidden):
            forfeits.write(authority, group.link, visitor, "sings")
        with pytest.raises(Forbidden):
            forfeits.strike(authority, group.link, visitor, 1)
    assert texts(authority, group.id) == ["washes up"]


def test_forfeits_go_with_their_group(authority: Authority) -> None:
    group = family(authority)
    forfeits.write(authority, group.link, ANN, "washes up")
    for number in (1, 2):
        groups.remove(authority, group.link, ANN, number)
    assert texts(authority, group.id) == []


def test_the_draw_follows_from_the_match_alone_and_what_comes_later_changes_nothing() -> None:
    known = [Forfeit(n, f"owes {n}", made=float(n)) for n in range(1, MOST_FORFEITS + 1)]
    drawn = {match: drawn_forfeit(match, known, ended=9.0) for match in map(str, range(200))}
    assert {one.number for one in drawn.values() if one} == {1, 2, 3, 4, 5}
    for match, one in drawn.items():
        assert one
        assert drawn_forfeit(match, known[::-1], 9.0) == one
        others = [other for other in known if other != one]
        assert drawn_forfeit(match, [one, *others[:2]], 9.0) == one, "another is struck out"
    assert {drawn_forfeit(match, known, ended=2.0) for match in drawn} == {*known[:2]}
    assert drawn_forfeit("m", known, ended=0.5) is None
    assert drawn_forfeit("m", [], ended=9.0) is None


def test_the_last_owe_it_and_only_browsers_of_the_group_are_told(authority: Authority) -> None:
    group = family(authority)
    forfeits.write(authority, group.link, ANN, "washes up")
    live = table(authority, group)
    live = seats.resign(authority, live.id, BO, live.seats_of(BO)[0])
    assert live.match
    last = endings.last(live.match)
    assert last == live.seats_of(BO)
    for visitor in (ANN, BO):
        owed = forfeits.owed(authority, live, last, visitor)
        assert owed == (tuple(last), "washes up")
    for stranger in (CY, None):
        assert forfeits.owed(authority, live, last, stranger) is None
    assert "washes up" not in authority.export(live, 0)
    assert "washes up" not in files.dump(live.match)


def test_a_devil_on_the_last_place_owes_nothing(authority: Authority) -> None:
    group = family(authority)
    forfeits.write(authority, group.link, ANN, "washes up")
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    live = lobby.fill(authority, live.id, ANN)
    bot = next(info.seat for info in live.seats if info.bot)
    assert forfeits.owed(authority, live, [bot], ANN) is None
    assert forfeits.owed(authority, live, [1 - bot], ANN) == ((1 - bot,), "washes up")
