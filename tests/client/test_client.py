"""The client, the command that seats a bot, and the bot in another language, on a real server."""

import asyncio
import hashlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from diablerie import api
from diablerie.client import AsyncClient, Client, Refusal
from diablerie.client.client import Following, retry_after
from diablerie.client.table_player import Misfit, Nonces, bot_choice, record_from_fields
from diablerie.engine import extras
from diablerie.engine.match import Match
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from tests.client.conftest import House
from tests.test_cli import run

pytestmark = pytest.mark.xdist_group("house")  # one server for all
ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "api.md").read_text("utf-8")
SHORT = {"coals": ["--option", "goal=400"]}


def test_the_ten_lines_of_the_guide_play_a_game(house: House, monkeypatch, capsys):
    (code, *_) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert len(code.splitlines()) <= 12
    monkeypatch.setenv("DIABLERIE_TOKEN", house.token)
    exec(compile(code.replace("http://localhost:8666", house.home), "api.md", "exec"), {})
    assert "wins" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["coals", "kitchen"])
def test_a_bot_of_ones_own_plays_at_a_table(house: House, game: str, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("DIABLERIE_TOKEN", house.token)
    words = ["bot", "examples.my_bot:MyBot" if game == "coals" else "sensible"]
    words += ["--server", house.home, "--open", game, "--against", "random", *SHORT.get(game, [])]
    done = run(*words)
    assert done.exit_code == 0, done.output
    link, result = done.output.splitlines()
    table = link.rpartition("/")[2]
    live = house.authority.live(table)
    assert live.status == "over"
    assert live.match is not None
    assert live.match.fair.by == ["player", "table"], "it has a share in the dice"
    assert result.startswith(f"{table}: Robo {live.match.returns()[0]:+.2f}, ")


def test_it_joins_by_the_link_and_goes_on_where_it_was(house: House, monkeypatch):
    monkeypatch.setenv("DIABLERIE_TOKEN", house.token)
    with Client(house.home, house.token) as client:
        table = client.open_table("coals", ["me", "random"], options={"goal": "400"}).id
        seen = client.look(table)
        client.decide(table, seen.ply, "bet 0")
    done = run("bot", "random", "--server", house.home, "--table", f"{house.home}/t/{table}?as=0")
    assert done.exit_code == 0, done.output
    assert f"{table}: Robo" in done.output


def test_both_clients_say_the_same(house: House):
    async def told() -> tuple[api.Table, str]:
        async with AsyncClient(house.home, house.token) as client:
            assert (await client.me()).name == "Robo"
            table = (await client.open_table("coals", ["me", "me"])).id
            async for seen in client.stream(table):
                if seen.ply < 3:
                    await client.decide(table, seen.ply, seen.legal[1].do, seen.seat)
                else:
                    break
            await client.resign(table, 0)
            return await client.look(table), await client.export(table)

    seen, text = asyncio.run(told())
    with Client(house.home, house.token) as client:
        assert client.look(seen.id) == seen
        assert client.export(seen.id) == text
        assert seen.id in [row.id for row in client.mine("over")]
        assert {game.name for game in client.games()} == set(ALL)
        assert seen.id not in [row.id for row in client.tables()]
        with pytest.raises(Refusal, match="over") as refused:
            client.decide(seen.id, seen.ply, "pull", 1)
        assert refused.value.code == "illegal"


def test_the_two_clients_have_the_same_methods():
    def methods(kind: type) -> dict[str, list[str]]:
        found = inspect.getmembers(kind, inspect.isfunction)
        return {n: list(inspect.signature(f).parameters) for n, f in found if n[0] != "_"}

    assert methods(Client) == methods(AsyncClient)
    assert "stream" in methods(Client)


def test_what_is_put_off_is_tried_again():
    asked: list[int] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(1)
        if len(asked) < 3:
            return httpx.Response(429, headers={"retry-after": "0"})
        return httpx.Response(200, json={"name": "Robo", "scopes": [], "created": 1.0})

    with Client("http://house", "x", httpx.MockTransport(answer)) as client:
        assert client.me().name == "Robo"
    assert len(asked) == 3
    assert retry_after(httpx.Response(503, headers={"retry-after": "soon"})) == 2.0
    assert retry_after(httpx.Response(404)) is None


def test_a_stream_that_breaks_off_is_asked_for_from_where_it_was(monkeypatch):
    monkeypatch.setattr("diablerie.client.client.STREAM_BACKOFF", (0.0,))
    asked: list[str] = []
    line = (
        '{"type":"table","id":"t","url":"","game":"g","rules":1,"options":{},"status":"running",'
        '"clock":0,"commitment":"","seats":[],"seat":0,"own":[0],"ply":%d,"pending":[],"prompt":"",'
        '"legal":[],"chat":[{"id":4,"seat":0,"text":"hm","at":1.0}]}\n\n'
    )

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.query.decode())
        if len(asked) == 2:
            raise httpx.ReadError("broken")
        return httpx.Response(200, text=line % (6 + len(asked)))

    with Client("http://house", "x", httpx.MockTransport(answer)) as client:
        stream = client.stream("t", 0)
        assert [next(stream).ply, next(stream).ply] == [7, 9]
    assert asked == ["seat=0&since=0&heard=0", "seat=0&since=7&heard=4", "seat=0&since=7&heard=4"]


