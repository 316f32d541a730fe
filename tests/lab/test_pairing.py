"""Every player sits equally often in every seat, and tables share their dice."""

from collections import Counter
from itertools import combinations

import pytest

from diablerie.engine.options import BadOption
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import split_specs
from diablerie.lab.tournament.config import schedule, tournament_config

FIVE = tuple(f"tests.lab.bots:{name}" for name in ("Quiet", "Vandal", "Fresh", "Peeping", "Broken"))


def by_table(fixtures):
    tables = {}
    for fixture in fixtures:
        tables.setdefault(fixture.table, []).append(fixture)
    return tables.values()


def test_two_seats_play_every_pairing_equally_often_with_seats_swapped():
    fixtures = schedule(tournament_config("kitchen", FIVE, games=7))
    assert [fixture.number for fixture in fixtures] == list(range(10 * 8))  # 7 is rounded up to 8
    for first, second in by_table(fixtures):
        assert first.players == second.players[::-1]
    met = Counter(fixture.players for fixture in fixtures)
    assert met == {(a, b): 4 for p in combinations(range(5), 2) for a, b in (p, p[::-1])}


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_mixed_tables_are_balanced_exactly_and_mixed(count, seats):
    fixtures = schedule(tournament_config("coals", FIVE[:count], seats=seats, games=50, mixed=True))
    assert len(fixtures) >= 50
    taken = Counter((seat, p) for fixture in fixtures for seat, p in enumerate(fixture.players))
    assert set(taken.values()) == {len(fixtures) // count}
    assert len(taken) == count * seats
    for fixture in fixtures:
        assert len(set(fixture.players)) > 1
    for table in by_table(fixtures):
        turned = {
            fixture.players[k:] + fixture.players[:k] for fixture in table for k in range(seats)
        }
        assert len(table) == seats
        assert {fixture.players for fixture in table} == turned


def test_partners_are_two_of_the_same_kind_and_two_teams_are_a_pairing():
    config = tournament_config("tails", FIVE[:3], seats=4, games=4)
    assert not config.mixed
    for fixture in schedule(config):
        assert fixture.players[0] == fixture.players[2] != fixture.players[1] == fixture.players[3]


def test_tables_are_drawn_by_the_seed():
    drawn = [
        schedule(tournament_config("coals", FIVE, seats=3, games=60, seed=seed))
        for seed in (1, 1, 2)
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_games_of_a_table_share_their_dice_and_no_others_do():
    config = tournament_config("coals", FIVE[:3], games=20)
    runner = config.runner
    seeds = [{runner.dice(fixture) for fixture in table} for table in by_table(schedule(config))]
    assert all(len(found) == 1 for found in seeds)
    assert len(set.union(*seeds)) == len(seeds) == 30


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("random,sensible", ("random", "sensible")),
        ("search:ms=200,threads=2, random", ("search:ms=200,threads=2", "random")),
        ("random,search:ms=5,a=b=c,m:C", ("random", "search:ms=5,a=b=c", "m:C")),
        (",,random,", ("random",)),
    ],
)
def test_a_list_of_players_is_split_between_specs(text, specs):
    assert split_specs(text) == specs


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"players": ["random"]}, "at least two"),
        ({"players": ["random", "random"]}, "twice"),
        ({"games": 0}, "games is 1 to 1000000"),
        ({"seed": -1}, "seed"),
        ({"seats": 3, "mixed": False}, "two sides"),
    ],
)
def test_configs_that_cannot_be_held_are_refused(changed, said):
    wanted = {"game": "coals", "players": ["random", "sensible"], **changed}
    with pytest.raises(BadConfig, match=said):
        tournament_config(**wanted)


def test_seats_and_options_the_game_does_not_have_are_refused():
    with pytest.raises(BadOption):
        tournament_config("kitchen", FIVE[:2], seats=5)
    with pytest.raises(BadOption):
        tournament_config("kitchen", FIVE[:2], options={"stove": "1"})
