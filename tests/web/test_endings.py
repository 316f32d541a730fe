"""The end of a match: who has won, said to whoever looks, who stands where, and what turned it."""

import re

import pytest

from diablerie.art.podium import Stand, podium
from diablerie.engine.match import Match
from diablerie.engine.plies import PlyKind
from diablerie.games import ALL
from diablerie.web.html import endings
from diablerie.web.html.speech import Speech
from tests.web.test_moments import golden

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo")


ENDS = {"coals": "flag 2", "tails": "count ", "underworld": "dawn 2 0", "kitchen": "feast 0"}


@pytest.mark.parametrize("name", ENDS)
def test_every_game_stages_its_end_once_and_at_last(name: str):
    match = golden(name)
    staged = [str(moment) for step in match.steps() for moment in step.moments]
    assert staged[-1].startswith(ENDS[name])
    assert sum(one.startswith(ENDS[name].split()[0]) for one in staged) == 1


def test_tails_counts_the_points_of_every_side_up_to_the_last():
    match = golden("tails")
    *_, step = match.steps()
    sides, *counts = step.moments[-1].words[4:]
    assert sides == "of3"
    rows = [counts[k : k + 8] for k in range(0, 24, 8)]
    assert [row[-1] for row in rows] == [43, 34, 49]
    assert all(row == sorted(row) for row in rows)


def test_what_six_need_to_win_stands_side_by_side():
    drawn = podium([Stand(seat, "Ann", 1, "needs ABCDEF") for seat in range(6)])
    sizes = re.findall(r'font-size="([\d.]+)">needs', drawn)
    assert len(sizes) == 6
    assert all(float(size) * 0.75 * len("needs ABCDEF") < 98 for size in sizes)


def said(won: list[int], own: tuple[int, ...]) -> str:
    return Speech(names=NAMES).plain(endings.headline(won, own))


@pytest.mark.parametrize(
    ("won", "own", "text"),
    [
        ([1], (1,), "You win!"),
        ([1], (0,), "Bo wins. Revenge?"),
        ([1], (), "Bo wins!"),
        ([1], (0, 1), "Bo wins!"),  # they share a screen
        ([0, 2], (0,), "You win, with Cy!"),
        ([0, 2, 3], (2,), "You win, with Ann and Di!"),
        ([0, 2], (1,), "Ann and Cy win. Revenge?"),
        ([0, 2, 3], (), "Ann, Cy and Di win!"),
        ([], (0,), "Nobody wins."),
    ],
)
def test_the_headline_speaks_to_whoever_looks(won: list[int], own: tuple[int, ...], text: str):
    assert said(won, own) == text


def placed(match: Match) -> list[tuple[int, str]]:
    return [(one.place, one.score) for one in endings.stands(match, Speech(names=NAMES))]


def test_places_follow_returns_and_points():
    assert placed(golden("coals")) == [(3, "1230"), (2, "1320"), (1, "1670")]
    assert placed(golden("tails", 4)) == [(1, "78"), (3, "32"), (1, "78"), (3, "32")]
    assert placed(golden("kitchen", 4)) == [(3, "0"), (3, "0"), (2, "5"), (1, "10")]


def test_in_underworld_who_left_first_stands_highest_though_both_have_won():
    match = golden("underworld")
    assert endings.winners(match) == [0, 1]
    assert placed(match) == [(1, "out: number 1"), (2, "out: number 2"), (3, "needs BE")]


def test_who_resigns_stands_below_who_is_left():
    match = Match.new(ALL["tails"], seats=2, seed=1)
    match.note(PlyKind.RESIGN, 0)
    assert [place for place, _ in placed(match)] == [2, 1]
    assert endings.turning_step(match) is None  # nobody was ahead


@pytest.mark.parametrize("name", ALL)
def test_the_turn_is_where_the_winners_took_the_lead_for_good(name: str):
    match = golden(name)
    found, measure = endings.turning_step(match), match.game.progress or match.game.points
    assert found
    assert measure
    assert 1 < found.step <= match.ply
    won = endings.winners(match)

    def lead(step: int) -> bool:
        progress = measure(match.state_at(step))
        others = [x for seat, x in enumerate(progress) if seat not in won]
        return min(progress[seat] for seat in won) > max(others)

    assert not lead(found.step - 1)
    assert lead(found.step)
    assert lead(match.ply)
    told = Speech(names=NAMES).plain(endings.turned(found))
    assert all(NAMES[seat] in told for seat in won)


@pytest.mark.parametrize("name", ALL)
def test_the_turn_speaks_to_you_and_never_of_you(name: str):
    match = golden(name)
    found = endings.turning_step(match)
    assert found
    for seat in range(match.seats):
        told = Speech(names=NAMES).plain(endings.turned(found, [seat]))
        assert NAMES[seat] not in told
    told = Speech(names=NAMES).plain(endings.turned(found._replace(last=False), [found.won[0]]))
    assert "you" in told.lower()


def test_the_first_stands_in_the_middle_and_steps_up_last_with_the_music():
    stands = [Stand(0, "Ann", 2, "5"), Stand(1, "Bo", 1, "9"), Stand(2, "Cy", 3, "1")]
    drawn = podium(stands, "win", "1. Bo: 9")
    order = [drawn.index(f'id="podium-{seat}"') for seat in (0, 1, 2)]
    assert order == sorted(order)
    assert "<title>1. Bo: 9</title>" in drawn
    parts = {seat: drawn[at : drawn.index(">", at)] for seat, at in enumerate(order)}
    assert 'data-heard="win"' in parts[1]
    assert 'data-heard="tile"' in parts[0]
    assert 'data-delay="760"' in parts[1]
    assert 'data-delay="0"' in parts[2]


def test_a_long_name_and_six_players_have_room():
    stands = [Stand(seat, f"Wild devil {NAMES[seat]}", seat + 1, "12") for seat in range(6)]
    drawn = podium(stands)
    assert "…" not in drawn
    assert ">Flo<" in drawn


@pytest.mark.parametrize(
    ("won", "own", "music"), [([1], (1,), "win"), ([1], (0,), "lose"), ([1], (), "win")]
)
def test_who_has_lost_hears_another_music(won: list[int], own: tuple[int, ...], music: str):
    match = Match.new(ALL["tails"], seats=2, seed=1)
    match.note(PlyKind.RESIGN, 0)
    assert endings.winners(match) == won
    shown = endings.ending(match, Speech(names=NAMES), own, None)
    assert f'data-heard="{music}"' in shown.podium
    assert shown.places == "1. Bo: 0, 2. Ann: 0"
