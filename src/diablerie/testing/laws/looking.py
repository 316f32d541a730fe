"""What is shown: views, sentences, pictures, the log."""

import re
import xml.etree.ElementTree as ET

import msgspec
from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line
from diablerie.engine.verbs import WATCHER
from diablerie.testing.buffers import checked_legal
from diablerie.testing.positions import (
    GameSetting,
    all_settings,
    decided,
    played_match,
    positions,
    states_of_game,
    viewed,
    viewers,
    waiting,
)


def assert_sentence(setting: GameSetting, line: Line) -> None:
    """Fail unless a line reads as one, with names for all that it says."""
    assert str(line)
    assert "{" not in str(line)
    if line.clause:
        assert line.clause in setting.game.clause_texts


def test_views_are_plain_data_and_sketches_text(setting: GameSetting) -> None:
    for s, viewer, seen in viewed(setting):  # noqa: B007 (s is told where it fails)
        view = setting.game.ui.look(seen, viewer)
        assert msgspec.json.decode(msgspec.json.encode(view), type=type(view)) == view
        assert setting.game.ui.sketch(view)
        for seat in range(setting.seats):
            for line in setting.game.ui.panel(view, seat):
                assert_sentence(setting, line)


def test_the_position_is_told_in_sentences(setting: GameSetting) -> None:
    for s, viewer, seen in viewed(setting, 5):  # noqa: B007 (s is told where it fails)
        view = setting.game.ui.look(seen, viewer)
        sections = setting.game.description(view, setting.seats)
        told = [line for part in sections for line in (part.title, *part.lines)]
        assert told
        for line in told:
            assert_sentence(setting, line)


def test_prompts_and_amounts_make_sense(setting: GameSetting) -> None:
    for s, viewer, seen in viewed(setting):  # noqa: B007 (s is told where it fails)
        assert_sentence(setting, setting.game.ui.prompt(seen, viewer))
    for s, seat in decided(setting):
        if asked := setting.game.amount(redacted(s, seat), seat):
            numbers = range(asked.low, asked.high + 1, asked.step)
            assert asked.start in numbers
            parse = setting.game.notation.parse_action
            texts = map(asked.template.format, numbers)
            actions = [parse(s, seat, text) for text in texts]
            assert actions == checked_legal(setting.game, s, seat)


def test_the_picture_is_one_well_formed_svg_with_unique_ids(setting: GameSetting) -> None:
    for s in positions(setting, 5):
        for viewer in (WATCHER, 0):
            svg = drawn(setting, s, viewer)
            root = ET.fromstring(svg)
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            ids = [e.get("id") for e in root.iter() if e.get("id")]
            assert len(ids) == len(set(ids))
            assert not re.search(r"\sstyle=|<script|\son\w+=", svg)


def test_what_a_spot_of_the_picture_does_is_an_action(setting: GameSetting) -> None:
    """Every `data-action` parses; where it is one of several decisions, each in its turn."""
    for s, seat in decided(setting, 5):
        svg = ET.fromstring(drawn(setting, s, seat))
        for spot in {e.get("data-action") or "" for e in svg.iter()} - {""}:
            now = redacted(s, seat)
            for text in spot.split("; "):
                action = setting.game.notation.parse_action(now, seat, text)
                if verbs.forbids(now, seat, action):
                    break
                verbs.apply(now, seat, action)


def drawn(setting: GameSetting, s: Record, viewer: int) -> str:
    """The picture for a viewer, with spots for what it may do."""
    game = setting.game
    texts = []
    if viewer in waiting(setting, s):
        legal = checked_legal(game, s, viewer)
        texts = [game.notation.format_action(s, viewer, a) for a in legal]
    return game.ui.draw(game.ui.look(redacted(s, viewer), viewer), texts, str)


def test_the_log_tells_every_viewer_sentences(setting: GameSetting) -> None:
    match = played_match(setting, 120)
    for viewer in viewers(setting):
        for line in match.log(viewer):
            assert_sentence(setting, line)


@tuned(max_examples=25, deadline=None)
@given(data=st.data())
def test_look_alikes_give_byte_identical_output(name: str, data: st.DataObject) -> None:
    setting = data.draw(st.sampled_from(all_settings([name])))
    states = states_of_game(setting, data.draw(st.integers(1, 3)))
    s = states[data.draw(st.integers(0, len(states) - 1))]
    viewer = data.draw(st.sampled_from(viewers(setting)))
    other = redacted(s, viewer)
    verbs.guess(other, viewer, seeded(data.draw(st.integers(0, 99))))
    assert output(setting, s, viewer) == output(setting, other, viewer)


def output(setting: GameSetting, s: Record, viewer: int) -> str:
    """All a viewer can get to see of a position."""
    seen = redacted(s, viewer)
    view = setting.game.ui.look(seen, viewer)
    shown = [msgspec.json.encode(view).decode(), setting.game.ui.draw(view, [], str)]
    shown.append(str(setting.game.ui.prompt(seen, viewer)))
    for part in setting.game.description(view, setting.seats):
        shown += map(str, (part.title, *part.lines))
    if viewer in waiting(setting, s):
        shown += [str(a) for a in checked_legal(setting.game, s, viewer)]
    return "\n".join(shown)
