"""The pictures of README: real positions, whole in themselves, by day and by night."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import diablerie
from tools import pictures

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
    assert len(named) == 2 * (1 + len(diablerie.GAMES))
    assert all((ROOT / name).is_file() for name in named)


def test_the_command_draws_all_of_them(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["pictures.py", str(tmp_path)])
    monkeypatch.setattr(pictures, "picture", lambda name, scheme: f"{name} {scheme}")
    pictures.main()
    there = {path.name for path in (ROOT / "docs" / "pictures").glob("*.svg")}
    assert {path.name for path in tmp_path.iterdir()} == there
    assert pictures.resolved("a: light-dark(f(1, 2), g(3)); b", "dark") == "a: g(3); b"
