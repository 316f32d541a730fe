"""Every study is listed, and its commands are ones that the command line takes."""

import re
import shlex
from pathlib import Path

import pytest

from diablerie.cli import commands
from diablerie.lab.running.settings import SimulationSettings
from diablerie.lab.simulate.playing import simulation_config

STUDIES = Path(__file__).parent.parent.parent / "docs" / "studies"


def command_lines():
    for path in sorted(STUDIES.glob("*.md")):
        for line in re.findall(r"^diablerie (.+)$", path.read_text("utf-8"), re.MULTILINE):
            yield pytest.param(path, shlex.split(line), id=line)


@pytest.mark.parametrize(("path", "words"), list(command_lines()))
def test_the_command_of_a_study_is_understood(path, words):
    assert words[:2] == ["simulate", path.stem]
    given = commands.commands["simulate"].make_context("simulate", words[1:]).params
    settings = {name: given[name] for name in ("game", *SimulationSettings.__struct_fields__)}
    chosen = simulation_config(**settings)
    assert given["games"] >= 500
    assert len(chosen.settings) == max([1, *map(len, given["vary"].values())])


def test_the_list_of_studies_is_complete():
    listed = re.findall(r"\]\(([\w.]+)\)", (STUDIES / "README.md").read_text("utf-8"))
    assert sorted(listed) == sorted(p.name for p in STUDIES.glob("*.md") if p.stem != "README")
