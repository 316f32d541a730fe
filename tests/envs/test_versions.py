"""The `-v2` in the names of environments: what it stands for does not change under it."""

import json

from diablerie.envs import gymnasium as environments
from tests.envs import versions
from tests.envs.needed import needed

gymnasium = needed("gymnasium")


def test_what_a_learner_meets_is_what_its_version_stands_for():
    """If it was meant to change: raise VERSION in envs/gymnasium.py, then `make golden`."""
    kept = json.loads(versions.KEPT.read_text("utf-8"))
    assert kept == {"version": environments.VERSION, "digests": dict(versions.digests())}


def test_every_environment_is_named_by_the_version():
    ours = [name for name in gymnasium.registry if name.startswith("diablerie/")]
    assert ours
    assert {name.rpartition("-v")[2] for name in ours} == {str(environments.VERSION)}


def test_no_other_digests_are_written_under_a_version_that_has_some(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(versions, "KEPT", tmp_path / "versions.json")
    monkeypatch.setattr(versions, "digests", lambda: iter([("coals-2", "a")]))
    assert versions.main() == versions.main() == 0
    monkeypatch.setattr(versions, "digests", lambda: iter([("coals-2", "b")]))
    assert versions.main() == 2
    assert "VERSION" in capsys.readouterr().err
    monkeypatch.setattr(versions, "VERSION", environments.VERSION + 1)
    assert versions.main() == 0
