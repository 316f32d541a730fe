"""The search for daily challenges: what is judged how, and that equal seeds give equal lists."""

from datetime import date
from itertools import cycle, islice
from pathlib import Path

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from diablerie.daily.challenge import calendar, parse_list
from diablerie.engine.match import Match
from diablerie.engine.queries import legal_actions
from diablerie.games import ALL
from diablerie.lab.running.errors import BadConfig, BadFile
from diablerie.lab.running.run import finish
from tools.daily import screening
from tools.daily.__main__ import main
from tools.daily.arranging import arranged
from tools.daily.judging import GROUP, estimates
from tools.daily.promises import APART, mistake, repeated
from tools.daily.screening import FEWEST, MOST, candidates, decisions
from tools.daily.study import (
    ChallengeSearch,
    DailySearch,
    FoundChallenge,
    daily_config,
    is_sound,
    searches,
)

CHALLENGES = calendar().challenges


def found(workers: int, file: Path | None = None) -> list[FoundChallenge]:
    config = daily_config(3, ("tails",), playouts=2 * GROUP)
    with DailySearch(config, file, days=APART, jobs=lambda one: islice(searches(one), 4)) as study:
        finish(study, workers)
        return study.rows


@pytest.mark.ci
def test_equal_seeds_give_equal_challenges_whatever_the_workers(tmp_path):
    file = tmp_path / "found.jsonl"
    one, two = found(1, file), found(2)
    assert one == two
    assert any(row.challenge for row in one)
    assert found(1, file) == one, "the file holds them all"


def test_the_days_do_not_depend_on_which_search_was_done_first():
    config, rows = daily_config(), filled()
    orders = rows, rows[::-1], [*rows[5:], *rows[:5]]
    found = []
    for order in orders:
        study = DailySearch(config, days=APART)
        for row in order:
            study.add(row)
            study.enough()
        found.append(study.summary())
    assert len(found[0].days) == APART
    assert found[0] == found[1] == found[2]
    last = [row.job for row in rows if row.challenge][found[0].found - 1]
    assert found[0].judged == last + 1, "the searches that were needed, each judged one decision"


def filled() -> list[FoundChallenge]:
    """Results of searches that found what the list of diablerie holds, each in its game's turn."""
    names = list(daily_config().versions)
    left = {name: [one for one in CHALLENGES if one.game == name] for name in names}
    rows = []
    for n in range(4 * len(CHALLENGES)):
        some = left[names[n % len(names)]]
        rows.append(FoundChallenge(n, 1, some.pop(0) if some else None))
    return rows


def test_a_game_may_be_left_out_of_a_list_and_nobody_waits_for_it():
    config, rows = daily_config(), filled()
    waited, left = (DailySearch(config, days=APART, without=some) for some in ([], ["kitchen"]))
    for row in rows:
        if config.turns[row.job % 4] != "kitchen":
            waited.add(row)
            left.add(row)
    assert not waited.enough()
    left.enough()
    found = left.summary()
    assert found.found > 1
    assert not any(one.game == "kitchen" for one in found.days)
    assert {job.game for job in left.missing} == {"coals", "tails", "underworld"}


# -- the command -----------------------------------------------------------------------------------


def results(folder: Path) -> Path:
    file = folder / "found.jsonl"
    lines = [daily_config(), *filled()]
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return file


def test_the_command_writes_a_list(tmp_path):
    out, kept = tmp_path / "list.jsonl", results(tmp_path)
    words = (
        str(out),
        "--days",
        "14",
        "--from",
        "2030-01-01",
        "--file",
        str(kept),
        "--workers",
        "1",
    )
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    assert "14 challenges" in done.output
    assert "oberteufel" in done.output
    read = parse_list(out.read_bytes())
    assert read.first == date(2030, 1, 1)
    assert len(read.challenges) == 14
    first = out.read_bytes()
    CliRunner().invoke(main, words, catch_exceptions=False)
    assert out.read_bytes() == first


def test_results_of_another_seed_or_that_cannot_be_are_refused(tmp_path):
    kept = results(tmp_path)
    with pytest.raises(BadFile, match="another config, seed"):
        DailySearch(daily_config(2), kept, days=14)
    lines = kept.read_bytes().splitlines(keepends=True)
    wrong = msgspec.json.decode(lines[1])
    wrong["challenge"]["theme"] = "another"
    kept.write_bytes(lines[0] + msgspec.json.encode(wrong) + b"\n")
    with pytest.raises(BadFile, match="line 2: search 0 cannot have ended so"):
        DailySearch(daily_config(), kept, days=14)


