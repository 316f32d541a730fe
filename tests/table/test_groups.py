"""Groups: their members and link, tables that count for them, and a series that outlives those."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from diablerie.engine import files
from diablerie.engine.plies import PlyKind
from diablerie.engine.verbs import SEATS
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import groups, history, lobby, seats, sequels
from diablerie.table.commands.groups import Group
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.state.outcomes import Outcome, outcomes
from diablerie.table.state.table_state import TableState
from diablerie.table.state.visitors import Visitor
from diablerie.table.storage import schema
from diablerie.table.storage.store import Write
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, GAMES, Clock, play

ON_BOTH = IN_CI
GOLDEN = Path(__file__).parents[1] / "games" / "coals" / "golden" / "coals-2.jsonl"


def family(authority: Authority) -> Group:
    """Oma at Ann's browser, Opa at Bo's."""
    link = groups.create(authority, ANN, "The Hoofs", "Oma").link
    return groups.join(authority, link, BO, name="Opa")


def table(authority: Authority, group: Group) -> TableState:
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    return groups.sit(authority, group.link, BO, live.id, [2])


def won_by(authority: Authority, group: Group, winner: Visitor) -> str:
    live = table(authority, group)
    loser = BO if winner == ANN else ANN
    seats.resign(authority, live.id, loser, live.seats_of(loser)[0])
    return live.id


def score(authority: Authority, group: Group) -> str:
    return str(history.series_of(authority, group.id).line)


def test_whoever_has_the_link_joins_and_a_guessed_one_leads_nowhere(authority: Authority) -> None:
    group = family(authority)
    assert [(one.name, one.colour, one.mine) for one in group.members] == [
        ("Oma", 0, False),
        ("Opa", 1, True),
    ]
    for link in ("", "guess", group.id, group.link + "x", group.link[:-1]):
        with pytest.raises(NotFound, match="renewed"):
            groups.find(authority, link, ANN)
    with pytest.raises(BadInput, match="already has this name"):
        groups.join(authority, group.link, CY, name="oma")
    with pytest.raises(BadInput, match="devil"):
        groups.join(authority, group.link, CY, name="Imp")


def test_a_renewed_link_ends_the_old_one_and_the_devices_find_the_new(authority: Authority) -> None:
    group = family(authority)
    link = groups.renew(authority, group.link, None)
    with pytest.raises(NotFound):
        groups.find(authority, group.link, ANN)
    with pytest.raises(NotFound):
        groups.renew(authority, group.link, None)
    assert [one.link for one in groups.groups_of(authority, BO)] == [link]
    assert groups.groups_of(authority, CY) == []


@pytest.mark.parametrize(
    "ask",
    [
        lambda at, link: groups.join(at, link, CY, name="Cy"),
        lambda at, link: groups.leave(at, link, BO, 2),
        lambda at, link: groups.rename(at, link, None, "The Hoofs"),
        lambda at, link: groups.change(at, link, None, 1, "Ida", 3),
    ],
)
def test_a_link_that_is_renewed_while_it_is_used_ends_at_once(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Authority, str], object]
) -> None:
    group, find = family(authority), groups.find

    def slowly(*args: Any) -> Group:
        found = find(*args)
        monkeypatch.setattr(groups, "find", find)
        groups.renew(authority, group.link, None)
        return found

    monkeypatch.setattr(groups, "find", slowly)
    with pytest.raises(NotFound, match="renewed"):
        ask(authority, group.link)
    (after,) = groups.groups_of(authority, BO)
    assert (after.name, after.members) == (group.name, group.members)


def test_a_lost_device_is_removed_and_a_group_is_renamed(authority: Authority) -> None:
    group = family(authority)
    groups.join(authority, group.link, CY, member=2)
    own = next(
        one.code for one in groups.find(authority, group.link, CY).mine[0].devices if one.mine
    )
    for member, code in ((1, own), (2, ""), (2, own[:-1]), (2, "%")):
        with pytest.raises(NotFound):
            groups.forget(authority, group.link, None, member, code)
    groups.forget(authority, group.link, None, 2, own)
    assert groups.find(authority, group.link, CY).mine == []
    assert [one.name for one in groups.find(authority, group.link, BO).mine] == ["Opa"]
    groups.rename(authority, group.link, None, " The  Horns ")
    assert groups.find(authority, group.link, BO).name == "The Horns"
    with pytest.raises(BadInput):
        groups.rename(authority, group.link, None, " ")


def test_who_is_removed_with_a_new_link_cannot_come_back_by_the_old_one(
    authority: Authority,
) -> None:
    group = family(authority)
    groups.join(authority, group.link, CY, member=2)
    live = table(authority, group)
    lost = groups.find(authority, group.link, CY).mine[0].devices
    code = next(one.code for one in lost if one.mine)
    link = groups.forget(authority, group.link, None, 2, code, renewing=True)
    assert groups.groups_of(authority, CY) == []
    with pytest.raises(Forbidden):
        groups.group_of_table(authority, live.id, CY)
    for ask in (
        lambda: groups.join(authority, group.link, CY, member=2),
        lambda: groups.open_evening(authority, group.link, CY, "toy", [2]),
        lambda: groups.forget(authority, group.link, None, 1, ANN[: groups.DEVICE_CODE_LENGTH]),
        lambda: groups.remove(authority, group.link, None, 1),
    ):
        with pytest.raises(NotFound, match="renewed"):
            ask()
    again = groups.remove(authority, link, None, 2, renewing=True)
    assert [one.link for one in groups.groups_of(authority, ANN)] == [again]
    assert groups.groups_of(authority, BO) == []
    with pytest.raises(NotFound):
        groups.join(authority, link, BO, name="Opa")
    assert groups.remove(authority, again, None, 1, renewing=True) == ""


def test_a_removed_browser_is_nobodys_whoever_else_it_said_it_was(authority: Authority) -> None:
    group = family(authority)
    groups.join(authority, group.link, BO, member=1)
    groups.join(authority, group.link, CY, member=1)
    live = table(authority, group)
    link = groups.remove(authority, group.link, ANN, 2, renewing=True)
    assert groups.groups_of(authority, BO) == []
    with pytest.raises(Forbidden):
        groups.group_of_table(authority, live.id, BO)
    for one in (ANN, CY):
        (after,) = groups.groups_of(authority, one)
        assert [member.name for member in after.mine] == ["Oma"]
    groups.join(authority, link, CY, name="Kim")
    (code,) = (one.code for one in groups.find(authority, link, CY).mine[1].devices)
    groups.forget(authority, link, None, 3, code, renewing=True)
    assert groups.groups_of(authority, CY) == []


def test_who_removes_a_member_of_the_same_browser_stays(authority: Authority) -> None:
    group = family(authority)
    groups.join(authority, group.link, ANN, member=2)
    link = groups.remove(authority, group.link, ANN, 2, renewing=True)
    assert [member.name for member in groups.find(authority, link, ANN).mine] == ["Oma"]


@pytest.mark.parametrize("member", [0, 1])
def test_who_joins_just_before_the_link_is_renewed_gets_the_new_one(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, member: int
) -> None:
    group = family(authority)
    fresh = after_the_next_commit(
        authority, monkeypatch, lambda at, link: groups.renew(at, link, None)
    )
    joined = groups.join(authority, group.link, CY, member, "Cy")
    assert [joined.link] == fresh
    assert [one.name for one in joined.mine] == ["Oma" if member else "Cy"]


def test_who_is_removed_as_soon_as_they_join_does_not_hear_of_the_new_link(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = family(authority)
    after_the_next_commit(
        authority, monkeypatch, lambda at, link: groups.remove(at, link, None, 3, renewing=True)
    )
    with pytest.raises(NotFound, match="renewed"):
        groups.join(authority, group.link, CY, name="Cy")


def after_the_next_commit(
    authority: Authority, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Authority, str], str]
) -> list[str]:
    """Have somebody else ask for this right after the next commit; the links they are told."""
    commit, told = groups.commit_by_link, list[str]()

    def first(*given: Any) -> str:
        monkeypatch.setattr(groups, "commit_by_link", commit)
        link = commit(*given)
        told.append(ask(authority, link))
        return link

    monkeypatch.setattr(groups, "commit_by_link", first)
    return told


def test_who_looks_in_at_one_group_is_not_present_in_another(
    authority: Authority, clock: Clock
) -> None:
    both = sorted((family(authority) for _ in range(2)), key=lambda group: group.id)
    clock.now += groups.PRESENCE_NOTE_SECONDS + 1
    looked, other = (groups.find(authority, group.link, ANN) for group in both)
    groups.look_in(authority, looked, ANN)
    assert groups.find(authority, looked.link, ANN).member(1).seen == clock.now
    assert groups.find(authority, other.link, ANN).member(1).seen < clock.now


def test_a_member_may_have_any_colour_that_a_seat_has_and_keeps_it_else(
    authority: Authority,
) -> None:
    group = family(authority)
    for wanted, kept in ((SEATS - 1, SEATS - 1), (SEATS, SEATS - 1), (-1, SEATS - 1), (0, 0)):
        groups.change(authority, group.link, None, 1, "Oma", wanted)
        assert groups.find(authority, group.link, ANN).member(1).colour == kept


def test_a_table_has_seats_for_those_who_are_here_in_their_colours(
    authority: Authority, clock: Clock
) -> None:
    group = family(authority)
    groups.change(authority, group.link, None, 1, "Oma", 1)
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    assert [(info.member, info.name) for info in live.seats] == [(0, ""), (1, "Oma")]
    assert live.status == "open"
    live = groups.sit(authority, group.link, BO, live.id, [2])
    assert (live.status, [info.member for info in live.seats]) == ("running", [2, 1])
    assert groups.sit(authority, group.link, BO, live.id, [2]).seats == live.seats
    groups.join(authority, group.link, CY, name="Kim")
    assert len(groups.open_evening(authority, group.link, ANN, "toy", [1]).seats) == 3
    clock.now += groups.PRESENT_SECONDS + 1
    assert len(groups.open_evening(authority, group.link, ANN, "toy", [1]).seats) == 2


def test_only_a_members_own_browser_seats_them(authority: Authority) -> None:
    group = family(authority)
    for members in ([], [2], [1, 2]):
        with pytest.raises(BadInput):
            groups.open_evening(authority, group.link, ANN, "toy", members)
    with pytest.raises(NotFound):
        groups.open_evening(authority, group.link, ANN, "toy", [7])
    other = groups.create(authority, CY, "Others", "Cy")
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    with pytest.raises(NotFound, match="another group"):
        groups.sit(authority, other.link, CY, live.id, [1])


def test_a_member_who_sits_down_by_the_tables_own_link_counts_and_nobody_sits_twice(
    authority: Authority,
) -> None:
    group = family(authority)
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    live = lobby.sit(authority, live.id, BO)
    assert [(info.member, info.name) for info in live.seats] == [(1, "Oma"), (2, "Opa")]
    live = groups.open_evening(authority, group.link, ANN, "toy", [1])
    live = lobby.sit(authority, live.id, ANN)
    assert [info.member for info in live.seats] == [1, 0]


def test_a_shared_screen_plays_for_several_members(authority: Authority) -> None:
    group = groups.create(authority, ANN, "Us", "Oma")
    groups.join(authority, group.link, ANN, name="Opa")
    live = groups.open_evening(authority, group.link, ANN, "toy", [1, 2])
    assert (live.status, live.seats_of(ANN)) == ("running", [0, 1])
    seats.resign(authority, live.id, ANN, 0)
    assert score(authority, group) == "Opa leads 1:0."


def test_more_players_than_the_game_is_for_are_told_how_many_it_is_for(
    authority: Authority,
) -> None:
    group = groups.create(authority, ANN, "Us", "0")
    most = GAMES["toy"].seats[-1]
    for n in range(most):
        groups.join(authority, group.link, ANN, name=str(n + 1))
    everybody = list(range(1, most + 2))
    with pytest.raises(BadInput, match=f"at most {most} players"):
        groups.open_evening(authority, group.link, ANN, "toy", everybody)
    live = groups.open_evening(authority, group.link, ANN, "toy", everybody[:-1])
    assert [info.member for info in live.seats if info.member] == everybody[:-1]


def test_the_series_counts_every_finished_game_once_and_a_rematch_goes_on_with_it(
    authority: Authority, clock: Clock
) -> None:
    group = family(authority)
    assert history.series_of(authority, group.id).line is None
    first = won_by(authority, group, ANN)
    assert score(authority, group) == "Oma leads 1:0."
    again = sequels.rematch(authority, first, BO)
    assert (again.group, [info.member for info in again.seats]) == (group.id, [1, 2])
    seats.resign(authority, again.id, ANN, 0)
    assert score(authority, group) == "Oma and Opa are at 1:1."
    clock.now += 7 * groups.DAY_SECONDS
    won_by(authority, group, BO)
    assert score(authority, group) == "Opa leads 2:1."
    groups.join(authority, group.link, CY, name="Kim")
    live = groups.open_evening(authority, group.link, CY, "toy", [3])
    lobby.fill(authority, live.id, CY)
    seats.resign(authority, live.id, CY, live.seats_of(CY)[0])
    assert score(authority, group) == "The series: Opa 2, Oma 1, Kim 0."


def test_records_are_the_most_points_and_the_worst_loss(authority: Authority) -> None:
    group = family(authority)
    rows = [("a", 1, 900.0, 310.0), ("a", 2, 1200.0, 90.0), ("b", 1, 1200.0, 0.0)]
    rows.append(("c", 2, None, None))
    written = [
        {"group_id": group.id, "match": match, "member": member, "game": "coals", "won": False}
        | {"points": points, "lost": lost, "at": float(ord(match))}
        for match, member, points, lost in rows
    ]
    authority.store.commit(Write(sa.insert(schema.series), written))
    found = [(one.game, str(one.line)) for one in history.series_of(authority, group.id).records]
    assert found == [
        ("coals", "most points: 1200 (Opa)"),
        ("coals", "worst loss at one stroke: 310 (Oma)"),
    ]


def test_an_outcome_has_points_and_the_worst_loss_of_one_ply() -> None:
    match = files.load_match(GOLDEN, ALL)
    assert [one.points for one in outcomes(match)] == [1420, 1710]
    count = match.game.points
    assert count is not None
    at = [count(match.at(ply).state) for ply in range(1, match.ply + 1)]
    losses = [[a - b for a, b in zip(*pair, strict=True)] for pair in pairwise(at)]
    assert [one.lost for one in outcomes(match)] == [
        max(seat) for seat in zip(*losses, strict=True)
    ]
    match.take_back()
    match.note(PlyKind.RESIGN, 0)
    assert outcomes(match) == [Outcome(False), Outcome(True)]


def test_the_score_stays_when_a_game_is_deleted(authority: Authority) -> None:
    group = groups.create(authority, ANN, "Us", "Oma")
    groups.join(authority, group.link, ANN, name="Opa")
    live = groups.open_evening(authority, group.link, ANN, "toy", [1, 2])
    seats.resign(authority, live.id, ANN, 1)
    before = history.series_of(authority, group.id)
    lobby.delete_table(authority, live.id, ANN)
    after = history.series_of(authority, group.id)
    assert (after.line, after.standings) == (before.line, before.standings)
    assert (before.matches, before.erased, after.matches, after.erased) == (1, 0, 1, 1)


def test_a_removed_member_keeps_the_seat_until_the_game_ends(authority: Authority) -> None:
    group = family(authority)
    live = table(authority, group)
    assert groups.remove(authority, group.link, None, 2)
    play(authority, live.id, "0 bid 1")
    assert authority.live(live.id).seats_of(BO) == [1]
    seats.resign(authority, live.id, BO, 1)
    assert score(authority, group) == "The series: Oma 1."
    with pytest.raises(Forbidden):
        groups.group_of_table(authority, live.id, BO)
    assert groups.group_of_table(authority, live.id, ANN).id == group.id
    again = sequels.rematch(authority, live.id, ANN)
    assert [info.kind for info in again.seats] == ["person", "open"]


def test_a_number_is_never_given_twice(authority: Authority) -> None:
    group = family(authority)
    won_by(authority, group, BO)
    groups.remove(authority, group.link, None, 2)
    joined = groups.join(authority, group.link, CY, name="Kim")
    assert [one.number for one in joined.members] == [1, 3]
    assert score(authority, group) == "The series: Oma 0."


def test_the_last_member_takes_the_group_along_and_its_game_still_ends(
    authority: Authority,
) -> None:
    group = family(authority)
    live = table(authority, group)
    assert groups.remove(authority, group.link, None, 2) == group.link
    assert groups.remove(authority, group.link, None, 1) == ""
    for kind in (schema.members, schema.member_devices, schema.series):
        assert list(authority.store.rows(kind, "group_id", group.id)) == []
    seats.resign(authority, live.id, BO, 1)
    assert authority.live(live.id).status == "over"
    assert list(authority.store.rows(schema.series, "group_id", group.id)) == []
    with pytest.raises(NotFound):
        groups.group_of_table(authority, live.id, ANN)


def test_a_full_table_is_refused_in_a_sentence(authority: Authority) -> None:
    group = family(authority)
    live = table(authority, group)
    groups.join(authority, group.link, CY, name="Kim")
    with pytest.raises(WrongTime, match="not enough free seats"):
        groups.sit(authority, group.link, CY, live.id, [3])


def test_who_is_here_looks_at_the_page_or_plays(authority: Authority, clock: Clock) -> None:
    group = family(authority)
    live = table(authority, group)
    clock.now += groups.PRESENT_SECONDS + 1
    assert groups.here(authority, group, [live]) == set()
    groups.look_in(authority, group, BO)
    assert groups.here(authority, groups.find(authority, group.link, ANN), [live]) == {2}
    authority.attendance.enter(live.id, ANN)
    assert groups.here(authority, groups.find(authority, group.link, ANN), [live]) == {1, 2}


def test_a_group_that_nobody_has_opened_for_two_years_is_forgotten(
    authority: Authority, clock: Clock
) -> None:
    group = family(authority)
    clock.now += groups.UNUSED_GROUP_SECONDS - groups.DAY_SECONDS
    groups.look_in(authority, groups.find(authority, group.link, BO), BO)
    clock.now += 2 * groups.DAY_SECONDS
    authority.sweep()
    assert groups.find(authority, group.link, ANN).name == "The Hoofs"
    clock.now += groups.UNUSED_GROUP_SECONDS
    authority.sweep()
    with pytest.raises(NotFound):
        groups.find(authority, group.link, ANN)
