"""Tables that begin with those who are there, and people who come after the start."""

import pytest

from diablerie.engine import fair, files
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import browsers, chat, decisions, latecomers, lobby, seats, sequels
from diablerie.table.commands.logbook import recorded
from diablerie.table.errors import BadInput, Forbidden, NotFound, WrongTime
from diablerie.table.state.nonce_exchange import PROMISED_PLEDGE
from diablerie.table.state.visitors import visitor_of
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, play

ON_BOTH = IN_CI
DI = visitor_of("di")
MANY = [visitor_of(name) for name in ("one", "two", "three", "four", "five", "six")]


def with_devil(authority: Authority) -> str:
    """A running table of Ann, Bo and a devil."""
    table = lobby.open_table(
        authority, ANN, "toy", ["me", "open", "open", "open"], names=["Ann"]
    ).id
    lobby.sit(authority, table, BO, name="Bo")
    lobby.fill(authority, table, ANN, "random", 1)
    return table


def played_out(authority: Authority, table: str) -> None:
    """The match of three people, to its end."""
    for _ in range(3):
        play(authority, table, *(f"{seat} bid 1" for seat in range(3)))
        play(authority, table, *(f"{seat} rest" for seat in range(3)))


# -- before the start ------------------------------------------------------------------------------


def test_a_table_begins_with_those_who_are_there(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "open", "open"]).id
    lobby.sit(authority, table, BO)
    live = lobby.fill(authority, table, ANN, devils=0)
    assert (live.status, [info.owner for info in live.seats]) == ("running", [ANN, BO])


def test_a_table_begins_with_those_who_are_there_and_a_devil(authority: Authority) -> None:
    live = authority.live(with_devil(authority))
    assert live.status == "running"
    assert [info.bot for info in live.seats] == ["", "", "random"]


def test_who_sits_behind_an_empty_seat_moves_up_with_what_was_said(
    authority: Authority, reopen
) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open", "open", "open"]).id
    lobby.sit(authority, table, BO, 1)
    lobby.sit(authority, table, CY, 2, name="Cy")
    for who in (ANN, BO, CY):
        chat.chat(authority, table, who, "Hello")
    secret = seats.link(authority, table, CY, 2)
    lobby.leave(authority, table, BO, 1)
    lobby.fill(authority, table, ANN, devils=0)
    for house in (authority, reopen()):
        live = house.live(table)
        assert [info.owner for info in live.seats] == [ANN, CY]
        assert [line.seat for line in live.chat] == [0, WATCHER, 1]
    assert seats.claim(authority, table, DI, secret).seats[1].owner == DI


