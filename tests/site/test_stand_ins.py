"""What takes the place of NumPy and Numba in a browser does the same as they, for what is used."""

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from diablerie.bots.rollouts import tempered
from diablerie.engine.game import Game
from diablerie.engine.walk import walk
from diablerie.games import OURS
from diablerie.site.browser import arrays, stand_ins
from tests.site.positions import Host, addresses, pages_of

IN_PYTHON = """
import sys
from diablerie.site.browser import stand_ins
stand_ins.install()
"""
WALKS = """
import json
from diablerie.engine.walk import walk
from diablerie.games import ALL
found = {n: list(walk(g, g.start(g.seats[-1]), 5, 40)) for n, g in ALL.items()}
print(json.dumps(found))
"""
PAGES = """
import json
from tests.site.positions import pages_of
database, cookies, asked = json.loads(sys.argv[1])
print(json.dumps(pages_of(database, cookies, asked)))
"""


CHANCES = [[0.25, 0.75], [1.0, 0.0], [0.5, 1.0], [0.0, 0.0]]
TEMPERED = """
import json
from diablerie.bots.rollouts import tempered
print(json.dumps(tempered(json.loads(sys.argv[1]), 1.5).tolist()))
"""


def without_numpy(code: str, *words: str) -> Any:
    """What a Python prints that has the stand-ins, and rules that are not compiled, as JSON."""
    command = [sys.executable, "-c", IN_PYTHON + code, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_the_rules_play_the_same_walks() -> None:
    found = without_numpy(WALKS)
    for game in OURS:
        assert found[game.name] == list(walk(game, game.start(game.seats[-1]), 5, 40))


def test_chances_are_tempered_as_by_numpy() -> None:
    """Those of a replay, which NumPy's `divide` once computed and the stand-in did not have."""
    found = without_numpy(TEMPERED, json.dumps(CHANCES))
    assert found == [pytest.approx(row) for row in tempered(CHANCES, 1.5).tolist()]


def test_positions_have_the_same_pages(tmp_path: Path) -> None:
    """Byte for byte, four of each game."""
    database = str(tmp_path / "tables.db")
    with closing(Host(database)) as host:
        asked = addresses(host, positions=4)
    ours = pages_of(database, host.cookies, asked)
    assert len(ours) == 16
    assert len(set(ours.values())) == 16
    theirs = without_numpy(PAGES, json.dumps([database, host.cookies, asked]))
    for address, page in ours.items():
        assert theirs[address] == page, address


@pytest.mark.parametrize("game", OURS, ids=lambda game: game.name)
def test_records_have_the_same_layout(game: Game) -> None:
    fields = []
    for name, (kind, _) in game.state.dtype.fields.items():
        fields.append((name, f"{kind.base.kind}{kind.base.itemsize}", kind.shape))
    ours, theirs = game.state.dtype, arrays.dtype(fields, align=True)
    assert theirs.itemsize == ours.itemsize
    assert [_told(theirs, name) for name in theirs.fields] == [
        _told(ours, name) for name in ours.fields
    ]


def _told(layout: Any, name: str) -> tuple[Any, ...]:
    field, offset = layout.fields[name]
    return name, offset, field.base.str[1:], field.shape


SHAPES = {
    "a row": lambda np: np.arange(12).reshape(3, 4)[1],
    "a column": lambda np: np.arange(12).reshape(3, 4)[:, -1],
    "a part": lambda np: np.arange(12).reshape(3, 4)[1:, 1:3],
    "backwards": lambda np: np.arange(5)[::-1],
    "a new axis": lambda np: np.arange(3)[:, None] * np.arange(2),
    "by a mask": lambda np: np.arange(6)[np.arange(6) >= 3],
    "by places": lambda np: np.array([1.5, 2.5, 3.5])[[2, 0]],
    "arithmetic": lambda np: 2 - np.array([1, 2]) / 2 + np.array([0.5, 1.0]) ** 2,
    "extremes": lambda np: np.array([np.max(np.array([3, 7])), np.argmin(np.array([3, 1, 2]))]),
    "along an axis": lambda np: np.arange(6).reshape(2, 3).sum(-1, keepdims=True),
    "most of rows": lambda np: np.arange(6).reshape(2, 3).max(1, initial=4),
    "how far apart": lambda np: np.array([np.arange(6).reshape(2, 3)[:, 1].std()]),
    "where": lambda np: np.where(np.array([1, 5]) > 2, np.array([1.0, 2.0]), 0.0),
    "differences": lambda np: np.abs(np.diff(np.array([[1.0], [4.0], [2.0]]), axis=0)),
    "in order": lambda np: np.argsort(np.array([2, 1, 2, 0]), kind="stable"),
    "one after the other": lambda np: np.concatenate([np.zeros((1, 2)), np.full((1, 2), 3.0)]),
    "some more often": lambda np: np.repeat([1.5, 2.5], [2, 1]),
    "half as long": lambda np: np.frombuffer(b"\x00\x3c\x00\xc1", "<f2").astype(np.float32),
    "other numbers": lambda np: np.frombuffer(bytearray(range(8)), np.uint8).view(np.int32),
}


@pytest.mark.parametrize("made", SHAPES.values(), ids=SHAPES)
def test_arrays_are_as_numpy_has_them(made: Any) -> None:
    ours, theirs = made(np), made(arrays_as_numpy())
    assert theirs.shape == ours.shape
    assert theirs.tolist() == ours.tolist()


def arrays_as_numpy() -> Any:
    """The stand-in's module as `stand_ins.install` makes it."""
    return SimpleNamespace(**(vars(arrays) | stand_ins.numpy_functions()))


def test_writing_reaches_the_same_bytes() -> None:
    a, b = np.zeros((2, 3), np.int16), arrays.zeros((2, 3), arrays.int16)
    for one in (a, b):
        one[1] = [1, 2, 3]
        one[:, 0] = -1
        one[0, 1:] += 5
    assert b.tobytes() == a.tobytes()


def test_what_lies_outside_is_refused() -> None:
    with pytest.raises(IndexError):
        arrays.zeros(3)[3]
    with pytest.raises(ValueError, match="shapes"):
        arrays.zeros((2, 3))[...] = arrays.zeros(2)


def test_nothing_takes_the_place_of_what_is_loaded() -> None:
    with pytest.raises(RuntimeError, match="numba, numpy, prometheus_client is loaded already"):
        stand_ins.install()
