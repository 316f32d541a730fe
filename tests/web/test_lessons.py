"""Lessons: every step of every lesson is played, and what is clicked wrongly is answered."""

import re
from itertools import combinations

import pytest

from diablerie.engine import verbs
from diablerie.engine.lesson import LEARNER
from diablerie.engine.plies import Event
from diablerie.engine.verbs import OVER
from diablerie.games import ALL
from diablerie.games.coals import GAME as COALS
from diablerie.games.kitchen import GAME as KITCHEN
from diablerie.games.tails import GAME as TAILS
from diablerie.games.tails.rules.notation import CELL_NAMES
from diablerie.games.underworld import GAME as UNDERWORLD
from diablerie.games.underworld.rules.state import SIDE
from diablerie.web.html.speech import Speech
from diablerie.web.routes.lessons import lesson_state, scene_match
from tests.web.client import Client, fields

LEARNT = [game for game in ALL.values() if game.lesson]
STEPS = [(game, n) for game in LEARNT for n in range(1, len(game.lesson.steps) + 1)]
IDS = [f"{game.name}-{n}" for game, n in STEPS]


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_a_lesson_has_8_to_15_steps_and_begins_with_a_scene(game):
    assert 8 <= len(game.lesson.steps) <= 15
    assert game.lesson.steps[0].scene
    assert not game.lesson.steps[-1].want


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_a_lesson_ends_with_a_game_that_the_learner_wins(game):
    match = lesson_state(game, len(game.lesson.steps)).match
    assert verbs.actor(match.state) == OVER
    assert match.returns()[LEARNER] > 0


@pytest.mark.parametrize(("game", "n"), STEPS, ids=IDS)
def test_every_step_can_be_played_and_leads_to_one_position(game, n):
    standing = lesson_state(game, n)
    if not standing.step.want:
        assert standing.step.task is None
        assert not standing.step.then
        return
    assert standing.step.task
    assert standing.match.actor == LEARNER
    assert standing.picture(standing.board(Speech())).count("<svg") >= 1
    after = set()
    for text in standing.step.want:
        assert standing.answer(text) is None
        copy = standing.match.copy()
        copy.apply(Event(LEARNER, text))
        after.add(copy.state.tobytes())
    assert len(after) == 1 or standing.lesson.steps[n].scene


@pytest.mark.parametrize(("game", "n"), STEPS, ids=IDS)
def test_a_number_that_is_asked_for_is_set(game, n):
    standing = lesson_state(game, n)
    if standing.amount:
        assert standing.amount.template.format(standing.amount.start) in standing.step.want


@pytest.mark.parametrize(("game", "n"), STEPS, ids=IDS)
def test_other_legal_actions_are_answered_in_a_sentence_of_the_step(game, n):
    standing = lesson_state(game, n)
    others = [move.text for move in standing.moves if move.text not in standing.step.want]
    assert not others or standing.step.wrong, others
    assert all(standing.answer(text) == standing.step.wrong for text in others)


@pytest.mark.parametrize(("game", "n"), STEPS, ids=IDS)
def test_illegal_actions_are_refused_by_the_rules(game, n):
    standing = lesson_state(game, n)
    if not standing.step.want:
        return
    legal = {move.action for move in standing.moves}
    action = next(a for a in range(game.actions) if a not in legal)
    code = verbs.forbids(standing.match.state, LEARNER, action)
    text = game.notation.format_action(standing.match.state, LEARNER, action)
    line = standing.answer(text)
    assert line
    assert line.clause == game.clause(code)


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_the_glance_has_a_picture_for_each_of_its_paragraphs(game):
    assert len(game.lesson.glance) >= 4
    for one in game.lesson.glance:
        assert lesson_state(game, one.step).still(Speech()).startswith("<svg")


def test_a_lesson_over_http_without_a_script(ann: Client):
    page = ann.page("/learn/coals")
    assert page.status_code == 200
    assert "The richest player wins" in page.text
    assert "Step 1 of" in page.text
    assert ann.send("/learn/coals", step="1").headers["location"] == "/learn/coals?step=2"
    for n, step in enumerate(ALL["coals"].lesson.steps[1:-1], 2):
        page = ann.page(f"/learn/coals?step={n}")
        assert fields(page.text, "/learn/coals") == {"step": str(n)}
        told = {"do": step.want[0]} if step.want else {}
        answer = ann.send("/learn/coals", step=str(n), **told)
        assert answer.headers["location"] == f"/learn/coals?step={n + 1}"
    page = ann.page(f"/learn/coals?step={n + 1}")
    assert "You have won" in page.text
    assert 'action="/tables"' in page.text


