"""The pictures of README: real positions, whole in themselves, by day and by night."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest

import diablerie
from diablerie.lab.train import train
from diablerie.learning.weights import bundled_policy
from tools import curves, pictures, reliability, studies

ROOT = Path(__file__).parent.parent
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", pictures.SCENES)
def test_a_picture_needs_nothing_else(name: str):
    drawn = {scheme: pictures.picture(name, scheme) for scheme in pictures.SCHEMES}
    assert drawn["light"] != drawn["dark"]
    for text in drawn.values():
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg"
        assert len(list(root.iter())) > 100
        ids = {found.get("id") for found in root.iter()}
        linked = set(re.findall(r'(?:href="|url\(["\']?)#([\w-]+)', text))
        assert linked <= ids
        assert not re.search(r"light-dark|@import|<script|url\([\"']?[^#\"']", text)
        used = set(re.findall(r"var\((--[\w-]+)\)", text))  # of those without a value in reserve
        assert used <= set(re.findall(r"(--[\w-]+)\s*:", text))


@pytest.mark.parametrize("scheme", pictures.SCHEMES)
def test_every_board_is_in_the_readme_and_in_its_folder(scheme: str):
    readme = (ROOT / "README.md").read_text("utf-8")
    for name in diablerie.GAMES:
        file = f"docs/pictures/{name}-{scheme}.svg"
        assert f'"{file}"' in readme
        assert ET.parse(ROOT / file).getroot().tag == f"{SVG}svg"


def test_every_picture_of_the_readme_is_there():
    named = re.findall(r'(?:src|srcset)="([^"]+)"', (ROOT / "README.md").read_text("utf-8"))
    assert len(named) == 2 * (2 + len(diablerie.GAMES))
    assert all((ROOT / name).is_file() for name in named)


def test_the_command_draws_all_of_them(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["pictures.py", str(tmp_path)])
    monkeypatch.setattr(pictures, "picture", lambda name, scheme: f"{name} {scheme}")
    pictures.main()
    there = {path.name for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert {path.name for path in tmp_path.iterdir()} == there
    assert pictures.resolved("a: light-dark(f(1, 2), g(3)); b", "dark") == "a: g(3); b"


# -- the reliability diagram -------------------------------------------------------------------


@pytest.mark.parametrize("scheme", pictures.SCHEMES)
def test_the_reliability_diagram_is_what_was_measured(scheme: str):
    folder = ROOT / "docs" / "calibration"
    found = [reliability.read(folder / f"{name}.json") for name in diablerie.GAMES]
    drawn = reliability.picture(found, scheme)
    assert (folder / f"reliability-{scheme}.svg").read_text("utf-8") == drawn
    root = ET.fromstring(drawn)
    points = [one for one in root.iter(f"{SVG}circle") if one.get("class") == "told"]
    assert len(points) == sum(len(one.told.tenths) for one in found)
    assert "var(" not in drawn
    titles = {one.text for one in root.iter(f"{SVG}text") if one.get("class") == "name"}
    assert titles == {str(game.title) for game in diablerie.GAMES.values()}


def test_what_was_measured_is_told_at_the_temperature_of_each_game():
    for name, game in diablerie.GAMES.items():
        found = reliability.read(ROOT / "docs" / "calibration" / f"{name}.json")
        assert found.temperature == game.temperature
        assert found.config.game == name
        assert found.told.seventy is not None
        assert found.told.seventy.low < 0.75
        assert found.told.seventy.high > 0.65
        assert found.told.brier <= found.raw.brier


# -- the studies -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", diablerie.GAMES)
def test_a_study_shows_and_says_what_was_measured(name: str):
    rows, page = studies.read()[name], (studies.FOLDER / f"{name}.md").read_text("utf-8")
    for scheme in pictures.SCHEMES:
        drawn = studies.picture(name, rows, scheme)
        assert (studies.FOLDER / f"{name}-{scheme}.svg").read_text("utf-8") == drawn
        assert f"{name}-{scheme}.svg" in page
    assert f"\ndiablerie simulate {studies.STUDIES[name].commands[0]}\n" in page
    table = page.partition("\n| ")[2].partition("\n\n")[0]
    for row in rows:
        said = (f"{100 * row.share.value:.{digits}f} % [" for digits in (0, 1))
        assert any(text in table for text in said), row


# -- the learning curves -----------------------------------------------------------------------


@pytest.mark.parametrize("scheme", curves.SCHEMES)
def test_the_learning_curves_are_those_of_the_weights_that_come_with_the_games(scheme: str):
    found = curves.curves()
    for one in found:
        file = bundled_policy(one.config.rules)
        assert (file.decisions, file.seats) == (one.kept[0].decisions, one.config.sizes)
        assert f"--seed {one.config.learner.seed}" in file.command
    drawn = curves.picture(found, scheme)
    assert (curves.FOLDER / f"curves-{scheme}.svg").read_text("utf-8") == drawn


def test_the_file_of_a_training_gives_its_curve(tmp_path: Path, monkeypatch):
    file = tmp_path / "training.npz"
    result = train("coals", file=file, decisions=1, round=2048, wide=4, narrow=4, looks=1, games=16)
    monkeypatch.setattr(curves, "FOLDER", tmp_path)
    monkeypatch.setattr(curves, "curves", lambda: [result])
    monkeypatch.setattr("sys.argv", ["curves.py", str(file)])
    curves.main()
    kept = (tmp_path / "coals-1.json").read_bytes()
    assert msgspec.json.decode(kept, type=type(result)) == curves.kept_curve(file)
    assert (tmp_path / "curves-dark.svg").exists()
