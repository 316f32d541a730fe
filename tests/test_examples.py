"""The examples that are programs run, and show what they say they show."""

import re
import runpy
import sys
from pathlib import Path

import pytest

import diablerie
from tests.envs.needed import needed

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_solver_comes_nearer_to_an_equilibrium_and_draws_how(tmp_path, monkeypatch, capsys):
    needed("pyspiel")
    said = {}
    for iterations in (1, 8):
        picture = tmp_path / f"{iterations}.svg"
        words = ["--iterations", str(iterations), "--money", "10", "10", "--picture", str(picture)]
        monkeypatch.setattr(sys, "argv", ["solve.py", *words])
        runpy.run_path(str(EXAMPLES / "solve.py"), run_name="__main__")
        told = capsys.readouterr().out
        said[iterations] = [float(x) for x in re.findall(r"exploitability ([\d.e-]+) after", told)]
        assert "plays: bet" in told
        assert picture.read_text("utf-8").count("<path") > 10
    assert len(said[1]) == len(said[8]) == 2
    for few, more in zip(said[1], said[8], strict=True):
        assert 0 <= more < few / 3


@pytest.mark.ci
def test_the_learner_beats_the_advice_of_the_game(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["ppo.py", "150000", "300"])
    runpy.run_path(str(EXAMPLES / "ppo.py"), run_name="__main__")
    shares = [float(x) for x in re.findall(r"decisions: ([\d.]+)%", capsys.readouterr().out)]
    assert len(shares) == 5
    assert shares[0] < 30
    assert shares[-1] > 40


def test_the_learner_of_ones_own_learns_and_says_how_it_plays(monkeypatch, capsys):
    pytest.importorskip("torch")
    learner = runpy.run_path(str(EXAMPLES / "own_learner.py"))
    main = learner["main"]
    for name, few in (("GAMES", 16), ("STEPS", 8), ("TRIALS", 10)):
        monkeypatch.setitem(main.__globals__, name, few)
    main("coals", 4, 2)
    shares = re.findall(r"decisions: ([\d.]+)%", capsys.readouterr().out)
    assert len(shares) == 2
    assert all(0 <= float(share) <= 100 for share in shares)


def test_the_learner_with_memory_learns_with_it_and_without_and_tells_the_difference(
    monkeypatch, capsys
):
    torch = pytest.importorskip("torch")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    learner = runpy.run_path(str(EXAMPLES / "learner_with_memory.py"))
    main, made = learner["main"], learner["Remembering"]
    for name, few in (("GAMES", 16), ("STEPS", 8), ("EVENTS", 4)):
        monkeypatch.setitem(main.__globals__, name, few)
    import own_learner

    for name, few in (("STEPS", 8), ("TRIALS", 10)):
        monkeypatch.setattr(own_learner, name, few)
    main("coals", 2, 2)
    told = capsys.readouterr().out
    assert len(re.findall(r"training \d: [\d.]+% with memory, [\d.]+% without", told)) == 2
    gain, low, high = map(float, re.findall(r"([-+][\d.]+)%", told)[-3:])
    assert low <= gain <= high
    assert "after 256 decisions" in told
    # What it remembers reaches its decisions, and only where that is passed on.
    games = diablerie.batch("coals", 16, inputs=True, history=4)
    games.reset()
    x = own_learner.seen(games)[0]
    other = x.clone()
    other[:, made(games, 1).size :] = 1
    for passes in (0, 1):
        net = made(games, passes)
        with torch.no_grad():
            assert torch.equal(net(x), net(other)) == (passes == 0)


def test_the_search_by_forks_wins_more_than_chance_does(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["search_rows.py", "8", "48"])
    runpy.run_path(str(EXAMPLES / "search_rows.py"), run_name="__main__")
    told = capsys.readouterr().out
    at_random, searched, gain = map(float, re.findall(r"wins ([-+\d.]+)%", told))
    assert at_random < searched
    assert gain > 0
