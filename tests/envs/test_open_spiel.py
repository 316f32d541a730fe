"""The games in OpenSpiel: its own tests, its bots, and the same games as the engine's."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.walk import ADDEND, FACTOR, MASK
from diablerie.envs.spiel_memory import World
from diablerie.games import ALL, OURS
from diablerie.games.underworld.rules.actions import MOVE
from diablerie.games.underworld.rules.deck import fix
from diablerie.games.underworld.rules.state import Node
from diablerie.testing.positions import GameSetting, all_settings, states_of_game
from tests.envs.needed import needed
from tests.envs.strings import small
from tests.settings import FEW, REST

pyspiel = needed("pyspiel")
open_spiel = needed("diablerie.envs.open_spiel")
WALKS = Path(__file__).parent.parent / "walks"
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"


ALL_COUNTS_AND_OPTIONS = [
    small(one) for one in all_settings() if not one.options or one.seats == one.game.seats[0]
]
# With more seats OpenSpiel's simulation, which reads every state anew, takes several times as long.
MOST = [small(GameSetting(game.name, min(3, game.seats[-1]))) for game in ALL.values()]
OTHERS = [one for one in ALL_COUNTS_AND_OPTIONS if one not in MOST]
SMALLEST = [f"diablerie_{name}" for name in ALL]
STATES = 200  # of a partial tree
CHECKED = 5  # every so many steps of a game it is tried what is not legal


def after(game_string: str, steps: int, seed: int = 1):
    """The state after so many steps, decisions and chance at random."""
    rng = np.random.default_rng(seed)
    state = pyspiel.load_game(game_string).new_initial_state()
    while not state.is_terminal() and steps:
        state.apply_action(int(rng.choice(state.legal_actions())))
        steps -= 1
    return state


def decision_after(game_string: str, steps: int, seed: int = 1):
    state = after(game_string, steps, seed)
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize(
    "game_string",
    [*MOST, *(pytest.param(one, marks=pytest.mark.ci) for one in OTHERS)],
)
def test_random_games_pass_openspiels_own_simulation(game_string):
    game = pyspiel.load_game(game_string)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False, mask_test=True)


@pytest.mark.parametrize("game_string", SMALLEST)
def test_openspiels_api_test_of_a_partial_tree(game_string, monkeypatch):
    from open_spiel.integration_tests import api_test

    sample = api_test.sample_some_states
    usual = sample.sample_some_states
    monkeypatch.setattr(sample, "sample_some_states", lambda game, **_: usual(game, STATES))

    class Case(api_test.EnforceAPIOnPartialTreeBase):
        game, game_name = pyspiel.load_game(game_string), game_string

    Case.setUpClass()
    names = [name for name in dir(Case) if name.startswith("test_")]
    assert len(names) >= 5
    if game_string == "diablerie_underworld":  # its first secret may lie beyond the partial tree
        names.remove("test_private_information_contents")
    for name in names:
        getattr(Case(name), name)()


@pytest.mark.parametrize("path", sorted(WALKS.glob("*-[0-9].txt")), ids=lambda path: path.stem)
def test_games_are_the_engines_step_by_step(path):
    name, seats, seed = path.stem.split("-")
    state = pyspiel.load_game(f"diablerie_{name}", {"players": int(seats)}).new_initial_state()
    lines = path.read_text().splitlines()
    x = int(seed)
    for line in lines[:400]:
        if state.is_terminal() or line == "cut":
            break
        _, who, _, n, k = line.split()
        options = state.legal_actions()
        x = (x * FACTOR + ADDEND) & MASK
        assert who == ("chance" if state.is_chance_node() else str(state.current_player()))
        assert (len(options), (x >> 33) % len(options)) == (int(n), int(k))
        state.apply_action(options[int(k)])
    if state.is_terminal():
        ends = [float(word) for word in lines[-1].split()[1:]]
        assert state.returns() == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize(
    "setting", [*FEW, *(pytest.param(one, marks=pytest.mark.ci) for one in REST)], ids=str
)
def test_no_game_is_longer_than_the_clauses_allow(setting):
    bound = setting.game.longest(
        setting.seats, setting.game.settled(setting.seats, dict(setting.options))
    )
    for advised in (False, True):
        who = [verbs.actor(s) for s in states_of_game(setting, 1, advised)]
        assert sum(seat >= 0 for seat in who) <= bound.decisions
        assert who.count(verbs.CHANCE) <= bound.outcomes
        if setting.name == "tails" and setting.seats != 3:
            assert sum(seat >= 0 for seat in who) == bound.decisions


def test_bounds_and_types_are_those_of_the_game():
    for name, game in ALL.items():
        spiel = pyspiel.load_game(f"diablerie_{name}", {"players": game.seats[-1]})
        assert spiel.num_players() == game.seats[-1]
        assert spiel.num_distinct_actions() == game.actions
        assert spiel.max_chance_outcomes() == game.outcomes
        assert (spiel.min_utility(), spiel.max_utility(), spiel.utility_sum()) == (-1, 1, 0)
        bound = game.longest(game.seats[-1], game.settled(game.seats[-1], {}))
        assert spiel.max_game_length() == bound.decisions
        assert spiel.max_chance_nodes_in_history() == bound.outcomes


def test_parameters_are_options_and_wrong_ones_are_refused_in_a_sentence():
    game = pyspiel.load_game("diablerie_coals(furnace=0/0/1/2/2/2/3,open_purses=true,players=3)")
    assert game.options["furnace"] == (0, 0, 1, 2, 2, 2, 3)
    assert game.options["open_purses"] is True
    assert pyspiel.load_game(str(game)).options == game.options
    for wrong in ("goal=215", "players=7", "furnace=0/0/0/0/0/0/3", "pact=never"):
        with pytest.raises(Exception, match=r"COALS is for|Option"):
            pyspiel.load_game(f"diablerie_coals({wrong})")


def test_declared_perfect_information_means_that_nothing_is_ever_hidden():
    for name, game in ALL.items():
        states = states_of_game(all_settings([name])[0])
        hides = any(
            verbs.actor(s) >= 0 and seen(s, seat) != s.tobytes()
            for s in states
            for seat in range(game.seats[0])
        )
        assert hides != game.perfect_information
        spiel = pyspiel.load_game(f"diablerie_{name}").get_type()
        assert (spiel.information == spiel.information.PERFECT_INFORMATION) == (not hides)


def seen(s, seat) -> bytes:
    view = s.copy()
    verbs.redact(view, seat)
    return view.tobytes()


@pytest.mark.parametrize("game_string", SMALLEST)
def test_copies_and_files_of_a_state_are_equal_to_it_and_apart(game_string):
    state = decision_after(game_string, 60)
    copy = state.clone()
    again = pyspiel.deserialize_game_and_state(
        pyspiel.serialize_game_and_state(state.get_game(), state)
    )[1]
    loaded = pickle.loads(pickle.dumps(state))
    before, told = str(state), [state.information_state_string(p) for p in range(2)]
    state.apply_action(state.legal_actions()[0])
    assert str(state) != before
    for other in (copy, again, loaded):
        assert str(other) == before
        assert [other.information_state_string(p) for p in range(2)] == told
        assert other.history() == copy.history()


@pytest.mark.parametrize("game_string", SMALLEST)
def test_tensors_are_those_that_openspiel_reads_itself(game_string):
    """`observation_tensor` takes a shorter way from Python; C++ asks the observer."""
    state = after(game_string, 60)
    while not state.is_terminal():
        for player in range(2):
            ours, theirs = (kind.observation_tensor for kind in (state, pyspiel.State))
            assert ours(player) == theirs(state, player)
            recalled, read = (kind.information_state_tensor for kind in (state, pyspiel.State))
            assert recalled(player) == read(state, player)
        state.apply_action(state.legal_actions()[0])
        if state.move_number() > 90 and not state.is_chance_node():
            break
    assert len(ours(0)) == state.get_game().observation_tensor_size()
    assert min(ours(0)) >= -1
    assert max(ours(0)) <= 1
    assert (
        len(state.information_state_tensor(0)) == state.get_game().information_state_tensor_size()
    )
    with pytest.raises(pyspiel.SpielError):
        state.observation_tensor(2)


@pytest.mark.parametrize("steps", [0, 7, 40, 130])
@pytest.mark.parametrize("game_string", SMALLEST)
def test_a_resampled_state_looks_the_same_to_the_player(game_string, steps):
    state = decision_after(game_string, steps)
    for player in range(2):
        other = state.resample_from_infostate(player, pyspiel.UniformProbabilitySampler(0, 1))
        assert other.current_player() == state.current_player()
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_string(player) == state.observation_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.information_state_tensor(player) == state.information_state_tensor(player)
        if player == state.current_player():
            assert other.legal_actions() == state.legal_actions()


@pytest.mark.parametrize("game_string", [s for s in SMALLEST if s != "diablerie_tails"])
def test_information_set_search_runs_on_the_full_game(game_string):
    from open_spiel.python.algorithms import ismcts

    state = decision_after(game_string, 30)
    bot = ismcts.ISMCTSBot(state.get_game(), Leaf(), 2.0, 5, random_state=np.random.RandomState(1))
    assert bot.step(state) in state.legal_actions()


class Leaf:
    """An evaluator that plays on at random for a while."""

    def evaluate(self, state):
        rng, playing = np.random.RandomState(1), state.clone()
        for _ in range(20):
            if playing.is_terminal():
                break
            playing.apply_action(int(rng.choice(playing.legal_actions())))
        return np.array(playing.returns())

    def prior(self, state):
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


@pytest.mark.parametrize("game_string", SMALLEST)
def test_mcts_runs_on_the_full_game(game_string):
    state = decision_after(game_string, 60)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 7)
    bot = pyspiel.MCTSBot(state.get_game(), evaluator, 1.0, 3, 10, False, 7, False)
    # Not `step`, which lets go of the interpreter's lock and crashes with any game in Python.
    assert bot.mcts_search(state).best_child().action in state.legal_actions()


@pytest.mark.parametrize("game_string", SMALLEST)
def test_the_environment_for_learners_steps(game_string):
    from open_spiel.python import rl_environment

    env = rl_environment.Environment(pyspiel.load_game(game_string))
    env.seed(1)
    step = env.reset()
    for _ in range(30):
        if step.last():
            break
        who = step.observations["current_player"]
        assert len(step.observations["info_state"][who]) == env.observation_spec()["info_state"][0]
        step = env.step([step.observations["legal_actions"][who][0]])


def test_the_information_state_hides_what_redact_hides_until_it_is_shown():
    game = pyspiel.load_game("diablerie_coals")
    texts = []
    for stake in (3, 12):
        state = game.new_initial_state()
        for action in (0, stake):
            state.apply_action(action)
        assert f"0 bet {stake * 10}," in state.information_state_string(0)
        texts.append(state.information_state_string(1))
    assert texts[0] == texts[1] == state.information_state_string(1)
    assert "first 0, 0 ?," in texts[0]
    state.apply_action(5)
    assert "stake=[120,50" in state.observation_string(1)


def test_nobody_can_count_the_chance_events_that_a_fixed_card_leaves_out():
    """U15, U21: a card turned up may have been drawn now, or have been fixed long before."""
    state, space = fixed_card_in_reach(pyspiel.load_game("diablerie_underworld"))
    unseen = state.clone()
    for one in (state, unseen):
        s, world = one.world.s, one.world
        told, notes = world.texts(one.game), world.noted(one.spiel.layout.note).copy()
        card = int(s.card[space])
        verbs.redact(s, verbs.WATCHER)
        if one is state:
            fix(s, card)
            s.card[space] = card
        notes.rows[-1] = s.array[0]
        one.world = World(s, world.who, (), (told._replace(state=s.tobytes()), notes))
        one.apply_action(MOVE + space)
    assert unseen.is_chance_node()
    assert not state.is_chance_node()
    unseen.apply_action(card)
    for player in range(2):
        assert state.information_state_string(player) == unseen.information_state_string(player)
        assert state.observation_string(player) == unseen.observation_string(player)


def fixed_card_in_reach(game):
    """A state where a face-down card that nobody knows is fixed, and can be walked to."""
    rng = np.random.default_rng(5)
    for _ in range(40):
        state = game.new_initial_state()
        while not state.is_terminal():
            s = state.world.s
            if s.node == Node.TURN:
                for space in range(49):
                    hidden = s.card[space] >= 0 and s.down >> space & 1 and not s.known[space]
                    if hidden and MOVE + space in state.legal_actions() and not s.devil[s.turn]:
                        return state, space
            state.apply_action(int(rng.choice(state.legal_actions())))
    raise AssertionError("random games bring no such state")


@pytest.mark.parametrize("path", sorted(PLAYTHROUGHS.glob("*.txt")), ids=lambda path: path.stem)
def test_playthroughs_are_as_they_were(path):
    """The beginning and a digest of golden games of two; `tools/playthroughs.py` writes them again."""
    from tools.playthroughs import shown

    assert shown(path.stem) == path.read_text("utf-8")


def test_every_game_has_a_playthrough():
    assert {path.stem for path in PLAYTHROUGHS.glob("*.txt")} == {game.name for game in OURS}


@pytest.mark.parametrize("name", ALL)
def test_what_is_not_legal_is_refused_everywhere_and_changes_nothing(name):
    state = pyspiel.load_game(f"diablerie_{name}").new_initial_state()
    kinds = set()
    for step in range(10_000):
        if step % CHECKED and not state.is_terminal():
            state.apply_action(state.legal_actions()[step % len(state.legal_actions())])
            continue
        before, history = str(state), state.history()
        kinds.add(state.is_terminal() or state.is_chance_node())
        for action in wrong_actions(state, every=step % 50 == 0 or state.is_terminal()):
            with pytest.raises(pyspiel.SpielError):
                state.apply_action(action)
        assert (str(state), state.history()) == (before, history)
        if state.is_terminal():
            break
        state.apply_action(state.legal_actions()[step % len(state.legal_actions())])
    assert state.is_terminal()
    assert kinds >= {False, True}


def wrong_actions(state, every):
    """Numbers that are no legal action here: all those that exist, or a few, and some beyond."""
    known = range(state.num_distinct_actions())
    beyond = [-7, len(known), len(known) + 19, 10**9]
    wrong = set(known) - set(state.legal_actions()) if not state.is_terminal() else set(known)
    return [*(sorted(wrong) if every else sorted(wrong)[:3]), *beyond]


def test_a_child_is_checked_too():
    state = pyspiel.load_game("diablerie_tails").new_initial_state()
    with pytest.raises(pyspiel.SpielError):
        state.child(77)


def test_checking_can_be_switched_off(monkeypatch):
    state = decision_after("diablerie_coals", 0)
    asked, action = [], state.legal_actions()[0]
    monkeypatch.setattr(verbs, "forbids", lambda *_: asked.append(_) or 0)
    for checking in (True, False):
        monkeypatch.setattr(open_spiel, "checking", checking)
        state.clone().apply_action(action)
        assert bool(asked) is checking
        asked.clear()


def test_a_player_that_there_is_not_has_no_legal_actions():
    state = decision_after("diablerie_coals(players=2)", 0)
    assert [state.legal_actions(player) for player in (2, 5, 77)] == [[], [], []]
