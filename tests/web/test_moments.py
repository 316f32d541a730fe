"""Moments: which plies are staged for whom, and that every scene a game names is drawn."""

import re
from pathlib import Path

import pytest

import diablerie
from diablerie.engine import verbs
from diablerie.engine.match import Match
from diablerie.engine.moments import Moment
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import delivered
from diablerie.table.bots.driver import BOT_SECONDS, SPEED_TOGETHER
from diablerie.web.html import assets

GAMES = Path(__file__).parents[1] / "games"
ENDING = {
    "coals": {"flag"},
    "tails": {"count"},
    "underworld": {"dawn"},
    "kitchen": {"lids", "feast"},
}
ENDS = set().union(*ENDING.values())
STAGING = [name for name, game in ALL.items() if game.scenes]
DECISIVE = {  # what covers the board, and nothing else does
    "coals": {"wake", "burnt"},
    "tails": {"run", "met"},
    "underworld": {"caught", "out"},
    "kitchen": {"dish", "milk", "lids"},
}


def golden(name: str, seats: int = 3) -> Match:
    return diablerie.load(GAMES / name / "golden" / f"{name}-{seats}.jsonl")


def told(match: Match, viewer: int = WATCHER) -> dict[int, tuple[Moment, ...]]:
    """The moments of every ply that has some."""
    return {step.number: step.moments for step in match.steps(viewer) if step.moments}


def drawn(name: str) -> dict[str, str]:
    """The scenes of a game by name."""
    file = assets.contents()[assets.scenes_file(ALL[name])].decode()
    parts = re.split(r'(?=<svg [^>]*data-scene=")', file)[1:]
    return {re.search(r'data-scene="([a-z]+)"', part)[1]: part for part in parts}  # type: ignore[index]


@pytest.mark.parametrize("name", STAGING)
def test_every_moment_of_a_game_has_its_scene_and_a_word_for_each_place(name: str):
    scenes = drawn(name)
    moments = [one for some in told(golden(name), EVERYTHING).values() for one in some]
    assert {moment.scene for moment in moments} <= set(scenes) == DECISIVE[name] | ENDING[name]
    assert moments
    for moment in moments:
        places = {int(n) for n in re.findall(r'data-put="(\d+)"', scenes[moment.scene])}
        assert places == set(range(len(moment.words))), moment
        assert re.fullmatch(r"[a-z]+( [A-Za-z0-9,-]+)*", str(moment))


@pytest.mark.parametrize("name", STAGING)
def test_scenes_cover_the_board_for_little_of_the_time_that_three_devils_take(name: str):
    """At most 15 % of it, if each decision takes the usual tempo; the end of the game apart."""
    lasts = {
        scene: int(re.search(r'data-lasts="(\d+)"', svg)[1])  # type: ignore[index]
        for scene, svg in drawn(name).items()
    }
    covered, watched, rng = 0.0, 0.0, seeded(1)
    for seed in range(3):
        match = Match.new(ALL[name], seats=4, seed=seed)
        while not match.over:
            seat, *others = match.pending
            seen = redacted(match.state, seat)
            match.carry_out(verbs.advise(seen, seat, rng), seat)
            watched += (BOT_SECONDS / SPEED_TOGETHER if others else BOT_SECONDS) * (seat > 0)
        staged = [one.scene for some in told(match, 0).values() for one in some]
        covered += sum(lasts[scene] for scene in staged if scene not in ENDS) / 1000
    assert 0 < covered <= 0.15 * (covered + watched)


@pytest.mark.parametrize("name", STAGING)
def test_what_a_scene_refers_to_is_in_the_file(name: str):
    file = assets.contents()[assets.scenes_file(ALL[name])].decode()
    ids = re.findall(r' id="([^"]*)"', file)
    assert len(ids) == len(set(ids))
    words = {
        str(word)
        for path in (GAMES / name / "golden").glob("*.jsonl")
        for some in told(diablerie.load(path), EVERYTHING).values()
        for m in some
        for word in m.words
    }
    for name in re.findall(r'href="#([^"]*)"', file):
        assert name in ids or any(name + word in ids for word in words), name


@pytest.mark.parametrize("name", STAGING)
def test_every_sound_of_a_scene_is_one_that_the_script_makes(name: str):
    made = set(re.findall(r"^  (\w+): \[", assets.contents()["sounds.js"].decode(), re.MULTILINE))
    cues = re.findall(
        r'data-heard="([^"]*)"', assets.contents()[assets.scenes_file(ALL[name])].decode()
    )
    named = {cue.split()[0] for cue in ";".join(cues).split(";")}
    assert named
    assert named <= made


# -- what is staged when ---------------------------------------------------------------------------


