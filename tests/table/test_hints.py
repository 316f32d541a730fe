"""What a devil would do: only where it is allowed, only for oneself, from what one sees."""

import math
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from diablerie.engine import verbs
from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.games.tails.ui.tracing import tails
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby
from diablerie.table.errors import Forbidden, TooMany, WrongTime
from diablerie.table.presence.rate_limits import RATES
from diablerie.table.state.table_state import TableState
from tests.stores import new_store
from tests.table.conftest import ANN, BO, Clock
from tests.table.toy import TOY

GAMES = ("coals", "tails", "underworld", "kitchen")


def opened(house: Authority, game: str, *, hints: bool = True) -> TableState:
    live = lobby.open_table(house, ANN, game, ["me", "open"], hints=hints)
    return lobby.sit(house, live.id, BO)


def asked(live: TableState) -> int:
    """A seat that is to decide."""
    return live.pending[0]


@pytest.mark.parametrize("game", GAMES)
def test_a_devil_names_legal_moves_and_chances(house: Authority, game: str):
    live = opened(house, game)
    seat = asked(live)
    told = decisions.ask_hints(house, live.id, (ANN, BO)[seat], seat)
    legal = {move.text for move in live.position(seat).moves}
    assert 1 <= len(told) <= 3
    assert {hint.move.text for hint in told} <= legal
    assert [hint.chance for hint in told] == sorted((h.chance for h in told), reverse=True)


def test_a_table_without_advice_gives_none(house: Authority):
    live = opened(house, "coals", hints=False)
    with pytest.raises(Forbidden):
        decisions.ask_hints(house, live.id, ANN, 0)


def test_one_asks_only_for_an_own_seat_that_is_to_decide(house: Authority):
    live = opened(house, "tails")
    seat = asked(live)
    with pytest.raises(Forbidden):
        decisions.ask_hints(house, live.id, (BO, ANN)[seat], seat)
    with pytest.raises(WrongTime):
        decisions.ask_hints(house, live.id, (BO, ANN)[seat], 1 - seat)


def test_before_the_start_there_is_nothing_to_ask(house: Authority):
    live = lobby.open_table(house, ANN, "coals", ["me", "open"], hints=True)
    with pytest.raises(WrongTime):
        decisions.ask_hints(house, live.id, ANN, 0)


