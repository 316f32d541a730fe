"""The laws of the engine, on every game × every player count × every option."""

import json
import re
import xml.etree.ElementTree as ET

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import files, verbs
from diablerie.engine.asking import Illegal, legal_actions, outcomes, redacted, sees
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.record import copy, from_bytes, same
from diablerie.engine.rng import seeded
from diablerie.engine.text import ENGLISH, Line, render
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.games import ALL
from tests.positions import Setting, choose, history, positions, settings

EVERY = pytest.mark.parametrize("setting", settings(), ids=str)


def viewers(setting: Setting) -> list[int]:
    return [WATCHER, *range(setting.seats)]


def waiting(setting: Setting, s) -> list[int]:
    return [i for i in range(setting.seats) if verbs.pending(s) >> i & 1]


# -- decisions ---------------------------------------------------------------------------------


@EVERY
def test_the_actor_is_the_lowest_pending_seat(setting):
    for s in positions(setting):
        seats = waiting(setting, s)
        assert verbs.actor(s) == (seats[0] if seats else verbs.actor(s))
        assert bool(seats) == (verbs.actor(s) >= 0)


@EVERY
def test_legal_lists_what_forbids_allows_in_ascending_order(setting):
    for s in positions(setting):
        for seat in range(setting.seats):
            allowed = [a for a in range(setting.game.actions) if verbs.forbids(s, seat, a) == 0]
            if seat in waiting(setting, s):
                assert legal_actions(setting.game, s, seat) == allowed
                assert allowed
            else:
                assert allowed == []


@EVERY
def test_refusals_name_a_clause_of_the_rules_text(setting):
    for s in positions(setting, 4):
        for seat in waiting(setting, s):
            codes = {verbs.forbids(s, seat, a) for a in range(setting.game.actions)} - {0}
            for code in codes:
                assert setting.game.clause(code) in setting.game.clause_texts


@EVERY
def test_chance_lists_outcomes_of_positive_probability_that_sum_to_one(setting):
    for s in history(setting)[:400]:
        if verbs.actor(s) == CHANCE:
            found, p = outcomes(setting.game, s)
            assert found == sorted(set(found))
            assert min(p) > 0
            assert sum(p) == pytest.approx(1)


@EVERY
def test_every_game_ends_and_its_returns_sum_to_zero(setting):
    for advised in (False, True):
        last = history(setting, 1, advised)[-1]
        assert verbs.actor(last) == OVER
        out = np.full(setting.game.seats[-1], np.nan)
        verbs.returns(last, out)
        shares = out[: setting.seats]
        assert shares.sum() == pytest.approx(0)
        assert np.abs(shares).max() <= 1


# -- notation ----------------------------------------------------------------------------------


@EVERY
def test_legal_actions_have_unique_texts_that_parse_back(setting):
    notation = setting.game.notation
    for s in positions(setting):
        for seat in waiting(setting, s):
            actions = legal_actions(setting.game, s, seat)
            texts = [notation.format_action(s, seat, a) for a in actions]
            assert len(set(texts)) == len(texts)
            assert [notation.parse_action(s, seat, t) for t in texts] == actions
            assert all(t == t.strip() and len(t) <= 40 and t.isascii() for t in texts)
            assert not any(";" in t for t in texts)


@EVERY
def test_outcomes_have_unique_texts_that_parse_back(setting):
    notation = setting.game.notation
    for s in history(setting)[:300]:
        if verbs.actor(s) == CHANCE:
            found, _ = outcomes(setting.game, s)
            texts = [notation.format_outcome(s, o) for o in found]
            assert len(set(texts)) == len(texts)
            assert [notation.parse_outcome(s, t) for t in texts] == found


@given(text=st.text(max_size=30))
def test_any_text_parses_to_an_action_or_is_refused_in_a_sentence(text):
    for name, game in ALL.items():
        s = Setting(name, game.seats[0]).start()
        try:
            assert 0 <= game.notation.parse_action(s, 0, text) < game.actions
        except NotationError as error:
            assert text[:60] in str(error)  # noqa: PT017


