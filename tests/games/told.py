"""The position in words, read back: what a viewer is told, as text, to be compared with the record."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from diablerie.engine.queries import redacted
from diablerie.engine.record import Record
from diablerie.engine.verbs import EVERYTHING
from diablerie.games import ALL
from diablerie.testing.positions import GameSetting, states_of_game, viewers

EACH = 5  # positions of a game


class Told(NamedTuple):
    """What one viewer is told of one position: sentences by heading; `s` as the viewer knows it."""

    s: Record
    viewer: int
    sections: dict[str, list[str]]

    @property
    def places(self) -> dict[str, str]:
        """What is said of each place, by its name: of all sentences `place: what`."""
        pairs = (line.split(": ", 1) for lines in self.sections.values() for line in lines)
        return {pair[0]: pair[1] for pair in pairs if len(pair) == 2}


def told(setting: GameSetting, s: Record, viewer: int) -> Told:
    """The position in words as `viewer` may read it."""
    seen = redacted(s, viewer)
    parts = setting.game.description(setting.game.ui.look(seen, viewer), setting.seats)
    sections = {str(part.title): [str(line) for line in part.lines] for part in parts}
    assert len(sections) == len(parts), "a heading stands twice"
    return Told(seen, viewer, sections)


@cache
def all_told(name: str) -> tuple[Told, ...]:
    """Positions of random and of advised games, for every number of players and every viewer."""
    return tuple(_all_told(name))


def _all_told(name: str) -> Iterator[Told]:
    for setting in (GameSetting(name, seats) for seats in ALL[name].seats):
        for advised in (False, True):
            states = states_of_game(setting, 5, advised)
            for s in states[:: max(1, len(states) // EACH)] + states[-1:]:
                for viewer in (*viewers(setting), EVERYTHING):
                    yield told(setting, s, viewer)
