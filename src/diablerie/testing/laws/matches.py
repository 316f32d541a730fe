"""Whole matches: files, undoing, refusals."""

import pytest

from diablerie.engine import files, verbs
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import Illegal
from diablerie.engine.record import same
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, played_match, unfinished_match


def test_a_match_file_reads_back_as_it_was_written(setting: GameSetting) -> None:
    match = played_match(setting, 60)
    text = files.dump(match)
    again = files.parse_match(text.encode(), ALL, dice=True)
    assert same(again.state, match.state)
    assert again.events == match.events
    assert files.dump(again) == text


def test_copies_are_independent_and_one_decision_is_taken_back(setting: GameSetting) -> None:
    match = unfinished_match(setting, 25)
    before = match.copy()
    match.play(match.legal()[-1])
    assert match.ply == before.ply + 1
    match.take_back()
    assert same(match.state, before.state)
    assert match.legal() == before.legal()
    match.recent = ()  # as in a match read from a file: no position is kept, all are replayed
    assert same(match.state_at(before.ply), before.state)


def test_an_illegal_decision_is_refused_with_its_clause_and_changes_nothing(
    setting: GameSetting,
) -> None:
    match = unfinished_match(setting, 17)
    kept, seat = match.copy(), match.actor
    assert seat is not None
    wrong = [a for a in range(setting.game.actions) if verbs.forbids(match.state, seat, a)]
    for action in wrong[:: max(1, len(wrong) // 20)]:
        text = setting.game.notation.format_action(match.state, seat, action)
        with pytest.raises((Illegal, NotationError)) as refused:
            match.play(text, seat)
        if isinstance(refused.value, Illegal):
            assert refused.value.clause in setting.game.clause_texts
    text = setting.game.notation.format_action(match.state, seat, match.actions(seat)[0])
    for other in set(range(setting.seats)) - set(match.pending):
        with pytest.raises(Illegal) as out_of_turn:
            match.play(text, other)
        assert out_of_turn.value.clause in setting.game.clause_texts
    assert same(match.state, kept.state)
