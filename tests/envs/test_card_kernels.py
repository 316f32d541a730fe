"""Every kernel compiles for a card, from the rules as they are, and its constants find room."""

import numpy as np
import pytest

from tests.envs.needed import needed
from tests.envs.side_by_side import game_named

needed("numba_cuda", "ptx")
pytestmark = pytest.mark.ci

from tests.envs import ptx  # noqa: E402 (needs what is asked for above)

WHAT = {
    "random": lambda game: ptx.playout(game, advised=False),
    "advised": lambda game: ptx.playout(game, advised=True),
    "step": lambda game: ptx.step(game, inside=False),
    "step with players inside": lambda game: ptx.step(game, inside=True),
}
QUICK = {("tails", "step")}
OURS = ("coals", "tails", "underworld", "kitchen")
ALL = [*((name, what) for name in OURS for what in WHAT), ("coasters", "step with players inside")]


def check(function, signature, folder):
    """Compile a kernel; what a card would refuse is not in it."""
    text = ptx.compiled(function, signature)
    assert ".visible .entry" in text
    assert ptx.constants(text) <= ptx.CONSTANTS
    assert ptx.assembled(text, folder) == ""


@pytest.mark.parametrize(
    ("name", "what"),
    [
        pytest.param(*pair, marks=() if pair in QUICK else pytest.mark.nightly, id=" ".join(pair))
        for pair in ALL
    ],
)
def test_a_kernel_compiles_and_its_constants_find_room(name, what, monkeypatch, tmp_path):
    ptx.without_a_card(monkeypatch)
    check(*WHAT[what](game_named(name)), tmp_path)


def test_the_small_kernels_compile(monkeypatch, tmp_path):
    ptx.without_a_card(monkeypatch)
    for function, signature in ptx.plain():
        check(function, signature, tmp_path)


def test_constants_are_counted(monkeypatch):
    ptx.without_a_card(monkeypatch)
    from numba import cuda, types

    table = np.arange(10_000, dtype=np.int64)

    def kernel(out):
        i = cuda.grid(1)
        out[i] = table[i]

    text = ptx.compiled(kernel, (types.int64[::1],))
    assert ptx.constants(text) == table.nbytes > ptx.CONSTANTS


def test_our_kernels_round_sums_and_products_apart(monkeypatch):
    ptx.without_a_card(monkeypatch)
    from numba import types

    def kernel(x, out):
        out[0] = x[0] * x[1] + x[2]

    signature = (types.float64[::1], types.float64[::1])
    assert "fma" in ptx.compiled(kernel, signature)
    kernel.__module__ = "diablerie.kernel"
    assert "fma" not in ptx.compiled(kernel, signature)
