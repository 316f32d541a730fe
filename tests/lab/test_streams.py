"""Every seat of every game has a random stream of its own; all games of a table share the dice."""

from diablerie.bots.basic import RandomBot
from diablerie.engine.rng import unit
from diablerie.lab.running.matches import SeatedBot
from diablerie.lab.running.settings import seed_for
from diablerie.lab.tournament.config import schedule, tournament_config


def test_no_two_seats_of_a_tournament_draw_the_same_numbers():
    config = tournament_config("coals", ("random", "sensible", "imp"), seats=3, games=6)
    runner = config.runner
    first = {
        (fixture.number, seat): unit(SeatedBot(runner, fixture, seat).rng)
        for fixture in schedule(config)[:6]
        for seat in range(3)
    }
    assert len(first) == len(set(first.values())) == 18


def test_the_same_seat_of_the_same_game_draws_them_again_and_with_another_seed_others():
    def drawn(seed):
        config = tournament_config("coals", ("random", "sensible"), games=2, seed=seed)
        fixture = schedule(config)[0]
        return unit(SeatedBot(config.runner, fixture, 1).rng)

    assert drawn(1) == drawn(1) != drawn(2)


def test_bots_of_one_table_do_not_decide_alike():
    """Four that play at random from equal positions: each stakes for itself."""
    config = tournament_config("coals", ("random", "sensible"), seats=4, games=12, mixed=True)
    stakes = []
    for fixture in schedule(config)[:12]:
        runner = config.runner
        match = runner.match(fixture)
        for seat in range(4):
            bot = SeatedBot(runner, fixture, seat)
            bot.bot = RandomBot(runner.game)
            stakes.append(bot.decide(match.seen_by(seat)))
    games = [stakes[at : at + 4] for at in range(0, len(stakes), 4)]
    assert len(games) == 12
    assert all(len(set(one)) > 1 for one in games)
    assert len(set(map(tuple, games))) == 12


def test_dice_are_of_the_table_and_bots_have_others():
    config = tournament_config("coals", ("random", "sensible"), games=4)
    runner, fixtures = config.runner, schedule(config)
    dice = [runner.dice(fixture) for fixture in fixtures]
    assert dice[0] == dice[1] != dice[2] == dice[3]
    seats = [seed_for(config.seed, "seat", one.number, seat) for one in fixtures for seat in (0, 1)]
    assert not set(dice) & set(seats)
