"""A game is interpreted until its compiled rules are loaded, and nobody sees a difference."""

import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numba.core import event

from diablerie.bots.noisy_one_ply import FallibleBot
from diablerie.bots.ranking import judged_actions
from diablerie.bots.spec import parse_bot
from diablerie.compiling import beside
from diablerie.compiling.units import take_over_play
from diablerie.engine import interpreted, verbs
from diablerie.engine.game import Game
from diablerie.engine.interpreted import GameRule, SharedRule
from diablerie.engine.match import Match
from diablerie.engine.rng import bits, seeded
from diablerie.engine.walk import walk
from diablerie.values.observation import ObservationLayout

GAMES = ["coals", "tails", "underworld", "kitchen"]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    from diablerie.games import ALL

    return ALL[request.param]


@pytest.fixture
def uncompiled(game: Game) -> Iterator[Game]:
    """A game, interpreted for the time of the test."""
    verbs.interpret(game.state)
    assert verbs.is_interpreted(game.state)
    yield game
    verbs.compile_first(game.state)
    assert not verbs.is_interpreted(game.state)


@pytest.fixture
def compilings() -> Iterator[list[object]]:
    """What Numba compiles while the test runs."""
    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer


def advised_match(game: Game, decisions: int) -> Match:
    match = Match.new(game, seats=game.seats[0], seed=1)
    rng = seeded(3)
    for _ in range(decisions):
        if (seat := match.actor) is None:
            break
        action = verbs.advise(match.seen_by(seat), seat, rng)
        match.play(game.notation.format_action(match.state, seat, action), seat)
    return match


def shown(match: Match) -> list[object]:
    """What a player sees of a match, and what is drawn of it."""
    view = match.view(0)
    return [match.log(0), match.legal(), match.game.ui.draw(view, match.legal(), str)]


def walked(game: Game) -> list[str]:
    return list(walk(game, game.start(game.seats[-1]), seed=5, limit=120))


def test_walks_matches_and_pictures_are_equal_in_both_ways(
    game: Game, compilings: list[object]
) -> None:
    expected = walked(game), shown(advised_match(game, 12))
    del compilings[:]
    verbs.interpret(game.state)
    try:
        found = walked(game), shown(advised_match(game, 12))
        assert compilings == []
    finally:
        verbs.compile_first(game.state)
    assert found == expected


@pytest.mark.parametrize("level", ["devil", "archdevil"])
def test_devils_decide_uncompiled_as_compiled(game: Game, level: str) -> None:
    match = advised_match(game, 6)
    seat = match.actor
    assert seat is not None
    bot = parse_bot(level).make(game)

    def chosen() -> list[int]:
        return [bot.choose(match.seen_by(seat), seat, seeded(seed)) for seed in range(2)]

    expected = chosen()
    verbs.interpret(game.state)
    try:
        found = chosen()
    finally:
        verbs.compile_first(game.state)
    assert found == expected


