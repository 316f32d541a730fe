"""Games on a Ray cluster of two nodes: the same as here, whatever is lost in the middle."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from diablerie.engine import extras
from diablerie.engine.sources import PACKAGE
from diablerie.lab.running import cluster
from diablerie.lab.running.cluster import local_modules
from diablerie.lab.running.errors import BadCluster
from diablerie.lab.tournament import tournament
from tests.lab.test_command import gone
from tests.lab.test_tournament import games
from tests.test_cli import refused

pytestmark = pytest.mark.xdist_group("ray")  # one cluster for all, on a worker of its own
ROOT = Path(__file__).parent.parent.parent

# A bot that lies nowhere but in the current folder. It notes which nodes it plays on, and takes
# the first worker down with it.
BOT = """
import os
from pathlib import Path
import ray
from diablerie.bots.basic import SensibleBot

FOLDER = Path({folder!r})

class MyBot(SensibleBot):
    def __init__(self, game):
        super().__init__(game)
        if ray.is_initialized():
            (FOLDER / ray.get_runtime_context().get_node_id()).touch()
            try:
                (FOLDER / "lost").touch(exist_ok=False)
            except FileExistsError:
                return
            os._exit(3)
"""


def needed():
    """Ray; without it tests are skipped with the reason, but on CI they fail."""
    if os.environ.get("CI") == "true":
        import_module("ray")
    pytest.importorskip("ray", reason="Ray is not installed: make setup-ray")


def environment(**more):
    paths = os.pathsep.join([str(PACKAGE.parent), str(ROOT)])
    patience = {"RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "120"}  # where much else runs
    return {**os.environ, **patience, "PYTHONPATH": paths, "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_AUTH_MODE": "disabled", **more}  # fmt: skip


class House:
    """The process that has the cluster."""

    def __init__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.lab.cluster_house", str(port)],
            env=environment(), text=True, cwd=ROOT, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.address = self.process.stdout.readline().strip()
        self.clients = f"ray://127.0.0.1:{port}"
        self.nodes = 2

    def kill_a_node(self):
        self._tell("kill")
        self.nodes -= 1

    def have_two_nodes(self):
        if self.nodes < 2:
            self._tell("add")
            self.nodes += 1

    def _tell(self, what):
        self.process.stdin.write(f"{what}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"


@pytest.fixture(scope="module")
def only_house():
    needed()
    house = House()
    assert house.address
    yield house
    house.process.communicate(timeout=60)


@pytest.fixture
def house(only_house):
    only_house.have_two_nodes()
    return only_house


def command(*words, cwd=ROOT, **more):
    return subprocess.Popen(
        [sys.executable, "-m", "diablerie", *words], env=environment(**more), text=True, cwd=cwd,
        start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def until(process, rows, file):
    """Wait until so many rows are in a file."""
    while not file.exists() or file.read_text().count("\n") <= rows:
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.05)


def answer(*words, **more):
    with command(*words, **more) as process:
        out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    return out


@pytest.mark.ci
def test_a_tournament_is_the_same_though_a_worker_and_a_node_are_lost_and_it_is_stopped(
    house, tmp_path, monkeypatch
):
    nodes = tmp_path / "nodes"
    nodes.mkdir()
    (tmp_path / "my_bot.py").write_text(BOT.format(folder=str(nodes)))
    file, keep = tmp_path / "ray.jsonl", tmp_path / "games"
    words = ("tournament", "coals", "--players", "random,my_bot:MyBot", "--games", "600",
             "--file", file, "--keep", keep, "--on", "ray")  # fmt: skip
    there = {"cwd": tmp_path, "RAY_ADDRESS": house.address}
    with command(*words, **there) as process:
        until(process, 5, file)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=240)
    kept = len(games(file)[1])
    assert process.returncode == 130, err
    assert err.splitlines()[-1].startswith(f"stopped after {kept} of 600 games; the same command")
    assert "Traceback" not in err
    assert gone(process.pid)
    with command(*words, **there) as process:
        until(process, kept + 5, file)
        house.kill_a_node()
        assert len(games(file)[1]) < 600
        out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    assert "600 games count" in out
    assert (nodes / "lost").exists()
    assert len(list(nodes.iterdir())) == 1 + 2
    monkeypatch.syspath_prepend(tmp_path)
    here = tmp_path / "here.jsonl"
    tournament("coals", ("random", "my_bot:MyBot"), games=600, file=here, workers=1)
    assert games(here) == games(file)
    assert len(list(keep.iterdir())) == 600


@pytest.mark.nightly
def test_a_simulation_is_the_same_for_a_client_from_outside(house):
    words = ("simulate", "coals", "--players", "sensible", "--games", "3000", "--option",
             "goal=400", "--vary", "mouth=0,20", "--json")  # fmt: skip
    there = json.loads(answer(*words, "--on", house.clients))
    here = json.loads(answer(*words, "--workers", "1"))
    assert there.pop("rate") > 0 < here.pop("rate")
    assert there == here


@pytest.mark.nightly
def test_a_data_set_is_the_same_on_a_cluster_that_is_started_for_it(tmp_path):
    needed()
    files = [tmp_path / name for name in ("ray.parquet", "here.parquet")]
    places = [{"RAY_ADDRESS": "local"}, {}]
    for file, words, more in zip(files, (["--on", "ray"], []), places, strict=True):
        out = answer("dataset", "coals", "--games", "40", "--out", file, *words, **more)
        assert f"{file.name} has " in out
    assert files[0].read_bytes() == files[1].read_bytes()


START = ("simulate", "coals", "--games", "5")


@pytest.mark.parametrize(
    ("on", "said"),
    [
        ("moon", "a cluster is “ray” or “ray://HOST:PORT”, not “moon”"),
        ("ray://nobody", "not “ray://nobody”"),
        ("ray://127.0.0.1:1", "no Ray cluster can be used at ray://127.0.0.1:1: [Errno 111]"),
        ("ray://127.0.0.1:70000", "no Ray cluster can be used at ray://127.0.0.1:70000"),
    ],
)
def test_a_cluster_that_is_none_ends_the_command_with_status_2_and_one_line(on, said):
    needed()
    assert said in refused(*START, "--on", on)


def test_without_ray_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    said = f"Ray is missing: {extras.install('ray')}"
    assert said in refused(*START, "--on", "ray")


def test_only_modules_of_the_current_folder_are_sent_along(monkeypatch):
    monkeypatch.chdir(ROOT)
    specs = ("random", "search:n=5", "tests.lab.bots:Quiet", "examples.my_bot:MyBot")
    assert local_modules(specs) == [str(ROOT / "examples"), str(ROOT / "tests")]
    monkeypatch.chdir(ROOT / "docs")
    assert local_modules(specs) == []


@pytest.mark.parametrize(("named", "said"), [("", "at ray: no room"), ("auto", "at auto: no room")])
def test_a_cluster_that_does_not_start_is_named(named, said, monkeypatch):
    def init(**_):
        raise RuntimeError("no room\nand a long trace")

    ray = SimpleNamespace(is_initialized=lambda: False, init=init)
    monkeypatch.setattr(cluster, "ray_module", lambda: ray)
    monkeypatch.setenv("RAY_ADDRESS", named)
    with pytest.raises(BadCluster, match=f"{said}$"), cluster.ray_session("ray"):
        pass
