"""With nothing compiled every page of a game is there at once, and the server compiles nothing."""

import logging
from collections.abc import Iterator

import pytest
from numba.core import event

from diablerie.engine import verbs
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.bots.driver import BotPlayer, due
from tests.web.client import Client

OURS = ("coals", "tails", "underworld", "kitchen")


@pytest.fixture
def compilings() -> Iterator[list[object]]:
    """What Numba compiles while no game is compiled."""
    for game in ALL.values():
        verbs.interpret(game.state)
    with event.install_recorder("numba:compile") as recorder:
        yield recorder.buffer
    for game in ALL.values():
        verbs.compile_first(game.state)


@pytest.mark.parametrize("game", OURS)
def test_a_game_is_played_taught_and_replayed_with_nothing_compiled(
    game: str,
    ann: Client,
    authority: Authority,
    compilings: list[object],
    caplog: pytest.LogCaptureFixture,
) -> None:
    authority.can = lambda *_: False
    player = BotPlayer(authority, seed=1)
    table = ann.open(game=game, bots="1", bot="oberteufel", hints="1")
    name = table.rpartition("/")[2]
    for _ in range(6):
        live = authority.live(name)
        if due(live) is not None:
            player.play_due_turn(name)
            warnings = [record for record in caplog.records if record.levelno >= logging.WARNING]
            assert warnings == [], "no other bot plays in its place"
        else:
            (seat,) = live.pending
            text = authority.live(name).position(seat).moves[0].text
            assert ann.act(table, text).status_code < 400
    assert authority.live(name).ply > 0
    assert 'id="weaker"' in ann.page(table).text
    for page in (f"/learn/{game}", f"/rules/{game}", f"/print/{game}", "/daily"):
        assert ann.page(page).status_code == 200
    ann.send(f"{table}/resign", seat="0")
    assert ann.page(f"{table}/replay").status_code in (200, 409)
    assert verbs.is_interpreted(ALL[game].state)
    assert compilings == []
