"""The package as others get it: a wheel, installed into an environment of its own, works."""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import httpx
import pytest

import diablerie
from tests import shells
from tests.languages import LANGUAGES
from tests.test_walks import WHOLE
from tools import setup

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.ci


def run(*command: str | Path, **env: str) -> str:
    done = subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONPATH": "", **env},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of the programs of a new environment: the wheel, and what it needs from here."""
    home = tmp_path_factory.mktemp("new")
    run(sys.executable, "-m", "venv", "--without-pip", home)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", wheel)
    folder = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(folder, "needs.pth").write_text(sysconfig.get_path("purelib"))
    return home / "bin"


def environment(python: str, wheel: Path, home: Path) -> Path:
    """The same, with nothing from here."""
    run(python, "-m", "venv", home)
    run(home / "bin" / "pip", "install", "-q", "-c", ROOT / "constraints.txt", wheel)
    return home / "bin"


def pythons() -> Iterator[str]:
    """This Python and every other from 3.11 on, the newest of each minor version that is found."""
    yield sys.executable
    home = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    found = [shutil.which(f"python3.{minor}") for minor in range(11, 30)]
    found += [str(path) for path in home.glob("versions/3.*/bin/python")]
    known = {}
    for path in filter(None, found):
        told = subprocess.run(
            [path, "-c", "import ensurepip, venv, sys; print(*sys.version_info[:3])"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        version = tuple(map(int, told.stdout.split()))
        if told.returncode == 0 and version >= (3, 11) and version[:2] != sys.version_info[:2]:
            known[version] = path
    for version in sorted(known):
        if version == max(one for one in known if one[:2] == version[:2]):
            yield known[version]


def test_the_wheel_holds_code_texts_templates_styles_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for name in diablerie.GAMES:
        for law in ("RULES.md", *(f"RULES.{language}.md" for language in LANGUAGES)):
            assert f"diablerie/games/{name}/{law}" in names
        assert f"diablerie/games/{name}/policy.json" in names
    for file in ("env.py", "versions/v0012_one_kind_of_dice.py"):
        assert f"diablerie/table/storage/migrations/{file}" in names
    for language in LANGUAGES:
        assert f"diablerie/locales/{language}/LC_MESSAGES/diablerie.po" in names
    for ending in (".html", ".css", ".js", "py.typed"):
        assert any(n.startswith("diablerie/") and n.endswith(ending) for n in names), ending
    assert all(n.startswith("diablerie") for n in names)
    assert not [n for n in names if re.search(r"__pycache__|(^|/)(tests?/|test_)", n)]


def test_the_wheel_works_in_an_environment_of_its_own(installed, tmp_path):
    where = run(installed / "python", "-c", "import diablerie; print(diablerie.__file__)")
    assert Path(where.strip()).is_relative_to(installed.parent)
    version = run(installed / "diablerie", "--version")
    assert version == f"diablerie {diablerie.__version__}\n"
    walk = run(installed / "diablerie", "walk", "coals", "--seats", "2", "--seed", "1")
    assert hashlib.sha256(walk.encode()).hexdigest() == WHOLE["coals-2-1.txt"]


@pytest.mark.nightly
def test_the_wheel_works_in_an_empty_environment_with_every_python_that_is_found(wheel, tmp_path):
    for number, python in enumerate(pythons()):
        programs = environment(python, wheel, tmp_path / f"empty-{number}")
        version = run(programs / "diablerie", "--version")
        assert version == f"diablerie {diablerie.__version__}\n", python
        walk = run(programs / "diablerie", "walk", "coals", "--seats", "2", "--seed", "1")
        assert hashlib.sha256(walk.encode()).hexdigest() == WHOLE["coals-2-1.txt"], python
        run(programs / "python", "-W", "error", "-c", "import diablerie.cli, diablerie.envs.batch")
        run(programs / "pip", "install", "-q", "-c", ROOT / "constraints.txt", f"{wheel}[play]")
        run(programs / "python", "-W", "error", "-c", "import diablerie.web.app")


def base(wheel: Path, home: Path, extra: str = "") -> Path:
    """The programs of an environment that holds the wheel and what it needs, and nothing else."""
    shells.environment(home, *shells.needs(distribution("diablerie"), extra))
    run(home / "bin" / "pip", "install", "-q", "--no-deps", wheel)
    return home / "bin"


# Each plays few games; `verify` reads one that `tournament` has kept.
STUDIES = """\
simulate coals --seats 2 --games 4 --players random
simulate coals --seats 2 --games 4 --vary goal=500,1000 --json
tournament coals --seats 2 --players random,sensible --games 4 --keep matches
train coals --decisions 1200 --rollout 600 --games 4 --evaluations 1 --hidden 8,8
walk coals --seats 2 --seed 1
replay matches/0.jsonl
verify matches/0.jsonl
"""


def test_the_wheel_with_its_base_alone_simulates_learns_and_verifies(wheel, tmp_path):
    programs = base(wheel, tmp_path / "base")
    for line in STUDIES.splitlines():
        words = line.replace("matches/0.jsonl", f"{min(tmp_path.glob('matches/*'), default='')}")
        shown = shells.shell(f"{programs}/diablerie {words}", tmp_path)
        assert shown.returncode == 0, shown.stderr
        assert shown.stdout, line
    code = (
        "import diablerie; games = diablerie.batch('coals', 8); games.reset(); print(games.count)"
    )
    assert run(programs / "python", "-W", "error", "-c", code)
    refused = shells.shell(f"{programs}/diablerie serve", tmp_path)
    assert refused.returncode == 2
    assert re.search(r"is not installed: .*\[play\]", refused.stderr)


INTERFACES = """
import gymnasium, pyspiel
import diablerie.envs.gymnasium, diablerie.envs.open_spiel
from diablerie.envs import pettingzoo
env = gymnasium.make("diablerie/Coals-v2", render_mode="rgb_array")
env.reset(seed=1)
assert env.render().shape[1] == 600
pettingzoo.env("coals", seats=2).reset(seed=1)
assert pyspiel.load_game("diablerie_coals").new_initial_state().is_chance_node()
"""


@pytest.mark.nightly
def test_the_wheel_with_research_has_its_interfaces(wheel, tmp_path):
    programs = base(wheel, tmp_path / "research", "research")
    run(programs / "python", "-W", "error", "-c", INTERFACES)


def test_the_installed_table_serves_pages_styles_and_rules(installed, tmp_path):
    command = [installed / "diablerie", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(
        [*command, "--db", tmp_path / "tables.db"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        said = iter(server.stdout)
        address = next(found[0] for line in said if (found := re.search(r"http://[^/]+/", line)))
        home = httpx.get(address).text
        assert "COALS" in home
        for style in re.findall(r'href="/(static/[^"]+\.css)"', home):
            assert httpx.get(address + style).headers["content-type"].startswith("text/css")
        assert 'id="C14"' in httpx.get(f"{address}rules/coals").text
        server.send_signal(signal.SIGINT)
        assert server.wait(60) == 0


def test_play_needs_at_most_forty_packages_and_400_megabytes():
    """Besides, the environment has pip and setuptools; bytecode is not installed (tools/setup.py)."""
    found = {one.metadata["Name"].lower(): one for one in shells.closure(["diablerie[play]"])}
    files = [Path(str(file.locate())) for one in found.values() for file in one.files or ()]
    assert 20 < len(found) <= 40 - 2
    assert len(setup.locked()[0]["play"]) <= 40 - 3  # the project itself is the third
    assert (
        100e6 < sum(p.stat().st_size for p in files if p.is_file() and p.suffix != ".pyc") < 380e6
    )
    assert {"matplotlib", "pillow", "aiohttp", "scipy"} & set(found) == set()


def test_the_base_is_eleven_packages_as_the_page_says():
    found = {one.metadata["Name"].lower() for one in shells.closure(["diablerie"])} - {"diablerie"}
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    told = re.search(r"`pip install` without an extra \| (\d+) \|", page)
    assert told
    assert len(found) == int(told[1])


BOT = "diablerie bot random --token x --open coals --server http://127.0.0.1:9"


@pytest.mark.ci  # what the message says is tested in `test_extras.py`
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["clone", "wheel"])
def test_an_extra_is_installed_by_what_the_message_and_the_page_say(kind, tmp_path):
    clone = shells.clone(tmp_path / "clone")
    shells.environment(clone / ".venv", *shells.needs(distribution("diablerie")))
    packed = shells.offline(shells.pack(tmp_path / "wheels", *shells.BUILDING, "httpx"))
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    editable, wheel = re.findall(
        r"^```console by=tests/test_package.py\n(.*?)^```", page, re.MULTILINE | re.DOTALL
    )
    made, _, from_wheel = wheel.partition("\n")

    def succeed(script: str) -> str:
        done = shells.shell(f". .venv/bin/activate; {script}", clone, **packed)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def refused(script: str) -> str:
        done = shells.shell(f". .venv/bin/activate; {script}", clone)
        assert done.returncode == 2, done.stdout + done.stderr
        return done.stderr

    if kind == "clone":
        succeed("pip install --editable .")
    else:
        succeed(f"{made}; pip install diablerie-*.whl; rm -r src")
    for command in (
        refused(BOT).partition("httpx is not installed: ")[2],
        editable if kind == "clone" else from_wheel,
    ):
        assert "pip install " in command
        succeed(command)
        assert "httpx" not in refused(BOT)  # it comes as far as to find no server
        where = succeed("python -c 'import diablerie; print(diablerie.__file__)'")
        assert ("site-packages" in where) == (kind == "wheel")
        succeed("pip uninstall --yes httpx")
