"""What can be asked of a table moves no later die, short of taking a draw back.

Each match is disturbed before every decision; then it is played again from its key and the decisions
that stand alone. All that chance drew must be the same.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from diablerie.engine import files
from diablerie.engine.match import Match
from diablerie.engine.plies import Ply, count_draws, line_of
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby, seats, sequels
from diablerie.table.errors import Forbidden, Refused, Repeated, Stale, WrongTime
from diablerie.table.state import turn_clock
from diablerie.table.state.table_state import TableState
from diablerie.table.state.take_back import returner
from tests.stores import new_store
from tests.table.conftest import ANN, BO, CY, Clock

PEOPLE = ANN, BO, CY
DECISIONS = 24


class Evening:
    """One table of Ann, Bo and Cy, on a database, at a house that can be closed and opened again."""

    def __init__(self, path: Path, game: str) -> None:
        self.path = path
        self.clock = Clock()
        self.open()
        self.table = lobby.open_table(self.at, ANN, game, ["me", "open", "open"], pace=3600).id
        lobby.sit(self.at, self.table, BO)
        lobby.sit(self.at, self.table, CY)

    def open(self) -> None:
        self.store = new_store(self.path)
        self.at = Authority(self.store, clock=self.clock)

    def restart(self) -> None:
        self.store.close()
        self.open()

    @property
    def live(self) -> TableState:
        return self.at.live(self.table)

    def decide(self) -> None:
        live = self.live
        seat = live.pending[0]
        move = live.position(seat).moves[live.ply % len(live.position(seat).moves)].text
        if live.seats[seat].driver:
            decisions.decide_as_bot(self.at, self.table, seat, live.ply, move)
        else:
            decisions.decide(self.at, self.table, PEOPLE[seat], live.ply, move, seat)


def handed_over(evening: Evening) -> None:
    for _ in range(evening.live.ply % 3 + 1):
        seats.hand_over(evening.at, evening.table, ANN, 0)
        seats.relieve_bot(evening.at, evening.table, ANN, 0)


def given_to_a_bot(evening: Evening) -> None:
    evening.clock.now += 2 * evening.at.attendance.away_after
    seats.give_to_bot(evening.at, evening.table, ANN, 1)
    seats.relieve_bot(evening.at, evening.table, BO, 1)


def late(evening: Evening) -> None:
    """The time of who is to decide passes; a bot decides once, as the house has it do."""
    seat = evening.live.pending[0]
    due = evening.live.seats[seat].due
    step = partial(turn_clock.overrun, seat=seat, now=due, at=evening.clock(), seed=1)
    evening.at.change(evening.table, step)


def taken_back_early(evening: Evening) -> None:
    """Whoever decided last takes it back, if nobody has learnt anything by it; so nothing was drawn."""
    seat = returner(evening.live)
    if seat < 0:
        return
    drawn = evening.live.match.draws
    decisions.take_back(evening.at, evening.table, PEOPLE[seat], evening.live.ply, seat)
    assert evening.live.match.draws == drawn == count_draws(stands(evening.live.match))
    evening.decide()


def resigned(evening: Evening) -> None:
    if not evening.live.match.resigned:
        seats.resign(evening.at, evening.table, CY, 2)


def asked_in_vain(evening: Evening) -> None:
    """A player asks for a take-back, and withdraws it or is refused."""
    with suppress(WrongTime):
        decisions.request_take_back(evening.at, evening.table, ANN, 0)
        who = evening.live.ply % 3
        decisions.answer_take_back(evening.at, evening.table, PEOPLE[who], who, False)


def sent_again(evening: Evening) -> None:
    """The last decision arrives a second time, as of a browser that had no answer."""
    last = evening.live.plies[-1]
    if last.seat < 0 or not last.events:
        return
    with pytest.raises((Repeated, Stale)):
        decisions.decide(
            evening.at, evening.table, PEOPLE[last.seat], evening.live.ply - 1, last.events[0].text,
            last.seat,
        )  # fmt: skip


def refused(evening: Evening) -> None:
    seat = evening.live.pending[0]
    with pytest.raises(Refused):
        decisions.decide(
            evening.at, evening.table, PEOPLE[seat], evening.live.ply, "nonsense", seat
        )
    with pytest.raises(Forbidden):
        seats.relieve_bot(evening.at, evening.table, ANN, 1)


def moved(evening: Evening) -> None:
    """A seat goes to another device and back."""
    secret = seats.link(evening.at, evening.table, ANN, 0)
    seats.claim(evening.at, evening.table, "another", secret)
    seats.return_seat(evening.at, evening.table, ANN, 0)


def restarted(evening: Evening) -> None:
    evening.restart()


def forgotten(evening: Evening) -> None:
    evening.at.forget(evening.table)


DISTURBANCES: list[Callable[[Evening], None]] = [
    handed_over, given_to_a_bot, late, taken_back_early, resigned, asked_in_vain, sent_again, refused,
    moved, restarted, forgotten,
]  # fmt: skip


def stands(match: Match) -> list[Ply]:
    return line_of(match.plies, match.ply)


def undisturbed(match: Match) -> Match:
    """The match of the same key, and the decisions that stand, without anything else."""
    again = Match.opening(
        match.game, seats=match.seats, fair=match.fair, names=match.names, options=match.options
    )
    again.taken = match.taken
    for ply in match.plies[: match.taken]:
        again.append(ply)
    if not match.taken:
        again._begin()
    again._draw()
    taken = len(line_of(match.plies, max(1, match.taken)))
    for ply in stands(match)[taken:]:
        again.play(ply.events[0].text, ply.seat)
    return again


def check_dice(match: Match) -> None:
    alone = undisturbed(match)
    assert [ply.events for ply in stands(match)] == [ply.events for ply in alone.plies]
    assert match.draws == alone.draws > 0
    assert match.state.tobytes() == alone.state.tobytes()


def disturbed_games() -> Iterator[Any]:
    """Each disturbance in COALS and in one other game in turn; in CI in all."""
    others = [name for name in ALL if name != "coals"]
    for number, disturb in enumerate(DISTURBANCES):
        for game in ALL:
            daily = game in ("coals", others[number % len(others)])
            marks = () if daily else pytest.mark.ci
            yield pytest.param(disturb, game, id=f"{disturb.__name__}-{game}", marks=marks)


@pytest.mark.parametrize(("disturb", "game"), list(disturbed_games()))
def test_all_later_dice_are_those_of_the_undisturbed_match(
    tmp_path: Path, game: str, disturb: Callable[[Evening], None]
) -> None:
    evening = Evening(tmp_path / "tables.db", game)
    for _ in range(DECISIONS):
        disturb(evening)
        if evening.live.status == "over":
            break
        evening.decide()
        if evening.live.status == "over":
            break
    match = evening.live.match
    assert match is not None
    check_dice(match)
    again = files.parse_match(files.dump(match).encode(), ALL, dice=True)
    assert (again.draws, again.events) == (match.draws, match.events)
    evening.store.close()


def test_a_draw_that_was_taken_back_moves_the_later_dice(tmp_path: Path) -> None:
    """As it must: this is what the other tests would see if something else did."""
    evening = Evening(tmp_path / "tables.db", "coals")
    while evening.live.match.node == "bet" or count_draws(evening.live.plies[-1:]) == 0:
        evening.decide()
    who = evening.live.plies[-1].seat
    decisions.request_take_back(evening.at, evening.table, PEOPLE[who], who)
    for other in {0, 1, 2} - {who}:
        decisions.answer_take_back(evening.at, evening.table, PEOPLE[other], other, True)
    assert evening.live.match.draws > count_draws(stands(evening.live.match))
    evening.decide()
    match = evening.live.match
    assert files.parse_match(files.dump(match).encode(), ALL, dice=True).draws == match.draws
    evening.store.close()


@pytest.mark.parametrize("game", ALL)
def test_what_goes_on_from_a_match_has_dice_of_its_own(tmp_path: Path, game: str) -> None:
    """Explored after any step, or played again, a match counts its own draws from 0."""
    evening = Evening(tmp_path / "tables.db", game)
    for _ in range(8):
        handed_over(evening)
        evening.decide()
    for who in (0, 1):
        seats.resign(evening.at, evening.table, PEOPLE[who], who)
        if evening.live.status == "over":
            break
    assert evening.live.status == "over"
    old = evening.live
    for step in (1, 4, old.ply - 3):
        evening.table = sequels.explore(evening.at, old.id, ANN, step).id
        assert evening.live.match.draws == count_draws(evening.live.plies[step:])
        assert evening.live.match.fair.key != old.match.fair.key
        for _ in range(8):
            evening.at.forget(evening.table)
            live = evening.live
            if live.status == "over":
                break
            seat = live.pending[0]
            move = live.position(seat).moves[0].text
            if live.seats[seat].driver:
                decisions.decide_as_bot(evening.at, live.id, seat, live.ply, move)
            else:
                decisions.decide(evening.at, live.id, ANN, live.ply, move, seat)
        match = evening.live.match
        alone = undisturbed(match)
        assert [ply.events for ply in stands(match)] == [ply.events for ply in stands(alone)]
        assert files.parse_match(files.dump(match).encode(), ALL, dice=True).draws == match.draws
    rematch = sequels.rematch(evening.at, old.id, ANN)
    assert rematch.taken == 0
    assert rematch.commitment != old.commitment
    evening.store.close()
