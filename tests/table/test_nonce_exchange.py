"""Shares in the dice: hashes first, then nonces, and nobody is waited for without end."""

from collections.abc import Callable

import pytest

from diablerie.engine import files
from diablerie.engine.fair import Aborted, DiceStream, dealt, pledge
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby, seats, sequels
from diablerie.table.errors import BadInput, Forbidden, WrongTime
from diablerie.table.state import nonce_exchange
from diablerie.table.state.nonce_exchange import (
    ABORTED_STARTS_KEPT,
    GRACE_HERE,
    NONCE_GRACE_SECONDS,
    PROMISED_PLEDGE,
    Phase,
)
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, TableState
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, GAMES, Clock, play

ON_BOTH = IN_CI

NONCES = ["a" * 32, "b" * 32]
HASHES = [pledge(nonce) for nonce in NONCES]


def promised(authority: Authority) -> str:
    """A full table of Ann's and Bo's, whose browsers have scripts."""
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"], names=["Ann"], share=True)
    lobby.sit(authority, table.id, BO, name="Bo", share=True)
    return table.id


def phase(live: TableState) -> Phase:
    return nonce_exchange.phase(live)


def nonces(live: TableState) -> list[str]:
    return [info.nonce for info in live.seats]


def test_hashes_first_then_nonces_then_the_match(authority: Authority) -> None:
    table = promised(authority)
    assert phase(authority.live(table)) is Phase.PLEDGES
    assert nonce_exchange.asked(authority.live(table), BO) == [1]
    assert phase(lobby.share(authority, table, ANN, {0: HASHES[0]}, {})) is Phase.PLEDGES
    with pytest.raises(WrongTime):  # Bo's hash is not in
        lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    with pytest.raises(WrongTime):  # it is fixed
        lobby.share(authority, table, ANN, {0: HASHES[1]}, {})
    assert phase(lobby.share(authority, table, BO, {1: HASHES[1]}, {})) is Phase.NONCES
    with pytest.raises(WrongTime):
        lobby.share(authority, table, BO, {1: HASHES[0]}, {})
    with pytest.raises(BadInput):
        lobby.share(authority, table, BO, {}, {1: NONCES[0]})
    with pytest.raises(Forbidden):
        lobby.share(authority, table, CY, {}, {1: NONCES[1]})
    assert lobby.share(authority, table, BO, {}, {1: NONCES[1]}).status == OPEN_TABLE
    live = lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    assert live.status == RUNNING
    assert live.match is not None
    assert live.match.fair.nonces == tuple(NONCES)
    assert live.match.fair.by == ["player", "player"]


def test_who_shares_a_screen_sends_all_at_once(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "sensible", "me"], share=True).id
    own = {0: HASHES[0], 2: HASHES[1]}
    live = lobby.share(authority, table, ANN, own, {0: NONCES[0], 2: NONCES[1]})
    assert live.status == RUNNING
    assert live.match is not None
    assert live.match.fair.by == ["player", "table", "player"]
    assert nonces(live)[1] == dealt(authority.store.key(table), 1)


def test_without_a_script_the_match_starts_at_once(authority: Authority) -> None:
    live = lobby.open_table(authority, ANN, "toy", ["me", "sensible"])
    assert live.status == RUNNING
    key = authority.store.key(live.id)
    assert nonces(live) == [dealt(key, 0), dealt(key, 1)]
    assert live.match is not None
    assert live.match.fair.by == ["table", "table"]


def test_nobody_is_waited_for_without_end(authority: Authority, clock: Clock) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    with pytest.raises(WrongTime):
        lobby.begin(authority, table, ANN)
    clock.now += NONCE_GRACE_SECONDS
    with pytest.raises(Forbidden):
        lobby.begin(authority, table, CY)
    live = lobby.begin(authority, table, ANN)
    assert phase(live) is Phase.NONCES
    with pytest.raises(WrongTime):
        lobby.begin(authority, table, ANN)  # it waits anew
    live = lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    assert live.match is not None
    assert live.match.fair.by == ["player", "table"]
    assert (live.match.fair.withheld, live.match.fair.late) == ([], (1,))


def test_a_match_without_a_script_has_nobody_late(authority: Authority, clock: Clock) -> None:
    table = promised(authority)
    lobby.leave(authority, table, BO, 1)
    lobby.sit(authority, table, BO)
    live = lobby.share(authority, table, ANN, {0: HASHES[0]}, {0: NONCES[0]})
    assert live.match is not None
    assert (live.match.fair.by, live.match.fair.late) == (["player", "table"], ())


