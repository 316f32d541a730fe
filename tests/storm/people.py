"""What people do at tables: decide, take back, talk, hand over, leave, come back, play again."""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from diablerie.engine import fair, verbs
from diablerie.engine.queries import legal_actions
from diablerie.engine.record import copy
from diablerie.engine.verbs import WATCHER
from diablerie.table.commands import chat, decisions, latecomers, lobby, seats, sequels
from diablerie.table.state.nonce_exchange import Phase, asked, phase
from diablerie.table.state.table_state import (
    FINISHED_TABLE,
    OPEN_SEAT,
    OPEN_TABLE,
    RUNNING,
    TableState,
)
from tests.storm.house import BOTS
from tests.storm.network import Browser, Command, Page, Request, command

if TYPE_CHECKING:
    from tests.storm.simulation import Simulation

WAIT, BRISK = (0.05, 0.4), (0.05, 0.4)  # seconds between two things that a person does; at the end
WAITS = 0.7  # probability that somebody who has asked to take back waits, and does not decide
AFTERWARDS = 0.3  # probability that somebody does something where a game is over
SHORT = 60  # the turn clock, in seconds, that somebody may let run out
PACES = (0, 0, SHORT, SHORT, 10 * SHORT)
PACED = (SHORT, 10 * SHORT)  # where people let turn clocks run out
OWN = 0.8  # probability that somebody looks at a table of their own
FLOOD = 45  # lines of somebody who shouts
SLEEPY, CALLED = "sleepy", "called"  # who lets a turn clock run out, who comes when called


