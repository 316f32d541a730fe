"""Several processes on one PostgreSQL: each shows what any has done, which is done once."""

import threading

import pytest
import sqlalchemy as sa

from diablerie.table.authority import Authority
from diablerie.table.commands import chat, decisions, lobby, seats, sequels
from diablerie.table.commands.subscriptions import HookRequest
from diablerie.table.errors import Forbidden, Stale, TooMany, UnreadableTable, WrongTime
from diablerie.table.presence.rate_limits import RATES
from diablerie.table.storage import rows, schema
from tests.table.conftest import ANN, BO, CY, GAMES, play, seated
from tests.table.several import PATIENCE, One, opening, two, wait
from tests.table.test_store import same

__all__ = ["opening", "two"]  # fixtures


# -- one truth ---------------------------------------------------------------------------------


def test_a_decision_made_elsewhere_is_shown_when_it_is_asked_for(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    assert there.live(table).ply == 1
    play(here, table, "0 bid 1")
    there.catch_up(table)
    assert there.live(table).ply == 2
    chat.chat(here, table, ANN, "hello")
    lobby.rename(here, table, BO, 1, "Bo")
    there.catch_up()
    assert there.live(table).chat[0].text == "hello"
    assert str(there.live(table).name(1)) == "Bo"


def test_what_is_current_is_not_read_again(two: tuple[One, One]) -> None:
    here, _ = (one.authority for one in two)
    table = seated(here, ANN, BO)
    before = here.live(table)
    here.catch_up()
    assert here.live(table) is before


def test_no_decision_is_refused_for_what_a_process_has_not_heard(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    play(here, table, "0 bid 1", "1 bid 1")
    live = here.live(table)
    assert decisions.decide(there, table, ANN, live.ply, "rest", 0).ply > live.ply
    with pytest.raises(Stale):
        decisions.decide(here, table, ANN, 1, "bid 1", 0)


def test_a_request_ends_when_its_player_decides_where_it_is_not_known(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    play(here, table, "0 bid 1", "1 bid 1")
    ply = there.live(table).ply
    assert decisions.request_take_back(here, table, ANN, 0).request
    decisions.decide(there, table, ANN, ply, "rest", 0)
    for one in (here, there):
        one.catch_up()
        assert one.live(table).request is None
    with pytest.raises(WrongTime):
        decisions.answer_take_back(here, table, BO, 1, True)
    here.forget(table)
    assert here.live(table).request is None


def test_what_would_change_nothing_is_done_where_others_have_changed_it(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    lobby.rename(here, table, ANN, 0, "Ann")
    there.catch_up(table)
    assert there.live(table).seats[0].name == "Ann"
    lobby.rename(here, table, ANN, 0, "")
    assert lobby.rename(there, table, ANN, 0, "Ann").seats[0].name == "Ann"
    here.catch_up(table)
    assert here.live(table).seats[0].name == "Ann"


def test_a_personal_link_works_where_it_is_not_known_yet(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    assert seats.claim(there, table, CY, seats.link(here, table, BO, 1)).seats_of(CY) == [1]


def test_who_has_just_lost_a_seat_elsewhere_neither_decides_nor_writes(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    ply = there.live(table).ply
    seats.claim(here, table, CY, seats.link(here, table, BO, 1))
    with pytest.raises(Forbidden):
        decisions.decide(there, table, BO, ply, "bid 1", 1)
    here.forget(table)
    seats.claim(here, table, BO, seats.link(here, table, CY, 1))
    with pytest.raises(Forbidden):
        chat.chat(there, table, CY, "still here")
    assert here.live(table).ply == ply


def test_who_has_just_sat_down_elsewhere_sets_up_a_webhook(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = lobby.open_table(here, ANN, "toy", ["me", "open", "open"]).id
    assert not there.live(table).seats_of(BO)
    lobby.sit(here, table, BO)
    there.subscriptions.hook(
        table, BO, HookRequest("https://hook.example/", "en", "https://house.example")
    )
    assert there.subscriptions.hook_of(table)


def test_another_game_is_for_those_who_played_whatever_its_process_had_heard(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    seats.resign(here, table, BO, 1)
    there.live(table)
    lobby.rename(here, table, ANN, 0, "Ann")
    seats.claim(here, table, CY, seats.link(here, table, BO, 1))
    again = sequels.rematch(there, table, ANN)
    assert [info.owner for info in again.seats] == [ANN, CY]
    assert again.seats[0].name == "Ann"


def test_a_decision_that_two_processes_get_is_made_once(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    decisions.decide(here, table, ANN, 1, "bid 1", 0)
    with pytest.raises(Stale) as refused:
        decisions.decide(there, table, ANN, 1, "bid 1", 0)
    assert refused.value.slug == "repeated"
    assert there.live(table).ply == 2


def test_streams_hear_of_what_a_refused_command_has_found(
    two: tuple[One, One], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The news of it got lost, and the sweep finds that the process knows it already."""
    here, there = (one.authority for one in two)
    table, told = seated(here, ANN, BO), list[str]()
    there.live(table)
    monkeypatch.setattr(there.hub, "publish", told.append)
    decisions.decide(here, table, ANN, 1, "bid 1", 0)
    with pytest.raises(Stale):
        decisions.decide(there, table, ANN, 1, "bid 1", 0)
    assert told == [table]


def test_lines_of_two_processes_are_all_kept_once(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)

    def talk(authority: Authority, name: str) -> None:
        visitor = ANN if name == "ann" else BO
        for n in range(10):
            chat.chat(authority, table, visitor, f"{name} {n}")

    talkers = [
        threading.Thread(target=talk, args=words) for words in ((here, "ann"), (there, "bo"))
    ]
    for thread in talkers:
        thread.start()
    for thread in talkers:
        thread.join()
    here.catch_up()
    said = [line.text for line in here.live(table).chat]
    assert sorted(said) == sorted(f"{name} {n}" for name in ("ann", "bo") for n in range(10))
    assert [line.id for line in here.live(table).chat] == list(range(1, 21))


def test_a_state_read_before_news_of_a_newer_one_is_not_kept(two: tuple[One, One]) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    true = there.store.load

    def load(asked: str, *since: int) -> object:
        found = true(asked, *since)
        play(here, table, "0 bid 1")  # meanwhile
        there.refresh(table)
        return found

    there.store.load = load  # type: ignore[method-assign,assignment]
    assert there.live(table).ply == 1
    there.store.load = true  # type: ignore[method-assign]
    assert there.live(table).ply == 2


def test_what_is_new_is_added_to_what_is_in_memory_and_is_as_if_all_were_read(
    two: tuple[One, One], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    whole: list[str] = []
    true = there.store.load

    def load(asked: str, *since: int) -> object:
        whole.extend([] if since else [asked])
        return true(asked, *since)

    monkeypatch.setattr(there.store, "load", load)
    there.live(table)
    steps = (
        lambda: play(here, table, "0 bid 0"),
        lambda: play(here, table, "1 bid 1", "0 look"),
        lambda: chat.chat(here, table, ANN, "hello"),
        lambda: seats.hand_over(here, table, BO, 1),
        lambda: lobby.publish(here, table, ANN, True),
        lambda: play(here, table, "0 step", "0 step"),
    )
    for step in steps:
        step()
        there.catch_up()
        stored = true(table)
        assert stored is not None
        assert same(there.live(table), rows.live_of(stored, GAMES))
    assert whole == [table], "as a whole it was read once"
    lobby.rename(here, table, ANN, 0, "Anna")
    there.catch_up()
    assert str(there.live(table).name(0)) == "Anna"


def test_rows_that_do_not_go_on_from_what_is_in_memory_are_that_tables_problem(
    two: tuple[One, One],
) -> None:
    here, there = (one.authority for one in two)
    table = seated(here, ANN, BO)
    there.live(table)
    play(here, table, "0 bid 1")
    p = schema.plies
    here.store.commit(sa.update(p).where(p.c.ply == 1).values(events="not JSON"))
    there.catch_up()
    with pytest.raises(UnreadableTable, match="ply 2 is damaged"):
        there.live(table)


# -- news --------------------------------------------------------------------------------------


def listening(*ones: One) -> None:
    """They have started, and hear what the others say."""
    for one in ones:
        one.node.start()
        assert one.node.news.listening.wait(PATIENCE)


def test_news_come_to_the_others_at_once(two: tuple[One, One]) -> None:
    here, there = two
    listening(*two)
    table = seated(here.authority, ANN, BO)
    assert there.authority.live(table).ply == 1
    heard = threading.Event()
    there.node.listen("table", lambda told: heard.set() if told == table else None)
    play(here.authority, table, "0 bid 1")
    assert heard.wait(PATIENCE)
    wait(lambda: there.authority.live(table).ply == 2)


def test_what_the_news_did_not_tell_the_sweep_finds(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    there.authority.live(table)
    play(here.authority, table, "0 bid 1")
    assert there.authority.live(table).ply == 1
    there.node.sweep()
    assert there.authority.live(table).ply == 2


def test_a_connection_that_breaks_is_made_anew_and_what_it_missed_is_found(
    two: tuple[One, One],
) -> None:
    here, there = two
    listening(there)
    table = seated(here.authority, ANN, BO)
    there.authority.live(table)
    gone = sa.text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE query LIKE 'LISTEN%' AND pid <> pg_backend_pid()"
    )
    with here.authority.store.writing() as connection:
        connection.execute(gone)
    play(here.authority, table, "0 bid 1")
    wait(lambda: there.authority.live(table).ply == 2)
    assert there.node.news.listening.wait(PATIENCE)


# -- who is here -------------------------------------------------------------------------------


def told(one: One, other: One) -> None:
    """What one process knows of looks, another knows too."""
    one.node.beat()
    one.node.presence.write()
    other.node.presence.read()


def test_who_has_a_page_open_elsewhere_is_here(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    here.node.others.opened(table, ANN, "10.0.0.1", 1)
    here.node.others.opened(table, None, "10.0.0.2", 1)
    told(here, there)
    present = there.authority.presence(there.authority.live(table))
    assert [seat.here for seat in present] == [True, False]
    assert there.authority.hub.watched(table)
    assert there.node.others.pages("10.0.0.1") == 1
    here.node.others.opened(table, ANN, "10.0.0.1", -1)
    here.node.others.opened(table, None, "10.0.0.2", -1)
    here.node.presence.write()
    there.node.presence.read(table)
    assert not there.authority.presence(there.authority.live(table))[0].here
    assert there.node.others.pages("10.0.0.1") == 0


def test_who_comes_and_goes_is_told_to_the_others_by_itself(two: tuple[One, One]) -> None:
    here, there = two
    listening(*two)
    table = seated(here.authority, ANN, BO)
    here.node.others.opened(table, ANN, "10.0.0.1", 1)
    wait(lambda: there.node.others.here(table, ANN))
    here.node.others.opened(table, ANN, "10.0.0.1", -1)
    wait(lambda: not there.node.others.here(table, ANN))


def test_of_a_dead_process_nobody_is_here(two: tuple[One, One]) -> None:
    here, there = two
    table = seated(here.authority, ANN, BO)
    here.node.others.opened(table, ANN, "10.0.0.1", 1)
    told(here, there)
    assert there.authority.hub.watched(table)
    old = sa.update(schema.processes).values(beat=schema.processes.c.beat - 100)
    there.authority.store.commit(old)
    there.node.beat()
    there.node.presence.read()
    assert there.node.others.pages("10.0.0.1") == 0
    assert there.authority.store.column(schema.presence.c.match) == []


# -- bounds ------------------------------------------------------------------------------------


def test_what_an_address_may_ask_for_is_counted_in_all_processes(two: tuple[One, One]) -> None:
    here, there = (one.authority.limits for one in two)
    burst = RATES["chat"].burst
    for n in range(burst):
        (here, there)[n % 2].take("chat", "10.0.0.1")
    for limits in (here, there):
        with pytest.raises(TooMany):
            limits.take("chat", "10.0.0.1")
    here.take("chat", "10.0.0.2")


def test_what_an_address_has_had_comes_back_with_time(two: tuple[One, One]) -> None:
    here, there = (one.authority.limits for one in two)
    for _ in range(RATES["chat"].burst):
        here.take("chat", "10.0.0.1")
    earlier = sa.update(schema.rate_counts).values(
        at=schema.rate_counts.c.at - RATES["chat"].seconds
    )
    two[0].authority.store.commit(earlier)
    there.take("chat", "10.0.0.1")
    with pytest.raises(TooMany):
        there.take("chat", "10.0.0.1")


def test_an_address_has_one_place_to_think_in_all_processes(two: tuple[One, One]) -> None:
    here, there = (one.authority.limits for one in two)
    with here.place("10.0.0.1") as first, there.place("10.0.0.1") as second:
        assert (first, second) == (True, False)
        with there.place("10.0.0.2") as other:
            assert other
    with there.place("10.0.0.1") as again:
        assert again
