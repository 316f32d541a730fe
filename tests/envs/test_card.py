"""Batches on a card are those of the CPU to the bit; where there is none, only what is said."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.engine import verbs
from diablerie.engine.playout import buffers, playout, playout_by_advice
from diablerie.envs.batch import IllegalAction, generator
from diablerie.envs.cuda import driver
from tests.envs.side_by_side import game_named, here, steps

try:
    driver.require()
    WHY = ""
except driver.NoCard as error:
    WHY = str(error)

on_a_card = pytest.mark.skipif(bool(WHY), reason=WHY or "there is one")
ENOUGH = {"coals": 700, "tails": 130, "underworld": 500, "kitchen": 700}
MODES = [
    {},
    {"autoreset": "next-step", "illegal": "lose", "mask": "bits"},
    {"autoreset": "disabled", "illegal": "lose", "mask": "none", "players": ("", "random")},
    {"players": ("sensible", "")},
]


# -- without one -------------------------------------------------------------------------------


def test_a_device_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="'tpu' is none of cpu, cuda"):
        diablerie.batch("tails", 2, device="tpu")


def test_without_numba_cuda_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(driver, "find_spec", lambda _: None)
    with pytest.raises(driver.NoCard, match=r"needs numba-cuda: .*pip install .*\[gpu\]'"):
        diablerie.batch("tails", 2, device="cuda")


@pytest.mark.skipif(not find_spec("numba_cuda"), reason="numba-cuda is not installed")
def test_without_a_card_one_sentence_says_so():
    code = "import diablerie; diablerie.batch('tails', 2, device='cuda')"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=False,
        env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    said = done.stderr.splitlines()[-1]
    assert said.endswith('device="cuda" needs an NVIDIA card and its driver, and finds none here')


# -- with one ----------------------------------------------------------------------------------


@on_a_card
@pytest.mark.parametrize("mode", range(len(MODES)))
@pytest.mark.parametrize("name", [*ENOUGH, "coasters"])
def test_a_batch_on_a_card_holds_the_same_step_by_step(name, mode):
    seats, count = game_named(name).seats[-1] if mode == 0 else 2, ENOUGH.get(name, 100)
    count = 25 if mode == 3 and name == "kitchen" else count
    n = 300 if mode == 0 else 40
    both = (steps(device, name, n, count, seats=seats, seed=3, **MODES[mode])
            for device in ("cuda", "cpu"))  # fmt: skip
    ended = 0
    for k, (theirs, ours) in enumerate(zip(*both, strict=True)):
        assert theirs == ours, k
        ended += 1
    assert ended > count


@on_a_card
@pytest.mark.parametrize("play", [playout, playout_by_advice])
@pytest.mark.parametrize("name", ENOUGH)
def test_a_playout_on_a_card_goes_the_same_way(name, play):
    from diablerie.envs.cuda.playouts import play_on_device as on_card

    game, n = diablerie.GAMES[name], 50
    played = on_card(game, n, seed=4, advised=play is playout_by_advice)
    counts, returns, ends = map(here, played)
    out, p = buffers(game)
    pay = np.zeros(6)
    for i in range(n):
        s = game.start(game.seats[0])
        assert play(s, generator(4, i, 0), out, p, 10**6) == counts[i]
        assert s.asdict() == {field: ends[i][field].tolist() for field in s.declared}
        verbs.returns(s, pay)
        assert pay[: game.seats[0]].tolist() == returns[i].tolist()


@on_a_card
def test_an_illegal_action_raises_and_nothing_is_carried_out():
    batch = diablerie.batch("tails", 5, seed=1, device="cuda")
    batch.reset()
    before, chosen = here(batch.states).tobytes(), here(batch.sample())
    chosen[3] = chosen[4] = batch.game.actions - 1
    for _ in range(2):
        with pytest.raises(IllegalAction, match=rf"action {chosen[3]} of seat . in game 3"):
            batch.step(chosen)
        assert here(batch.states).tobytes() == before
    batch.step(batch.sample())
    assert here(batch.states).tobytes() != before


@on_a_card
def test_actions_may_come_from_anywhere_and_any_type():
    kinds = (np.int64, np.int32, np.uint8)
    batches = [diablerie.batch("tails", 9, seed=1, device="cuda") for _ in range(4)]
    for batch in batches:
        batch.reset()
    from numba import cuda

    for _ in range(10):
        chosen = here(batches[0].sample())
        for batch, kind in zip(batches, kinds, strict=False):
            batch.step(cuda.to_device(chosen.astype(kind)))
        batches[3].step(chosen.tolist())
    assert len({here(batch.observation).tobytes() for batch in batches}) == 1
    with pytest.raises(ValueError, match=r"shape \(9,\), not \(8,\)"):
        batches[0].step(cuda.to_device(np.zeros(8, np.int64)))


@on_a_card
def test_torch_shares_the_memory():
    torch = pytest.importorskip("torch")
    batch = diablerie.batch("tails", 8, seed=1, device="cuda", illegal="lose")
    batch.reset()
    for array in (batch.observation, batch.mask, batch.rewards, batch.actions, batch.terminated):
        for seen in (
            torch.as_tensor(array, device="cuda"),
            torch.from_dlpack(driver.dlpack_view(array)),
        ):
            assert seen.is_cuda
            assert seen.data_ptr() == array.__cuda_array_interface__["data"][0]
            assert seen.cpu().numpy().tobytes() == here(array).tobytes()
    mask = torch.as_tensor(batch.mask, device="cuda")
    before = here(batch.observation)
    batch.step(torch.multinomial(mask.float(), 1)[:, 0])
    assert not here(batch.illegal).any()
    assert (here(batch.observation) != before).any()


@on_a_card
def test_cupy_shares_the_memory():
    cupy = pytest.importorskip("cupy")
    batch = diablerie.batch("coals", 8, seed=1, device="cuda")
    batch.reset()
    for seen in (
        cupy.asarray(batch.observation),
        cupy.from_dlpack(driver.dlpack_view(batch.observation)),
    ):
        assert seen.data.ptr == batch.observation.__cuda_array_interface__["data"][0]
        assert seen.get().tobytes() == here(batch.observation).tobytes()


@on_a_card
def test_the_code_of_the_page_runs():
    pytest.importorskip("torch")
    text = (Path(__file__).parents[2] / "docs" / "research.md").read_text("utf-8")
    (code,) = re.findall(r"^```python by=tests/envs/test_card.py\n(.*?)^```", text, re.M | re.S)
    names: dict = {}
    exec(code, names)
    assert (names["rewards"].cpu().numpy() == here(names["games"].rewards)).all()
    assert not here(names["games"].illegal).any()
