"""Decisions: of people for their own seats, of bots for those they drive; and hints.

A hint is what a bot would do on a person's seat, from the redacted record of that seat. The search
runs in the thread that asks; who serves requests asks for one of the `thinkers` first. Hints come in
rounds: soon after a first look, then better ones.
"""

import math
import time
from collections.abc import Sequence
from functools import partial
from secrets import randbits
from typing import NamedTuple

from diablerie.api import Answering, Deciding, Frozen, Operations, Own, TakingBack
from diablerie.bots.levels import strongest
from diablerie.bots.ranking import RankedAction, judged_actions, ranked_actions
from diablerie.engine.game import Game
from diablerie.engine.record import Record
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say
from diablerie.table.commands.command import Asker, change, command, table_command
from diablerie.table.errors import Forbidden, TooMany, WrongTime
from diablerie.table.presence.fair_queue import FairPlaces
from diablerie.table.state.table_state import OPEN_TABLE, RUNNING, LegalMove, TableState
from diablerie.table.state.transitions import (
    answered,
    play_decision,
    requested,
    returned,
    split_steps,
)
from diablerie.table.tables import Tables

HINT_GAMES = 500  # played out after each action, if there is time
HINT_SECONDS = 1.2  # less while others wait, twice as many in each further round
FIRST_SEARCH_MS = 100  # of processor time
FIRST_HINT_SECONDS = 0.1  # of processor time, after the search
FIRST_ROUND = 0
USUAL_ROUND = 1
LAST_ROUND = 3
HINT_THREADS = 2
thinkers = FairPlaces(
    HINT_THREADS, say("The devils are busy with other players: ask again in a moment.")
)

CHANCE_PHRASES = (
    (0.0, say("hardly any")),
    (0.05, say("one in twenty")),
    (0.1, say("one in ten")),
    (0.2, say("one in five")),
    (0.25, say("one in four")),
    (1 / 3, say("one in three")),
    (0.4, say("two in five")),
    (0.5, say("one in two")),
    (0.6, say("three in five")),
    (2 / 3, say("two in three")),
    (0.75, say("three in four")),
    (0.8, say("four in five")),
    (0.9, say("nine in ten")),
    (1.0, say("all but certain")),
)


class Hint(NamedTuple):
    """A move, and the chance to win after it."""

    move: LegalMove
    chance: float
    why: Line | None = None  # what the game says for the move
    equal: bool = False  # as good as the best, as far as so many games can tell
    interval: tuple[float, float] = (0.0, 1.0)  # where the true chance is in 95 of 100 cases
    better: int | None = None  # the round of better hints, if there are

    @property
    def rough(self) -> bool:
        """Whether the chance is not known well yet, so that its interval says more."""
        return self.better is not None

    @property
    def percents(self) -> tuple[int, int]:
        """The ends of the interval, in percent."""
        low, high = self.interval
        return round(low * 100), round(high * 100)

    @property
    def words(self) -> Line:
        """The chance in words."""
        return min(CHANCE_PHRASES, key=lambda word: abs(word[0] - self.chance))[1]


def hints(
    live: TableState,
    seat: int,
    draft: Sequence[str] = (),
    searches: bool = True,
    number: int = USUAL_ROUND,
) -> list[Hint]:
    """The best moves of a seat after the decisions of its draft, the best first.

    searches: whether what searches is compiled; without it they are what an archdevil thinks.
    number: of the round. Raises Forbidden where the table plays without advice, WrongTime if
    nothing is asked of the seat, and what `TableState.position` raises.
    """
    if not live.hints:
        raise Forbidden(say("The devils give no hints at this table."))
    position = live.position(seat, draft) if live.status == RUNNING else None
    if position is None or not position.asked:
        raise WrongTime(say("There is nothing for you to decide now."))
    think = _thought if searches else _judged
    ranked = think(live.game, position.record, seat, number)
    games = ranked[0].games
    last = number == LAST_ROUND or (games or HINT_GAMES) >= HINT_GAMES
    better = None if last else number + 1
    moves = {move.action: move for move in position.moves}
    reason = partial(live.game.reason, position.record, seat)
    ranked_hints = [
        Hint(moves[x.action], x.chance, reason(x.action), False, x.interval, better) for x in ranked
    ]
    return mark_ties(ranked_hints, games or HINT_GAMES)


def _thought(game: Game, s: Record, seat: int, number: int) -> list[RankedAction]:
    """What a search finds: in the first round in little processor time, whatever else runs."""
    rng = seeded(randbits(32))
    devil = strongest(game)
    if number == FIRST_ROUND:
        result = devil.hurried(s.seats, FIRST_SEARCH_MS).think(s, seat, rng)
        soon = FIRST_HINT_SECONDS
        return ranked_actions(game, s, seat, result, HINT_GAMES, soon, time.thread_time)
    seconds = HINT_SECONDS * thinkers.time_share * 2 ** (number - USUAL_ROUND)
    return ranked_actions(game, s, seat, devil.think(s, seat, rng), HINT_GAMES, seconds)


