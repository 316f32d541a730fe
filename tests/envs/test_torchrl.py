"""TorchRL plays the environments of PettingZoo as docs/research.md writes it. It pins torch, so no
extra brings it: `pip install torchrl` beside the rest, and `make nightly` runs this."""

import pytest

from tests.envs.needed import needed

needed("pettingzoo")
REASON = "torchrl is not installed: no extra brings it, since it needs torch"
envs = pytest.importorskip("torchrl.envs", reason=REASON)

from diablerie.envs import pettingzoo  # noqa: E402

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.filterwarnings("ignore"),  # of its own
]


@pytest.mark.parametrize("made", [pettingzoo.env, pettingzoo.parallel_env])
@pytest.mark.parametrize("history", [0, 4])
def test_its_wrapper_plays_legal_actions_and_shows_the_mask(made, history):
    wrapped = envs.PettingZooWrapper(made("coals", seats=3, history=history), use_mask=True, seed=1)
    played = wrapped.rollout(12, break_when_any_done=True)
    groups = [name for name in played.keys() if name.startswith("seat")]  # noqa: SIM118
    assert groups
    for group in groups:
        seen = played[group, "observation"]
        assert ("history" in seen.keys()) == bool(history)  # noqa: SIM118
        assert played[group, "action_mask"].any()
    wrapped.close()
