"""What is shown: views, sentences, pictures, the log, and texts of actions, outcomes and rules."""

import re
import xml.etree.ElementTree as ET
from itertools import chain, pairwise

import msgspec
from hypothesis import given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from diablerie.engine import verbs
from diablerie.engine.notation import NotationError
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.replay import known_event
from diablerie.engine.rng import seeded
from diablerie.engine.text import ENGLISH, Line, SeatRef, render_line
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.games import ALL
from diablerie.testing.buffers import checked_chance, checked_legal
from diablerie.testing.positions import (
    GameSetting,
    PlayedGame,
    all_settings,
    decided,
    play_game,
    played_games,
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


# -- seats that are told about ---------------------------------------------------------------------


def assert_seats_exist(setting: GameSetting, line: Line) -> None:
    """Fail if a line tells about a seat that nobody has."""

    def name(seat: SeatRef) -> str:
        assert 0 <= seat < setting.seats, f"there is no seat {int(seat)}: {line.text}"
        return "Ann"

    render_line(line, ENGLISH, name)


def test_every_seat_that_the_log_tells_about_exists(setting: GameSetting) -> None:
    for advised in (False, True):
        for line in log_lines(setting, play_game(setting, 1, advised)):
            assert_seats_exist(setting, line)


def log_lines(setting: GameSetting, game: PlayedGame) -> list[Line]:
    """All that a watcher reads of a game."""
    steps = zip(pairwise(game.states), game.acts, strict=True)
    told = (known_event(before, *act, after, WATCHER) for (before, after), act in steps)
    return list(chain.from_iterable(setting.game.ui.narrate(*one) for one in told))


def test_every_seat_that_a_position_tells_about_exists(setting: GameSetting) -> None:
    for s in positions(setting):
        for line in position_lines(setting, s):
            assert_seats_exist(setting, line)


def position_lines(setting: GameSetting, s: Record) -> list[Line]:
    """What is asked and described in a position, and the labels of what may be done."""
    game = setting.game
    lines = [game.ui.prompt(redacted(s, seat), seat) for seat in (WATCHER, *range(setting.seats))]
    view = game.ui.look(redacted(s, WATCHER), WATCHER)
    for part in game.description(view, setting.seats):
        lines += [part.title, *part.lines]
    for seat in waiting(setting, s):
        lines += [game.ui.label(redacted(s, seat), seat, a) for a in legal_actions(game, s, seat)]
    more = [game.chapter(s)]
    if game.ending and verbs.actor(s) == OVER:
        more.append(game.ending(s))
    return lines + [line for line in more if line]


def test_every_seat_decides(name: str) -> None:
    """In games of each number of seats, with some options."""
    idle = {(seats, seat) for seats in ALL[name].seats for seat in range(seats)}
    for setting in all_settings([name]):
        if any(seats == setting.seats for seats, _ in idle):
            for game in played_games(setting):
                idle -= {(setting.seats, who) for who, _ in game.acts}
    assert idle == set(), "these (seats, seat) never decide"


# -- actions and outcomes as texts, and the text of the rules --------------------------------------


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
