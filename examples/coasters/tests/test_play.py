"""How COASTERS is played and told: guesses, advice, the log, the picture, a golden game."""

from pathlib import Path

import numpy as np
import pytest

import diablerie
from coasters import GAME
from coasters.rules.state import HIDDEN, NO, SKULL, UNSURE, YES
from diablerie.engine import files, verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line
from diablerie.engine.verbs import CHANCE, OVER, WATCHER
from diablerie.testing.positions import GameSetting, choose_action, states_of_game
from rounds import laid, play, stripped, table

GOLDEN = Path(__file__).parent / "golden"


def test_a_guess_is_a_full_table_with_at_most_a_skull_each():
    rng = seeded(4)
    seen = set()
    for s in states_of_game(GameSetting("coasters", 4), 2):
        for viewer in (WATCHER, 0):
            guessed = redacted(s, viewer)
            verbs.guess(guessed, viewer, rng)
            for i in range(4):
                pile = list(guessed.pile[i, : guessed.laid[i]])
                assert HIDDEN not in pile
                assert guessed.skull[i] != UNSURE
                assert pile.count(SKULL) <= guessed.skull[i]
                seen.add(int(guessed.skull[i]))
    assert seen == {NO, YES}


def test_a_guess_puts_the_skull_wherever_it_can_be():
    s = laid("lay flower")
    rng = seeded(1)
    places = set()
    for _ in range(200):
        guessed = redacted(s, 1)
        verbs.guess(guessed, 1, rng)
        pile = [int(kind) for kind in guessed.pile[0, :2]]
        places.add(pile.index(SKULL) if SKULL in pile else "hand")
    assert places == {0, 1, "hand"}


def test_a_skull_that_may_be_lost_is_as_likely_as_the_coasters_left():
    s = stripped(table(), 0, "f")
    rng = seeded(1)
    kept = 0
    for _ in range(2000):
        guessed = redacted(s, 1)
        verbs.guess(guessed, 1, rng)
        kept += guessed.skull[0] == YES
    assert kept / 2000 == pytest.approx(0.25, abs=0.04)


# -- advice ------------------------------------------------------------------------------------


def won(seats: int, games: int) -> float:
    """How often one who follows the advice wins against others who play at random."""
    rng = seeded(8)
    wins = 0
    for number in range(games):
        s = GAME.start(seats)
        while (who := verbs.actor(s)) != OVER:
            advised = who == number % seats
            if advised:
                verbs.apply(s, who, verbs.advise(redacted(s, who), who, rng))
            else:
                verbs.apply(s, *choose_action(GAME, s, rng, False))
        wins += s.winner == number % seats
    return wins / games


@pytest.mark.parametrize("seats", [3, 4])
def test_advice_beats_random_play(seats):
    assert won(seats, 400) > 1 / seats + 0.12  # 56 % of 3,000 games with 3, 48 % with 4


def test_advice_asks_for_nothing_that_the_seat_may_not_know():
    for s in states_of_game(GameSetting("coasters", 4), 5, True):
        seat = verbs.actor(s)
        if seat >= 0:
            assert verbs.advise(s, seat, seeded(3)) == verbs.advise(
                redacted(s, seat), seat, seeded(3)
            )


def test_a_sure_point_is_taken():
    s = table()
    for seat in range(3):
        stripped(s, seat, "ff")
        s.known[seat] = NO
    play(s, "lay flower, lay flower, lay flower, lay flower, lay flower, lay flower")
    assert GAME.notation.format_action(s, 0, verbs.advise(s, 0, seeded(1))) == "bid 6"


def test_values_foretell_who_wins():
    told = []
    out = np.zeros(4)
    end = np.zeros(4)
    for seed in range(60):
        states = states_of_game(GameSetting("coasters", 3), seed + 10, True)
        verbs.value(states[len(states) * 2 // 3], out)
        assert out[:3].sum() == pytest.approx(0)
        verbs.returns(states[-1], end)
        told.append(out[:3] @ end[:3])
    assert np.mean(told) > 0.1


# -- what is told ------------------------------------------------------------------------------


def lines(match: diablerie.Match, viewer: int) -> list[str]:
    return [str(line) for line in match.log(viewer)]


def test_the_log_tells_a_coaster_to_its_owner_alone():
    match = diablerie.start("coasters", seats=3, seed=2)
    seat = match.actor
    match.play("lay skull")
    assert "lays the skull" in lines(match, seat)[-1]
    for viewer in {WATCHER, 0, 1, 2} - {seat}:
        assert lines(match, viewer)[-1].endswith("lays a coaster.")


def words(line: Line) -> str:
    return str(line)


def test_the_picture_shows_the_own_coasters_and_no_others():
    s = play(table(), "lay skull, lay skull")
    mine, theirs = (GAME.ui.draw(GAME.ui.look(redacted(s, v), v), [], words) for v in (0, 2))
    assert mine.count('href="#coasters-skull"') == 1
    assert theirs.count('href="#coasters-skull"') == 1  # in the own hand
    nobody = GAME.ui.draw(GAME.ui.look(redacted(s, WATCHER), WATCHER), [], words)
    assert 'href="#coasters-skull"' not in nobody
    assert "data-action" not in nobody


def test_every_spot_of_the_picture_is_an_action():
    for s in states_of_game(GameSetting("coasters", 4), 3):
        seat = verbs.actor(s)
        if seat in (CHANCE, OVER):
            continue
        moves = [GAME.notation.format_action(s, seat, a) for a in legal_actions(GAME, s, seat)]
        svg = GAME.ui.draw(GAME.ui.look(redacted(s, seat), seat), moves, words)
        for move in moves:
            assert f'data-action="{move}" class="spot can"' in svg, (s.node, move)


# -- golden games ------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_golden_game_replays_to_the_letter(seats):
    file = GOLDEN / f"coasters-{seats}.jsonl"
    match = diablerie.verify(file)
    assert (match.over, match.seats) == (True, seats)
    assert files.dump(match) == file.read_text("utf-8")


def test_the_log_of_the_golden_game_reads_as_it_did():
    file = GOLDEN / "coasters-3.jsonl"
    told = "".join(f"{line}\n" for line in diablerie.load(file).log())
    assert file.with_suffix(".log").read_text("utf-8") == told
