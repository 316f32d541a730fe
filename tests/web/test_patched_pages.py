"""A page that was patched by the events of its stream is the page that would be loaded now.

Games are played at random among people in four languages, with a watcher; meanwhile they rename
themselves, talk, take back and leave. Each browser holds what its compressed stream told. Now and
then this is compared with regions that a server makes which remembers nothing.
"""

import functools
import json
import random
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from diablerie.engine.text import UserError
from diablerie.table.authority import Authority
from diablerie.table.commands import chat, decisions, lobby, seats
from diablerie.table.state.table_state import RUNNING
from diablerie.web.frames import frames
from diablerie.web.frames.frames import Frame, Sender, Window, cached_frame, gather
from diablerie.web.frames.memo_cache import MemoCache
from diablerie.web.frames.table_page import Recipient, Viewpoint, view_table
from diablerie.web.html.reach import Reach
from diablerie.web.routes.streaming import GZIP
from tests.stores import new_store
from tests.web.test_patch import mended

PEOPLE = {"coals": 3, "tails": 2, "underworld": 3, "kitchen": 3}
LOCALES = ("en", "de", "fr", "ro")
EVERY = 3


class Page:
    """A browser's page: its regions as parts, mended by events as static/live.js does it."""

    def __init__(self, authority: Authority, table: str, visitor: str | None, locale: str) -> None:
        self.authority, self.table = authority, table
        self.recipient = Recipient(
            visitor, locale, Reach("http://x"), calls=True, words=locale in ("de", "ro")
        )
        self.sender, self.window = Sender(edits=True), Window()
        self.unzip = zlib.decompressobj(31)
        assert self.unzip.decompress(GZIP) == b""
        self.parts: dict[str, list[str]] = {}
        self.title = ""
        self.kinds = {"patched": 0, "whole": 0}

    @property
    def seen(self) -> Viewpoint:
        """What it looks at."""
        return view_table(self.authority, self.table, self.recipient.visitor)

    def hear(self) -> None:
        """Take the event of now from the stream."""
        frame = cached_frame(self.authority, self.seen, self.recipient)
        event = self.sender.event(frame, self.authority.clock())
        if not event.text:
            return
        text = self.unzip.decompress(self.window.squeeze(event))
        assert text == event.text
        told = json.loads(text.partition(b"\ndata: ")[2])
        self.title = told["title"]
        for name, patch in told["regions"].items():
            old, new = self.parts.get(name, []), list[str]()
            for one in patch:
                new += mended(old, one)
                self.kinds["whole" if isinstance(one, str) else "patched"] += 1
            self.parts[name] = new

    @property
    def shown(self) -> tuple[str, dict[str, str]]:
        """Its title and regions."""
        return self.title, {name: "".join(parts) for name, parts in self.parts.items()}


def _fresh(page: Page) -> Frame:
    return frames.make_frame(gather(page.authority, page.seen, page.recipient))


def _remembering() -> list[tuple[Any, str, Any]]:
    """All functions of the package that remember their results, by module and name."""
    return [
        (module, name, kept)
        for word, module in list(sys.modules.items())
        if word.startswith("diablerie.") and "table.storage" not in word
        for name, kept in vars(module).items()
        if isinstance(kept, functools._lru_cache_wrapper)
    ]


@contextmanager
def forgetful(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is remembered meanwhile."""
    with monkeypatch.context() as anew:
        anew.setattr(MemoCache, "get", lambda _, __, make: make())
        for module, name, kept in _remembering():
            if not name.startswith(("environment", "texts")):  # templates and catalogues
                anew.setattr(module, name, kept.__wrapped__)
        yield


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[Authority]:
    authority = Authority(new_store(tmp_path / "a.sqlite"))
    yield authority
    authority.store.close()


def meanwhile(authority: Authority, table: str, who: str, seat: int, rng: random.Random) -> None:
    """Something that people do besides deciding, if it can be."""
    live = authority.live(table)
    jobs: list[Callable[[], object]] = [
        lambda: lobby.rename(authority, table, who, seat, rng.choice(["<Ann> & Co", "Bo", ""])),
        lambda: chat.chat(authority, table, who, f"“{live.ply}” <b>&amp;"),
        lambda: decisions.take_back(authority, table, who, live.ply, seat),
        lambda: seats.hand_over(authority, table, who, seat),
        lambda: seats.relieve_bot(authority, table, who, seat),
        lambda: authority.attendance.leave(table, who),
        lambda: authority.attendance.enter(table, who),
    ]
    with suppress(UserError):
        rng.choice(jobs)()


@pytest.mark.parametrize("plies", [24, pytest.param(80, marks=pytest.mark.ci)])
@pytest.mark.parametrize("game", PEOPLE)
def test_a_patched_page_is_the_page_that_would_be_made_anew(
    game: str, plies: int, authority: Authority, monkeypatch: pytest.MonkeyPatch
):
    rng, people = random.Random(game), [f"visitor-{seat}" for seat in range(PEOPLE[game])]
    table = lobby.open_table(authority, people[0], game, ["me", *["open"] * (len(people) - 1)]).id
    for who in people[1:]:
        lobby.sit(authority, table, who)
    for who in people:
        authority.attendance.enter(table, who)
    viewers = [*people, None]
    pages = [
        Page(authority, table, who, locale) for who, locale in zip(viewers, LOCALES, strict=False)
    ]
    compared = 0
    for turn in range(plies):
        live = authority.live(table)
        if live.status != RUNNING:
            break
        seat = rng.choice(live.pending)
        if not live.seats[seat].stand_in:
            move = rng.choice(live.position(seat).moves).text
            decisions.decide(authority, table, people[seat], live.ply, move, seat)
        else:
            seats.relieve_bot(authority, table, people[seat], seat)
        if turn % EVERY == 0:
            seat = rng.randrange(len(people))
            meanwhile(authority, table, people[seat], seat, rng)
        for page in pages:
            page.hear()
        page = pages[turn % len(pages)]
        with forgetful(monkeypatch):
            fresh = _fresh(page)
        title, regions = page.shown
        assert (title, regions) == (fresh.title, dict(fresh.regions))
        compared += 1
    assert compared > plies // 2
    assert all(page.kinds["patched"] and page.kinds["whole"] for page in pages)