def test_a_hurried_devil_makes_one_guess_and_nothing_is_compiled(
    uncompiled: Game, compilings: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = advised_match(uncompiled, 3)
    seat = match.actor
    assert seat is not None
    bot = FallibleBot(uncompiled, uncompiled.levels[-1])
    bot.seconds = 0.0
    assert list(bot._rounds()) == [1]
    assert bot.choose(match.seen_by(seat), seat, seeded(1)) in match.actions(seat)
    hints = judged_actions(uncompiled, match.seen_by(seat), seat, seeded(1), 0.0)
    assert {hint.action for hint in hints} <= set(match.actions(seat))
    assert compilings == []


def test_an_environments_observation_is_equal_in_both_ways_and_compiles_nothing(
    game: Game, compilings: list[object]
) -> None:
    match = advised_match(game, 4)
    layout = ObservationLayout(game, match.seats)
    expected = layout.observe(match.state, 0)
    del compilings[:]
    verbs.interpret(game.state)
    try:
        found = layout.observe(match.state, 0)
        assert compilings == []
    finally:
        verbs.compile_first(game.state)
    assert np.array_equal(found, expected)


def test_taking_over_changes_no_match_and_leaves_no_rule_behind(uncompiled: Game) -> None:
    expected = shown(advised_match(uncompiled, 10))
    loading = threading.Thread(target=take_over_play, args=(uncompiled,))
    loading.start()
    while loading.is_alive():
        assert shown(advised_match(uncompiled, 10)) == expected
    assert not verbs.is_interpreted(uncompiled.state)
    with event.install_recorder("numba:compile") as recorder:
        assert shown(advised_match(uncompiled, 10)) == expected
    assert recorder.buffer == []
    kinds = {type(rule) for rule in interpreted.rules()}
    assert not kinds & {GameRule, SharedRule}, "compiled calls cost what they cost"


def test_who_asks_for_thousands_of_games_compiles_first(uncompiled: Game) -> None:
    verbs.no_states(uncompiled.state, 1)
    assert not verbs.is_interpreted(uncompiled.state)


def test_no_thread_is_warned_of_numbers_that_wrap_around(uncompiled: Game) -> None:
    found: list[object] = []

    def draw() -> None:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            rng = seeded(2**63)
            found.extend(int(bits(rng)) for _ in range(20))
            found.append(told)

    thread = threading.Thread(target=draw)
    thread.start()
    thread.join()
    *numbers, told = found
    assert told == []
    assert len(set(map(str, numbers))) == 20
    assert type(bits) is GameRule, uncompiled.name


def test_who_plays_on_in_python_has_the_game_compiled_beside_it_once(
    uncompiled: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(verbs, "MANY_QUESTIONS", 20)
    monkeypatch.setattr(beside, "begin", begun.append)
    s = uncompiled.start(uncompiled.seats[0])
    for _ in range(19):
        verbs.actor(s)
    assert begun == []
    for _ in range(20):
        verbs.actor(s)
    assert begun == [uncompiled.name]


@pytest.mark.parametrize("looks", [[False, True], [False, False], [True, True]])
def test_who_plays_on_has_whole_code_taken_over_which_is_compiled_if_it_is_not_there(
    looks: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    found = iter(looks)
    monkeypatch.setattr(beside, "_is_whole", lambda _: next(found))
    monkeypatch.setattr(beside, "_compile_in_child", lambda game: done.append(f"compile {game}"))
    monkeypatch.setattr(beside, "take_over_play", lambda game: done.append(f"load {game.name}"))
    beside._compile("coals")
    assert done == ["compile coals"] * (not looks[0]) + ["load coals"] * looks[1]


def test_a_child_compiles_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told"
    program = f"import sys; open({str(told)!r}, 'w').write(' '.join(sys.argv[1:]))"
    monkeypatch.setattr(beside, "COMPILE_PROGRAM", program)
    beside._compile_in_child("coals")
    assert told.read_text() == "compile coals"


AT_ONCE = """
from time import sleep
import diablerie
from diablerie.engine import interpreted, verbs

verbs.MANY_QUESTIONS = 100
loaded = lambda: sum(len(rule.overloads) for rule in interpreted.rules())
match = diablerie.start("coals", seats=2, seed=7)
match.play("bet 50", 0)
assert not loaded()
for _ in range(100):
    match.legal()
while verbs.is_interpreted(match.state):
    sleep(0.01)
assert loaded()
match.play("bet 50", 1)
assert not verbs.is_interpreted(diablerie.start("coals").state)
"""


def test_a_match_in_python_loads_compiled_code_only_if_somebody_plays_on() -> None:
    subprocess.run([sys.executable, "-c", AT_ONCE], check=True)


def test_a_server_compiles_nothing_beside_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "_begun", set())
    compiled: list[str] = []
    monkeypatch.setattr(beside, "_compile", compiled.append)
    beside.leave_to_others()
    beside.begin("coals")
    assert compiled == []
    beside._begun.clear()
    beside.begin("coals")
    beside.begin("coals")
    for thread in threading.enumerate():
        if thread.name == "compile-beside":
            thread.join()
    assert compiled == ["coals"]