def test_a_number_of_players_that_a_game_does_not_have_is_refused(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    for devils in (0, 2):
        with pytest.raises(BadInput):
            lobby.fill(authority, table, ANN, "random", devils)
    assert authority.live(table).free == 1


# -- after it --------------------------------------------------------------------------------------


def test_who_comes_later_takes_over_from_a_devil_if_the_host_agrees(authority: Authority, reopen):
    table = with_devil(authority)
    asked = latecomers.ask_seat(authority, table, CY, name="Cy")
    assert asked.seats_of(CY) == []
    assert latecomers.wished(asked, CY) == 2
    with pytest.raises(Forbidden):
        latecomers.answer_seat(authority, table, BO, 2, agree=True)
    latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    for house in (authority, reopen()):
        live = house.live(table)
        assert live.seats_of(CY) == [2]
        assert (str(live.name(2)), live.seats[2].driver) == ("Cy", "")
        told = [str(line) for line in house.log(live, WATCHER)[-1].lines]
        assert told == ["player 3 takes over from a devil."]
    with pytest.raises(Forbidden):
        decisions.decide_as_bot(authority, table, 2, live.ply, "bid 1")


def test_the_file_of_a_match_keeps_what_the_devil_was_called(authority: Authority) -> None:
    table = with_devil(authority)
    before = files.header(recorded(authority.live(table)))
    latecomers.ask_seat(authority, table, CY, name="Cy", share=True)
    latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    played_out(authority, table)
    assert before.names == ["Ann", "Bo", "Wild devil Flint"]
    assert files.header(recorded(authority.live(table))) == before
    text = authority.export(authority.live(table), WATCHER)
    assert files.parse_match(text.encode(), authority.games, dice=True).over


def test_nobody_who_has_or_had_a_seat_gets_a_second_one(authority: Authority) -> None:
    table = with_devil(authority)
    for who in (ANN, BO):
        with pytest.raises(WrongTime):
            latecomers.ask_seat(authority, table, who)
    seats.claim(authority, table, CY, seats.link(authority, table, BO, 1))
    for who in (BO, CY):  # Bo may take his own seat back
        with pytest.raises(WrongTime):
            latecomers.ask_seat(authority, table, who)


def test_who_gets_a_seat_in_another_way_meanwhile_gets_no_second_one(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY)
    seats.claim(authority, table, CY, seats.link(authority, table, BO, 1))
    with pytest.raises(WrongTime):
        latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    assert authority.live(table).seats_of(CY) == [1]


def test_who_is_declined_is_told_and_watches(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY, name="Cy")
    live = latecomers.answer_seat(authority, table, ANN, 2)
    assert (live.seats[2].declined, live.seats[2].bot, live.seats[2].wanted_name) == (
        CY,
        "random",
        "",
    )
    with pytest.raises(WrongTime):
        latecomers.answer_seat(authority, table, ANN, 2, agree=True)


def test_a_wish_is_withdrawn_by_who_has_it(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY)
    with pytest.raises(WrongTime):
        latecomers.ask_seat(authority, table, DI)
    with pytest.raises(Forbidden):
        latecomers.answer_seat(authority, table, DI, 2)
    live = latecomers.answer_seat(authority, table, CY, 2)
    assert (live.seats[2].wanted, live.seats[2].declined) == (None, None)
    assert latecomers.wished(latecomers.ask_seat(authority, table, DI), DI) == 2


def test_seats_of_people_are_not_to_be_had(authority: Authority) -> None:
    table = with_devil(authority)
    for seat, why in ((0, WrongTime), (7, NotFound)):
        with pytest.raises(why):
            latecomers.ask_seat(authority, table, CY, seat)
    live = lobby.open_table(authority, ANN, "toy", ["me", "me"])
    with pytest.raises(WrongTime):
        latecomers.ask_seat(authority, live.id, CY)


def test_a_name_that_somebody_has_gets_a_number(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY, name="Bo")
    live = latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    assert str(live.name(2)) == "Bo 2"


def test_a_wish_goes_with_its_visitor_and_its_name_is_deleted(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY, name="Cy")
    assert lobby.delete_names(authority, CY) == 1
    assert authority.live(table).seats[2].wanted_name == ""
    browsers.move_all(authority, CY, DI)
    assert authority.live(table).seats[2].wanted == DI


def test_in_a_rematch_the_newcomer_shares_in_the_dice(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY, name="Cy", share=True)
    latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    played_out(authority, table)
    again = sequels.rematch(authority, table, ANN)
    assert again.seats[2].owner == CY
    assert again.seats[2].pledge == PROMISED_PLEDGE


def test_a_newcomer_adds_nothing_to_dice_that_are_there(authority: Authority) -> None:
    table = with_devil(authority)
    latecomers.ask_seat(authority, table, CY, name="Cy", share=True)
    latecomers.answer_seat(authority, table, ANN, 2, agree=True)
    with pytest.raises(WrongTime):
        lobby.share(authority, table, CY, {2: fair.pledge("late")}, {})


SIZES = [(name, people) for name, game in ALL.items() for people in (4, 6) if people in game.seats]


@pytest.mark.parametrize(("game", "people"), SIZES)
def test_the_last_of_several_people_comes_after_the_start(house: Authority, game: str, people: int):
    host, *others, last = MANY[:people]
    plan = ["me"] + ["open"] * (ALL[game].seats[-1] - 1)
    table = lobby.open_table(house, host, game, plan).id
    for one in others:
        lobby.sit(house, table, one)
    live = lobby.fill(house, table, host, "random", 1)
    assert (live.status, len(live.seats)) == ("running", people)
    latecomers.ask_seat(house, table, last, name="Last")
    live = latecomers.answer_seat(house, table, host, people - 1, agree=True)
    assert [live.seats_of(one) for one in MANY[:people]] == [[seat] for seat in range(people)]
    assert not any(info.driver for info in live.seats)
