"""Seats: taken, left, shared, moved by a link, lent to a bot; rematch, chat, names."""

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, decisions, lobby, seats, sequels
from diablerie.table.commands import chat as chat_commands
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.state.table_state import CHAT_LINES_KEPT
from diablerie.table.state.visitors import Visitor, clean, fresh_secret, visitor_of
from diablerie.table.storage import schema
from diablerie.web.frames.table_page import choose_viewpoint
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, Clock, finished, play, seated

ON_BOTH = IN_CI


@pytest.mark.parametrize(
    ("game", "plan", "options"),
    [
        ("chess", ["me", "open"], {}),
        ("toy", ["me"], {}),
        ("toy", ["me"] * 5, {}),
        ("toy", ["me", "open"], {"colour": "red"}),
        ("toy", ["me", "clever"], {}),
        ("toy", ["me", "os:system"], {}),
    ],
)
def test_a_table_that_cannot_be_is_refused(
    authority: Authority, game: str, plan: list[str], options: dict[str, str]
) -> None:
    with pytest.raises(BadInput):
        lobby.open_table(authority, ANN, game, plan, options=options)
    assert authority.mine(ANN) == []


def test_a_table_without_open_seats_starts_at_once(authority: Authority) -> None:
    live = lobby.open_table(authority, ANN, "toy", ["me", "random"], names=["Ann"])
    assert live.status == "running"
    assert [str(live.name(i)) for i in (0, 1)] == ["Ann", "Wild devil Soot"]


def test_several_people_share_a_screen(authority: Authority) -> None:
    live = lobby.open_table(authority, ANN, "toy", ["me", "me", "random"])
    assert live.seats_of(ANN) == [0, 1]
    assert live.seats_of(BO) == live.seats_of(None) == []
    play(authority, live.id, "0 bid 1")
    live = authority.live(live.id)
    assert [choose_viewpoint(live, ANN, seat).viewer for seat in (0, 1)] == [0, 1]
    assert choose_viewpoint(live, ANN, None).cover == 1
    assert (
        choose_viewpoint(live, BO, None).viewer
        == choose_viewpoint(live, None, None).viewer
        == WATCHER
    )
    with pytest.raises(Forbidden):
        choose_viewpoint(live, BO, 0)


def test_seats_are_taken_and_left_before_the_start(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "open"]).id
    lobby.sit(authority, table, BO, 2)
    with pytest.raises(WrongTime):
        lobby.sit(authority, table, CY, 2)
    lobby.leave(authority, table, BO, 2)
    lobby.sit(authority, table, CY, 2)
    with pytest.raises(Forbidden):
        lobby.leave(authority, table, BO, 2)
    lobby.sit(authority, table, BO)
    with pytest.raises(WrongTime):
        lobby.sit(authority, table, visitor_of("di"))
    with pytest.raises(WrongTime):
        lobby.leave(authority, table, BO, 1)


def test_a_table_that_everybody_leaves_is_gone(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random", "open"]).id
    lobby.leave(authority, table, ANN, 0)
    with pytest.raises(NotFound):
        authority.live(table)


def test_only_who_opened_a_table_fills_it(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "open"]).id
    lobby.sit(authority, table, BO)
    with pytest.raises(Forbidden):
        lobby.fill(authority, table, BO)
    live = lobby.fill(authority, table, ANN, "random")
    assert (live.status, live.seats[2].bot) == ("running", "random")
    with pytest.raises(WrongTime):
        lobby.fill(authority, table, ANN)


def test_public_tables_are_listed_newest_first(authority: Authority, clock: Clock) -> None:
    tables = []
    for public in (True, False, True):
        clock.now += 1
        tables.append(lobby.open_table(authority, ANN, "toy", ["me", "open"], public=public).id)
    assert [live.id for live in authority.listing()] == [tables[2], tables[0]]
    assert [live.id for live in authority.mine(ANN)] == tables[::-1]
    assert authority.mine(BO) == []