def test_games_take_turns_and_in_each_the_numbers_of_players():
    config = daily_config(3, ("coals", "tails"), playouts=2 * GROUP)
    jobs = list(islice(searches(config), 12))
    assert [job.number for job in jobs] == list(range(12))
    for name in ("coals", "tails"):
        seats = [job.seats for job in jobs if job.game == name]
        assert seats == list(islice(cycle(ALL[name].seats), 6))


def test_settings():
    assert set(daily_config().versions) == {"coals", "tails", "underworld", "kitchen"}
    assert daily_config(games=("tails",)).versions == {"tails": ALL["tails"].version}
    with pytest.raises(BadConfig, match="14 days"):
        DailySearch(daily_config(), days=13)
    with pytest.raises(BadConfig, match="playouts"):
        daily_config(playouts=7)


# -- the order of days -----------------------------------------------------------------------------


def test_days_keep_themes_apart():
    days = arranged(CHALLENGES, len(CHALLENGES))
    assert len(days) >= APART
    assert repeated(days) == ""
    assert all(days.count(one) == 1 for one in days)
    assert arranged(CHALLENGES, APART) == arranged(list(CHALLENGES), APART)


def test_too_few_themes_give_no_days():
    one = CHALLENGES[0]
    assert arranged([one] * 50, 20) == []
    assert arranged([], 20) == []


# -- looking and judging ---------------------------------------------------------------------------


def match(game: str, seats: int) -> Match:
    played = Match.new(ALL[game], seats=seats, seed=5)
    while not played.over:
        played.carry_out(played.actions()[0], played.actor)
    return played


@pytest.mark.parametrize(("game", "seats"), [("coals", 2), ("tails", 2)])
def test_decisions_offer_three_actions_or_all_that_their_kind_ever_offers(game, seats):
    looked = list(decisions(match(game, seats)))
    assert looked
    for one in looked:
        assert legal_actions(ALL[game], one.seen, one.seat) == list(one.actions)
        assert 2 <= len(one.actions) <= MOST
    if game == "tails":
        assert min(len(one.actions) for one in looked) >= FEWEST


def test_candidates_are_disputed_and_the_same_for_equal_seeds(monkeypatch):
    played = match("tails", 2)
    one, two = candidates(played, 4), candidates(played, 4)
    assert [x._replace(seen=None) for x in one] == [x._replace(seen=None) for x in two]
    assert one
    assert all(len({max(set(x), key=x.count) for x in each.choices}) > 1 for each in one)
    most = max(each.lead for each in one)
    monkeypatch.setattr(screening, "CLOSE", most)
    assert {each.lead for each in candidates(played, 4)} == {most}, "a smaller lead is given up"


def test_chances_and_leads_are_means_with_intervals():
    rng = np.random.default_rng(1)
    first = rng.random(800) < 0.7
    won = np.zeros((800, 2, 2))
    won[:, 0, 0], won[:, 1, 0] = first, rng.random(800) < 0.4
    won[:, :, 1] = 1 - won[:, :, 0]
    chances, leads = estimates(won, 0, 1.0)
    assert chances[0].value == pytest.approx(won[:, 0, 0].mean())
    assert leads[0].value == leads[0].low == 0
    assert leads[1].value == pytest.approx(won[:, 0, 0].mean() - won[:, 1, 0].mean())
    assert leads[1].low < 0.3 < leads[1].high
    assert 0.05 < leads[1].high - leads[1].low < 0.15


def test_a_temperature_brings_chances_nearer_to_each_other():
    won = np.zeros((800, 2, 2))
    won[:640, 0, 0] = won[:320, 1, 0] = 1
    won[:, :, 1] = 1 - won[:, :, 0]
    won = np.random.default_rng(2).permutation(won)
    cold, hot = estimates(won, 0, 1.0)[1][1], estimates(won, 0, 1.5)[1][1]
    assert hot.value < cold.value
    assert hot.low < hot.value < hot.high


def test_a_search_that_finds_nothing_says_so():
    study = DailySearch(daily_config(), days=APART)
    job = ChallengeSearch(0, "coals", 2)
    assert is_sound(study.config, job, FoundChallenge(0, 40, None))
    assert study.summary() is None
    assert study.study.status() == "0 of 14 days"
    assert all(mistake(one) == "" for one in CHALLENGES)