@EVERY
def test_every_node_has_a_name_and_every_action_a_label(setting):
    for s in positions(setting):
        assert setting.game.node(int(s.node)).name
        for seat in waiting(setting, s):
            for action in legal_actions(setting.game, s, seat)[:60]:
                assert_sentence(setting, setting.game.ui.label(s, seat, action))


# -- secrets -----------------------------------------------------------------------------------


@EVERY
def test_redaction_twice_is_redaction_once(setting):
    for s in positions(setting):
        for viewer in viewers(setting):
            seen = redacted(s, viewer)
            assert same(redacted(seen, viewer), seen)


@EVERY
def test_a_guess_looks_the_same_as_what_it_was_guessed_from(setting):
    rng = seeded(5)
    for s in positions(setting):
        for viewer in viewers(setting):
            seen = redacted(s, viewer)
            guessed = copy(seen)
            verbs.guess(guessed, viewer, rng)
            assert same(redacted(guessed, viewer), seen)


@EVERY
def test_what_a_seat_may_do_depends_only_on_what_it_may_know(setting):
    for s in positions(setting):
        for seat in waiting(setting, s):
            seen = redacted(s, seat)
            assert verbs.pending(seen) == verbs.pending(s)
            assert legal_actions(setting.game, seen, seat) == legal_actions(setting.game, s, seat)


@EVERY
def test_a_guessed_position_can_be_played_to_its_end(setting):
    rng = seeded(9)
    for s in positions(setting, 4):
        for seat in waiting(setting, s):
            guessed = redacted(s, seat)
            verbs.guess(guessed, seat, rng)
            steps = 0
            while verbs.actor(guessed) != OVER and steps < 20_000:
                verbs.apply(guessed, *choose(setting.game, guessed, rng, False))
                steps += 1
            assert verbs.actor(guessed) == OVER


@EVERY
def test_everybody_who_decides_or_watches_openly_may_see_it(setting):
    for s in positions(setting):
        for seat in waiting(setting, s):
            assert sees(s, seat, seat)


# -- looking -----------------------------------------------------------------------------------


def assert_sentence(setting: Setting, line: Line) -> None:
    text = render(line, ENGLISH, lambda seat: f"Seat{int(seat)}")
    assert text
    assert "{" not in text
    if line.clause:
        assert line.clause in setting.game.clause_texts


@EVERY
def test_views_are_plain_data_and_sketches_text(setting):
    for s in positions(setting):
        for viewer in viewers(setting):
            view = setting.game.ui.look(redacted(s, viewer), viewer)
            assert json.loads(msgspec.json.encode(view)) == json.loads(json.dumps(view))
            assert setting.game.ui.sketch(view)
            for seat in range(setting.seats):
                for line in setting.game.ui.panel(view, seat):
                    assert_sentence(setting, line)


@EVERY
def test_prompts_and_amounts_make_sense(setting):
    for s in positions(setting):
        for viewer in viewers(setting):
            assert_sentence(setting, setting.game.ui.prompt(redacted(s, viewer), viewer))
        for seat in waiting(setting, s):
            asked = setting.game.ui.amount(redacted(s, seat), seat)
            if asked:
                numbers = range(asked.low, asked.high + 1, asked.step)
                assert asked.start in numbers
                texts = [asked.template.format(n) for n in numbers]
                notation = setting.game.notation
                actions = [notation.parse_action(s, seat, text) for text in texts]
                assert actions == legal_actions(setting.game, s, seat)


@EVERY
def test_the_picture_is_one_well_formed_svg_with_unique_ids(setting):
    for s in positions(setting, 5):
        for viewer in (WATCHER, 0):
            seen = redacted(s, viewer)
            texts = []
            if viewer in waiting(setting, s):
                notation = setting.game.notation
                texts = [
                    notation.format_action(s, viewer, a)
                    for a in legal_actions(setting.game, s, viewer)
                ]
            view = setting.game.ui.look(seen, viewer)
            svg = setting.game.ui.draw(view, texts, plain)
            root = ET.fromstring(svg)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            ids = [e.get("id") for e in root.iter() if e.get("id")]
            assert len(ids) == len(set(ids))
            assert not re.search(r"\sstyle=|<script|\son\w+=", svg)


