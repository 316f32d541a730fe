"""Turn clocks: a devil decides where somebody's time is over, and only the house's time counts."""

import threading
from dataclasses import replace

import pytest

from diablerie.bots.spec import KINDS, BotKind
from diablerie.engine import files
from diablerie.engine.plies import PlyKind as Ply
from diablerie.table.bots.deadlines import Deadlines
from diablerie.table.commands import decisions, lobby, seats, sequels
from diablerie.table.errors import BadInput, Stale
from diablerie.table.state import turn_clock
from diablerie.table.state.table_state import TableState
from diablerie.table.storage import schema
from tests.conftest import IN_CI
from tests.table.clocked import HOUR, House, Machine, begun, house, kinds, looked, machine
from tests.table.conftest import ANN, BO, CY, GAMES, play

ON_BOTH = IN_CI

__all__ = ["house", "machine"]  # fixtures


def test_a_devil_decides_when_time_is_over_and_not_before(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR - 1)
    assert looked(authority, table).ply == 1
    machine.pass_by(1)
    live = looked(authority, table)
    assert [kind for kind in kinds(live) if kind[0] == "deadline"] == [
        ("deadline", 0), ("deadline", 1)
    ]  # fmt: skip
    assert ("move", 0) in kinds(live)
    assert ("move", 1) in kinds(live)


def test_the_log_and_the_file_say_so(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR)
    live = looked(authority, table)
    told = [str(line) for entry in authority.log(live, 0) for line in entry.lines]
    assert any("run out of time" in line for line in told)
    assert live.match is not None
    again = files.parse_match(files.dump(live.match).encode(), GAMES, dice=True)
    assert [ply.kind for ply in again.plies] == [ply.kind for ply in live.plies]
    assert Ply.DEADLINE in [ply.kind for ply in again.plies]


def test_a_secret_decision_of_another_gives_nobody_more_time(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO, CY)
    due = authority.live(table).seats[1].due
    machine.pass_by(HOUR / 2)
    play(authority, table, "0 bid 1")
    live = authority.live(table)
    assert [info.due for info in live.seats] == [0.0, due, due]
    machine.pass_by(HOUR / 2)
    live = looked(authority, table)
    assert [seat for kind, seat in kinds(live) if kind == "deadline"] == [1, 2]
    assert live.plies[1].seat == 0


def test_every_decision_has_the_whole_time(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR / 2)
    play(authority, table, "0 bid 1", "1 bid 2")
    now = authority.uptime.now()
    (seat,) = authority.live(table).pending
    assert authority.live(table).seats[seat].due == now + HOUR
    machine.pass_by(10)
    play(authority, table, f"{seat} look")
    assert authority.live(table).seats[seat].due == now + 10 + HOUR


def test_a_devil_finishes_the_turn(house: House, machine: Machine):
    """Else who is gone would hold the others up by every step of a walk."""
    authority = house()
    table = begun(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 2", "0 swap")
    assert authority.live(table).pending == [0]
    before = authority.live(table).ply
    machine.pass_by(HOUR)
    live = looked(authority, table)
    assert live.pending == [1]
    assert (live.plies[before].kind, live.plies[before].seat) == (Ply.DEADLINE, 0)
    assert all(p.seat == 0 for p in live.plies[before:])
    assert len(live.plies) - before == 3


def test_time_while_the_server_was_down_does_not_count(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR / 2)
    authority.uptime.save()
    machine.pass_by(100 * HOUR)  # nobody is there
    machine.ticks.now = 5.0  # another boot
    again = house()
    assert looked(again, table).ply == 1
    told = again.deadlines(again.live(table))[0]
    assert told == round(machine.wall.now + HOUR / 2)
    machine.pass_by(HOUR / 2 - 1)
    assert looked(again, table).ply == 1
    machine.pass_by(1)
    assert looked(again, table).ply > 1


@pytest.mark.parametrize("jump", [-1000 * HOUR, 1000 * HOUR])
def test_a_clock_that_is_set_otherwise_delays_and_hurries_nobody(
    house: House, machine: Machine, jump: float
):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.wall.now += jump
    assert looked(authority, table).ply == 1
    assert authority.deadlines(authority.live(table))[0] == machine.wall.now + HOUR
    machine.pass_by(HOUR)
    assert looked(authority, table).ply > 1


def test_who_is_relieved_by_a_devil_has_no_clock_and_a_whole_one_when_back(
    house: House, machine: Machine
):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR - 1)
    live = seats.hand_over(authority, table, ANN, 0)
    assert live.seats[0].due == 0
    live = seats.relieve_bot(authority, table, ANN, 0)
    assert live.seats[0].due == authority.uptime.now() + HOUR
    assert live.seats[1].due == authority.uptime.now() + 1


