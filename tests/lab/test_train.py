"""`diablerie train`: what it writes, and that it goes on to the same weights."""

import io
import os
import re
import shlex
import signal
from pathlib import Path

import numpy as np
import pytest

from diablerie.games import ALL
from diablerie.lab.running.errors import BadFile
from diablerie.lab.train import TrainingStopped, train
from diablerie.lab.train.training import training_config
from diablerie.learning.weights import read_policy
from tests.test_cli import refused, run

ROOT = Path(__file__).parents[2]
TINY = {"options": {"goal": "300"}, "decisions": 9_000, "rollout": 2048, "hidden": (12, 8),
        "evaluations": 2, "games": 16}  # fmt: skip
WORDS = ("train", "coals", "--option", "goal=300", "--decisions", "20000", "--hidden", "12,8",
         "--evaluations", "1", "--games", "16", "--workers", "2")  # fmt: skip


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    out = tmp_path_factory.mktemp("train") / "whole.json"
    return train("coals", out=out, **TINY), out.read_bytes()


def test_it_is_measured_on_the_way(whole):
    result, _ = whole
    assert [one.seats for one in result.curve] == [2, 2]
    assert result.curve[0].decisions < result.curve[1].decisions
    assert result.decisions >= 9_000
    assert result.speed > 0


def test_a_size_that_is_named_twice_is_played_more_and_measured_once():
    result = train("coals", seats=(2, 3, 2), **{**TINY, "decisions": 1, "evaluations": 1})
    assert [one.seats for one in result.curve] == [2, 3]


def test_what_ctrl_c_stopped_goes_on_to_the_same_file(whole, tmp_path):
    file, out = tmp_path / "training.npz", tmp_path / "policy.json"

    def stop(done, of):
        if 4_000 < done < 7_000:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(TrainingStopped, match=r"stopped after \d+ of 9000 decisions"):
        train("coals", checkpoint=file, out=out, progress=stop, **TINY)
    assert out.read_bytes() != whole[1]
    result = train("coals", checkpoint=file, out=out, workers=2, **TINY)
    assert out.read_bytes() == whole[1]
    assert [one.share for one in result.curve] == [one.share for one in whole[0].curve]


def test_the_file_of_another_training_is_refused_whole(tmp_path):
    file = tmp_path / "training.npz"
    train("coals", checkpoint=file, **{**TINY, "decisions": 1})
    kept = file.read_bytes()
    with pytest.raises(BadFile, match="another config, decisions 1, not 9000"):
        train("coals", checkpoint=file, **TINY)
    former = io.BytesIO()
    head = b'{"summary": {"config": {"diablerie": "0.3.0", "policy_training": 2}}, "entropy": 1}'
    np.savez(former, head=np.frombuffer(head, np.uint8))
    for damaged in (
        former.getvalue(),
        kept[:1000],
        kept[:-40],
        b"",
        kept[:5000] + b"\x01" + kept[5001:],
    ):
        file.write_bytes(damaged)
        with pytest.raises(BadFile, match="holds no training"):
            train("coals", checkpoint=file, **{**TINY, "decisions": 1})


def test_the_command_writes_a_policy_that_a_bot_plays_by_and_a_page(tmp_path):
    out, page = tmp_path / "policy.json", tmp_path / "page.html"
    done = run(*WORDS, "--out", str(out), "--report", str(page))
    assert done.exit_code == 0, done.output
    assert "learning curve" in done.output
    found = read_policy(out, ALL["coals"])
    assert found.command.startswith("diablerie train coals --decisions 20000")
    assert found.seats == (2,)
    shown = page.read_text("utf-8")
    assert shown.count("<svg viewBox") == 1
    assert "max_grad_norm" in shown, "all settings stand there"
    played = run("tournament", "coals", "--players", f"net:file={out},sensible", "--games", "4",
                 "--workers", "1", "--option", "goal=300")  # fmt: skip
    assert played.exit_code == 0, played.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seats", "9"), "2 to 6 players"),
        (("--seats", "two"), "is no list of numbers"),
        (("--gae-lambda", "2"), "2.0 is not in the range 0.0<=x<=1.0"),
        (("--hidden", "5000,8"), "hidden is 1 to 1024, not 5000"),
        (("--hidden", "8"), "Expected `array` of length 2"),
    ],
)
def test_a_wrong_argument_to_learn_by_ends_in_one_line(words, said):
    assert said in refused(*WORDS, *words)


@pytest.mark.ci
def test_it_learns_to_beat_a_bot_from_a_policy_that_is_there(tmp_path):
    first, out, page = tmp_path / "first.json", tmp_path / "policy.json", tmp_path / "page.html"
    train("coals", out=first, **{**TINY, "decisions": 1, "evaluations": 1})
    done = run(*WORDS[:4], "--decisions", "1", "--evaluations", "1", "--games", "16", "--against", "imp",
               "--begin", str(first), "--out", str(out), "--report", str(page))  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "wins against imp" in done.output
    assert "learnt against imp" in page.read_text("utf-8")
    found = read_policy(out, ALL["coals"])
    assert found.hidden == TINY["hidden"]
    assert "wins against imp, 2 seats" in found.figures


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--against", "ghost"), "There is no bot"),
        (("--against", "self,ghost"), "There is no bot"),
        (("--against", "self,imp", "--weights", "1"), "one weight for each bot"),
        (("--against", "self,imp", "--weights", "0,0"), "more than 0"),
        (("--begin", "gone.json"), "gone.json"),
        (("--share", "0.5"), "name the bot as against"),
        (("--share", "0.5,1", "--against", "sensible"), "one share for all sizes of tables"),
        (("--share", "0.5,half", "--against", "sensible"), "is no list of numbers"),
        (("--share", "1.5", "--against", "sensible"), "share is 0.0 to 1.0, not 1.5"),
    ],
)
def test_a_bot_or_a_policy_that_is_not_there_is_named(words, why):
    assert why in refused("train", "coals", *words)


def test_a_share_is_one_number_or_one_for_each_size_of_table():
    quick = {"seats": (2, 3), "against": "sensible"}
    for given, kept in ((0.5, (0.5,)), ((0.0, 1.0), (0.0, 1.0))):
        assert training_config("coals", **quick, share=given).settings.share == kept


def test_a_population_is_learnt_against_and_measured_by_those_who_stay_the_same(tmp_path):
    done = run(*WORDS[:4], "--decisions", "4000", "--rollout", "2048", "--evaluations", "1",
               "--games", "16", "--against", "self,sensible:epsilon=0.1,random", "--weights", "2,1,1",
               "--snapshot-every", "1", "--out", str(tmp_path / "policy.json"))  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "The policy wins against sensible:epsilon=0.1, random" in " ".join(done.output.split())


@pytest.mark.slow
def test_a_loop_of_policy_space_response_runs_as_the_page_says(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "research.md").read_text("utf-8")
    (block,) = re.findall(r"^```console by=tests/lab/test_train.py\n(.*?)^```", page, re.M | re.S)
    monkeypatch.chdir(tmp_path)
    quick = {"--decisions": "2048", "--games": "4"}
    few = ("--rollout", "2048", "--evaluations", "1", "--games", "16", "--hidden", "8,8")
    for line in block.splitlines():
        words = shlex.split(line)[1:]
        words = [quick.get(words[i - 1], word) for i, word in enumerate(words)]
        done = run(*words, *(few if words[0] == "train" else ()), "--workers", "1")
        assert done.exit_code == 0, done.output
    assert {"first.json", "matrix.html", "second.json"} <= {one.name for one in tmp_path.iterdir()}
