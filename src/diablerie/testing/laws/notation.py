"""Actions and outcomes as texts, and the text of the rules."""

import re

from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import verbs
from diablerie.engine.notation import NotationError
from diablerie.engine.verbs import CHANCE
from diablerie.games import ALL
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.laws.looking import assert_sentence
from diablerie.testing.positions import GameSetting, decided, positions, states_of_game, waiting


def test_legal_actions_have_unique_texts_that_parse_back(setting: GameSetting) -> None:
    notation = setting.game.notation
    for s, seat in decided(setting):
        actions = checked_legal(setting.game, s, seat)
        texts = [notation.format_action(s, seat, a) for a in actions]
        assert len(set(texts)) == len(texts)
        assert [notation.parse_action(s, seat, t) for t in texts] == actions
        assert all(t == t.strip() and len(t) <= 40 and t.isascii() for t in texts)
        assert not any(";" in t for t in texts)


def test_outcomes_have_unique_texts_that_parse_back(setting: GameSetting) -> None:
    notation = setting.game.notation
    for s in states_of_game(setting)[:300]:
        if verbs.actor(s) == CHANCE:
            found, _ = checked_chance(setting.game, s)
            texts = [notation.format_outcome(s, o) for o in found]
            assert len(set(texts)) == len(texts)
            assert [notation.parse_outcome(s, t) for t in texts] == found


@tuned(deadline=None)
@given(text=st.text(max_size=30))
def test_any_text_parses_to_an_action_or_is_refused_in_a_sentence(name: str, text: str) -> None:
    game = ALL[name]
    s = game.start(game.seats[0])
    try:
        assert 0 <= game.notation.parse_action(s, 0, text) < game.actions
    except NotationError as error:
        assert text[:60] in str(error)  # noqa: PT017


def test_every_node_has_a_name_and_every_action_a_label(setting: GameSetting) -> None:
    for s in positions(setting):
        assert setting.game.node(s.node).name
        for seat in waiting(setting, s):
            for action in checked_legal(setting.game, s, seat)[:60]:
                assert_sentence(setting, setting.game.ui.label(s, seat, action))


def test_clauses_are_numbered_without_gaps(name: str) -> None:
    game = ALL[name]
    numbers = [int(re.sub(r"\D", "", c)) for c in game.clause_texts]
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    assert all(c.startswith(game.clauses) for c in game.clause_texts)