def test_wrong_clicks_over_http(ann: Client):
    answer = ann.send("/learn/coals", step="2", amount="150")
    assert answer.status_code == 422
    assert "50 is wiser" in answer.text
    answer = ann.send("/learn/coals", step="2", do="pull")
    assert re.search(r'role="alert".*#C5"', answer.text)
    answer = ann.send("/learn/coals", step="3", do="stop")
    assert re.search(r'role="alert".*#C10"', answer.text)
    assert ann.send("/learn/coals", step="2", do="nonsense").status_code == 422
    assert ann.send("/learn/coals", step="2", amount="50").headers["location"].endswith("step=3")
    assert ann.send("/learn/coals", step="3", show="1").headers["location"].endswith("step=4")


def test_four_at_tails_are_told_that_they_play_in_pairs(ann: Client):
    assert "4 players play in pairs" in ann.page("/setup/tails").text
    answer = ann.call("/tables", game="tails", here="4", names="Ann,Bo,Cy,Di")
    page = ann.page(answer.json()["url"]).text
    told = re.search(r'id="pairs">(.*?)</p>', page)
    assert told
    words = re.sub(r"<[^>]*>|\s+", " ", told[1]).split()
    assert " ".join(words) == "You play in pairs. Ann and Cy are partners. Bo and Di are partners."
    answer = ann.call("/tables", game="tails", here="3")
    assert 'id="pairs"' not in ann.page(answer.json()["url"]).text


def test_newcomers_find_the_lesson(ann: Client):
    assert 'href="/learn/coals"' in ann.page("/").text


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_the_rules_begin_with_a_glance_and_keep_the_law(ann: Client, game):
    page = ann.page(f"/rules/{game.name}").text
    assert page.count("<figure><svg") == len(game.lesson.glance) + len(game.lesson.figures)
    assert page.index('id="glance"') < page.index(f'id="{game.clauses}1"')
    assert f'href="/learn/{game.name}"' in page


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_a_figure_stands_before_the_clause_that_it_belongs_to(ann: Client, game):
    law = ann.page(f"/rules/{game.name}").text.partition('class="rules-text"')[2]
    for one in game.lesson.figures:
        before, _, after = law.partition(f'<p id="{one.clause}"')
        assert after
        assert before.endswith(f"{Speech().plain(one.caption)}</figcaption></figure>")


@pytest.mark.parametrize("game", LEARNT, ids=lambda game: game.name)
def test_every_law_has_figures(game):
    assert game.lesson.figures


def test_the_figures_of_tails_and_kitchen_show_what_their_captions_say():
    [twins] = TAILS.lesson.figures
    s = scene_match(TAILS, twins.scene).state
    assert [CELL_NAMES[s.last], CELL_NAMES[s.cell]] == ["near 14", "far 14"]
    assert s.forced
    exits = scene_match(KITCHEN, KITCHEN.lesson.figures[-1].scene)
    over = [KITCHEN.notation.parse_action(exits.state, 0, f"go 3 {to}") for to in ("b1", "a2")]
    for points, code in ((2, 0), (1, 15)):
        exits.state.points = points
        assert [verbs.forbids(exits.state, 0, action) for action in over] == [code, code]


def test_the_figures_of_underworld_show_what_their_captions_say():
    start, late, possessed = (
        scene_match(UNDERWORLD, one.scene) for one in UNDERWORLD.lesson.figures
    )
    s = start.state
    corners = [divmod(int(space), SIDE) for space in s.disk[: s.seats]]
    steps = [abs(a - c) + abs(b - d) for (a, b), (c, d) in combinations(corners, 2)]
    assert min(steps) >= 4
    assert (s.pegs, int(s.down).bit_count(), int(s.up).bit_count()) == (4, 42, 0)
    # From w3, which is open, w2 can be reached.
    for space in ("u2", "v3", "w3", "w2", "u4", "t3"):
        late.check(f"move {space}", 0)
    late.apply(Event(0, "move u4"))
    assert late.state.letters[0] == 0b1111
    assert late.state.turn == 1
    possessed.apply(Event(0, "move x6"))
    assert [*possessed.state.devil[:2]] == [0, 1]
    assert possessed.state.letters[0] == 0b100111


def test_the_figures_of_coals_show_what_their_captions_say():
    after, before = (scene_match(COALS, one.scene).state for one in COALS.lesson.figures)
    assert [*after.chips[:4]] == [300, 370, 60, 310]
    assert [*after.space[:4]] == [4, 5, 1, 5]  # 300, and the grey spaces after it and before 200
    assert [*before.busted[:4]] == [1, 0, 1, 0]
    assert [*before.coal[:4]] == [0, 135, 0, 50]
    assert (before.pieces[3], before.turn) == (4, 3)