def plain(line: Line) -> str:
    return render(line, ENGLISH, lambda seat: f"Seat{int(seat)}")


@EVERY
def test_the_log_tells_every_viewer_sentences(setting):
    match = played(setting, 120)
    for viewer in viewers(setting):
        for line in match.log(viewer):
            assert_sentence(setting, line)


# -- matches -----------------------------------------------------------------------------------


def played(setting: Setting, decisions: int, seed: int = 3) -> Match:
    match = Match.new(setting.game, seats=setting.seats, seed=seed, options=dict(setting.options))
    rng = seeded(seed)
    for _ in range(decisions):
        if match.over:
            break
        seat, action = choose(setting.game, match.state, rng, False)
        match.play(setting.game.notation.format_action(match.state, seat, action), seat)
    return match


@EVERY
def test_a_match_file_reads_back_as_it_was_written(setting):
    match = played(setting, 60)
    text = files.dump(match)
    again = files.parse(text.encode(), ALL, dice=True)
    assert same(again.state, match.state)
    assert again.events == match.events
    assert files.dump(again) == text


@EVERY
def test_copies_are_independent_and_undo_takes_one_decision_back(setting):
    match = played(setting, 25)
    before = match.copy()
    if match.over:
        return
    match.play(match.legal()[-1])
    assert match.events != before.events
    match.undo()
    assert same(match.state, before.state)
    assert match.events == before.events


@EVERY
def test_an_illegal_decision_is_refused_with_its_clause_and_changes_nothing(setting):
    match = played(setting, 17)
    kept, seat = match.copy(), match.actor
    if seat is None:
        return
    wrong = [a for a in range(setting.game.actions) if verbs.forbids(match.state, seat, a)]
    for action in wrong[:: max(1, len(wrong) // 20)]:
        text = setting.game.notation.format_action(match.state, seat, action)
        with pytest.raises((Illegal, NotationError)) as refused:
            match.play(text, seat)
        if isinstance(refused.value, Illegal):
            assert refused.value.clause in setting.game.clause_texts
    assert same(match.state, kept.state)


@EVERY
def test_a_state_is_its_bytes(setting):
    for s in positions(setting, 6):
        assert same(from_bytes(type(s), s.tobytes()), s)


@EVERY
def test_advice_is_legal_and_values_are_utilities(setting):
    rng, out = seeded(2), np.zeros(setting.game.seats[-1])
    for s in positions(setting):
        for seat in waiting(setting, s):
            seen = redacted(s, seat)
            assert verbs.advise(seen, seat, rng) in legal_actions(setting.game, s, seat)
        verbs.value(s, out)
        assert np.abs(out[: setting.seats]).max() <= 1 + 1e-9


@tuned(max_examples=25, deadline=None)
@given(data=st.data())
def test_look_alikes_give_byte_identical_output(data):
    setting = data.draw(st.sampled_from(settings()))
    states = history(setting, data.draw(st.integers(1, 3)))
    s = states[data.draw(st.integers(0, len(states) - 1))]
    viewer = data.draw(st.sampled_from(viewers(setting)))
    other = redacted(s, viewer)
    verbs.guess(other, viewer, seeded(data.draw(st.integers(0, 99))))
    assert output(setting, s, viewer) == output(setting, other, viewer)


def output(setting: Setting, s, viewer: int) -> str:
    """All a viewer can get to see of a position."""
    seen = redacted(s, viewer)
    view = setting.game.ui.look(seen, viewer)
    shown = [json.dumps(view), setting.game.ui.draw(view, [], plain)]
    shown.append(plain(setting.game.ui.prompt(seen, viewer)))
    if viewer in waiting(setting, s):
        shown += [str(a) for a in legal_actions(setting.game, s, viewer)]
    return "\n".join(shown)


# -- the text of the rules ---------------------------------------------------------------------


def test_clauses_are_numbered_without_gaps(game):
    numbers = [int(re.sub(r"\D", "", c)) for c in game.clause_texts]
    assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    assert all(c.startswith(game.clauses) for c in game.clause_texts)
