"""Observations: every entry told by a plane, in its range, counted from the reader, redacted."""

import numpy as np
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, positions
from diablerie.values.observation import ObservationLayout


def part(layout, seen, name):
    plane = next(p for p in layout.planes if p.name == name)
    return seen[plane.start : plane.start + plane.size].reshape(plane.shape)


@pytest.mark.parametrize("encoding", ["raw", "scaled", "one-hot"])
@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_every_entry_is_in_the_range_of_its_plane_and_shows_nothing_hidden(name, encoding):
    setting = GameSetting(name, ALL[name].seats[1])
    layout = ObservationLayout(setting.game, setting.seats, encoding)
    assert sum(plane.size for plane in layout.planes) == layout.size
    for s in positions(setting, 8):
        for seat in range(setting.seats):
            seen = layout.observe(s, seat)
            assert (layout.low <= seen).all()
            assert (seen <= layout.high).all()
            other = redacted(s, seat)
            verbs.guess(other, seat, seeded(3))
            np.testing.assert_array_equal(layout.observe(other, seat), seen)


def test_what_is_by_seat_begins_with_the_readers_own():
    game = ALL["coals"]
    layout, s = ObservationLayout(game, 3), game.start(3)
    s.node, s.turn = game.node.PULL, 2
    s.chips[:3] = [10, 20, 30]
    s.front[1, 4] = 7
    seen = layout.observe(s, 1)
    assert part(layout, seen, "seat").tolist() == [0, 1, 0, 0, 0, 0]
    assert part(layout, seen, "chips").tolist() == [20, 30, 10, 0, 0, 0]
    assert part(layout, seen, "turn") == 1
    assert part(layout, seen, "front")[0, 4] == 7
    assert part(layout, seen, "node").argmax() == game.node.PULL


def test_masks_are_bits():
    game = ALL["tails"]
    layout, s = ObservationLayout(game, 2), game.start(2)
    s.free = (1 << 53) | 2
    assert np.flatnonzero(part(layout, layout.observe(s, 0), "free")).tolist() == [1, 53]


def test_masks_of_seats_go_round_and_colours_of_two_lie_opposite():
    game = ALL["underworld"]
    layout, s = ObservationLayout(game, 3), game.start(3)
    s.known[5], s.letters[2] = 0b100, 0b1001
    seen = layout.observe(s, 1)
    assert part(layout, seen, "known")[5].tolist() == [0, 1, 0, 0, 0, 0]
    assert part(layout, seen, "letters")[1].tolist() == [1, 0, 0, 1, 0, 0]
    game = ALL["kitchen"]
    layout, s = ObservationLayout(game, 2), game.start(2)
    s.score[:] = [1, 2, 3, 4]
    s.foe_colour = 2
    seen = layout.observe(s, 1)
    assert part(layout, seen, "score").tolist() == [3, 4, 1, 2]
    assert part(layout, seen, "foe_colour") == 0


def test_the_table_of_planes_names_every_field_that_is_read():
    layout = ObservationLayout(ALL["kitchen"], 4)
    table = layout.table()
    assert all(f"`{plane.name}`" in table for plane in layout.planes)


@pytest.mark.parametrize("name", ["coals", "tails", "underworld", "kitchen"])
def test_no_number_has_the_bounds_of_its_type_instead_of_its_own(name):
    layout = ObservationLayout(ALL[name], 2)
    assert max(abs(layout.low).max(), abs(layout.high).max()) <= 5000
    named = layout.features.ranges.keys()
    assert named <= {plane.name for plane in layout.planes}, "a range of no field that is read"


def test_scaled_numbers_are_shares_of_their_bound_and_few_values_are_one_hot():
    game = ALL["coals"]
    s = game.start(2)
    s.node, s.chips[:2], s.furnace[3] = game.node.BET, [670, 1340], 7
    scaled, one_hot = (ObservationLayout(game, 2, code) for code in ("scaled", "one-hot"))
    bound = next(plane.high for plane in ObservationLayout(game, 2).planes if plane.name == "chips")
    chips = part(scaled, scaled.observe(s, 0), "chips")
    np.testing.assert_allclose(chips[:2], [670 / bound, 1340 / bound], rtol=1e-6)
    assert part(scaled, scaled.observe(s, 0), "node").tolist() == [0, 1, 0, 0, 0]
    np.testing.assert_array_equal(part(one_hot, one_hot.observe(s, 0), "chips"), chips)
    furnace = part(one_hot, one_hot.observe(s, 0), "furnace")
    assert furnace.shape == (7, 10)
    assert furnace[3].tolist() == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0]
