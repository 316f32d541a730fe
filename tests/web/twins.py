"""Twins: two databases that differ in nothing but what one viewer may not know.

A game is played at random; then every decision and outcome that the viewer did not see is
exchanged for another one, where all that the viewer sees until the end stays the same.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from starlette.applications import Starlette

from diablerie.engine.fair import DiceStream
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.plies import Event, Ply
from diablerie.engine.queries import Illegal, chance_outcomes, legal_actions, redacted, sees
from diablerie.engine.rng import below, seeded
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.games import ALL
from diablerie.runtime.clock import Clock
from diablerie.table.authority import Authority
from diablerie.table.state.nonce_exchange import settled
from diablerie.table.state.table_state import FINISHED_TABLE, PERSON, RUNNING, TableSeat, TableState
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import rows
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from tests.stores import new_store
from tests.web.client import Client
from tests.web.test_stream import Listener

KEY = bytes(range(32))
TABLE = "twin-table"
NOW = 1000.0
SECRETS = [f"the secret of seat {seat}" for seat in range(6)]
TRIES = 5  # other decisions or outcomes that are tried in place of a hidden one

History = list[list[Event]]  # plies of events


class Twins(NamedTuple):
    """Two histories of one game, and who cannot tell them apart."""

    game: str
    seats: int
    viewer: int
    histories: tuple[History, History]

    @property
    def different(self) -> int:
        """In how many events they differ."""
        flat = [[event for ply in history for event in ply] for history in self.histories]
        return sum(a != b for a, b in zip(*flat, strict=True))


def opening(game: str, seats: int) -> Match:
    return Match.opening(ALL[game], seats=seats, fair=DiceStream(KEY))


def played(game: str, seats: int, seed: int, length: int) -> History:
    """So many plies of a random game."""
    match, rng = Match.new(ALL[game], seats=seats, fair=DiceStream(KEY)), seeded(seed)
    while match.ply < length and not match.over:
        seat = match.pending[below(rng, len(match.pending))]
        actions = match.actions(seat)
        match.carry_out(actions[below(rng, len(actions))], seat)
    return [list(ply.events) for ply in match.plies]


def seen(twins: Twins, history: History) -> list[bytes] | None:
    """What the viewer sees after every ply; None if it cannot be played."""
    match, found = opening(twins.game, twins.seats), []
    try:
        for events in history:
            match.append(ply_of(events))
            found.append(redacted(match.state, twins.viewer).tobytes())
    except (Illegal, NotationError):
        return None
    return found


def ply_of(events: list[Event]) -> Ply:
    return Ply(events[0].seat if events else CHANCE, tuple(events))


def instead(twins: Twins, history: History, ply: int, k: int) -> list[str]:
    """What else might be decided or drawn at an event, if the viewer does not see it."""
    match = opening(twins.game, twins.seats)
    for events in history[:ply]:
        match.append(ply_of(events))
    for event in history[ply][:k]:
        match.apply(event)
    s, seat, notation = match.state, history[ply][k].seat, match.game.notation
    if sees(s, seat, twins.viewer):
        return []
    if seat == CHANCE:
        return [notation.format_outcome(s, o) for o in chance_outcomes(match.game, s)[0]]
    return [notation.format_action(s, seat, a) for a in legal_actions(match.game, s, seat)]


def twins_of(game: str, seats: int, viewer: int, seed: int, length: int) -> Twins:
    """A random game and its twin, in which as much as possible is different."""
    truth = played(game, seats, seed, length)
    made = Twins(game, seats, viewer, (truth, [ply[:] for ply in truth]))
    other, wanted, rng = made.histories[1], seen(made, truth), seeded(seed)
    for ply, events in enumerate(truth):
        for k, event in enumerate(events):
            texts = [t for t in instead(made, other, ply, k) if t != event.text]
            for _ in range(min(TRIES, len(texts))):
                text = texts.pop(below(rng, len(texts)))
                other[ply][k] = Event(event.seat, text)
                if seen(made, other) == wanted:
                    break
                other[ply][k] = event
    return made


class World:
    """One of the two: a database of its own and a server on it."""

    def __init__(self, folder: Path, twins: Twins, which: int, begun: int) -> None:
        """With the first `begun` plies played; `go_on` plays the others."""
        self.left = twins.histories[which][begun:]
        match = opening(twins.game, twins.seats)
        for events in twins.histories[which][:begun]:
            match.append(ply_of(events)._replace(at=NOW))
        infos = tuple(
            TableSeat(i, PERSON, f"Player{i}", visitor_of(SECRETS[i])) for i in range(twins.seats)
        )
        fresh = TableState(TABLE, match.game, match.options, RUNNING, True, visitor_of(SECRETS[0]),
                     DiceStream(KEY).commitment, NOW, infos, hints=True)  # fmt: skip
        fresh = settled(fresh, KEY)
        store = new_store(folder / f"world-{which}.db")
        writes = [*rows.created(fresh, KEY), *rows.difference(fresh, replace(fresh, match=match))]
        store.commit(*writes)
        store.close()
        self.store = Store(folder / f"world-{which}.db", durable=False)  # as after a restart
        self.authority = Authority(self.store, clock=Clock(lambda: NOW, lambda: 0.0))
        self.app: Starlette = create_app(self.authority)
        self.client = Client(self.app)
        if twins.viewer != WATCHER:
            self.authority.browsers.note(visitor_of(SECRETS[twins.viewer]))
            self.client.cookies.set("diablerie", SECRETS[twins.viewer], domain="localhost.local")

    def go_on(self) -> None:
        """The next ply happens at the table."""
        ply = ply_of(self.left.pop(0))._replace(at=NOW)

        def step(live: TableState) -> TableState:
            assert live.match is not None
            match = live.match.copy()
            match.append(ply)
            return replace(live, match=match, status=FINISHED_TABLE if match.over else RUNNING)

        self.authority.change(TABLE, step)

    def answers(self, texts: list[str], viewer: int) -> Iterator[tuple[str, bytes]]:
        """Everything the server says to the viewer, refusals too: what was asked, and how."""
        home, me = f"/t/{TABLE}", max(viewer, 0)
        parts = ("", ".json", "/frame", "/log", "/match.jsonl", "/replay")
        for part in (*parts, "/screen", "/frame?screen=1"):
            yield self._told("GET", home + part)
        for text in texts:
            yield self._told("GET", f"{home}?draft={text}")
            for seat in {me, me + 1}:
                ply = self.authority.live(TABLE).ply
                form = {"seat": str(seat), "ply": str(ply), "do": f"{text};{text}"}
                yield self._told("POST", f"{home}/decide", form)
        for part in ("hint", "link", "give", "take", "leave", "rematch", "delete"):
            yield self._told("POST", f"{home}/{part}", {"seat": str(me + 1)})
        yield self._told("POST", f"{home}/explore", {"step": "1", "seat": str(me)})

    def _told(self, method: str, url: str, form: dict[str, str] | None = None) -> tuple[str, bytes]:
        headers = {"accept": "text/html" if method == "GET" else "application/json"}
        answer = self.client.request(method, url, data=form, headers=headers)
        said = sorted(answer.headers.multi_items())
        return f"{method} {url} {form}", f"{answer.status_code} {said}".encode() + answer.content


@contextmanager
def worlds(folder: Path, twins: Twins, begun: int) -> Iterator[tuple[World, World]]:
    """Both, as they stand after the first `begun` plies."""
    both = World(folder, twins, 0, begun), World(folder, twins, 1, begun)
    yield both
    for world in both:
        world.store.close()


def streamed(both: tuple[World, World]) -> list[str]:
    """What each stream says while the rest is played."""

    async def run() -> list[str]:
        url, texts = f"/t/{TABLE}/stream", []
        for world in both:
            async with Listener(world.app, world.client, url) as stream:
                await stream.events(1)
                for count in range(len(world.left)):
                    await asyncio.to_thread(world.go_on)
                    await stream.events(count + 2)
                texts.append(stream.text)
        return texts

    return asyncio.run(run())