def test_the_same_sight_gets_the_same_advice_whatever_is_hidden(
    house: Authority, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(decisions, "randbits", lambda _: 7)
    monkeypatch.setattr(decisions, "HINT_SECONDS", math.inf)
    monkeypatch.setattr(decisions, "HINT_GAMES", 20)
    live = opened(house, "kitchen")
    for seat in (0, 1):  # both lay their menus, each unseen by the other
        live = house.live(live.id)
        text = live.position(seat).moves[5 + seat].text
        live = decisions.decide(house, live.id, (ANN, BO)[seat], live.ply, text, seat)
    seat = asked(live)
    assert live.match is not None
    other = live.match.copy()
    other.state = redacted(other.state, seat)
    verbs.guess(other.state, seat, seeded(5))
    assert other.state.tobytes() != live.match.state.tobytes()
    assert redacted(other.state, seat).tobytes() == redacted(live.match.state, seat).tobytes()
    visitor = (ANN, BO)[seat]
    told = decisions.ask_hints(house, live.id, visitor, seat)
    assert told == decisions.hints(replace(live, match=other), seat)


def test_who_asks_too_often_waits(house: Authority, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(decisions, "HINT_SECONDS", 0.01)
    live = opened(house, "coals")
    for _ in range(RATES["hints"].burst):
        decisions.ask_hints.do(house, live.id, ANN, decisions.HintAsking(0), "10.0.0.1")
    with pytest.raises(TooMany):
        decisions.ask_hints.do(house, live.id, ANN, decisions.HintAsking(0), "10.0.0.1")
    assert decisions.ask_hints.do(house, live.id, ANN, decisions.HintAsking(0), "10.0.0.2")


def test_hints_are_what_an_archdevil_thinks_until_what_searches_is_compiled(tmp_path: Path):
    with closing(new_store(tmp_path / "x.db")) as store:
        house = Authority(store, can=lambda *_: False, clock=Clock())
        live = opened(house, "coals")
        hints = decisions.ask_hints(house, live.id, ANN, 0)
    assert {hint.move.text for hint in hints} <= {move.text for move in live.position(0).moves}
    assert [hint.chance for hint in hints] == sorted((x.chance for x in hints), reverse=True)
    assert all(0.0 <= hint.chance <= 1.0 for hint in hints)
    assert hints


@pytest.mark.parametrize("game", GAMES)
def test_first_hints_take_little_of_the_processor_and_say_how_sure_they_are(
    house: Authority, game: str
):
    live = opened(house, game)
    seat = asked(live)
    first, usual, last = decisions.FIRST_ROUND, decisions.USUAL_ROUND, decisions.LAST_ROUND
    decisions.hints(live, seat, number=first)  # loads what it is made by
    began = time.thread_time()
    soon = decisions.hints(live, seat, number=first)
    assert time.thread_time() - began < 0.4, "0.2, and the last games of each action"
    for hint in soon:
        low, high = hint.interval
        assert low <= hint.chance <= high
        assert high - low < 0.45
    assert soon[0].better in (usual, None)
    assert decisions.hints(live, seat, number=last)[0].better is None


def test_better_hints_count_more_games(house: Authority, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(decisions, "FIRST_HINT_SECONDS", 0.0)
    live = opened(house, "tails")
    seat = asked(live)
    (soon, *_), (later, *_) = (decisions.hints(live, seat, number=number) for number in (0, 3))
    assert soon.better == 1
    assert later.interval[1] - later.interval[0] < soon.interval[1] - soon.interval[0]


def test_every_chance_has_words():
    words = [str(decisions.Hint(None, x / 100).words) for x in range(101)]  # type: ignore[arg-type]
    assert list(dict.fromkeys(words)) == [str(line) for _, line in decisions.CHANCE_PHRASES]
    assert (words[0], words[51], words[100]) == ("hardly any", "one in two", "all but certain")


def test_hints_that_differ_by_no_more_than_luck_are_about_equal() -> None:
    def marked(*chances: float) -> list[bool]:
        move = decisions.LegalMove(0, "x", say("x"))
        return [
            hint.equal
            for hint in decisions.mark_ties([decisions.Hint(move, c) for c in chances], 500)
        ]

    assert marked(0.5, 0.48, 0.3) == [True, True, False]
    assert marked(0.5, 0.4, 0.3) == [False, False, False]
    assert marked(0.5) == [False]
    assert marked(0.0, 0.0) == [True, True]
    assert marked() == []


def positions(name: str, plies: int) -> list[tuple[Match, int]]:
    """Every decision of the first plies of a game that is played as its advice says."""
    match, found = Match.new(ALL[name], seats=3, fair=DiceStream.seeded(7)), []
    for ply in range(plies):
        if match.over:
            break
        seat = match.pending[0]
        found.append((match.copy(), seat))
        seen = redacted(match.state, seat)
        action = verbs.advise(seen, seat, seeded(ply))
        match.play(match.game.notation.format_action(seen, seat, action), seat)
    return found


@pytest.mark.parametrize("name", GAMES)
def test_a_game_gives_reasons_from_what_the_seat_knows(name: str):
    given = 0
    for match, seat in positions(name, 60):
        seen = redacted(match.state, seat)
        for action in legal_actions(match.game, seen, seat)[:12]:
            line = match.game.reason(seen, seat, action)
            given += line is not None
            if line:
                assert "{" not in str(line)
                assert line.clause in match.game.clause_texts
                assert line == match.game.reason(redacted(seen, seat), seat, action)
    assert given > 20


def test_a_tail_is_as_long_as_the_reason_says():
    told = 0
    for match, seat in positions("tails", 40):
        s = redacted(match.state, seat)
        for action in legal_actions(match.game, s, seat):
            line = match.game.reason(s, seat, action)
            if line and "lengthens" in line.text:
                after = match.copy()
                after.play(match.game.notation.format_action(s, seat, action), seat)
                lengths = {tail.letter: tail.length for tail in tails(after.state)}
                assert lengths[line.values["letter"]] == line.values["n"]
                told += 1
    assert told > 5


def test_a_game_that_gives_no_reasons_is_asked_for_none():
    match = Match.new(TOY, seats=2, fair=DiceStream.seeded(7))
    assert TOY.reason(match.state, 0, 0) is None
