"""All that is installed is what locked.txt names: every file is known by its hash."""

import re
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests import shells
from tools import hashes, setup

ROOT = Path(__file__).parent.parent
LINE = re.compile(r"([a-z0-9-]+)==(\S+)((?: --hash=sha256:[0-9a-f]{64})+)")


def test_every_pinned_version_has_its_hashes() -> None:
    _, pins = setup.locked()
    found = {name: LINE.fullmatch(line) for name, line in pins.items()}
    assert {name: match[2] for name, match in found.items() if match} == hashes.pins()


@pytest.mark.parametrize("purpose", [*setup.EXTRAS, setup.BUILD])
def test_what_is_installed_for_a_purpose_is_all_it_needs(purpose: str) -> None:
    """`make locked` brings it up to date."""
    for extra in setup.EXTRAS.get(purpose, ()):
        for one in map(Requirement, requires("diablerie") or []):
            if one.marker and one.marker.evaluate({"extra": extra}):
                try:
                    version(one.name)
                except PackageNotFoundError:
                    pytest.skip(f"{one.name} of the extra {extra} is not installed")
    packages, _ = setup.locked()
    assert packages[purpose] == hashes.needed(purpose, hashes.pins())


def test_plugins_are_installed_for_tests_and_not_to_play(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setenv("PYTHONPATH", "")  # which it changes
    monkeypatch.setattr(setup, "install_locked", lambda *_: 0)
    monkeypatch.setattr(setup, "install", lambda *what: asked.append(what))
    for purpose in ("play", "test"):
        setup.install_projects([purpose])
    play, test = asked
    assert str(ROOT) in play
    assert set(test) - set(play) == {str(ROOT / "plugins" / "exact")}


def test_no_index_is_named() -> None:
    text = (ROOT / "locked.txt").read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE), "no options of pip"


@pytest.mark.parametrize("sound", [pytest.param(True, marks=pytest.mark.ci), False])
def test_a_file_with_another_hash_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: bool
) -> None:
    wheels = shells.pack(tmp_path / "wheels", "idna")
    (wheel,) = wheels.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "hash", str(wheel)]
    digest = subprocess.run(pip, capture_output=True, text=True, check=True).stdout.split()[-1]
    if not sound:
        digest = f"--hash=sha256:{'0' * 64}"
    version = wheel.name.split("-")[1]
    (tmp_path / "locked.txt").write_text(f"play: idna\nidna=={version} {digest}\n")
    shutil.copy2(ROOT / "constraints.txt", tmp_path)
    shells.environment(tmp_path / ".venv")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    for name, value in shells.offline(wheels).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    assert (setup.install_locked(["play"]) == 0) is sound
    assert bool([*(tmp_path / ".venv").glob("lib/*/site-packages/idna")]) is sound
