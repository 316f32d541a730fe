"""Moments: which plies are staged for whom, and that every scene a game names is drawn."""

import re
from pathlib import Path
from typing import Any

import pytest

import diablerie
from diablerie.engine.match import Match
from diablerie.engine.moments import Moment
from diablerie.engine.verbs import EVERYTHING, WATCHER
from diablerie.games import ALL
from diablerie.games.kitchen.rules.lookup import delivered
from diablerie.web.html import assets

GAMES = Path(__file__).parents[1] / "games"
STAGING = [name for name, game in ALL.items() if game.scenes]


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
    assert {moment.scene for moment in moments} <= set(scenes)
    assert len(moments) > 20
    for moment in moments:
        places = {int(n) for n in re.findall(r'data-put="(\d+)"', scenes[moment.scene])}
        assert places == set(range(len(moment.words))), moment
        assert re.fullmatch(r"[a-z]+( [A-Za-z0-9,-]+)*", str(moment))


@pytest.mark.parametrize("name", STAGING)
def test_what_a_scene_refers_to_is_in_the_file(name: str):
    file = assets.contents()[assets.scenes_file(ALL[name])].decode()
    ids = re.findall(r' id="([^"]*)"', file)
    assert len(ids) == len(set(ids))
    words = {
        str(word)
        for some in told(golden(name), EVERYTHING).values()
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


def scenes_of(match: Match, ply: int, viewer: int = WATCHER) -> list[str]:
    return [str(moment) for moment in told(match, viewer).get(ply, ())]


def texts(match: Match) -> list[Any]:
    return list(enumerate((ply.events for ply in match.plies), 1))


def test_a_piece_of_coal_is_pulled_and_a_devil_wakes_and_burns():
    match, lines = golden("coals"), {}
    for step in match.steps():
        lines[step.number] = [line.text for line in step.lines]
    pulled = {n: scenes_of(match, n) for n in lines}
    devils = [n for n, said in lines.items() if any("burnt fingers" in one for one in said)]
    pieces = [n for n, said in lines.items() if any("so far" in one for one in said)]
    assert len(devils) > 3
    assert len(pieces) > 10
    for n in devils:
        first, *rest = [one for one in pulled[n] if not one.startswith("flag")]
        assert first.startswith("pull devil ")
        assert rest == ["wake", f"burnt {first.split()[-1]}"]
    for n in pieces:
        assert len(pulled[n]) == 1
        assert re.fullmatch(r"pull \d+ \d", pulled[n][0])
    for n in set(lines) - {*devils, *pieces}:
        assert pulled[n] in ([], ["stake"])


def said(match: Match) -> dict[int, list[str]]:
    """What the log says of every ply, before the names are put in."""
    return {step.number: [line.text for line in step.lines] for step in match.steps()}


def test_underworld_stages_cards_swaps_devils_and_who_leaves():
    match = golden("underworld", 5)
    staged, kinds = told(match), set()
    for ply, lines in said(match).items():
        scenes = [moment.scene for moment in staged.get(ply, ())]
        kinds |= set(scenes)
        assert scenes.count("card") == sum(line.startswith("Revealed") for line in lines)
        assert scenes.count("swap") == sum("swaps the cards" in line for line in lines)
        assert scenes.count("out") == sum("leaves the underworld!" in line for line in lines)
        given = [
            line for line in lines if "the devil." in line and ("gives" in line or "takes" in line)
        ]
        assert scenes.count("hand") <= len(given)
    assert kinds == {"card", "swap", "caught", "hand", "out", "dawn"}


def test_tails_stages_each_tail_that_ends_with_what_it_scores():
    match = golden("tails")
    staged, ends = told(match), 0
    for ply, lines in said(match).items():
        scenes = [moment.scene for moment in staged.get(ply, ())]
        assert scenes.count("run") == sum("The tail of {letter} ends" in line for line in lines)
        for moment in staged.get(ply, ()):
            if moment.scene == "run":  # its way, and the cells that it crosses, maybe twice
                line, cells = map(str, moment.words[3:])
                assert 0 < cells.count("Z") <= line.count("C")
                assert not set(" ;") & set(line + cells)
        assert scenes.count("met") == sum("neither scores" in line for line in lines)
        assert scenes.count("tile") == any("places the tile" in line for line in lines)
        ends += scenes.count("run") + scenes.count("met")
    assert ends > 8


def test_kitchen_stages_dice_and_what_comes_out_of_pots():
    match = golden("kitchen")
    staged, kinds = told(match), set()
    for ply, lines in said(match).items():
        scenes = [moment.scene for moment in staged.get(ply, ())]
        kinds |= set(scenes)
        assert scenes.count("dice") == any(" rolls " in line for line in lines)
        assert scenes.count("milk") == sum("It is milk!" in line for line in lines)
        assert scenes.count("dish") == sum("It is worth" in line for line in lines)
        assert scenes.count("lids") == (ply == match.ply)
    assert kinds == {"dice", "milk", "dish", "lids", "feast"}


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
