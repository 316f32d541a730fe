"""The options of COALS: what they change, and how wrong values are refused."""

import json
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.engine import files, verbs
from diablerie.engine.options import BadOption, in_files
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy, same
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games import ALL
from diablerie.games.coals.rules.state import DEVIL, FULL
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.coals.rounds import laid, played, totals, turn
from tests.scripts import opening, play

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.jsonl"))
SMALL = (0, 0, 1, 2, 2, 2, 3)


def refusal(**options: object) -> str:
    """The sentence that refuses an option."""
    with pytest.raises(BadOption) as error:
        opening("coals", 2, **options)
    return str(error.value)


def test_C1_the_furnace_is_an_option():
    s = opening("coals", 2, furnace="0,0,1,2,2,2,3").state
    assert list(s.furnace) == list(s.full) == list(SMALL)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0,0,1,2,2,2", "one number for each of 100, 75, 50, 25, 20, 10 and devils"),
        ("0,0,1,2,2,2,3,1", "one number for each"),
        ("0,0,1,2,2,two,3", "one number for each"),
        ("0,0,1,2,2,2,-3", "one number for each"),
        ("", "one number for each"),
        ("3,0,1,2,2,2,3", "at most 2 pieces of 100, not 3"),
        ("0,0,1,10,2,2,3", "at most 9 pieces of 25, not 10"),
        ("0,0,1,2,2,2,10", "at most 9 devils, not 10"),
        ("0,0,0,0,0,0,9", "at least one piece must be coal"),
        ("2,3,7,9,9,9,0", "at least one piece must be a devil"),
    ],
)
def test_C1_a_wrong_furnace_is_refused_with_what_is_wrong(text, why):
    told = refusal(furnace=text)
    assert f"“{text}”" in told
    assert why in told


def test_C1_the_options_texts_read_back():
    option = next(o for o in ALL["coals"].options if o.name == "furnace")
    for counts in (FULL, *option.samples):
        assert option.parse(option.format(counts)) == counts
    assert option.format(SMALL) == "0,0,1,2,2,2,3"


def test_C23_a_small_furnace_is_filled_with_its_own_pieces_and_says_so():
    match = diablerie.start("coals", seats=2, seed=1, options={"furnace": SMALL})
    for text in ("bet 0", "bet 0", "pull"):
        match.play(text)
    while match.state.rounds == 1:
        match.play(match.legal()[-1])
    assert list(match.state.furnace) == list(SMALL)
    assert "All 10 pieces go back into the furnace." in [str(line) for line in match.log()]


def test_C1_no_position_holds_more_pieces_than_the_furnace_was_given():
    for s in states_of_game(GameSetting("coals", 3, (("furnace", SMALL),))):
        for kind in range(7):
            assert 0 <= s.furnace[kind] + s.front[:, kind].sum() <= SMALL[kind]


@pytest.mark.parametrize(("goal", "over"), [("390", True), ("400", True), ("410", False)])
def test_C21_the_goal_is_an_option_and_exactly_that_is_enough(goal, over):
    match = played(laid([300, 200], goal=goal), [0, 0], turn(0, 100), turn(1, "devil"))
    assert totals(match) == [400, 200]
    assert match.over == over
    assert match.returns() == ([1.0, -1.0] if over else [0.0, 0.0])


def test_C21_the_track_stays_as_it_is_whatever_the_goal():
    assert list(opening("coals", 2, goal="400").state.marks) == list(
        opening("coals", 2).state.marks
    )


@pytest.mark.parametrize("text", ["200", "205", "1610", "1500.0", "-400", "", "many", "4000000"])
def test_C21_a_goal_that_is_none_is_refused_with_what_it_may_be(text):
    assert refusal(goal=text) == (
        f"Option goal must be a multiple of 10 from 210 to 1600, not “{text}”. [C21]"
    )


def test_C24_the_log_speaks_of_the_hundredth_round_only_when_the_goal_was_not_reached():
    for goal, said in (("400", False), ("410", True)):
        match = laid([300, 200], goal=goal)
        match.state.rounds = 100
        played(match, [0, 0], turn(0, 100), "1 pull")
        before = copy(match.state)
        play(match, "coal devil")
        assert match.over
        lines = ALL["coals"].ui.narrate(before, CHANCE, DEVIL, match.state, WATCHER)
        told = [str(line) for line in lines]
        assert "player 1 wins with 400!" in told
        assert ("The last round is over." in told) == said


def test_the_value_judges_money_on_the_way_to_the_goal_that_is_played_for():
    far, near = np.zeros(6), np.zeros(6)
    verbs.value(laid([350, 200]).state, far)
    verbs.value(laid([350, 200], goal="400").state, near)
    assert 0 < far[0] < near[0] < 1


@pytest.mark.parametrize("file", GOLDEN, ids=lambda f: f.stem)
def test_a_match_file_from_before_goal_and_furnace_replays_with_the_defaults(file):
    head, rest = file.read_text("utf-8").split("\n", 1)
    older = json.loads(head)
    assert older["options"].pop("goal") == "1600"
    assert older["options"].pop("furnace") == "2,3,7,9,9,9,9"
    match = files.parse_match(f"{json.dumps(older)}\n{rest}".encode(), ALL, dice=True)
    assert match.options["goal"] == 1600
    assert match.options["furnace"] == FULL
    assert same(match.state, diablerie.load(file).state)


# -- stakes and rounds -------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", ["0", "15", "210", "-10", "many"])
def test_c7_steps_of_stakes_that_are_no_multiples_of_ten_are_refused(wrong):
    assert "multiple of 10 from 10 to 200" in refusal(stakes=wrong)


def test_c7_every_stake_is_a_multiple_of_the_option():
    match = diablerie.start("coals", seats=2, seed=1, options={"stakes": "80"})
    assert match.legal(0) == ["bet 0", "bet 80", "bet 160"]
    with pytest.raises(diablerie.Illegal, match="Every stake is a multiple of 80"):
        match.play("bet 100", seat=0)
    match.play("bet 160", seat=0)
    asked = match.game.ui.amount(match.state, 1)
    assert (asked.low, asked.high, asked.step) == (0, 160, 80)
    assert asked.start in range(0, 161, 80)
    assert asked.start == 10 * verbs.advise(redacted(match.state, 1), 1, seeded(0))


@pytest.mark.parametrize("step", [10, 30, 200])
def test_c7_the_advice_is_a_stake_that_the_option_allows(step):
    states = states_of_game(GameSetting("coals", 3, (("stakes", step),)), seed=2)
    bets = [s for s in states if verbs.pending(s) & 1 and verbs.actor(s) == 0 and s.stake[0] == -1]
    assert bets
    for s in bets:
        seen = copy(s)
        verbs.redact(seen, 0)
        for seed in range(4):
            assert verbs.forbids(s, 0, verbs.advise(copy(seen), 0, seeded(seed))) == 0


@pytest.mark.parametrize("rounds", [1, 3])
def test_c24_the_game_ends_after_the_rounds_that_the_option_allows(rounds):
    ends = []
    for seed in range(20):
        *_, last = states_of_game(GameSetting("coals", 2, (("rounds", rounds),)), seed=seed)
        ends.append(int(last.rounds))
        assert verbs.actor(last) == verbs.OVER
    assert max(ends) == rounds


def test_older_files_name_neither_of_them():
    game = ALL["coals"]
    assert not {"stakes", "rounds"} & {*in_files(game.options, game.settled(2, {}))}
    chosen = in_files(game.options, game.settled(2, {"stakes": "50", "rounds": "3"}))
    assert (chosen["stakes"], chosen["rounds"]) == ("50", "3")
