"""Every player sits equally often in every seat, and tables share their dice."""

from collections import Counter
from itertools import combinations

import pytest

from diablerie.engine.options import BadOption
from diablerie.lab.config import BadTerms, agreed, split
from diablerie.lab.runner import Hall
from diablerie.lab.tournament import schedule

FIVE = tuple(f"tests.lab.bots:{name}" for name in ("Quiet", "Vandal", "Fresh", "Peeping", "Broken"))


def by_table(plans):
    tables = {}
    for plan in plans:
        tables.setdefault(plan.table, []).append(plan)
    return tables.values()


def test_two_seats_play_every_pairing_equally_often_with_seats_swapped():
    plans = schedule(agreed("kitchen", FIVE, games=7))
    assert [plan.number for plan in plans] == list(range(10 * 8))  # 7 is rounded up to 8
    for first, second in by_table(plans):
        assert first.players == second.players[::-1]
    met = Counter(plan.players for plan in plans)
    assert met == {(a, b): 4 for p in combinations(range(5), 2) for a, b in (p, p[::-1])}


@pytest.mark.parametrize("count", [2, 3, 4, 5])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_mixed_tables_are_balanced_exactly_and_mixed(count, seats):
    plans = schedule(agreed("coals", FIVE[:count], seats=seats, games=50, mixed=True))
    assert len(plans) >= 50
    taken = Counter((seat, p) for plan in plans for seat, p in enumerate(plan.players))
    assert set(taken.values()) == {len(plans) // count}
    assert len(taken) == count * seats
    for plan in plans:
        assert len(set(plan.players)) > 1
    for table in by_table(plans):
        turned = {plan.players[k:] + plan.players[:k] for plan in table for k in range(seats)}
        assert len(table) == seats
        assert {plan.players for plan in table} == turned


def test_partners_are_two_of_the_same_kind_and_two_teams_are_a_pairing():
    terms = agreed("tails", FIVE[:3], seats=4, games=4)
    assert not terms.mixed
    for plan in schedule(terms):
        assert plan.players[0] == plan.players[2] != plan.players[1] == plan.players[3]


def test_tables_are_drawn_by_the_seed():
    drawn = [schedule(agreed("coals", FIVE, seats=3, games=60, seed=seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_games_of_a_table_share_their_dice_and_no_others_do():
    terms = agreed("coals", FIVE[:3], games=20)
    hall = Hall(terms)
    seeds = [{hall.dice(plan) for plan in table} for table in by_table(schedule(terms))]
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
    assert split(text) == specs


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"players": ["random"]}, "at least two"),
        ({"players": ["random", "random"]}, "twice"),
        ({"games": 0}, "1 to 1000000 games"),
        ({"seed": -1}, "seed"),
        ({"seats": 3, "mixed": False}, "two sides"),
    ],
)
def test_terms_that_cannot_be_held_are_refused(changed, said):
    wanted = {"game": "coals", "players": ["random", "sensible"], **changed}
    with pytest.raises(BadTerms, match=said):
        agreed(**wanted)


def test_seats_and_options_the_game_does_not_have_are_refused():
    with pytest.raises(BadOption):
        agreed("kitchen", FIVE[:2], seats=5)
    with pytest.raises(BadOption):
        agreed("kitchen", FIVE[:2], options={"stove": "1"})
