"""`diablerie solve`: a game solved round by round, kept, gone on with, and what bots lose."""

import json
import re
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.lab.test_simulate_command import Reader
from tests.test_cli import refused, run

from diablerie.bots.spec import BadSpec, parse_bot
from diablerie.engine import verbs
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.games.coals.rules.state import Node
from diablerie.lab.html.figures import PAGE_COLOURS
from diablerie.lab.running.cluster import local_modules
from diablerie_exact import solved
from diablerie_exact.bot import ExactBot
from diablerie_exact.losses import measure_loss
from diablerie_exact.report import format_bound
from diablerie_exact.solution import (
    BadTable,
    Solution,
    SolvedTable,
    game_value,
    read_table,
    write_table,
)

HERE = Path(__file__).parent


SMALL = {"goal": "210", "furnace": "0,0,0,0,0,1,1"}
WORDS = ("--option", "goal=210", "--option", "furnace=0,0,0,0,0,1,1")
GAME = ALL["coals"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """Two rounds of the small game, in a folder: there Ctrl-C came."""
    folder = tmp_path_factory.mktemp("solved")

    def tell(told):
        if told.rounds == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solved("coals", SMALL, file=folder / "table.npz", tell=tell)
    return folder


@pytest.fixture(scope="module")
def solution(kept):
    return Solution(GAME, read_table(kept / "table.npz"))


def test_what_is_kept_is_gone_on_with(kept, solution, tmp_path):
    values = solution.table.values
    assert len(values) == 2
    assert solution.table.facts.change == abs(values[1] - values[0]).max()

    def tell(told):
        if told.rounds == 3:
            raise KeyboardInterrupt

    write_table(solution.table, tmp_path / "table.npz")
    with pytest.raises(KeyboardInterrupt):
        solved("coals", SMALL, file=tmp_path / "table.npz", tell=tell)
    found = read_table(tmp_path / "table.npz").values
    assert found.shape == (3, 21, 21)
    assert (found[:2] == values).all()


@pytest.mark.nightly
def test_processes_solve_what_one_does(tmp_path):
    one = solved("coals", SMALL, error=0.1)
    two = solved("coals", SMALL, error=0.1, workers=2)
    assert one.table.values == pytest.approx(two.table.values, abs=1e-12)


def test_the_error_is_what_the_rounds_left_may_change(solution):
    facts = msgspec.structs.replace(solution.table.facts, slip=1e-9, change=1e-4)
    table = SolvedTable(facts, np.zeros((40, 21, 21)))
    assert table.error(100) == pytest.approx(60e-4, abs=1e-8)
    assert table.error(40) == 1e-9
    assert solution.error == 2  # no value can be off by more
    assert solved("coals", SMALL, error=2).error == 2


def test_it_ends_when_the_error_is_small_enough(tmp_path, solution):
    facts = msgspec.structs.replace(solution.table.facts, change=1e-4)
    write_table(SolvedTable(facts, solution.table.values), tmp_path / "table.npz")
    told = []
    found = solved("coals", SMALL, error=0.01, file=tmp_path / "table.npz", tell=told.append)
    assert told == []
    assert found.error == pytest.approx(98e-4)


def test_of_equal_totals_nothing_is_owed_to_luck(solution):
    """Here who begins has an even chance: one coal, one devil. A lead is worth something."""
    assert game_value(solution) == pytest.approx(0, abs=1e-9)
    last = solution.values(100)
    assert np.tril(last, -1).sum() > 0 > np.triu(last, 1).sum()
    assert (abs(solution.table.values) <= 1 + 1e-12).all()


def test_the_exact_bot_loses_nothing_and_random_play_much(kept, solution):
    exact = measure_loss(solution, f"exact:{kept / 'table.npz'}", 4)
    assert exact.bets.value == pytest.approx(0, abs=1e-9)
    assert exact.pulls.value == 0
    random = measure_loss(solution, "random", 12)
    assert random.all.low > 0
    assert random.all.value == pytest.approx(random.bets.value + random.pulls.value)
    assert measure_loss(solution, "random", 4, seed=2) == measure_loss(
        solution, "random", 4, seed=2
    )


def test_a_responder_answers_what_it_hears(solution):
    """Who always stakes the same is read at once, whatever the mixed stakes take from it."""
    found = measure_loss(solution, "test_solve:Boaster", 6)
    assert found.answered.value >= found.all.value - 1e-9
    assert found.answered.value > 0


class Boaster:
    """Stakes all, and pulls for ever."""

    def __init__(self, game):
        self.game = game

    def choose(self, s, seat, rng):
        out = np.empty(self.game.actions, np.int64)
        n = verbs.legal(s, seat, out)
        return int(out[n - 1] if s.node == Node.BET else out[0])


def test_the_exact_bot_plays_only_the_game_it_knows(kept):
    path = kept / "table.npz"
    bot = parse_bot(f"exact:{path}", imports=True).make(GAME)
    assert isinstance(bot, ExactBot)
    s = GAME.start(2, {"goal": "220", "furnace": SMALL["furnace"]})
    verbs.apply(s, verbs.CHANCE, 0)
    with pytest.raises(BadTable, match="other options"):
        bot.choose(s, 0, seeded(1))
    with pytest.raises(BadTable, match="is of coals"):
        ExactBot(ALL["tails"], str(path))
    with pytest.raises(BadSpec):
        parse_bot(f"exact:{path}")  # a page may name no file
    with pytest.raises(BadSpec, match="There is no file “nofile”"):
        parse_bot("exact:nofile", imports=True)


def test_a_cluster_is_sent_no_module_for_an_exact_bot(kept, monkeypatch):
    monkeypatch.chdir(HERE)
    specs = ("random", f"exact:{kept / 'table.npz'}", "test_solve:Boaster")
    assert local_modules(specs) == [__file__]


def test_bounds_are_rounded_up():
    told = [format_bound(x) for x in (2.0, 0.31, 0.0012, 9.2e-4, 9.9e-4, 7.8e-10)]
    assert told == ["2", "0.4", "0.002", "0.001", "0.001", "8·10⁻¹⁰"]


def test_the_command_writes_a_page_that_needs_nothing_else(kept):
    done = run("solve", "coals", *WORDS, "--error", "2", "--players", "random,sensible",
               "--games", "2", "--out", str(kept))  # fmt: skip
    assert done.exit_code == 0, done.output
    for words in ("goal 210, furnace 0,0,0,0,0,1,1", "rounds solved", "sensible", "answered"):
        assert words in done.output
    text = (kept / "page.html").read_text("utf-8")
    page = Reader()
    page.feed(text)
    assert page.open == []
    assert page.loaded == []
    assert len(set(page.ids)) == len(page.ids)
    assert text.count("<svg viewBox") == text.count("<figcaption>") == 6
    assert not any(stand_in in text for stand_in in PAGE_COLOURS)
    assert "diablerie solve coals --error 2.0" in text
    told = json.loads((kept / "summary.json").read_text())
    assert told["value"] == pytest.approx(0, abs=1e-9)
    assert [one["player"] for one in told["losses"]] == ["random", "sensible"]
    assert re.search(r"441 positions", done.output)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "chess"], "no game “chess”"),
        (["solve", "tails"], "of tails only endgames are solved"),
        (["solve", "kitchen"], "KITCHEN is not made of rounds"),
        (["solve", "coals"], "option mouth is 47 or more, not 20"),
        (["solve", "coals", *WORDS, "--error", "0"], "an error is more than 0"),
        (["solve", "coals", *WORDS, "--players", "wise"], "no bot “wise”"),
        (["solve", "coals", *WORDS, "--out", "README.md"], "README.md"),
    ],
)
def test_a_wrong_argument_ends_with_status_2_and_one_line(words, said):
    assert said in refused(*words)


def test_files_of_something_else_are_refused(kept, tmp_path):
    (tmp_path / "table.npz").write_text("no table")
    said = refused("solve", "coals", *WORDS, "--out", str(tmp_path))
    assert "table.npz is no solved game" in said
    said = refused("solve", "coals", "--option", "furnace=0,0,0,0,0,1,1", "--out", str(kept))
    assert "of other options" in said