def test_lines_from_before_ones_own_decision_are_outdated():
    """Their log and chat are told with the next line that is not."""
    line = (
        '{"type":"table","id":"t","url":"","game":"g","rules":1,"options":{},"status":"running",'
        '"clock":0,"commitment":"","seats":[],"seat":0,"own":[0],"ply":%d,"pending":[],"prompt":"",'
        '"legal":[],"log":[{"ply":%d,"seat":0,"lines":["hm"]}]}'
    )
    following = Following("t", None, {"t": 3})
    assert following.read("") is None
    assert following.read(line % (2, 2)) is None
    seen = following.read(line % (3, 3))
    assert seen is not None
    assert [told.ply for told in seen.log] == [2, 3]
    assert following.since == 3
    later = following.read(line % (4, 4))
    assert later is not None
    assert [told.ply for told in later.log] == [4]


@pytest.mark.parametrize("line", ["<html>", "3", '{"type":"none"}', "[" * 100_000])
def test_a_line_that_no_server_of_ours_writes_is_refused_as_a_bad_value(line: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Following("t", None, {}).read(line)


@pytest.mark.parametrize("game", ALL.values(), ids=ALL)
def test_a_bot_gets_the_very_record_it_gets_in_tournaments(game):
    match = Match.new(game, seed=3)
    for step in range(25):
        if not match.over:
            match.play(match.legal()[step % len(match.legal())])
    for seat in range(match.seats):
        seen = redacted(match.state, seat)
        assert record_from_fields(game, seen.asdict()).tobytes() == seen.tobytes()


@pytest.mark.parametrize(
    "spoil", [{"chips": [1]}, {"chips": [10**12] * 6}, {"nothing": 1}, {"node": 300}]
)
def test_a_record_that_cannot_be_meets_no_compiled_rule(spoil):
    game = ALL["coals"]
    with pytest.raises(Misfit):
        record_from_fields(game, Match.new(game, seed=3).seen_by(0).asdict() | spoil)


def test_a_bot_that_breaks_the_rules_is_told(authority_table):
    class Wild:
        def choose(self, s, seat, rng):
            return 10**6

    with pytest.raises(Misfit, match="not legal; legal are bet 0"):
        bot_choice(ALL["coals"], Wild(), authority_table, seeded(1))


@pytest.fixture
def authority_table(house: House) -> api.Table:
    with Client(house.home, house.token) as client:
        return client.look(client.open_table("coals", ["me", "me"]).id)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nobody"], "There is no bot"),
        (["random", "--table", "nowhere"], "no such table"),
        (["random", "--open", "chess"], "no game"),
        (["random"], "either --table LINK or --open GAME"),
        (["random", "--open", "coals", "--against", "search:n=9"], "no bot"),
        (["random", "--open", "coals", "--option", "goal"], "NAME=VALUE"),
    ],
)
def test_the_command_refuses_in_one_line(house: House, words: list[str], why: str, monkeypatch):
    monkeypatch.setenv("DIABLERIE_TOKEN", house.token)
    asked = [*words, "--open", "coals"] if words == ["nobody"] else words
    done = run("bot", *asked, "--server", house.home)
    assert done.exit_code == 2
    assert why in done.output
    assert len(done.output.splitlines()) == 1


def test_without_httpx_the_command_says_what_is_missing(tmp_path: Path):
    code = (
        "import sys; sys.modules['httpx'] = None; from diablerie.cli import main; "
        "sys.argv = ['diablerie', 'bot', 'random', '--token', 'x', '--open', 'coals']; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "src")})  # fmt: skip
    assert done.returncode == 2
    assert done.stderr == f"diablerie: httpx is not installed: {extras.install('client')}\n"


def test_a_bot_in_javascript_plays_too(house: House):
    node = shutil.which("node") or shutil.which("nodejs")
    if node is None:
        assert not os.environ.get("CI"), "CI has node"
        pytest.skip("there is no node here to run JavaScript")
    command = [node, str(ROOT / "examples" / "random_bot.mjs"), house.home]
    env = {**os.environ, "DIABLERIE_TOKEN": house.token}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^over: ", done.stdout, re.MULTILINE)
    assert "stakes" in done.stdout or "bets" in done.stdout or "Robo" in done.stdout


def test_a_program_promises_no_nonce_again_that_it_has_shown():
    nonces = Nonces()
    first = nonces.promised("key 1", 0)
    assert nonces.promised("key 1", 0) == first, "nobody has seen it: it may be sent again"
    assert nonces.shown("key 1", 0, [hashed("others")]) == "", "another hash was taken"
    nonce = nonces.shown("key 1", 0, [first, hashed("theirs")])
    assert hashed(nonce) == first
    assert nonces.shown("key 1", 0, [first]) == nonce, "the answer may have been lost"
    assert nonces.promised("key 1", 0) != first
    second = nonces.promised("key 2", 0)
    assert second not in (first, nonces.promised("key 3", 0))
    assert nonces.shown("key 2", 0, [second]) == ""


def hashed(nonce: str) -> str:
    return hashlib.sha256(nonce.encode()).hexdigest()
