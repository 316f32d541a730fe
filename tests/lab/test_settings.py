"""Settings of studies: declared once, and the options, the checks and the command line follow."""

import subprocess
import sys
from typing import Annotated

import click
import msgspec
import pytest
from click.testing import CliRunner
from msgspec import Meta

from diablerie.lab.command_options import command_line, settings_options
from diablerie.lab.running.errors import BadConfig
from diablerie.lab.running.settings import GameOptions, Seed, settled


class Baking(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cake."""

    eggs: Annotated[int, Meta(ge=1, le=12, description="Eggs.")]
    heat: Annotated[float, Meta(ge=0.0, le=1.0, description="How hot.")] = 0.5
    layers: Annotated[
        tuple[Annotated[float, Meta(ge=0.0, le=2.0)], ...], Meta(description="How thick.")
    ] = (1.0,)
    guests: Annotated[
        tuple[str, ...], Meta(description="Who comes.", extra={"metavar": "WHO"})
    ] = ()
    minutes: Annotated[int, Meta(ge=0, le=90, description="At most.")] | None = None
    sweet: Annotated[
        bool, Meta(description="With sugar.", extra={"flags": ["--sugar/--plain"]})
    ] = True
    seed: Seed = 1
    options: GameOptions = {}
    note: str = ""  # no setting of the command


@click.command(context_settings={"show_default": True})
@click.argument("game")
@settings_options(Baking)
def bake(game: str, **given: object) -> None:
    print(settled(Baking, given))
    print(command_line())


def baked(*words: str) -> str:
    done = CliRunner().invoke(bake, ["coals", *words])
    return done.output if not done.exception or done.output else repr(done.exception)


def test_an_option_follows_from_each_setting_with_its_default_and_its_bounds():
    said = " ".join(baked("--help").split())
    for words in (
        "--eggs INTEGER RANGE Eggs. [1<=x<=12; required]",
        "--heat FLOAT RANGE How hot. [default: 0.5; 0.0<=x<=1.0]",
        "--layers LAYERS[,…] How thick. [default: 1.0]",
        "--guests WHO Who comes.",
        "--sugar / --plain With sugar. [default: sugar]",
        "--option NAME=VALUE An option of the game; may be repeated.",
    ):
        assert words in said
    assert "--note" not in said


def test_the_options_are_the_settings_and_the_command_line_says_them_again():
    words = ("--eggs", "3", "--layers", "1,0.5", "--guests", "search:n=4,ms=2,imp", "--plain",
             "--option", "mouth=0", "--option", "goal=300")  # fmt: skip
    made, line = baked(*words).splitlines()
    assert made == str(
        Baking(3, layers=(1.0, 0.5), guests=("search:n=4,ms=2", "imp"), sweet=False,
               options={"mouth": "0", "goal": "300"})
    )  # fmt: skip
    assert baked(*line.split()[3:]).splitlines() == [made, line]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"eggs": 0}, "eggs is 1 to 12, not 0"),
        ({"eggs": 1, "heat": float("nan")}, "heat is 0.0 to 1.0, not nan"),
        ({"eggs": 1, "layers": (1.0, 3.0)}, "layers is 0.0 to 2.0, not 3.0"),
        ({"eggs": "many"}, "Expected `int`, got `str`"),
        ({"eggs": 1, "minutes": 91}, "minutes is 0 to 90, not 91"),
        ({"eggs": 1, "flour": 2}, "unknown field `flour`"),
        ({}, "missing required field `eggs`"),
    ],
)
def test_a_setting_out_of_bounds_is_refused_in_a_sentence(given, why):
    with pytest.raises(BadConfig, match=why):
        settled(Baking, given)


def test_what_declares_settings_imports_no_game():
    """So the help of a command answers at once."""
    code = "import sys, diablerie.cli; print('numba' in sys.modules, 'numpy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["False", "False"]
