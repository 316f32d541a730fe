"""Fillings tell what every tile on every cell would bring; the appraisal reads it off."""

import numpy as np
import pytest

from diablerie.bots.searcher import SearchBot
from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record, copy
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.tails.policy.appraisal import ENDGAME, FEWEST, HALVED, Appraisal, appraise
from diablerie.games.tails.policy.evaluation import balance
from diablerie.games.tails.policy.fillings import fill
from diablerie.games.tails.rules.legality import not_foreign
from diablerie.games.tails.rules.state import (
    CELLS,
    KINDS,
    LAY,
    ROTATIONS,
    TURNS,
    TWIN_OF,
    Node,
    code,
)
from diablerie.testing.positions import GameSetting, states_of_game

GAME = ALL["tails"]


def positions(seats: int, node: Node, count: int = 3) -> list[Record]:
    """Positions of a random game at this node, with cells enough."""
    found = [
        copy(s)
        for s in states_of_game(GameSetting("tails", seats), 2)
        if s.node == node and CELLS - s.count > ENDGAME
        and len(legal_actions(GAME, s, verbs.actor(s))) > 1
    ]  # fmt: skip
    return found[:: max(1, len(found) // count)][:count]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_tile_on_every_cell_is_worth_what_the_rules_score(seats: int) -> None:
    """Tried one by one on the same fillings, by the game's own scoring; loops included."""
    for s in positions(seats, Node.CELL):
        appraisal, rng, n = Appraisal(s, int(s.turn)), seeded(5), 3
        appraisal.sample(seeded(5), n)
        expected, pool = np.zeros((CELLS, KINDS * TURNS)), np.zeros(KINDS * 8, np.int64)
        for _ in range(n):
            full = copy(s)
            fill(full.array[0], pool, rng)
            for cell in range(CELLS):
                before = int(full.laid[cell])
                for kind in range(KINDS):
                    for rotation in range(ROTATIONS[kind]):
                        full.laid[cell] = code(kind, rotation)
                        expected[cell, code(kind, rotation)] += balance(
                            full.array[0], appraisal.side
                        )
                full.laid[cell] = before
        found = appraisal._work.sums
        tried = np.abs(found).sum(axis=1) > 0
        assert set(legal_actions(GAME, s, int(s.turn))) <= set(np.flatnonzero(tried).tolist())
        assert found[tried] == pytest.approx(expected[tried])


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_all_legal_actions_are_judged_and_returns_are_shared(seats: int) -> None:
    for node in (Node.CELL, Node.ROTATION):
        for s in positions(seats, node):
            seat = int(s.turn)
            appraisal = Appraisal(s, seat)
            appraisal.sample(seeded(1), 20)
            found = appraisal.judged()
            assert sorted(one.action for one in found) == legal_actions(GAME, s, seat)
            assert all(one.samples == 20 and one.error > 0 for one in found)
            for one in found:
                assert sum(one.returns) == pytest.approx(0.0)
                assert len(one.returns) == seats
            own = [one.returns[seat] for one in found]
            if node == Node.ROTATION or seats == 3:
                assert own == sorted(own, reverse=True)


def test_cells_that_fall_behind_are_given_up_and_stand_last() -> None:
    s = positions(2, Node.CELL)[0]
    appraisal = Appraisal(s, int(s.turn))
    count = len(appraisal.judged()) if appraisal.done else len(appraisal._cells)
    appraisal.sample(seeded(1), HALVED[-1] + 1)
    found = appraisal.judged()
    assert len(found) == count
    samples = [one.samples for one in found]
    assert samples == sorted(samples, reverse=True)
    assert set(samples) == {*HALVED, HALVED[-1] + 1}
    assert samples.count(HALVED[-1] + 1) >= FEWEST


def test_of_two_cells_the_one_that_the_other_side_wants_too_comes_first() -> None:
    """Cells that only this seat may name (T11) stand behind all that gain anything."""
    s = positions(2, Node.CELL)[0]
    seat = int(s.turn)
    appraisal = Appraisal(s, seat)
    appraisal.sample(seeded(1), 250)
    mine = {
        cell
        for cell in legal_actions(GAME, s, seat)
        if not any(not_foreign(s.array[0], 1 - seat) >> x & 1 for x in (cell, int(TWIN_OF[cell])))
    }
    order = [one.action for one in appraisal.judged()]
    gains = {one.action: appraisal._gain(one.action, appraisal._lead(one.action, 1.0))
             for one in appraisal.judged()}  # fmt: skip
    assert all(gains[cell] == 0.0 for cell in mine)
    assert [gains[cell] for cell in order] == sorted(gains.values(), reverse=True)
    assert order[0] not in mine


def test_samples_in_pieces_are_the_same_samples() -> None:
    s = positions(2, Node.CELL)[1]
    whole, pieces, rng = Appraisal(s, int(s.turn)), Appraisal(s, int(s.turn)), seeded(3)
    whole.sample(seeded(3), 400)
    for n in (50, 251, 99):
        pieces.sample(rng, n)
    assert whole.judged() == pieces.judged()


def test_a_line_is_led_to_the_tail_end_and_not_to_a_body() -> None:
    """A closed line of one's own is worth its tiles: the rotation that closes it best is taken."""
    for s in positions(2, Node.ROTATION, 30):
        seat = int(s.turn)
        found = SearchBot(GAME, n=400).think(redacted(s, seat), seat, seeded(2))
        leads = {}
        for one in found.actions:
            full, total, pool, rng = copy(s), 0.0, np.zeros(KINDS * 8, np.int64), seeded(9)
            for _ in range(400):
                full.array[0] = s.array[0]
                full.laid[s.cell] = code(int(s.kind), one.action - LAY)
                fill(full.array[0], pool, rng)
                total += balance(full.array[0], seat)
            leads[one.action] = total / 400
        assert leads[found.action] >= max(leads.values()) - 3  # points, for luck


def test_the_last_cells_are_searched_instead() -> None:
    late = [s for s in states_of_game(GameSetting("tails", 2), 1) if verbs.actor(s) >= 0]
    assert appraise(late[0], int(late[0].turn)) is not None
    assert appraise(late[-1], int(late[-1].turn)) is None
