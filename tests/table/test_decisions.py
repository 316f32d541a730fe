"""The write path of a move: what is accepted, what is refused and how, what follows."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diablerie.engine.queries import redacted
from diablerie.engine.record import same
from diablerie.engine.replay import Replay
from diablerie.engine.verbs import WATCHER
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import (
    BadInput,
    Forbidden,
    IllegalMove,
    NotFound,
    Refused,
    Repeated,
    Stale,
    WrongTime,
)
from diablerie.table.state.transitions import begin_match, play_decision
from tests.conftest import IN_CI
from tests.table.conftest import ANN, BO, CY, play, seated
from tests.table.test_leaks import table_of
from tests.table.toy import TOY, WORDS

ON_BOTH = IN_CI


def test_a_match_starts_when_the_last_seat_is_taken(authority: Authority) -> None:
    live = lobby.open_table(authority, ANN, "toy", ["me", "open"])
    assert (live.status, live.ply, live.match) == ("open", 0, None)
    live = lobby.sit(authority, live.id, BO)
    assert (live.status, live.ply, live.pending) == ("running", 1, [0, 1])


def test_sequence_numbers_count_decisions_and_not_outcomes_of_chance(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1", "0 look")
    live = authority.live(table)
    assert live.match is not None
    assert (live.ply, len(live.match.events)) == (4, 4)
    assert [len(ply.events) for ply in live.plies] == [0, 1, 1, 2]


def test_a_single_option_is_played_by_the_table(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 0", "1 bid 1")
    live = authority.live(table)
    assert [ply.events[-1].text for ply in live.plies[1:]] == ["bid 0", "bid 1", "go"]
    assert live.pending == [0]


def test_a_decision_is_parsed_once_and_each_ply_is_formatted_once(
    authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = seated(authority, ANN, BO)
    calls: Counter[str] = Counter()

    def counted(name: str) -> Callable[..., Any]:
        true = getattr(TOY.notation, name)

        def call(*words: Any) -> Any:
            calls[name] += 1
            return true(*words)

        return call

    for name in ("parse_action", "format_action"):
        monkeypatch.setattr(TOY.notation, name, counted(name))
    play(authority, table, "0 bid 0", "1 bid 1")  # after which the table plays "go" by itself
    assert calls == {"parse_action": 2, "format_action": 3}


def test_an_illegal_decision_is_refused_with_its_clause(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    with pytest.raises(IllegalMove) as refused:
        decisions.decide(authority, table, ANN, 1, "pick 2", 0)
    assert (refused.value.status, refused.value.clause) == (422, "Z3")
    assert authority.live(table).ply == 1


def test_text_that_is_no_decision_is_bad_input(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    for actions in (["sing"], [], ["bid 1"] * 65):
        with pytest.raises(BadInput):
            decisions.decide(authority, table, ANN, 1, "; ".join(actions), 0)


def test_out_of_turn_is_refused_with_the_clause(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    with pytest.raises(IllegalMove) as refused:
        decisions.decide(authority, table, BO, 3, "step", 1)
    assert refused.value.clause == "Z2"


def test_somebody_elses_seat_is_forbidden(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    for visitor, seat in ((BO, 0), (CY, 0), (ANN, 7), (ANN, -1)):
        with pytest.raises(Forbidden):
            decisions.decide(authority, table, visitor, 1, "bid 1", seat)
    with pytest.raises(NotFound):
        decisions.decide(authority, "nowhere", ANN, 1, "bid 1", 0)


def test_nothing_is_decided_before_the_start(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    with pytest.raises(WrongTime):
        decisions.decide(authority, table, ANN, 0, "bid 1", 0)


def test_a_stale_decision_is_told_apart_from_a_repeated_one(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1", "0 step")
    with pytest.raises(Stale) as stale:
        decisions.decide(authority, table, ANN, 3, "rest", 0)
    assert (stale.value.slug, stale.value.ply) == ("stale", 4)
    with pytest.raises(Repeated) as repeated:
        decisions.decide(authority, table, ANN, 3, "step", 0)
    assert (repeated.value.slug, repeated.value.status) == ("repeated", 409)
    assert authority.live(table).ply == 4


def test_a_sequence_number_of_the_future_is_stale(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    for ply in (2, 99, 0, -5):
        with pytest.raises(Stale):
            decisions.decide(authority, table, ANN, ply, "bid 1", 0)


def test_secret_decisions_of_others_do_not_make_ones_own_stale(authority: Authority) -> None:
    table = seated(authority, ANN, BO, CY)
    for visitor, seat in ((CY, 2), (ANN, 0), (BO, 1)):
        decisions.decide(authority, table, visitor, 1, "bid 1", seat)
    assert authority.live(table).ply == 4
    with pytest.raises(Repeated):
        decisions.decide(authority, table, CY, 1, "bid 1", 2)
    with pytest.raises(Repeated):
        decisions.decide(authority, table, BO, 3, "bid 1", 1)
    with pytest.raises(Stale) as stale:
        decisions.decide(authority, table, CY, 1, "bid 2", 2)
    assert stale.value.slug == "stale"


def test_a_page_from_before_the_simultaneous_decision_is_stale(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    assert authority.live(table).pending == [0, 1]
    for ply in (1, 3, 4):
        with pytest.raises(Stale):
            decisions.decide(authority, table, ANN, ply, "bid 1", 0)
    decisions.decide(authority, table, ANN, 5, "bid 1", 0)


def test_the_last_decision_of_a_match_may_be_repeated(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    for _ in range(3):
        play(authority, table, "0 bid 1", "1 bid 1", "0 rest", "1 rest")
    live = authority.live(table)
    assert (live.status, live.ply) == ("over", 13)
    with pytest.raises(Repeated):
        decisions.decide(authority, table, BO, 12, "rest", 1)
    with pytest.raises(IllegalMove):
        decisions.decide(authority, table, BO, 13, "rest", 1)


# -- several decisions at once -----------------------------------------------------------------


def test_a_plan_is_sent_as_a_whole(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    live = decisions.decide(authority, table, ANN, 3, "swap; pick 0; pick 3", 0)
    assert (live.ply, live.pending) == (6, [1])


def test_a_plan_with_a_wrong_end_is_refused_whole(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    for plan in (["swap", "pick 2", "pick 1"], ["swap", "pick 0", "rest"], ["rest", "rest"]):
        with pytest.raises(IllegalMove):
            decisions.decide(authority, table, ANN, 3, "; ".join(plan), 0)
    assert authority.live(table).ply == 3


def test_a_walk_into_the_unknown_is_refused_alike_whether_or_not_it_is_known(
    authority: Authority,
) -> None:
    said = []
    for eve in ("rest", "look"):
        table = seated(authority, ANN, BO)
        play(authority, table, "0 bid 1", "1 bid 1", f"0 {eve}")
        if eve == "look":
            play(authority, table, "0 rest")
        with pytest.raises(IllegalMove) as refused:
            decisions.decide(authority, table, BO, authority.live(table).ply, "step; step; step", 1)
        said.append(str(refused.value.line))
    assert said[0] == said[1]


def test_who_knows_the_way_may_walk_it_at_once(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1", "0 look")
    live = authority.live(table)
    open_trap = live.position(0).record.trap == 1
    if open_trap:
        with pytest.raises(IllegalMove):
            decisions.decide(authority, table, ANN, live.ply, "step; step; step", 0)
    else:
        live = decisions.decide(authority, table, ANN, live.ply, "step; step; step", 0)
        assert live.position(0).record.at[0] == 3


def test_what_cannot_be_foreseen_drops_the_rest_of_a_walk(authority: Authority) -> None:
    """Seats 0 and 1 bid in one list each; only the last bid is followed by a turn."""
    table = seated(authority, ANN, BO)
    with pytest.raises(IllegalMove):
        decisions.decide(authority, table, ANN, 1, "bid 1; rest", 0)
    decisions.decide(authority, table, BO, 1, "bid 1", 1)
    live = decisions.decide(authority, table, ANN, 2, "bid 1; rest", 0)
    assert live.ply in (3, 4)


# -- drafts ------------------------------------------------------------------------------------


def test_a_draft_shows_the_position_after_it_and_changes_nothing(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 1", "1 bid 1")
    live = authority.live(table)
    half = live.position(0, ["swap", "pick 1"])
    assert half.unfinished
    assert [move.text for move in half.moves] == ["pick 2", "pick 3"]
    whole = live.position(0, ["swap", "pick 1", "pick 2"])
    assert not whole.unfinished
    assert list(whole.record.marks) == [0, 1, 1, 0]
    assert authority.live(table).position(0).record.node == live.position(0).record.node


def test_a_draft_that_cannot_be_played_is_refused(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    live = authority.live(table)
    for viewer, draft in ((0, ["pick 1"]), (0, ["nonsense"]), (WATCHER, ["bid 1"])):
        with pytest.raises(Refused):
            live.position(viewer, draft)


def test_a_position_is_what_the_viewer_may_know(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    play(authority, table, "0 bid 3")
    live = authority.live(table)
    assert live.match is not None
    for viewer in (0, 1, WATCHER):
        assert (
            live.position(viewer).record.tobytes() == redacted(live.match.state, viewer).tobytes()
        )
    assert live.position(1).view["bid"][0] == -2


# -- at the same time --------------------------------------------------------------------------


def test_of_two_posts_at_the_same_time_one_is_accepted(authority: Authority) -> None:
    table = seated(authority, ANN, BO)
    answers: list[str] = []
    gate = threading.Barrier(8)

    def post(n: int) -> None:
        gate.wait()
        try:
            decisions.decide(authority, table, ANN, 1, f"bid {n % 4}", 0)
            answers.append("accepted")
        except Stale as stale:
            answers.append(stale.slug)

    threads = [threading.Thread(target=post, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["accepted", "repeated", *["stale"] * 6]
    assert authority.live(table).ply == 2


# -- anything may be posted --------------------------------------------------------------------

ANYTHING = st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=4)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(-1, 3), st.integers(-3, 3), ANYTHING), max_size=30))
def test_whatever_is_posted_is_played_by_the_rules_or_refused(posts: Any) -> None:
    live = begin_match(table_of(TOY, 3, []), b"key", 0.0)
    for seat, late, texts in posts:
        with contextlib.suppress(Refused):
            after = play_decision(live, seat, live.ply - late, texts, 0.0)
            assert after.plies[: live.ply] == live.plies
            assert after.plies[live.ply].seat == seat
            live = after
    past = Replay(live.match)
    for ply in live.plies:
        past.step(ply)
    assert same(past.state, live.match.state)
