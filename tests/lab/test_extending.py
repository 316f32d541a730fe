"""A tournament's file is extended: to more games, to more players; and reported as a page."""

import json
import re

import pytest

from diablerie.lab.running import cluster
from diablerie.lab.running.errors import BadFile
from diablerie.lab.tournament import Interrupted, tournament
from diablerie.lab.tournament.config import schedule, tournament_config
from diablerie.lab.tournament.report import tournament_page
from tests.lab.test_tournament import games
from tests.test_cli import run

TWO = ("random", "sensible")
THREE = (*TWO, "tests.lab.bots:Quiet")


def text_of(path):
    return path.read_text().splitlines()


@pytest.mark.parametrize("seats", [2, 3])
def test_more_games_are_those_of_a_tournament_that_had_them_at_once(seats, tmp_path):
    part, whole = tmp_path / "part", tmp_path / "whole"
    tournament("coals", TWO, seats=seats, games=6, file=part)
    before = text_of(part)
    tournament("coals", TWO, seats=seats, games=18, file=part)
    tournament("coals", TWO, seats=seats, games=18, file=whole)
    assert text_of(part)[: len(before) + 1] == [
        *before, '{"extended":["random","sensible"],"games":18}'
    ]  # fmt: skip
    played = [row for row in map(json.loads, text_of(part)) if "returns" in row]
    rows = sorted(played, key=lambda row: row["game"])
    for row in rows:
        row.pop("seconds")
    assert rows == games(whole)[1]


def test_a_cluster_is_sent_all_who_play_after_an_extension(tmp_path, monkeypatch):
    sent = []

    def play(make, jobs, on, workers, halt, specs):
        sent.append(specs)
        yield from ()

    monkeypatch.setattr(cluster, "check_address", lambda on: on)
    monkeypatch.setattr(cluster, "run_on_cluster", play)
    tournament("coals", TWO, games=6, file=tmp_path / "file")
    with pytest.raises(Interrupted):
        tournament("coals", THREE, games=6, file=tmp_path / "file", on="ray")
    assert sent == [THREE]


def test_a_newcomer_plays_everybody_as_often_and_nobody_plays_again(tmp_path):
    file = tmp_path / "file"
    tournament("coals", TWO, games=6, file=file)
    before = text_of(file)
    found = tournament("coals", THREE, games=6, file=file)
    assert text_of(file)[: len(before)] == before
    assert [(one.first, one.second, one.games) for one in found.meetings] == [
        ("random", "sensible", 6), (THREE[0], THREE[2], 6), (THREE[1], THREE[2], 6),
    ]  # fmt: skip
    written = file.read_text()
    assert tournament("coals", THREE, games=6, file=file).meetings == found.meetings
    assert file.read_text() == written


def test_both_may_grow_again_and_again_and_be_gone_on_with(tmp_path):
    file, cut = tmp_path / "file", tmp_path / "cut"
    tournament("coals", TWO, games=4, file=file)
    tournament("coals", THREE, games=4, file=file)
    found = tournament("coals", (*THREE, "imp"), games=8, file=file)
    assert [one.games for one in found.meetings] == [8] * 6
    lines = text_of(file)
    cut.write_text("\n".join(lines[:-7]) + "\n")
    assert tournament("coals", (*THREE, "imp"), games=8, file=cut).meetings == found.meetings


def test_no_two_games_of_an_extended_schedule_share_a_number_and_pairs_share_dice():
    old = tournament_config("coals", TWO, games=6)
    new = tournament_config("coals", THREE, games=10)
    found = schedule(new, [old])
    assert [fixture.number for fixture in found] == list(range(30))
    assert found[:6] == schedule(old)
    for first, second in zip(found[::2], found[1::2], strict=True):
        assert first.table == second.table
        assert first.players == second.players[::-1]


def test_at_mixed_tables_newcomers_sit_in_the_games_to_come(tmp_path):
    file = tmp_path / "file"
    tournament("coals", TWO, seats=3, games=6, file=file)
    with pytest.raises(BadFile, match="more players at mixed tables need more games than 6"):
        tournament("coals", THREE, seats=3, games=6, file=file)
    found = tournament("coals", THREE, seats=3, games=18, file=file)
    assert found.games == 18
    assert [one.games for one in found.players] == [9 + 12, 9 + 12, 12]


@pytest.mark.parametrize(
    ("players", "count", "said"),
    [
        (TWO, 4, "another config, games 6, not 4"),
        (TWO[::-1], 6, "another config, players"),
        ((*THREE[::-1],), 6, "another config, players"),
    ],
)
def test_a_tournament_grows_and_never_shrinks(players, count, said, tmp_path):
    file = tmp_path / "file"
    tournament("coals", TWO, games=6, file=file)
    before = file.read_bytes()
    with pytest.raises(BadFile, match=said):
        tournament("coals", players, games=count, file=file)
    assert file.read_bytes() == before


def test_a_line_that_extends_to_less_is_refused(tmp_path):
    file = tmp_path / "file"
    tournament("coals", TWO, games=6, file=file)
    with file.open("a") as out:
        out.write('{"extended":["random","sensible"],"games":4}\n')
    with pytest.raises(BadFile, match="line 8: another config, games 6, not 4"):
        tournament("coals", TWO, games=6, file=file)


def test_what_everybody_opened_with_is_kept_and_counted(tmp_path):
    file = tmp_path / "file"
    found = tournament("coals", (TWO[0], THREE[2]), games=10, file=file)
    assert all(len(row["opening"]) == 2 for row in games(file)[1])
    quiet = [one for one in found.openings if one.player == THREE[2]]
    assert [(one.action, one.games) for one in quiet] == [("bet 0", 10)]
    assert quiet[0].won.value == pytest.approx(found.players[1].share.value)
    loud = [one.games for one in found.openings if one.player == "random"]
    assert loud == sorted(loud, reverse=True)
    assert len(loud) > 1


def test_the_report_is_a_page_that_needs_nothing_else(tmp_path):
    report = tmp_path / "report.html"
    done = run("tournament", "coals", "--players", ",".join(THREE), "--games", "8", "--workers",
               "1", "--report", str(report))  # fmt: skip
    assert done.exit_code == 0, done.output
    text = report.read_text("utf-8")
    for figure in ("ratings", "shares", "thinking", "openings"):
        assert f'<figure id="{figure}">' in text
        assert f'aria-labelledby="{figure}-title"' in text
    assert f"--players {','.join(THREE)} --games 8 --seed 1" in text
    assert not re.search(r'(?:src|href)="(?!#)|@import|url\((?!#)', text)


def test_the_cross_table_of_the_report_has_every_score_from_both_sides():
    found = tournament("coals", THREE, games=10)
    text = tournament_page(found, "")
    one = found.meetings[1]
    for value in (one.score.value, 1 - one.score.value):
        assert f"<td>{100 * value:.1f} % [" in text
    best = max(found.players, key=lambda one: one.rating.value).player
    assert f"<b>{best}</b>" in text
