"""Seats: those that are told about exist, and each of them decides."""

from itertools import chain, pairwise

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.replay import known_event
from diablerie.engine.text import ENGLISH, Line, SeatRef, render_line
from diablerie.engine.verbs import OVER, WATCHER
from diablerie.games import ALL
from diablerie.testing.positions import (
    GameSetting,
    PlayedGame,
    all_settings,
    play_game,
    played_games,
    positions,
    waiting,
)


def assert_seats_exist(setting: GameSetting, line: Line) -> None:
    """Fail if a line tells about a seat that nobody has."""

    def name(seat: SeatRef) -> str:
        assert 0 <= seat < setting.seats, f"there is no seat {int(seat)}: {line.text}"
        return "Ann"

    render_line(line, ENGLISH, name)


def test_every_seat_that_the_log_tells_about_exists(setting: GameSetting) -> None:
    for advised in (False, True):
        for line in log_lines(setting, play_game(setting, 1, advised)):
            assert_seats_exist(setting, line)


def log_lines(setting: GameSetting, game: PlayedGame) -> list[Line]:
    """All that a watcher reads of a game."""
    steps = zip(pairwise(game.states), game.acts, strict=True)
    told = (known_event(before, *act, after, WATCHER) for (before, after), act in steps)
    return list(chain.from_iterable(setting.game.ui.narrate(*one) for one in told))


def test_every_seat_that_a_position_tells_about_exists(setting: GameSetting) -> None:
    for s in positions(setting):
        for line in position_lines(setting, s):
            assert_seats_exist(setting, line)


def position_lines(setting: GameSetting, s: Record) -> list[Line]:
    """What is asked and described in a position, and the labels of what may be done."""
    game = setting.game
    lines = [game.ui.prompt(redacted(s, seat), seat) for seat in (WATCHER, *range(setting.seats))]
    view = game.ui.look(redacted(s, WATCHER), WATCHER)
    for part in game.description(view, setting.seats):
        lines += [part.title, *part.lines]
    for seat in waiting(setting, s):
        lines += [game.ui.label(redacted(s, seat), seat, a) for a in legal_actions(game, s, seat)]
    more = [game.chapter(s)]
    if game.ending and verbs.actor(s) == OVER:
        more.append(game.ending(s))
    return lines + [line for line in more if line]


def test_every_seat_decides(name: str) -> None:
    """In games of each number of seats, with some options."""
    idle = {(seats, seat) for seats in ALL[name].seats for seat in range(seats)}
    for setting in all_settings([name]):
        if any(seats == setting.seats for seats, _ in idle):
            for game in played_games(setting):
                idle -= {(setting.seats, who) for who, _ in game.acts}
    assert idle == set(), "these (seats, seat) never decide"
