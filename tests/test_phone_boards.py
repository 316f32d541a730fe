"""Boards on a phone 390 pixels wide, at positions of whole games: what is written can be read.

The players of these games do what is sensible or anything, as a coin says. In the pictures of all
that a player may see, no word lies on another, none leaves the picture, and all are large enough.
"""

from collections.abc import Iterator
from functools import lru_cache
from re import findall
from typing import Any, NamedTuple

import pytest

from diablerie.art.svg import group, parted, svg_text
from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.record import Record
from diablerie.engine.rng import below, seeded
from diablerie.engine.verbs import OVER
from diablerie.testing.positions import GameSetting, choose_action
from tests.boxes import Box, layers, meeting

SCREEN = (384, 0.62 * 844)  # pixels that a board has in its frame: see static/table.css
LETTER = 11
UNSEEN = frozenset({"peg-letter"})  # on a phone


class Told(NamedTuple):
    """What is wrong, and where."""

    words: str
    box: tuple[float, ...]
    why: str


def positions(game: str, seed: int) -> Iterator[Record]:
    """Every position of a game of four; the record is played on."""
    rng, s = seeded(seed), GameSetting(game, 4).start()
    while True:
        yield s
        if verbs.actor(s) == OVER:
            return
        verbs.apply(s, *choose_action(GameSetting(game, 4).game, s, rng, below(rng, 2) == 0))


def picture(game: Any, s: Record, viewer: int) -> Any:
    seen = redacted(s, viewer)
    legal = legal_actions(game, seen, viewer) if verbs.pending(s) >> viewer & 1 else ()
    moves = [game.notation.format_action(seen, viewer, action) for action in legal]
    return game.ui.draw(game.ui.look(seen, viewer), moves, str)


def wrong(drawn: Any) -> set[Told]:
    """All that cannot be read in a picture, whatever is chosen in it."""
    head, *inner, _ = drawn.parts
    left, top, wide, high = map(float, findall(r'viewBox="(\S+) (\S+) (\S+) (\S+)"', head)[0])
    scale = min(SCREEN[0] / wide, SCREEN[1] / high)
    always: list[Box] = []
    chosen: dict[str, list[Box]] = {}
    whole = [
        part for part in inner if "</" in part[1:] or part.endswith("/>")
    ]  # else a tag of a `g`
    for when, boxes in (layer for part in whole for layer in layers(part, UNSEEN)):
        (chosen.setdefault(when, []) if when else always).extend(boxes)
    found = _overlaps(tuple(always))
    for when, boxes in chosen.items():
        found |= _overlaps(tuple(boxes) if when.startswith("data-fan") else (*always, *boxes))
    for box in (*always, *(box for boxes in chosen.values() for box in boxes)):
        inside = left <= box.left and top <= box.top and box.right <= left + wide
        if not inside or box.bottom > top + high:
            found.add(Told(box.words, box[1:5], "outside"))
        if box.size * scale < LETTER:
            found.add(Told(box.words, box[1:5], f"{box.size * scale:.1f} pixels"))
    return found


@lru_cache(1 << 14)
def _overlaps(boxes: tuple[Box, ...]) -> set[Told]:
    return {Told(a.words, a[1:5], f"on {b.words} {b[1:5]}") for a, b in meeting(boxes)}


@pytest.mark.parametrize("name", ["kitchen", "underworld"])
@pytest.mark.parametrize(
    ("games", "every"),
    [
        pytest.param(range(20), 4, id="20"),
        pytest.param(range(520), 1, id="520", marks=pytest.mark.nightly),
    ],
)
def test_on_a_phone_all_words_can_be_read(name: str, games: range, every: int) -> None:
    """In `make test` at one position of four: games played further differ more than neighbours."""
    game = GameSetting(name, 4).game
    shown = 0
    for seed in games:
        for ply, s in enumerate(positions(name, seed)):
            if (ply + seed) % every:
                continue
            actor = verbs.actor(s)
            found = wrong(picture(game, s, actor if actor >= 0 else ply % 4))
            assert not found, f"game {seed}, ply {ply}"
            shown += 1
    assert shown > 100 * len(games) // every


def test_the_check_sees_what_cannot_be_read() -> None:
    one = group(svg_text(50, 50, 7, font_size=30), transform="translate(10 0) scale(2)")
    on = svg_text(112, 100, 8, font_size=60)
    small, away = svg_text(300, 300, 3, font_size=5), svg_text(389, 200, 4, font_size=30)
    found = wrong(parted("svg", one, on, small, away, viewBox="0 0 390 390"))
    assert {(told.words, told.why.split()[0]) for told in found} == {
        ("7", "on"), ("3", "4.9"), ("4", "outside"),
    }  # fmt: skip
