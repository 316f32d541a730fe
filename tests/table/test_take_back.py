"""Taking back, leaving to a devil, resigning: what is noted, and when it may be."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import files
from diablerie.engine.plies import PlyKind
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby, seats
from diablerie.table.errors import Forbidden, Stale, WrongTime
from diablerie.table.state.table_state import TableState
from diablerie.table.state.take_back import may_request, may_take_back, outstanding
from tests.stores import new_store
from tests.table.conftest import ANN, BO, CY, Clock


@pytest.fixture
def authority(tmp_path: Path, clock: Clock) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db")
    yield Authority(store, clock=clock)
    store.close()


def opened(authority: Authority, game: str, *plan: str, **options: str) -> str:
    table = lobby.open_table(authority, ANN, game, plan, options=options).id
    for visitor in (BO, CY)[: plan.count("open")]:
        lobby.sit(authority, table, visitor)
    return table


def decided(authority: Authority, table: str, seat: int, *texts: str) -> TableState:
    live = authority.live(table)
    if live.seats[seat].driver:
        return decisions.decide_as_bot(authority, table, seat, live.ply, texts[0])
    return decisions.decide(
        authority, table, live.seats[seat].owner, live.ply, "; ".join(texts), seat
    )


def first_legal(authority: Authority, table: str) -> TableState:
    """Whoever is to decide does the first thing that is allowed."""
    live = authority.live(table)
    seat = live.pending[0]
    return decided(authority, table, seat, live.match.legal(seat)[0])


def taken_back(authority: Authority, table: str, visitor: str = ANN, seat: int = 0) -> TableState:
    return decisions.take_back(authority, table, visitor, authority.live(table).ply, seat)


def told(authority: Authority, live: TableState) -> list[str]:
    return [str(line) for entry in authority.log(live, 0) for line in entry.lines]


def test_alone_against_devils_one_returns_past_what_they_did(authority: Authority) -> None:
    table = opened(authority, "coals", "me", "sensible")
    assert not may_take_back(authority.live(table), 0)
    before = decided(authority, table, 1, "bet 10")
    decided(authority, table, 0, "bet 80")
    while authority.live(table).pending != [0]:
        first_legal(authority, table)
    live = taken_back(authority, table)
    assert live.match.state.tobytes() == before.match.state.tobytes()
    assert live.pending == [0]
    assert told(authority, live)[-1] == "player 1 takes back a move."
    assert decided(authority, table, 0, "bet 20").ply == live.ply + 1


def test_what_was_forced_is_taken_back_with_what_led_to_it(authority: Authority) -> None:
    table = opened(authority, "coals", "me", "sensible")
    decided(authority, table, 0, "bet 200")  # all there is: the next stake is forced if it is lost
    live = authority.live(table)
    assert taken_back(authority, table).ply == live.ply + 1
    with pytest.raises(WrongTime):
        taken_back(authority, table)


def test_a_plan_is_taken_back_whole(authority: Authority) -> None:
    table = opened(authority, "underworld", "me", "sensible")
    while authority.live(table).match.node != "turn" or authority.live(table).pending != [0]:
        first_legal(authority, table)
    before = authority.live(table)
    plan = []
    while len(plan) < 3:
        text = "swap" if not plan else before.position(0, plan).moves[0].text
        plan.append(text)
    after = decided(authority, table, 0, *plan)
    assert after.ply > before.ply + 2
    assert taken_back(authority, table).match.state.tobytes() == before.match.state.tobytes()


def test_with_others_a_secret_may_be_taken_back_until_somebody_else_decides(
    authority: Authority,
) -> None:
    table = opened(authority, "coals", "me", "open", "sensible")
    decided(authority, table, 0, "bet 50")
    assert may_take_back(authority.live(table), 0)
    assert not may_take_back(authority.live(table), 1)
    with pytest.raises(Forbidden):
        taken_back(authority, table, BO, 0)
    taken_back(authority, table)
    decided(authority, table, 0, "bet 60")
    decided(authority, table, 1, "bet 70")
    assert not may_take_back(authority.live(table), 0)
    with pytest.raises(WrongTime, match="Others have decided"):
        taken_back(authority, table)


def test_with_others_what_was_revealed_stands(authority: Authority) -> None:
    table = opened(authority, "coals", "me", "open")
    decided(authority, table, 0, "bet 50")
    decided(authority, table, 1, "bet 70")  # opens the fists
    with pytest.raises(WrongTime, match="seen something"):
        taken_back(authority, table, BO, 1)
    seat = authority.live(table).pending[0]
    decided(authority, table, seat, "pull")  # and so does chance
    with pytest.raises(WrongTime, match="seen something"):
        taken_back(authority, table, (ANN, BO)[seat], seat)


def test_with_others_what_was_seen_is_taken_back_if_all_agree(
    authority: Authority, tmp_path: Path
) -> None:
    table = opened(authority, "coals", "me", "open", "sensible", goal="210")
    decided(authority, table, 0, "bet 50")
    decided(authority, table, 1, "bet 70")
    before = authority.live(table)
    assert may_request(before, 0)
    live = decisions.request_take_back(authority, table, ANN, 0)
    assert (live.ply, live.request, outstanding(live, live.request)) == (
        before.ply,
        (0, 1, ()),
        [1],
    )
    authority.forget(table)
    assert authority.live(table).request == live.request, "it is kept"
    assert not may_request(live, 1)
    for visitor, seat, agree in ((BO, 0, True), (ANN, 1, True)):
        with pytest.raises(Forbidden):
            decisions.answer_take_back(authority, table, visitor, seat, agree)
    with pytest.raises(WrongTime, match="other players have to agree"):
        decisions.answer_take_back(authority, table, ANN, 0, True)
    with pytest.raises(WrongTime, match="answer that first"):
        decisions.request_take_back(authority, table, BO, 1)
    live = decisions.answer_take_back(authority, table, BO, 1, True)
    assert (live.plies[-1].to, live.plies[-1].by, live.request) == (1, "1 2", None)
    assert told(authority, live)[-1] == "player 1 takes back a move; all others have agreed."
    while authority.live(table).status != "over":
        first_legal(authority, table)
    path = tmp_path / "match.jsonl"
    path.write_text(authority.export(authority.live(table), 0), "utf-8")
    assert '"note":"takeback","to":1,"by":"1 2"' in path.read_text("utf-8")
    assert diablerie.verify(path).over
    forged = path.read_text("utf-8").replace('"by":"1 2"', '"by":"1"')
    path.write_text(forged, "utf-8")
    with pytest.raises(diablerie.Damaged, match="A take-back names all"):
        diablerie.verify(path)


@pytest.mark.parametrize("how", ["refused", "withdrawn", "decided again", "resigned"])
def test_a_request_to_take_back_ends(authority: Authority, how: str) -> None:
    table = opened(authority, "coals", "me", "open")
    decided(authority, table, 0, "bet 50")
    decided(authority, table, 1, "bet 70")
    mover = authority.live(table).pending[0]
    who, other = ((ANN, 0), (BO, 1)) if mover == 0 else ((BO, 1), (ANN, 0))
    asked = decisions.request_take_back(authority, table, *who)
    assert asked.request
    if how == "refused":
        live = decisions.answer_take_back(authority, table, *other, False)
    elif how == "withdrawn":
        live = decisions.answer_take_back(authority, table, *who, False)
    elif how == "decided again":
        live = decided(authority, table, mover, "pull")
    else:
        live = seats.resign(authority, table, *who)
    assert live.request is None
    with pytest.raises(WrongTime, match="Nobody is asking"):
        decisions.answer_take_back(authority, table, *other, True)


def both_have_bet(authority: Authority, *plan: str) -> str:
    """A table of Ann, Bo and others where each could ask to take back what all have seen since."""
    table = opened(authority, "coals", *plan)
    while authority.live(table).match.node == "bet":
        decided(authority, table, authority.live(table).pending[0], "bet 50")
    return table


@pytest.mark.parametrize("how", ["given to a bot", "handed over", "resigned"])
def test_no_bot_agrees_for_who_is_away(authority: Authority, clock: Clock, how: str) -> None:
    """Else who knows the key could draw again and again, as the absent one seemed to agree."""
    table = both_have_bet(authority, "me", "open", "sensible")
    if how == "given to a bot":
        clock.now += authority.attendance.away_after
        seats.give_to_bot(authority, table, ANN, 1)
    elif how == "handed over":
        seats.hand_over(authority, table, BO, 1)
    else:
        seats.resign(authority, table, BO, 1)
    assert authority.live(table).seats[1].driver
    before = authority.live(table)
    with pytest.raises(WrongTime, match="only Player 2 could agree"):
        decisions.request_take_back(authority, table, ANN, 0)
    assert authority.live(table) == before
    if how != "resigned":
        seats.relieve_bot(authority, table, BO, 1)
        decisions.request_take_back(authority, table, ANN, 0)
        live = decisions.answer_take_back(authority, table, BO, 1, True)
        assert (live.plies[-1].kind, live.plies[-1].by) == (PlyKind.TAKE_BACK, "1 2")


def test_who_leaves_while_others_ask_has_not_agreed(authority: Authority) -> None:
    table = both_have_bet(authority, "me", "open", "sensible")
    decisions.request_take_back(authority, table, ANN, 0)
    live = seats.hand_over(authority, table, BO, 1)
    assert outstanding(live, live.request) == [1]
    with pytest.raises(WrongTime, match="only Player 2 could agree"):
        decisions.request_take_back(authority, table, ANN, 0)
    with pytest.raises(Forbidden, match="A bot plays for you"):
        decisions.answer_take_back(authority, table, BO, 1, True)
    assert authority.live(table).request == live.request


def test_who_has_agreed_may_leave(authority: Authority) -> None:
    table = both_have_bet(authority, "me", "open", "open")
    decisions.request_take_back(authority, table, ANN, 0)
    decisions.answer_take_back(authority, table, BO, 1, True)
    seats.hand_over(authority, table, BO, 1)
    live = decisions.answer_take_back(authority, table, CY, 2, True)
    assert (live.plies[-1].kind, live.plies[-1].by) == (PlyKind.TAKE_BACK, "1 2")


def test_devils_from_the_start_wrong_nobody_and_agree(authority: Authority) -> None:
    table = both_have_bet(authority, "me", "me", "sensible")
    decisions.request_take_back(authority, table, ANN, 0)
    live = decisions.answer_take_back(authority, table, ANN, 1, True)
    assert (live.plies[-1].kind, live.plies[-1].by) == (PlyKind.TAKE_BACK, "1 2")


def test_asked_twice_it_is_taken_back_once(authority: Authority) -> None:
    table = opened(authority, "coals", "me", "sensible")
    ply = decided(authority, table, 0, "bet 50").ply
    decisions.take_back(authority, table, ANN, ply, 0)
    with pytest.raises(Stale):
        decisions.take_back(authority, table, ANN, ply, 0)


def test_a_match_with_what_was_taken_back_is_kept_and_can_be_verified(
    authority: Authority, tmp_path: Path
) -> None:
    table = opened(authority, "coals", "me", "sensible", goal="210")
    decided(authority, table, 0, "bet 80")
    taken_back(authority, table)
    live = authority.live(table)
    authority.forget(table)
    assert files.dump(authority.live(table).match) == files.dump(live.match)
    while authority.live(table).status != "over":
        first_legal(authority, table)
    path = tmp_path / "match.jsonl"
    path.write_text(authority.export(authority.live(table), 0), "utf-8")
    assert '"takeback"' in path.read_text("utf-8")
    assert diablerie.verify(path).over
    with pytest.raises(WrongTime):
        taken_back(authority, table)


def test_who_leaves_is_relieved_by_a_devil_and_comes_back(authority: Authority) -> None:
    table = opened(authority, "coals", "me", "open")
    ply = authority.live(table).ply
    live = seats.hand_over(authority, table, BO, 1)
    assert live.seats[1].driver == "sensible"
    assert told(authority, live)[-1] == "A devil plays for player 2 from now on."
    decisions.decide(
        authority, table, ANN, ply, "bet 50", 0
    )  # what was thought of before still fits
    live = seats.relieve_bot(authority, table, BO, 1)
    assert told(authority, live)[-1] == "player 2 is back."
    assert [ply.kind for ply in live.plies if ply.kind is not PlyKind.MOVE] == ["handover"] * 2
    authority.forget(table)
    assert files.dump(authority.live(table).match) == files.dump(live.match)
    with pytest.raises(Forbidden):
        seats.hand_over(authority, table, ANN, 1)