class Person(Browser):
    """A browser and who sits before it."""

    def __init__(self, number: int, world: "Simulation") -> None:
        super().__init__(number, world)
        self.kind = {0: SLEEPY, 1: CALLED, 2: CALLED}.get(self.random.randrange(6), "")
        if world.sleepers and number % 2:
            self.kind = SLEEPY
        self.away_until = 0.0
        self.slept: dict[str, int] = {}  # tables and plies at which a turn clock may run out
        self.token, self.renewed = "", False  # of a program; whether its secret is another's, too
        self.subscribed = False  # whether its subscription was acknowledged
        self.nonces: dict[str, str] = {}  # by their hashes

    def later(self, seconds: float | None = None) -> None:
        """Think of something to do in a while."""
        wait = seconds or self.random.uniform(*(WAIT if self.world.odd else BRISK))
        self.world.timeline.later(wait, self.think)

    def think(self) -> None:
        """Decide where it is this person's turn, or do something else."""
        self.later()
        if self.busy or self.world.still or self.world.timeline.passed < self.away_until:
            return
        if self.random.random() < self.world.odd / 3 and self.world.habits.something(self):
            return
        if not self.tables:
            return
        table = self._table()
        if not self.connect(table) or not (page := self.pages.get(table)):
            return
        live = page.live
        own = asked(live, self.who)
        if own and self.random.random() > self.world.odd:
            self.ask(self._share(live, own[0]))
        elif live.request and live.request.seat == page.viewer and self.random.random() < WAITS:
            return  # for the answers
        elif _awaits_answer(page) and self.random.random() < 0.8:
            agree = self.random.random() < 0.85
            self.ask(command(decisions.answer_take_back, self.who, table, page.viewer, agree))
        elif live.status == RUNNING and page.asked and self.random.random() < 0.9:
            sleepy = self.kind == SLEEPY and live.pace == SHORT
            if sleepy and self._sleeps(table, live.ply):
                return
            if self.world.hurried:
                self.ask(command(seats.resign, self.who, table, page.asked[0]))
            else:
                self.decide(table, page)
        elif self.random.random() < max(
            self.world.odd, AFTERWARDS * (live.status == FINISHED_TABLE)
        ):
            self.something(table, page)
        elif self.kind == CALLED and self.random.random() < 0.2 and not self.awaited():
            self.go_away()

    def _table(self) -> str:
        """A table of which this person knows, mostly one at which they have a seat, or may."""
        pages = ((table, self.pages.get(table)) for table in self.tables)
        own = [
            t
            for t, page in pages
            if not page or page.viewer != WATCHER or OPEN_SEAT in _kinds(page)
        ]
        return self.random.choice(own if own and self.random.random() < OWN else self.tables)

    def _sleeps(self, table: str, ply: int) -> bool:
        """Whether this person lets a turn clock run out; where little is simulated once at a table."""
        slept = self.slept.setdefault(table, ply) == ply
        return self.world.size.faults > 30 or (self.world.sleepers and slept)

    def go_away(self) -> None:
        """Close everything, until a notification comes, or for a while."""
        if not self.subscribed:
            self.world.habits.subscribe(self)
            return
        self.leave_all()
        long = math.inf if self.random.random() < 0.5 and self.world.is_quiet else 20.0
        self.away_until = self.world.timeline.passed + self.random.uniform(5.0, 10.0) + long

    def leave_all(self) -> None:
        """Close all pages."""
        for table in list(self.streams):
            self.close(table)
        self.pages.clear()

    def becomes(self, secret: str, who: str) -> None:
        """Have another secret from now on, perhaps another visitor's."""
        self.leave_all()
        if who != self.who:
            self.token = ""  # another visitor's, who alone can revoke it
        self.secret, self.who = secret, who

    def awaited(self) -> bool:
        """Whether some table waits for this person."""
        tables = self.world.model.tables.values()
        return any(set(t.seats_of(self.who)) & set(t.pending) for t in tables)

    def called(self) -> None:
        """A notification has come."""
        self.away_until = 0.0

    # -- the game -----------------------------------------------------------------------------------

    def decide(self, table: str, page: Page) -> None:
        """Do one of the things that the page offers, with the plan that it begins."""
        k = self.random.randrange(len(page.asked))
        if not page.moves[k]:
            return
        seat, first = page.asked[k], self.random.choice(page.moves[k])
        texts, regrets = (
            self._plan(page.live, seat, first),
            self.random.random() < self.world.odd / 3,
        )

        def done(answer: Any) -> None:
            if regrets and isinstance(answer, TableState) and not self.busy:
                self.ask(command(decisions.take_back, self.who, table, answer.ply, seat))

        act = command(
            decisions.decide,
            self.who,
            table,
            page.live.ply,
            "; ".join(texts),
            seat,
            client=self.address,
        )
        self.ask(act, done)

    def _plan(self, live: TableState, seat: int, text: str) -> list[str]:
        game, s, texts = live.game, copy(live.position(seat).record), [text]
        verbs.apply(s, seat, game.notation.parse_action(s, seat, text))
        while int(s.node) in game.plan and verbs.pending(s) >> seat & 1:
            action = self.random.choice(legal_actions(game, s, seat))
            texts.append(game.notation.format_action(s, seat, action))
            verbs.apply(s, seat, action)
        return texts

    def _share(self, live: TableState, seat: int) -> Command:
        """Send the hash of a nonce, and the nonce when all hashes are in."""
        fresh, pledged = f"{self.number} {self.random.random()}", live.seats[seat].pledge
        hashes, nonces = {}, {seat: self.nonces.get(pledged, fresh)}
        if phase(live) is Phase.PLEDGES:
            self.nonces[fair.pledge(fresh)] = fresh
            hashes, nonces = {seat: fair.pledge(fresh)}, {}
        return command(lobby.share, self.who, live.id, hashes, nonces)

    def something(self, table: str, page: Page) -> None:
        """One of the other things that one can do at a table."""
        live, seat = page.live, page.viewer
        mine = seat if seat != WATCHER else self.random.randrange(len(live.seats))
        ways = [self._says(table)]
        if live.status == RUNNING:
            ways += self._while_running(table, live, mine)
        if live.status == OPEN_TABLE:
            ways += self._before(table, live, mine)
        if live.status == FINISHED_TABLE:
            ways += self._afterwards(table, live)
        ways += self._whenever(table, live, mine)
        chosen = self.world.variety.choose(self.random, ways)
        self.ask(chosen, self.done(chosen))

    def everything(self, table: str, page: Page) -> list[Command]:
        """All that one can ask for at a table, whether it fits there or not."""
        live, who = page.live, self.who
        seat = self.random.randrange(len(live.seats) + 1) if page.viewer == WATCHER else page.viewer
        step, wanted = self.random.randint(0, live.ply), self.random.choice([None, seat])
        acting = zip(page.asked, page.moves, strict=True)
        plans = [(own, self._plan(live, own, self.random.choice(moves))) for own, moves in acting]
        late, own = self.random.randrange(4), next(iter(asked(live, who)), seat % len(live.seats))
        return [
            *(self._says(table), command(chat.chat, who, table, " "), self._share(live, own)),
            *self._before(table, live, seat), *self._while_running(table, live, seat),
            command(decisions.answer_take_back, who, table, seat, self.random.random() < 0.8),
            *(
                command(decisions.decide, who, table, ply, "; ".join(texts), one)
                for one, texts in plans or [(seat, ["rest"])] for ply in (live.ply, live.ply - late)
            ),
            *self._whenever(table, live, seat), *self._afterwards(table, live),
            command(sequels.explore, who, table, step, wanted, BOTS[1]),
        ]  # fmt: skip

    def _says(self, table: str) -> Command:
        return command(chat.chat, self.who, table, self._line(), client=self.address)

    def _line(self) -> str:
        return f"line {self.number} {self.random.random():.4f}"

    def compete(self, rival: Command, node: int) -> bool:
        """Ask a node for something at a table at this very moment; whether there is anything.

        It comes between two transactions of `rival`, which is about the same table.
        """
        table = rival.table
        page = self.pages.get(table)
        if page is None or table not in self.world.model.tables:
            return False
        live, seat = page.live, max(0, page.viewer)
        ways = self._whenever(table, live, seat)
        if live.status == RUNNING:
            ways += self._while_running(table, live, seat)
            for own, moves in zip(page.asked, page.moves, strict=True):
                texts = self._plan(live, own, self.random.choice(moves))
                ways.append(
                    command(decisions.decide, self.who, table, live.ply, "; ".join(texts), own)
                )
        elif live.status == OPEN_TABLE:
            ways += self._before(table, live, seat)
        else:
            ways.append(command(sequels.rematch, self.who, table))
        chosen = self.world.variety.choose(self.random, ways, against=rival)
        self.arrive(Request(chosen, lambda _: None), node)
        return True

    def shout(self) -> None:
        """Say far more than anybody may, by requests that come at once, to all nodes."""
        for _ in range(FLOOD if self.tables else 0):
            said = command(chat.chat, self.who, self.tables[0], self._line(), client="flood")
            node = self.random.randrange(len(self.world.houses))
            asked = Request(said, lambda _: None)
            self.world.timeline.later(self.delay() * 5, partial(self.arrive, asked, node), node)

    def _while_running(self, table: str, live: TableState, seat: int) -> list[Command]:
        who, other = self.who, self.random.randrange(len(live.seats))
        ways = [
            command(decisions.take_back, who, table, live.ply - self.random.randrange(2), seat),
            command(decisions.request_take_back, who, table, seat),
            command(seats.hand_over, who, table, seat),
            command(seats.relieve_bot, who, table, seat),
            command(seats.give_to_bot, who, table, other),
            command(seats.resign, who, table, seat),
            command(
                latecomers.ask_seat,
                who,
                table,
                self.random.choice([None, other]),
                share=self.random.choice([False, True]),
            ),
            command(
                latecomers.answer_seat,
                who,
                table,
                _asked_for(live, other),
                self.random.random() < 0.8,
            ),
        ]
        if live.request:
            agree = self.random.random() < 0.8
            ways.append(command(decisions.answer_take_back, who, table, seat, agree))
        return ways

    def _before(self, table: str, live: TableState, seat: int) -> list[Command]:
        who, other = self.who, self.random.randrange(len(live.seats))
        share = self.random.choice([False, True])
        return [
            command(lobby.sit, who, table, *self.random.choice([(), (other,)]), share=share),
            command(lobby.begin, who, table),
            command(lobby.publish, who, table, not live.public),
            command(lobby.leave, who, table, seat),
            command(lobby.free, who, table, other),
            command(lobby.fill, who, table, "sensible", *self.random.choice([(), (0,), (1,)])),
            command(lobby.delete_table, who, table),
        ]

    def _afterwards(self, table: str, live: TableState) -> list[Command]:
        """What one can do after a game; at the end of the simulation no new games are begun."""
        step = self.random.randint(1, max(1, live.ply))
        ways = [command(lobby.delete_table, self.who, table)]
        if self.world.odd or live.rematch in self.world.model.tables:
            ways.append(command(sequels.rematch, self.who, table))
        if self.world.odd:
            ways.append(command(sequels.explore, self.who, table, step, None, BOTS[1]))
        return ways

    def _whenever(self, table: str, live: TableState, seat: int) -> list[Command]:
        who = self.who
        name = self.random.choice(["Ida", "Ada", ""])
        ways = [
            command(lobby.rename, who, table, seat, name),
            command(seats.link, who, table, seat),
            command(seats.return_seat, who, table, seat),
        ]
        if self.random.random() < 0.4:
            ways.append(_of_all(lobby.delete_names, who))
        known = [one for one in self.world.links if one[0] == table] or self.world.links
        to, secret = self.random.choice(known or [(table, "none")])
        if to in self.world.model.tables:
            ways.append(command(seats.claim, who, to, secret))
        return ways

    def done(self, chosen: Command) -> Callable[[Any], None]:
        """What this person does with the answer to a command."""

        def done(answer: Any) -> None:
            if isinstance(answer, TableState) and answer.id not in self.tables:
                self.tables.append(answer.id)
                for browser in self.world.browsers_of(answer):
                    if answer.id not in browser.tables:
                        browser.tables.append(answer.id)
            elif chosen.name == "link" and isinstance(answer, str):
                self.world.links.append((chosen.table, answer))

        return done


def _awaits_answer(page: Page) -> bool:
    """Whether somebody else asks to take back, and this page's player has not agreed yet."""
    request = page.live.request
    return request is not None and page.viewer not in (WATCHER, request.seat, *request.agreed)


def _asked_for(live: TableState, other: int) -> int:
    """A seat that somebody asks for, or another one."""
    return next((info.seat for info in live.seats if info.wanted), other)


def _kinds(page: Page) -> list[str]:
    return [info.kind for info in page.live.seats]


def _of_all(function: Any, who: str) -> Command:
    return Command(function.__name__, who, "*", (), lambda at: function(at, who))
