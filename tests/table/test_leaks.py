"""Nothing of what a seat may not know reaches it: not by positions, log, numbers or refusals.

Pairs of matches are played that differ only in what the viewer cannot see. All that the table
says to the viewer must be equal, byte for byte.
"""

import json
from collections.abc import Callable
from dataclasses import replace

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from diablerie.engine.fair import DiceStream
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.plies import Event, Ply
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands.logbook import Reader, export
from diablerie.table.errors import Refused
from diablerie.table.state.table_state import TableSeat, TableState
from diablerie.table.state.transitions import play_decision
from diablerie.table.state.visitors import visitor_of
from tests.table.conftest import ANN, BO, CY, play, seated
from tests.table.toy import TOY

History = list[list[tuple[int, str]]]  # plies of events


def table_of(game: Game, seats: int, history: History) -> TableState:
    """A running table with this history, chance included."""
    infos = tuple(TableSeat(i, "person", "", visitor_of(str(i))) for i in range(seats))
    match = Match.opening(game, seats=seats, fair=DiceStream(b"key"))
    for ply in history:
        events = tuple(Event(seat, text) for seat, text in ply)
        match.append(Ply(ply[0][0] if ply else CHANCE, events))
    return TableState("t", game, match.options, "running", False, ANN, "c", 0.0, infos, match)


def everything(live: TableState, viewer: int) -> str:
    """All that a table can say to a viewer about its match."""
    reader = Reader(live, viewer, {})
    position = live.position(viewer)
    log = reader.log(live, 0)
    said = {
        "ply": live.ply,
        "pending": live.pending,
        "view": msgspec.to_builtins(position.view),
        "record": position.record.tobytes().hex(),
        "prompt": str(position.prompt),
        "board": live.game.ui.draw(position.view, [m.text for m in position.moves], str),
        "moves": [(move.action, move.text, str(move.line)) for move in position.moves],
        "log": [(entry.ply, entry.seat, [str(line) for line in entry.lines]) for entry in log],
        "file": export(live, viewer, log),
        "refused": [refusal(live, viewer, text) for text in WORDS],
    }
    return json.dumps(said)


WORDS = ("step", "look", "swap", "bid 3", "bid 50", "pull", "stop", "pick 1", "go", "?")


def refusal(live: TableState, viewer: int, text: str) -> str:
    """What the viewer is told when he tries this twice in a row."""
    if viewer == WATCHER:
        return ""
    try:
        play_decision(live, viewer, live.ply, [text, text], 0.0)
    except Refused as refused:
        return f"{refused.slug} {refused.line} {refused.clause}"
    return "played"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(0, 150), min_size=6, max_size=6), st.data())
def test_stakes_of_others_never_show(bets: list[int], data: st.DataObject) -> None:
    game = ALL["coals"]
    count = data.draw(st.integers(2, 6))
    order = data.draw(st.permutations(range(count)))[: data.draw(st.integers(0, count - 1))]
    viewer = data.draw(st.sampled_from([WATCHER, *range(count)]))
    told = []
    for shift in (0, 1):
        plies = [[(CHANCE, "first 0")]]
        for seat in order:
            own = seat == viewer
            tens = bets[seat] % 21 if own else (bets[seat] + shift * (7 + seat)) % 21
            plies.append([(seat, f"bet {tens * 10}")])
        told.append(everything(table_of(game, count, plies), viewer))
    assert told[0] == told[1]


BID: History = [[], [(0, "bid 1")], [(1, "bid 1")], [(2, "bid 1")]]


OUTCOMES = ("shut", "open")


@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_what_somebody_looked_at_shows_to_nobody_else(viewer: int) -> None:
    plies = [[*BID, [(0, "look"), (CHANCE, outcome)], [(0, "rest")]] for outcome in OUTCOMES]
    shut, opened = (everything(table_of(TOY, 3, one), viewer) for one in plies)
    assert shut == opened


@pytest.mark.parametrize("viewer", [0, 1, 2, WATCHER])
def test_how_much_was_drawn_shows_to_nobody_before_the_end(viewer: int) -> None:
    """Else it would tell whether chance decided something in secret; the next die is not shown either."""
    less = table_of(TOY, 3, [*BID, [(0, "look"), (CHANCE, "open")], [(0, "rest")]])
    assert less.match is not None
    match = less.match.copy()
    match.draws += 5
    assert everything(less, viewer) == everything(replace(less, match=match), viewer)


def test_the_one_who_looked_knows() -> None:
    plies = [[*BID, [(0, "look"), (CHANCE, outcome)]] for outcome in OUTCOMES]
    shut, opened = (everything(table_of(TOY, 3, one), 0) for one in plies)
    assert shut != opened


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("viewer", [1, 2, WATCHER])
def test_whether_chance_decided_now_or_long_ago_does_not_show(viewer: int, outcome: str) -> None:
    """Where seat 0 has looked no chance event follows seat 1's step; else one does."""
    fixed = [*BID, [(0, "look"), (CHANCE, outcome)], [(0, "rest")], [(1, "step")], [(1, "step")]]
    fresh = [*BID, [(0, "rest")], [(1, "step")], [(1, "step"), (CHANCE, outcome)]]
    worlds = [table_of(TOY, 3, fixed), table_of(TOY, 3, fresh)]
    a, b = (Reader(live, viewer, {}).log(live, 0)[-1] for live in worlds)
    assert [str(line) for line in a.lines] == [str(line) for line in b.lines]
    assert a.ply == b.ply + 1


@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_random_play_never_tells_two_worlds_apart(data: st.DataObject) -> None:
    """Play on at random in two worlds that a viewer cannot tell apart, by decisions of others."""
    worlds = [
        table_of(TOY, 3, [*BID, [(0, "look"), (CHANCE, outcome)], [(0, "rest")]])
        for outcome in OUTCOMES
    ]
    viewer = data.draw(st.sampled_from([1, 2, WATCHER]))
    for _ in range(data.draw(st.integers(0, 8))):
        seat = worlds[0].pending[0]
        if seat == 0:  # who knows the trap is the difference, so he must not act on it
            break
        text = data.draw(st.sampled_from([m.text for m in worlds[0].position(seat).moves]))
        if text in ("step", "look"):
            break
        worlds = [play_decision(live, seat, live.ply, [text], 0.0) for live in worlds]
        told = [everything(live, viewer) for live in worlds]
        assert told[0] == told[1]


def test_an_own_decision_is_in_the_file_of_a_running_match_and_no_other(
    authority: Authority, reopen: Callable[[], Authority]
) -> None:
    table = seated(authority, ANN, BO, CY)
    play(authority, table, "0 bid 3", "1 bid 4")
    live = authority.live(table)
    for viewer, own in ((0, "bid 3"), (1, "bid 4"), (WATCHER, "")):
        file = authority.export(live, viewer)
        assert [word for word in ("bid 3", "bid 4") if word in file] == [own] * bool(own)
        assert authority.store.key(table).hex() not in file
    assert reopen().export(live, 0) == authority.export(live, 0)