def test_who_opened_the_table_still_fills_it_from_another_browser(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    seats.claim(authority, table, CY, seats.link(authority, table, ANN, 0))
    with pytest.raises(Forbidden):
        lobby.fill(authority, table, ANN)
    assert lobby.fill(authority, table, CY).status == "running"


def test_no_secret_is_stored_in_clear(authority: Authority) -> None:
    secret = fresh_secret()
    visitor = visitor_of(secret)
    table = lobby.open_table(authority, visitor, "toy", ["me", "random"]).id
    link = seats.link(authority, table, visitor, 0)
    parts = schema.metadata.sorted_tables
    stored = repr([authority.store.select(sa.select(part)) for part in parts])
    assert visitor in stored
    assert secret not in stored
    assert link not in stored
    assert visitor_of(link) not in stored


# -- bots that stand in ------------------------------------------------------------------------


def test_the_seat_of_who_is_away_goes_to_a_bot_and_back(authority: Authority, clock: Clock) -> None:
    table = seated(authority, ANN, BO)
    authority.attendance.touch(table, BO)
    with pytest.raises(WrongTime):
        seats.give_to_bot(authority, table, ANN, 1)
    clock.now += authority.attendance.away_after
    with pytest.raises(Forbidden):
        seats.give_to_bot(authority, table, CY, 1)
    live = seats.give_to_bot(authority, table, ANN, 1)
    assert live.seats[1].driver == "sensible"
    with pytest.raises(Forbidden):
        decisions.decide(authority, table, BO, 1, "bid 1", 1)
    decisions.decide_as_bot(authority, table, 1, 1, "bid 1")
    with pytest.raises(Forbidden):
        seats.relieve_bot(authority, table, ANN, 1)
    assert seats.relieve_bot(authority, table, BO, 1).seats[1].driver == ""
    with pytest.raises(Forbidden):
        decisions.decide_as_bot(authority, table, 1, 2, "bid 1")


def test_who_has_the_page_open_is_here(authority: Authority, clock: Clock) -> None:
    table = seated(authority, ANN, BO)
    authority.attendance.enter(table, BO)
    clock.now += 1000
    ann, bo = authority.presence(authority.live(table))
    assert (ann.here, ann.away, bo.here, bo.due) == (False, 1000, True, None)
    with pytest.raises(WrongTime):
        seats.give_to_bot(authority, table, ANN, 1)
    authority.attendance.leave(table, BO)
    assert authority.presence(authority.live(table))[1].due == clock.now + 45


def test_a_seat_of_a_bot_is_not_given_away(authority: Authority, clock: Clock) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "random"]).id
    clock.now += 1000
    with pytest.raises(WrongTime):
        seats.give_to_bot(authority, table, ANN, 1)
    with pytest.raises(NotFound):
        seats.give_to_bot(authority, table, ANN, 2)


# -- after the game ----------------------------------------------------------------------------


def test_a_rematch_is_one_whoever_asks_and_how_often(authority: Authority) -> None:
    table = finished(authority)
    new = sequels.rematch(authority, table, BO)
    assert (
        sequels.rematch(authority, table, ANN).id
        == sequels.rematch(authority, table, BO).id
        == new.id
    )
    assert (new.status, new.seats_of(ANN), new.seats_of(BO)) == ("running", [0], [1])
    old = authority.live(table)
    assert old.commitment != new.commitment
    assert {i.nonce for i in old.seats}.isdisjoint(i.nonce for i in new.seats)
    with pytest.raises(Forbidden):
        sequels.rematch(authority, table, CY)


def test_there_is_no_rematch_before_the_end(authority: Authority) -> None:
    with pytest.raises(WrongTime):
        sequels.rematch(authority, seated(authority, ANN, BO), ANN)


# -- talking -----------------------------------------------------------------------------------


