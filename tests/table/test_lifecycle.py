"""The life of tables: commands in any order, each compared with a plain model, on both databases.

The steps are here, those of the game in `lifecycle_play`; `lifecycle_machine` gives the commands and
compares, `lifecycle_model` is the model.
"""

import inspect
import os
import random
from collections import Counter
from random import Random

import pytest
from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test as run_machine

from diablerie.engine import fair
from diablerie.engine.plies import PlyKind
from diablerie.table.commands import chat, decisions, erase, history, lobby, seats
from diablerie.table.commands.command import COMMANDS
from diablerie.table.errors import (
    BadInput,
    Forbidden,
    NotFound,
    WrongTime,
)
from diablerie.table.state.nonce_exchange import GRACE, LATE, PROMISED
from diablerie.table.state.table_state import OPEN, OVER
from diablerie.table.tables import Tables
from tests.table.conftest import ANN, BO, CY
from tests.table.lifecycle_machine import (
    MOST,
    PACE,
    PHASES,
    VISITORS,
    step,
)
from tests.table.lifecycle_model import Chair, Refusal, Table
from tests.table.lifecycle_play import PlaySteps

ON_BOTH = True  # kinds of databases


class Life(PlaySteps):
    """What visitors do, at tables before, in and after the game."""

    # -- before the start ---------------------------------------------------------------------

    @step()
    def open_table(self, _: Table, who: str, seat: int, luck: Random) -> None:
        plan = luck.choices(["me", "open", "open", "sensible"], k=luck.randint(2, 5))
        pace = luck.choice([0, 0, 0, PACE, PACE, 5])
        if len(plan) > 4 or 0 < pace < PACE:
            with pytest.raises(BadInput):
                lobby.open_table(self.authority, who, "toy", plan, pace=pace)
            self.tally["open_table", "refused"] += 1
        elif len(self.tables) < MOST:
            public, pledge = luck.random() < 0.5, luck.choice(["", PROMISED])
            self.opened(who, plan, name="Eve", public=public, pace=pace, pledge=pledge)

    @step(OPEN)
    def sit(self, t: Table, who: str, seat: int, luck: Random) -> None:
        wanted = luck.choice([None, seat])
        seat = t.free[0] if t.free and wanted is None else seat
        why = None if t.status == OPEN and seat in t.free else WrongTime
        who, pledge = luck.choice(VISITORS), luck.choice(["", PROMISED])
        self.give(lobby.sit, t, who, wanted, "Cleo", bool(pledge), why=why)
        if not why:
            t.sit(seat, who, "Cleo", pledge)
            self.started(t)

    @step(OPEN)
    def leave(self, t: Table, who: str, seat: int, luck: Random) -> None:
        self.promise(t, luck)
        why = t.foreign(who, seat) or t.unless(OPEN)
        before = self.authority.live(t.id).commitment
        self.give(lobby.leave, t, who, seat, why=why)
        if not why and t.people == 1:
            self.forget(t)
        elif not why:
            self.emptied(t, seat, before)

    def emptied(self, t: Table, seat: int, commitment: str) -> None:
        """A seat is free again; where nonces may have been seen, there is a new key."""
        fixed = t.all_promised
        t.empty(seat)
        assert (self.authority.live(t.id).commitment != commitment) == fixed

    @step(OPEN)
    def free(self, t: Table, who: str, seat: int, luck: Random) -> None:
        if len(t.free) > 1:
            self.sit(t, who, t.free[0], luck)
        self.promise(t, luck)
        others = [s for s, chair in enumerate(t.chairs) if chair.owner not in (None, t.host)]
        seat = luck.choice([seat, *others])
        who = luck.choice([who, t.host])
        why = t.not_host(who) or t.unless(OPEN)
        if not why and (seat >= len(t.chairs) or seat in t.free):
            why = NotFound
        elif not why and t.chairs[seat].owner == who:
            why = WrongTime
        before = self.authority.live(t.id).commitment
        if self.change(lobby.free, t, who, seat, why=why):
            self.emptied(t, seat, before)

    @step()
    def publish(self, t: Table, who: str, seat: int, luck: Random) -> None:
        public = luck.random() < 0.5
        if self.change(lobby.publish, t, who, public, why=t.not_host(who)):
            t.public = public

    @step(OPEN)
    def fill(self, t: Table, who: str, seat: int, luck: Random) -> None:
        why = t.not_host(who) or t.unless(OPEN)
        self.give(lobby.fill, t, who, "sensible", why=why)
        if not why:
            for seat in t.free:
                t.seat_bot(seat)
            self.started(t)

    @step(OPEN)
    def share(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """The hash or the nonce of a seat comes in, whatever the table waits for."""
        why, pledge, wrong = t.foreign(who, seat), "", luck.random() < 0.2
        if t.awaited == "nonces":
            nonce = "" if why else self.nonce_of(t.chairs[seat].pledge)
            if not why and (wrong or not nonce):
                why = BadInput
            self.give(lobby.share, t, who, {}, {seat: nonce + "x" * wrong}, why=why)
        else:
            self.nonces += 1
            pledge = fair.pledge(f"nonce {self.nonces}")
            if not why and t.chairs[seat].pledge != PROMISED:
                why = WrongTime
            self.give(lobby.share, t, who, {seat: pledge}, {}, why=why)
        if why:
            return
        if pledge:
            before, t.chairs[seat].pledge = t.awaited, pledge
            t.waits = t.waits if t.awaited == before else 0.0
        else:
            t.chairs[seat].shown = True
        self.started(t)

    @step(OPEN)
    def begin(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Somebody goes on without the shares that do not come."""
        self.wait(luck.choice([0, 1]))
        waited = bool(t.awaited) and self.clock() - t.waits >= GRACE
        why = t.stranger(who) or (None if waited else WrongTime)
        self.give(lobby.begin, t, who, why=why)
        if why:
            return
        waiting = t.awaited == "hashes"
        if waiting:
            t.waits = 0.0
            for chair in t.chairs:
                chair.pledge = LATE if chair.pledge == PROMISED else chair.pledge
        self.started(t, waiting)

    # -- seats that move, names, talk --------------------------------------------------------------

    @step()
    def link(self, t: Table, who: str, seat: int, luck: Random) -> None:
        secret = self.give(seats.link, t, who, seat, why=t.foreign(who, seat))
        if secret:
            t.chairs[seat].secret = secret

    @step()
    def claim(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Somebody follows a personal link, perhaps one of another table."""
        if (owner := t.owner(seat)) and luck.random() < 0.7:
            self.link(t, owner, seat, luck)
        who = luck.choice(VISITORS)
        source = t if luck.random() < 0.7 else luck.choice(self.tables)
        made = [chair.secret for chair in source.chairs if chair.secret] or ["none"]
        secret = luck.choice(made)
        found = next((s for s, c in enumerate(t.chairs) if c.secret == secret), None)
        answer = self.give(seats.claim, t, secret, who, why=NotFound if found is None else None)
        assert answer == found
        if found is not None and (chair := t.chairs[found]).owner != who:
            chair.moved_from, chair.secret = chair.moved_from or chair.owner, ""
            t.move(found, who)
            self.started(t)

    @step()
    def return_seat(self, t: Table, who: str, seat: int, luck: Random) -> None:
        if luck.random() < 0.8:
            self.claim(t, who, seat, luck)
        moved = [s for s, chair in enumerate(t.chairs) if chair.moved_from]
        if moved and luck.random() < 0.7:
            seat = moved[0]
            who = t.chairs[seat].moved_from or who
        why: Refusal = NotFound if seat >= len(t.chairs) else None
        if not why and t.chairs[seat].moved_from != who:
            why = Forbidden
        self.give(seats.return_seat, t, who, seat, why=why)
        if not why:
            t.chairs[seat].secret, t.chairs[seat].moved_from = "", None
            t.move(seat, who)
            self.started(t)

    @step()
    def rename(self, t: Table, who: str, seat: int, luck: Random) -> None:
        name = luck.choice(["", "Ida"])
        if self.change(lobby.rename, t, who, seat, name, why=t.foreign(who, seat)):
            t.chairs[seat].name = name

    @step()
    def delete_names(self, t: Table, who: str, seat: int, luck: Random) -> None:
        own = [[t.chairs[seat] for seat in t.seats_of(who)] for t in self.tables]
        named = [chairs for chairs in own if any(c.name or c.called for c in chairs)]
        assert erase.delete_names(self.authority, who) == len(named)
        for chairs in named:
            for chair in chairs:
                chair.name = chair.called = ""
        self.touched |= {t.id for t in self.tables}
        self.tally["delete_names", "accepted"] += bool(named)

    @step()
    def post_message(self, t: Table, who: str, seat: int, luck: Random) -> None:
        text = luck.choice(["hello", " so  be it ", ""])
        why = t.stranger(who) if text else BadInput
        if self.change(chat.chat, t, who, text, why=why):
            t.said.append((len(t.said) + 1, t.seats_of(who)[0], " ".join(text.split())))

    # -- after the end, and for good --------------------------------------------------------------

    @step(OVER)
    def rematch(self, t: Table, who: str, seat: int, luck: Random) -> None:
        why = t.stranger(who) or t.unless(OVER)
        if not why and len(self.tables) > MOST and t.rematch in ("", *self.gone):
            return
        live = self.give(lobby.rematch, t, who, why=why)
        if why:
            return
        if t.rematch in ("", *self.gone):
            chairs = [Chair(c.kind, c.owner, c.name, pledge=c.pledge) for c in t.chairs]
            for chair in chairs:
                chair.unshare()
            new = Table(live.id, t.host, chairs, self.clock(), t.pace, public=t.public)
            t.rematch = live.id
            self.tables.append(new)
            self.touched.add(new.id)
            self.started(new)
        assert live.id == t.rematch

    @step(OVER)
    def explore(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """Somebody goes on from a finished match, against bots."""
        if len(self.tables) > MOST and t.status == OVER:
            return
        step, wanted = luck.randint(0, len(t.plies)), luck.choice([None, seat])
        why = t.unless(OVER) or (None if 1 <= step <= len(t.plies) else WrongTime)
        if not why and wanted is not None and wanted >= len(t.chairs):
            why = BadInput
        gone = {ply.seat for ply in t.plies[:step] if ply.kind is PlyKind.RESIGN}
        if not why and t.match and (t.match.at(step).over or wanted in gone):
            why = WrongTime
        live = self.give(lobby.explore, t, who, step, wanted, why=why)
        if why:
            return
        made = Table(live.id, who, [Chair() for _ in t.chairs], self.clock(), taken=step)
        mine = live.seats_of(who)[0]
        assert wanted in (None, mine)
        for other in range(len(t.chairs)):
            made.seat_bot(other)
        made.sit(mine, who)
        made.start_if_full(self.clock())
        made.plies = [ply._replace(at=self.clock()) for ply in t.plies[:step]]
        made.follow(self.authority.live(live.id), self.now)
        self.check_forced(made, step)
        assert wanted is not None or mine in made.pending or gone
        self.tables.append(made)
        self.touched.add(made.id)

    @step()
    def delete_table(self, t: Table, who: str, seat: int, luck: Random) -> None:
        others = any(chair.owner not in (None, who) for chair in t.chairs)
        why = t.not_host(who) or (WrongTime if others and t.status != OPEN else None)
        self.give(erase.delete_table, t, who, why=why)
        if not why:
            self.forget(t)

    @step()
    def sweep(self, t: Table, who: str, seat: int, luck: Random) -> None:
        """The house removes the tables that never began."""
        idle = [t for t in self.tables if t.status == OPEN and t.created < self.clock() - 2 * PACE]
        assert self.authority.sweep(older=2 * PACE) == len(idle)
        for t in idle:
            self.forget(t)

    @step()
    def lists_have_each_table_where_it_belongs(
        self, t: Table, who: str, seat: int, luck: Random
    ) -> None:
        running = {t.id for t in self.tables if t.public and t.status != OVER}
        assert {live.id for live in self.authority.listing()} == running
        for who in (ANN, BO, CY):
            own = [t for t in self.tables if t.seats_of(who)]
            mine = {live.id for live in self.authority.mine(who)}
            assert mine == {t.id for t in own if t.status != OVER}
            past = {game.table for game in history.finished_games(self.authority, who)}
            assert past == {t.id for t in own if t.status == OVER}


def commands() -> set[str]:
    """The names of the commands that change tables."""
    found = set(COMMANDS)
    for module in (lobby, decisions, seats, chat, erase):
        for name, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if function.__module__ == module.__name__ and first and first.annotation is Tables:
                found.add(name)
    # These change no table, or are a part of another command.
    elsewhere = {"ask_hints", "rematch_of", "report", "sweep", "go_on"}
    return {name for name in found if not name.startswith("_")} - elsewhere


def run(address: str, examples: int, number: int | None = None) -> Counter[tuple[str, str]]:
    """Run the machine; how often each command was accepted, and refused."""
    machine = type("Life", (Life,), {"address": address, "tally": Counter()})
    chosen = settings(
        max_examples=examples, stateful_step_count=8, deadline=None, database=None,
        derandomize=number is None, suppress_health_check=list(HealthCheck), print_blob=False,
        phases=PHASES,
    )  # fmt: skip
    run_machine(machine if number is None else seed(number)(machine), settings=chosen)
    tally: Counter[tuple[str, str]] = machine.tally
    return tally


def test_every_command_does_what_the_model_says(db: str) -> None:
    tally = run(db, examples=26)
    assert {name for name, how in tally if how == "accepted"} == commands()
    assert {name for name, how in tally if how == "refused"} == commands() - {"delete_names"}


@pytest.mark.nightly
def test_the_same_with_seeds_drawn_now(db: str) -> None:
    number = int(os.environ.get("SEED", 0)) or random.SystemRandom().randrange(1, 2**32)
    print(f"SEED={number}")  # shown where it fails
    run(db, examples=400, number=number)
