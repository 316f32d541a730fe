"""All that is installed is what locked.txt names: every file is known by its hash."""

import hashlib
import re
import shlex
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution, requires, version
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
    monkeypatch.setattr(setup, "install_locked", lambda *_: 0)
    monkeypatch.setattr(setup, "install", lambda *what, **_: asked.append(what))
    for purpose in ("play", "test"):
        setup.install_projects([purpose])
    play, test = asked
    assert str(ROOT) in play
    assert set(test) - set(play) == {str(ROOT / "plugins" / "exact")}


def test_no_index_is_named() -> None:
    text = (ROOT / "locked.txt").read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE), "no options of pip"


def pins(wheels: Path) -> list[str]:
    """What locked.txt would say of these wheels."""
    digests = {one: hashlib.sha256(one.read_bytes()).hexdigest() for one in wheels.glob("*.whl")}
    return [
        "{}=={} --hash=sha256:{}".format(*one.name.split("-")[:2], digest).replace("_", "-")
        for one, digest in digests.items()
    ]


@pytest.mark.parametrize("sound", [pytest.param(True, marks=pytest.mark.ci), False])
def test_a_file_with_another_hash_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sound: bool
) -> None:
    wheels = shells.pack(tmp_path / "wheels", "idna")
    (pin,) = pins(wheels)
    if not sound:
        pin = re.sub("sha256:.*", f"sha256:{'0' * 64}", pin)
    (tmp_path / "locked.txt").write_text(f"play: idna\n{pin}\n")
    shells.environment(tmp_path / ".venv")
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    for name, value in shells.offline(wheels).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    assert (setup.install_locked(["play"]) == "") is sound
    assert bool([*(tmp_path / ".venv").glob("lib/*/site-packages/idna")]) is sound


@pytest.mark.ci
def test_make_sets_up_and_plays_in_a_folder_whose_name_has_spaces(tmp_path: Path) -> None:
    clone = shells.clone(tmp_path / "Spiele Tëst (1)" / "a b")
    shells.environment(clone / ".venv", *shells.needs(distribution("diablerie"), "play"))
    wheels = shells.pack(tmp_path / "wheels", *shells.BUILDING)
    packages = " ".join(pin.partition("==")[0] for pin in pins(wheels))
    lines = ["play:", f"build: {packages}", *pins(wheels)]
    (clone / "locked.txt").write_text("\n".join(lines) + "\n")
    shutil.copy2(ROOT / "Makefile", clone)
    (clone / "tools").mkdir()
    shutil.copy2(ROOT / "tools" / "setup.py", clone / "tools")
    (clone / "plugins" / "exact").mkdir(parents=True)
    shutil.copy2(ROOT / "plugins" / "exact" / "pyproject.toml", clone / "plugins" / "exact")
    command = f"make play ARGS=--help PYTHON={shlex.quote(sys.executable)}"
    done = shells.shell(command, clone, LC_ALL="C", **shells.offline(wheels))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--no-open" in done.stdout


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'", True),
        ("ERROR: Could not open requirements file: No such file or directory", False),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES", False),
        ("OSError: [Errno 28] No space left on device", False),
    ],
)
def test_only_a_network_that_failed_is_asked_for(said, asks, monkeypatch, tmp_path, capsys):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pip").touch()
    monkeypatch.setattr(setup, "VENV", tmp_path)
    monkeypatch.setattr(setup, "install", lambda *_: said)
    monkeypatch.setattr(sys, "argv", ["setup.py", "play"])
    assert setup.main() == 2
    assert ("is there a network?" in capsys.readouterr().err) is asks