def test_the_next_clock_to_run_out_is_the_one_that_counts(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR - 1)
    seats.hand_over(authority, table, ANN, 0)
    seats.relieve_bot(authority, table, ANN, 0)  # and has a whole hour again
    machine.pass_by(1)
    assert ("deadline", 1) in kinds(looked(authority, table))
    assert ("deadline", 0) not in kinds(looked(authority, table))


def test_who_comes_too_late_is_told_that_the_game_has_moved_on(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    seen = authority.live(table).ply
    machine.pass_by(HOUR)
    looked(authority, table)
    with pytest.raises(Stale):
        decisions.decide(authority, table, ANN, seen, "bid 4", 0)


def test_who_decides_at_the_last_moment_has_decided(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    deadlines = Deadlines(authority)
    machine.pass_by(HOUR)
    play(authority, table, "0 bid 3")
    deadlines.look()
    live = authority.live(table)
    assert kinds(live)[:2] == [("move", 0), ("deadline", 1)]


def test_a_devil_that_fails_is_replaced(
    house: House, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    class Failing:
        def __init__(self, game: object) -> None:
            raise RuntimeError("hell freezes over")

    monkeypatch.setitem(KINDS, "sensible", BotKind(Failing, KINDS["sensible"].title))
    authority = house()
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR)
    assert ("move", 0) in kinds(looked(authority, table))


def test_a_clock_ends_with_its_table(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, bots=1)
    deadlines = Deadlines(authority)
    lobby.delete_table(authority, table, ANN)
    machine.pass_by(HOUR)
    deadlines.look()
    assert deadlines._save() is None


def test_a_rematch_has_the_same_clock(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO)
    seats.resign(authority, table, ANN, 0)
    assert authority.live(table).seats[1].due == 0
    assert sequels.rematch(authority, table, ANN).pace == HOUR


@pytest.mark.parametrize("seconds", [-1, 1, 59, 31 * 24 * HOUR])
def test_a_clock_that_nobody_can_mean_is_refused(house: House, seconds: int):
    with pytest.raises(BadInput, match="minute"):
        lobby.open_table(house(), ANN, "toy", ["me", "sensible"], pace=seconds)


def test_tables_without_a_clock_wait_for_ever(house: House, machine: Machine):
    authority = house()
    table = begun(authority, ANN, BO, pace=0)
    machine.pass_by(1000 * HOUR)
    assert looked(authority, table).ply == 1


def test_the_thread_does_it_by_itself_and_survives_what_fails(
    house: House, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    authority = house()
    failing = [RuntimeError("no"), RuntimeError("no")]
    done = threading.Event()
    real = turn_clock.overrun

    def overrun(*given: object) -> TableState:
        if failing:
            raise failing.pop()
        done.set()
        return real(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("diablerie.table.bots.deadlines.turn_clock.overrun", overrun)
    monkeypatch.setattr("diablerie.table.bots.deadlines.DEADLINE_RETRY_SECONDS", 0.0)
    table = begun(authority, ANN, BO)
    machine.pass_by(HOUR)
    deadlines = Deadlines(authority)
    deadlines.start()
    assert done.wait(20)
    deadlines.stop()
    assert ("deadline", 0) in kinds(authority.live(table))
    stored = authority.store.row(schema.uptime, "id", 1)
    assert stored.seconds >= HOUR


def test_two_processes_count_the_same_hours(house: House, machine: Machine):
    one, other = house(), house()
    machine.pass_by(100)
    one.uptime.save()
    machine.pass_by(20)
    other.uptime.save()
    one.uptime.save()
    assert one.uptime.now() == other.uptime.now() == 120


def test_what_is_told_of_a_deadline_stays_the_same(house: House, machine: Machine):
    """Else every sign of life of a stream would be news."""
    authority = house()
    live = authority.live(begun(authority, ANN, BO))
    told = authority.deadlines(live)
    machine.pass_by(7.3)
    machine.wall.now += 0.4  # it is never quite right
    assert authority.deadlines(live) == told
    assert authority.deadlines(replace(live, seats=())) == []


def test_nobody_looks_at_tables_without_a_clock(
    house: House, machine: Machine, monkeypatch: pytest.MonkeyPatch
):
    authority = house()
    begun(authority, ANN, BO, pace=0)
    deadlines = Deadlines(authority)
    machine.pass_by(HOUR)
    monkeypatch.setattr(authority, "live", lambda _: pytest.fail("it was looked at"))
    deadlines.look()