def test_what_happens_in_the_picture_is_heard_there():
    made = set(re.findall(r"^  (\w+): \[", assets.contents()["sounds.js"].decode(), re.MULTILINE))
    heard = set[str]()
    for name in STAGING:
        match = golden(name)
        for ply in range(0, match.ply, 3):
            drawing = match.game.ui.draw(match.at(ply).view(WATCHER), [], str)
            heard |= set(re.findall(r'data-heard="([^"]*)"', drawing))
    assert {"coal", "burn", "tile", "run", "card", "hand", "dice", "lid"} <= heard <= made


def scenes_of(match: Match, ply: int, viewer: int = WATCHER) -> list[str]:
    return [str(moment) for moment in told(match, viewer).get(ply, ())]


def test_a_devil_is_staged_whose_it_is_and_where_it_costs_much():
    match, others, own = golden("coals"), told(golden("coals")), told(golden("coals"), 0)
    woken = {n for n, lines in said(match).items() if any("burnt fingers" in one for one in lines)}
    assert len(woken) > 3
    for n in woken:
        before = match.at(n - 1).state
        if before.turn == 0:
            assert "burnt 0" in map(str, own[n])
        dear = before.coal[before.turn] >= 100
        assert [one for one in scenes_of(match, n) if one[:4] != "flag"] == (
            ["wake"] if dear else []
        )
    assert set(others) | set(own) <= {*woken, match.ply}
    assert 0 < len(others) < len(woken)


def said(match: Match) -> dict[int, list[str]]:
    """What the log says of every ply, before the names are put in."""
    return {step.number: [line.text for line in step.lines] for step in match.steps()}


def test_underworld_stages_devils_and_who_leaves():
    match = golden("underworld", 5)
    staged, kinds = told(match), set[str]()
    for ply, lines in said(match).items():
        now = [str(moment) for moment in staged.get(ply, ())]
        kinds |= {one.split()[0] for one in now}
        left = sum("leaves the underworld!" in line for line in lines)
        assert sum(one.startswith("out") for one in now) == left
        second = sum("A second devil" in line for line in lines)
        assert sum(one.endswith("two") for one in now) == second
    assert kinds == {"caught", "out", "dawn"}
    ones = {str(one) for some in staged.values() for one in some if str(one).endswith("one")}
    own = {str(one) for some in told(match, 0).values() for one in some if str(one).endswith("one")}
    assert own == {"caught 0 one"} < ones, "that others take one does not cover the board"


def test_tails_stages_tails_that_meet_and_ones_own_that_brings_much():
    match = golden("tails")
    staged, seen = told(match), 0
    for ply, lines in said(match).items():
        scenes = [moment.scene for moment in staged.get(ply, ())]
        assert scenes.count("met") == sum("neither scores" in line for line in lines)
        for moment in staged.get(ply, ()):
            if moment.scene == "run":  # its way, and the cells that it crosses, maybe twice
                line, cells = map(str, moment.words[3:])
                assert int(moment.words[2]) >= 15
                assert 0 < cells.count("Z") <= line.count("C")
                assert not set(" ;") & set(line + cells)
                seen += 1
    own = [one for some in told(match, 0).values() for one in some if one.scene == "run"]
    assert {one.words[1] for one in own} <= {0}
    assert len(own) < seen
    met = met_before(staged, match.ply)
    theirs = [met_before(told(match, seat), match.ply) for seat in range(3)]
    for seat in range(3):
        assert theirs[seat] == [one for one in met if seat in (one.words[1], one.words[3])]
    assert met
    assert [] in theirs


def met_before(staged: dict[int, tuple[Moment, ...]], last: int) -> list[Moment]:
    """The tails that met; at the end of the game everything is told to all."""
    return [m for ply, some in staged.items() if ply < last for m in some if m.scene == "met"]


def test_kitchen_stages_milk_and_ones_own_best_dish():
    match = golden("kitchen")
    staged, kinds = told(match), set()
    for ply, lines in said(match).items():
        scenes = [moment.scene for moment in staged.get(ply, ())]
        kinds |= set(scenes)
        turn = match.at(ply - 1).state.turn
        assert scenes.count("milk") == sum("It is milk!" in line for line in lines)
        assert scenes.count("lids") == (ply == match.ply)
        assert all(m.words[2] == 5 for m in staged.get(ply, ()) if m.scene == "dish")
        for seat in range(match.seats):
            theirs = [moment.scene for moment in told(match, seat).get(ply, ())]
            assert theirs.count("dish") == (scenes.count("dish") if seat == turn else 0)
    assert kinds == {"milk", "dish", "lids", "feast"}


def test_all_lids_come_off_only_when_nothing_is_secret_any_more():
    match = golden("kitchen")
    last = told(match)[match.ply][-2]
    assert last.scene == "lids"
    card, pot = match.state.card, match.state.pot
    grilled = {n for n in range(16) if pot[n] < 0 or delivered(match.state, n)}
    assert list(last.words) == ["x" if n in grilled else int(card[n]) for n in range(16)]
    assert all(
        said.words == last.words
        for said in (told(match, seat)[match.ply][-2] for seat in range(match.seats))
    )