@pytest.mark.parametrize("hashes", [[0], [0, 1]])
def test_whoever_has_the_page_open_is_waited_for_longer_but_not_without_end(
    authority: Authority, clock: Clock, hashes: list[int]
) -> None:
    """Both in the phase of hashes and in that of nonces."""
    table = promised(authority)
    for seat in hashes:
        lobby.share(authority, table, [ANN, BO][seat], {seat: HASHES[seat]}, {})
    if len(hashes) == 2:
        lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    authority.attendance.enter(table, ANN)
    assert waits(authority, table) == NONCE_GRACE_SECONDS
    authority.attendance.enter(table, BO)
    clock.now += NONCE_GRACE_SECONDS
    with pytest.raises(WrongTime):
        lobby.begin(authority, table, ANN)
    assert waits(authority, table) == GRACE_HERE
    clock.now += GRACE_HERE - NONCE_GRACE_SECONDS
    lobby.begin(authority, table, ANN)


def waits(authority: Authority, table: str) -> float:
    live = authority.live(table)
    return nonce_exchange.grace(live, [one.here for one in authority.presence(live)])


def test_who_came_late_is_asked_again_for_the_next_match(
    authority: Authority, clock: Clock, reopen: Callable[[], Authority]
) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    clock.now += NONCE_GRACE_SECONDS
    lobby.begin(authority, table, ANN)
    authority = reopen()
    with pytest.raises(WrongTime):
        lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    live = lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    assert live.match is not None
    assert files.header(live.match).late == [1]
    assert '"late":[1]' in authority.export(seats.resign(authority, table, BO, 1), 0)
    again = sequels.rematch(authority, table, ANN)
    assert [info.pledge for info in again.seats] == [PROMISED_PLEDGE, PROMISED_PLEDGE]


def test_a_nonce_that_is_not_shown_is_told(authority: Authority, clock: Clock) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    clock.now += NONCE_GRACE_SECONDS
    live = lobby.begin(authority, table, ANN)
    assert live.match is not None
    assert live.match.fair.withheld == [1]
    assert nonces(live)[1] == dealt(authority.store.key(table), 1)


def test_a_seat_that_moves_cannot_have_another_nonce_when_others_show_theirs(
    authority: Authority,
) -> None:
    table = promised(authority)
    early = seats.link(authority, table, BO, 1)
    lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    seats.claim(authority, table, CY, early)  # who does not know what Bo's browser promised
    assert nonce_exchange.asked(authority.live(table), CY) == [1]
    lobby.share(authority, table, CY, {1: HASHES[1]}, {})
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {0: NONCES[0]})
    late = seats.link(authority, table, CY, 1)
    seats.claim(authority, table, BO, late)
    with pytest.raises(WrongTime):
        lobby.share(authority, table, BO, {1: HASHES[0]}, {})
    assert lobby.share(authority, table, BO, {}, {1: NONCES[1]}).status == RUNNING


def test_who_leaves_lets_all_promise_anew(authority: Authority) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    lobby.leave(authority, table, BO, 1)
    live = authority.live(table)
    assert (live.seats[0].pledge, live.seats[0].nonce, live.waits) == (PROMISED_PLEDGE, "", 0.0)
    lobby.sit(authority, table, CY)
    assert phase(authority.live(table)) is Phase.PLEDGES


def shown(authority: Authority, table: str) -> TableState:
    """All hashes are in, and Ann has shown her nonce."""
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    return lobby.share(authority, table, ANN, {}, {0: NONCES[0]})


@pytest.mark.parametrize("freed", [False, True])
def test_who_leaves_when_nonces_may_be_known_makes_the_table_take_a_new_key(
    authority: Authority, reopen: Callable[[], Authority], freed: bool
) -> None:
    table = promised(authority)
    before = shown(authority, table)
    key = authority.store.key(table)
    if freed:
        lobby.free(authority, table, ANN, 1)
    else:
        lobby.leave(authority, table, BO, 1)
    authority = reopen()
    live = authority.live(table)
    assert live.commitment != before.commitment
    assert (
        live.commitment
        == DiceStream(authority.store.key(table)).commitment
        != DiceStream(key).commitment
    )
    assert (live.aborted, live.earlier) == (1, (Aborted(before.commitment, tuple(HASHES)),))
    lobby.sit(authority, table, BO, share=True)
    for seat, visitor in enumerate((ANN, BO)):
        with pytest.raises(BadInput, match="sent here before"):
            lobby.share(authority, table, visitor, {seat: HASHES[1 - seat]}, {})
    fresh = ["c" * 32, "d" * 32]
    lobby.share(authority, table, ANN, {0: pledge(fresh[0])}, {})
    lobby.share(authority, table, BO, {1: pledge(fresh[1])}, {1: fresh[1]})
    live = lobby.share(authority, table, ANN, {}, {0: fresh[0]})
    assert live.match is not None
    assert live.match.fair.aborted == 1
    assert files.header(live.match).earlier == list(live.earlier)
    assert '"aborted":1' in authority.export(live, 0)