def test_the_players_talk_and_it_is_kept(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = seated(authority, ANN, BO)
    chat_commands.chat(authority, table, ANN, "  good\nluck ")
    chat_commands.chat(authority, table, BO, "x" * 1000)
    with pytest.raises(Forbidden):
        chat_commands.chat(authority, table, CY, "hello")
    with pytest.raises(BadInput):
        chat_commands.chat(authority, table, ANN, "\u202e \x00")
    for live in (authority.live(table), reopen().live(table)):
        assert [(c.id, c.seat, c.text) for c in live.chat] == [
            (1, 0, "good luck"),
            (2, 1, "x" * chat.LONGEST_CHAT_LINE),
        ]


def test_the_chat_is_bounded(authority: Authority, reopen: Callable[[], Authority]) -> None:
    table = seated(authority, ANN, BO)
    for n in range(CHAT_LINES_KEPT + 3):
        chat_commands.chat(authority, table, ANN, f"line {n}")
    assert reopen().live(table).chat == authority.live(table).chat
    assert authority.live(table).chat[0].text == "line 3"


def test_names_are_one_short_visible_line() -> None:
    assert clean("  Jörg \u202e\n\tMüller\x1b[0m ") == "Jörg Müller[0m"
    assert clean("a" * 99) == "a" * 24
    assert clean("\u200b") == ""


def test_a_player_is_renamed(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    assert str(lobby.rename(authority, table, ANN, 0, "Anna").name(0)) == "Anna"
    assert str(lobby.rename(authority, table, ANN, 0, "").name(0)) == "Player 1"
    with pytest.raises(Forbidden):
        lobby.rename(authority, table, BO, 0, "Bad")


def resigned(authority: Authority, *visitors: str) -> str:
    """A finished match: all but the last have given up, in turn."""
    table = seated(authority, *map(Visitor, visitors))
    for seat, visitor in enumerate(visitors[:-1]):
        seats.resign(authority, table, Visitor(visitor), seat)
    return table


def test_a_seat_with_a_personal_link_can_have_a_rematch(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    secret = seats.link(authority, table, ANN, 0)
    seats.claim(authority, table, CY, seats.link(authority, table, BO, 1))
    seats.resign(authority, table, ANN, 0)
    again = sequels.rematch(authority, table, ANN)
    assert [info.owner for info in again.seats] == [ANN, CY]
    with pytest.raises(NotFound):  # the link is one to the old table
        seats.claim(authority, again.id, BO, secret)
    with pytest.raises(Forbidden):
        seats.return_seat(authority, again.id, BO, 1)
    assert seats.claim(authority, table, BO, secret).seats_of(BO) == [0]


def test_there_is_another_rematch_if_the_first_was_removed(authority: Authority) -> None:
    table = resigned(authority, ANN, BO)
    first = sequels.rematch(authority, table, BO).id
    resign = seats.resign(authority, first, ANN, 0)
    assert sequels.rematch(authority, table, ANN).id == resign.id
    alone = lobby.open_table(authority, ANN, "toy", ["me", "me"]).id
    seats.resign(authority, alone, ANN, 0)
    lobby.delete_table(authority, sequels.rematch(authority, alone, ANN).id, ANN)
    second = sequels.rematch(authority, alone, ANN)
    assert second.status == "running"
    assert authority.live(alone).rematch == second.id


def test_nobody_plays_on_for_a_seat_that_had_resigned(authority: Authority) -> None:
    table = resigned(authority, ANN, BO, CY)
    step = authority.live(table).ply - 1  # after Ann has resigned
    with pytest.raises(WrongTime, match="resigned"):
        sequels.explore(authority, table, BO, step, 0)
    live = sequels.explore(authority, table, BO, step, bot="sensible")
    (mine,) = live.seats_of(BO)
    assert mine == 1
    assert decisions.decide(authority, live.id, BO, live.ply, "bid 1", mine).ply == step + 1