def _judged(game: Game, s: Record, seat: int, number: int) -> list[RankedAction]:
    """What an archdevil thinks, all at once."""
    return judged_actions(game, s, seat, seeded(randbits(32)), HINT_SECONDS * thinkers.time_share)


def mark_ties(hints: Sequence[Hint], games: int) -> list[Hint]:
    """The hints; `equal` marks those that differ from the best by no more than chance.

    That is by less than two standard errors of a difference, had `games` been played after each.
    """
    if not hints:
        return []
    best = max(hint.chance for hint in hints)
    noise = 2 * math.sqrt(2 * max(best * (1 - best), 0.5 / games) / games)
    equal = [hint._replace(equal=best - hint.chance < noise) for hint in hints]
    return equal if sum(hint.equal for hint in equal) > 1 else list(hints)


# -- decisions ---------------------------------------------------------------------------------


@command(Operations.decide)
def decide(live: TableState, asker: Asker, asked: Deciding) -> TableState:
    """Decide for an own seat: one action, or the consecutive ones of a plan or a walk.

    Of several own seats it is the one that is to decide, else the first. Raises Stale (with the
    ply of now), Repeated, IllegalMove, BadInput, Forbidden, WrongTime.
    """
    own = live.seats_of(asker.visitor)
    waiting = [seat for seat in own if seat in live.pending]
    mine = asked.seat if asked.seat is not None else next(iter(waiting or own), None)
    seat = asker.own(live, mine).seat
    if live.status == RUNNING and live.match and seat in live.match.resigned:
        raise WrongTime(say("The player on this seat has resigned: a bot plays on to the end."))
    _driving(live, seat)
    return _decided(live, seat, asked.ply, split_steps(asked.do), asker.now)


def decide_as_bot(tables: Tables, table: str, seat: int, ply: int, action: str) -> TableState:
    """Let a bot decide for the seat it drives; see `decide`. Raises Forbidden for other seats."""
    asked = Deciding(ply, action, seat)
    return change(Asker(tables, None, table), partial(_driven, asked=asked))


def _driven(live: TableState, asker: Asker, asked: Deciding) -> TableState:
    assert asked.seat is not None
    if not live.seats[asked.seat].driver:
        raise Forbidden(say("This is not your seat."))
    return _decided(live, asked.seat, asked.ply, [asked.do], asker.now)


@command(Operations.take_back)
def take_back(live: TableState, asker: Asker, asked: TakingBack) -> TableState:
    """Take back an own seat's last decision; see `take_back.goal` for when that can be.

    Raises Stale, WrongTime, Forbidden.
    """
    return returned(live, _deciding(live, asker, asked.seat), asked.ply, asker.now)


@command(Operations.request_take_back)
def request_take_back(live: TableState, asker: Asker, asked: Own) -> TableState:
    """Ask all others to agree that an own seat's last decision is taken back; see `take_back`.

    Raises WrongTime, Forbidden.
    """
    return requested(live, _deciding(live, asker, asked.seat), asker.now)


@command(Operations.answer_take_back)
def answer_take_back(live: TableState, asker: Asker, asked: Answering) -> TableState:
    """Agree to a request for an own seat, or refuse it; who asked withdraws it by refusing.

    Raises WrongTime, Forbidden.
    """
    return answered(live, _deciding(live, asker, asked.seat), asked.agree, asker.now)


def _deciding(live: TableState, asker: Asker, asked: int | None) -> int:
    """The own seat for which the asker decides. Raises Forbidden."""
    seat = asker.own(live, asked).seat
    _driving(live, seat)
    return seat


def _driving(live: TableState, seat: int) -> None:
    if live.seats[seat].stand_in:
        raise Forbidden(say("A bot plays for you: take your seat back first."))


def _decided(
    live: TableState, seat: int, ply: int, actions: Sequence[str], at: float
) -> TableState:
    if live.status == OPEN_TABLE:
        raise WrongTime(say("The game has not begun."))
    return play_decision(live, seat, ply, actions, at)


class HintAsking(Frozen):
    """What would a bot do on this own seat, after the decisions of a draft?

    number: of the round of hints: FIRST_ROUND is there soonest.
    """

    seat: int
    draft: Sequence[str] = ()
    number: int = USUAL_ROUND


@table_command(HintAsking)
def ask_hints(asker: Asker, asked: HintAsking) -> list[Hint]:
    """What a bot would do on an own seat, best first; see `hints`. May take seconds.

    Raises Forbidden, TooMany, WrongTime.
    """
    tables = asker.tables
    live = tables.live(asker.table)
    asker.own(live, asked.seat)
    asker.count("hints")
    with tables.limits.place(asker.client) as free:
        if not free:
            raise TooMany(say("A devil is thinking for you already: wait for the answer."))
        searches = tables.can_advise(live)
        # Where there is one thread, the page waits for each round: there is one.
        several = tables.clock.threaded
        number = asked.number if several else USUAL_ROUND
        given = tables.clock.apart(lambda: hints(live, asked.seat, asked.draft, searches, number))
        return given if several else [hint._replace(better=None) for hint in given]