def test_who_leaves_before_all_hashes_are_in_has_seen_nothing(authority: Authority) -> None:
    table = promised(authority)
    before = lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    lobby.leave(authority, table, BO, 1)
    live = authority.live(table)
    assert (live.commitment, live.aborted, live.earlier) == (before.commitment, 0, ())


def test_a_hash_is_taken_from_one_seat_alone(authority: Authority) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    with pytest.raises(BadInput, match="sent here before"):
        lobby.share(authority, table, BO, {1: HASHES[0]}, {})


def test_a_seat_that_moves_before_the_match_has_started_keeps_its_hash(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a process died between the two writes that start a match."""
    table = promised(authority)
    monkeypatch.setattr(authority, "started", lambda live, *_: live)
    link = seats.link(authority, table, BO, 1)
    shown(authority, table)
    waiting = lobby.share(authority, table, BO, {}, {1: NONCES[1]})
    assert (waiting.status, phase(waiting)) == (OPEN_TABLE, Phase.NOTHING)
    seats.claim(authority, table, CY, link)  # who would know Ann's nonce
    assert authority.live(table).seats[1].pledge == HASHES[1]
    lobby.leave(authority, table, CY, 1)
    assert authority.live(table).aborted == 1


def test_only_the_last_aborted_starts_are_remembered_and_all_are_counted(
    authority: Authority,
) -> None:
    table = promised(authority)
    for n in range(ABORTED_STARTS_KEPT + 2):
        lobby.share(authority, table, ANN, {0: pledge(f"a{n}")}, {})
        lobby.share(authority, table, BO, {1: pledge(f"b{n}")}, {})
        lobby.leave(authority, table, BO, 1)
        lobby.sit(authority, table, BO, share=True)
    live = authority.live(table)
    assert live.aborted == ABORTED_STARTS_KEPT + 2
    assert [start.hashes[0] for start in live.earlier] == [
        pledge(f"a{n}") for n in range(2, ABORTED_STARTS_KEPT + 2)
    ]


@pytest.mark.parametrize("text", ["F" * 64, "0" * 63, "f" * 65, "0" * 63 + "g", "é" * 64, "?", ""])
def test_what_is_no_hash_is_refused(authority: Authority, text: str) -> None:
    table = promised(authority)
    with pytest.raises(BadInput, match="64 hex digits"):
        lobby.share(authority, table, ANN, {0: text}, {})


def test_it_is_all_durable_and_the_file_holds_it(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = promised(authority)
    lobby.share(authority, table, ANN, {0: HASHES[0]}, {})
    authority = reopen()
    lobby.share(authority, table, BO, {1: HASHES[1]}, {})
    authority = reopen()
    lobby.share(authority, table, BO, {}, {1: NONCES[1]})
    authority = reopen()
    lobby.share(authority, table, ANN, {}, {0: NONCES[0]})
    while authority.live(table).status == RUNNING:
        live = authority.live(table)
        seat = live.pending[0]
        play(authority, table, f"{seat} {live.position(seat).moves[-1].text}")
    live = reopen().live(table)
    text = authority.export(live, 0)
    match = files.parse_match(text.encode(), GAMES, dice=True)
    assert match.names == ("Ann", "Bo")
    assert match.fair == live.match.fair  # type: ignore[union-attr]
    lobby.rename(authority, table, ANN, 0, "Anna")
    assert authority.export(authority.live(table), 0) == text
    lobby.delete_names(authority, ANN)
    told = files.parse_match(authority.export(authority.live(table), 0).encode(), GAMES, dice=True)
    assert told.names == ("", "Bo")
    assert "Ann" not in authority.export(authority.live(table), 0)


def test_a_rematch_is_promised_by_those_who_promised_before(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "sensible"], share=True).id
    live = lobby.share(authority, table, ANN, {0: HASHES[0]}, {0: NONCES[0]})
    while live.status == RUNNING:
        seat = live.pending[0]
        text = live.position(seat).moves[-1].text
        live = (
            decisions.decide_as_bot(authority, table, seat, live.ply, text)
            if seat
            else decisions.decide(authority, table, ANN, live.ply, text, seat)
        )
    again = sequels.rematch(authority, table, ANN)
    assert phase(again) is Phase.PLEDGES
    assert nonce_exchange.asked(again, ANN) == [0]
    assert again.seats[1].pledge == ""
