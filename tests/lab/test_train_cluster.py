"""How a training is shared out among the workers of a cluster, with a cluster that is in this process.

`test_cluster.py` has trainings on a real one.
"""

import os
import signal
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from diablerie.lab.running.errors import BadCluster, WorkersLost
from diablerie.lab.train import TrainingStopped, cluster, train, training
from tests.lab.test_train import TINY

WORKERS = 3  # 8 shards: two workers have three of them, one has two


class Lost(Exception):
    """What Ray raises for a lost worker."""


class Failed(Lost):
    """What Ray raises for an exception on a worker."""


class InProcess:
    """What is used of Ray: actors in this process. What they get is read-only, as with Ray.

    losses: which calls of `get`, counted from 1, lose a worker.
    """

    exceptions = SimpleNamespace(RayError=Lost, RayTaskError=Failed)

    def __init__(self, losses=()):
        self.losses, self.calls, self.members, self.processors = losses, 0, [], WORKERS

    def remote(self, **_):
        return lambda kind: SimpleNamespace(remote=lambda: self._member(kind()))

    def _member(self, actor):
        def asked(name):
            return SimpleNamespace(remote=lambda *given: Answer(getattr(actor, name)(*given)))

        self.members.append(actor)
        return SimpleNamespace(**{name: asked(name) for name in ("start", "prepare", "do")})

    def put(self, flat):
        put = flat.copy()
        put.flags.writeable = False
        return put

    def wait(self, refs, **_):
        return refs, []

    def get(self, refs):
        self.calls += 1
        if self.calls in self.losses:
            raise Lost
        return [ref.value for ref in refs]

    def kill(self, _):
        pass

    def cluster_resources(self):
        return {"CPU": float(self.processors)}


class Answer:
    def __init__(self, value):
        self.value = value


@pytest.fixture
def on(monkeypatch):
    """Have `on="ray"` be this cluster."""

    def use(ray):
        @contextmanager
        def session(address, modules):
            assert (address, modules) == ("ray", [])
            yield ray

        monkeypatch.setattr(training, "ray_session", session)
        monkeypatch.setattr(training, "check_address", str)
        return ray

    return use


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("train") / "whole.json"
    return train("coals", out=out, **TINY), out.read_bytes()


def test_workers_of_a_cluster_learn_the_same_weights_and_measure_the_same(whole, on, tmp_path):
    ray, out = on(InProcess()), tmp_path / "policy.json"
    result = train("coals", out=out, on="ray", **TINY)
    assert out.read_bytes() == whole[1]
    assert [one.share for one in result.curve] == [one.share for one in whole[0].curve]
    assert (result.games, result.processor > 0) == (whole[0].games, True)
    assert [len(member._shards.numbers) for member in ray.members] == [3, 3, 2]


def test_no_more_workers_than_are_asked_for(on):
    ray = on(InProcess())
    train("coals", on="ray", workers=2, **{**TINY, "decisions": 1, "looks": 1})
    assert len(ray.members) == 2


@pytest.mark.parametrize("calls", [(1,), (2,), (7,), (3, 4, 5, 30)])
def test_a_round_is_played_again_with_new_workers_if_one_is_lost(calls, whole, on, tmp_path):
    ray, out = on(InProcess(calls)), tmp_path / "policy.json"
    train("coals", out=out, on="ray", **TINY)
    assert out.read_bytes() == whole[1]
    assert len(ray.members) == WORKERS * (1 + len(calls))


def test_what_was_learnt_is_kept_if_the_cluster_is_lost_and_goes_on_here(whole, on, tmp_path):
    file, out = tmp_path / "training.npz", tmp_path / "policy.json"
    on(InProcess(range(26, 1000)))  # in the third round
    with pytest.raises(WorkersLost, match=r"again and again, or itself \(Lost\)"):
        train("coals", file=file, out=out, on="ray", **TINY)
    assert out.read_bytes() != whole[1]
    done = []
    train("coals", file=file, out=out, progress=lambda n, _: done.append(n), **TINY)
    assert done[0] > 4000
    assert out.read_bytes() == whole[1]


def test_what_ctrl_c_stopped_here_goes_on_there(whole, on, tmp_path):
    file, out = tmp_path / "training.npz", tmp_path / "policy.json"

    def stop(done, _):
        if done > 3000:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(TrainingStopped):
        train("coals", file=file, out=out, progress=stop, **TINY)
    assert out.read_bytes() != whole[1]
    on(InProcess())
    train("coals", file=file, out=out, on="ray", **TINY)
    assert out.read_bytes() == whole[1]


def test_a_node_with_another_version_is_refused(on, monkeypatch):
    on(InProcess())
    monkeypatch.setattr(cluster, "this_version", lambda: ("0.0.1", "another"))
    with pytest.raises(BadCluster, match=r"another diablerie, .*, not 0\.0\.1 \(another\)"):
        train("coals", on="ray", **TINY)


@pytest.mark.parametrize(("start", "left"), [(0.0, WORKERS), (1e9, 1)])
def test_workers_that_do_not_start_are_left_out_in_time_or_once_their_node_is_gone(
    start, left, whole, on, tmp_path, monkeypatch
):
    ray, out = on(InProcess()), tmp_path / "policy.json"
    monkeypatch.setattr(cluster, "START_SECONDS", start)

    def wait(refs, **_):
        ray.processors = left
        return refs[:1], refs[1:]

    ray.wait = wait
    train("coals", out=out, on="ray", **TINY)
    assert out.read_bytes() == whole[1]
    assert [hasattr(member, "_shards") for member in ray.members] == [True, False, False]
