"""Whole tournaments: who is better, the same games however they are played, files gone on with."""

import json
import re
import subprocess
import sys
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import diablerie
from diablerie.bots.spec import BadSpec
from diablerie.engine.verbs import CHANCE
from diablerie.lab.running.errors import BadFile, BotFailure, WorkersLost
from diablerie.lab.running.run import run_study
from diablerie.lab.tournament import TournamentResults, tournament
from diablerie.lab.tournament.config import GameResult, play_fixture, schedule, tournament_config
from diablerie.lab.tournament.report import player_table
from diablerie.lab.tournament.standings import equilibrium, standings
from tests.lab.bots import Quiet
from tests.test_cli import run

TWO = ("random", "sensible")
BOTS = "tests.lab.bots"


def games(path):
    """The results of a file in order, thinking times aside."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows[1:]:
        assert all(seconds >= 0 for seconds in row.pop("seconds"))
    return rows[0], sorted(rows[1:], key=lambda row: row["game"])


def test_sensible_beats_random():
    found = tournament("coals", TWO, games=40)
    (meeting,) = found.meetings
    assert (meeting.first, meeting.second, meeting.games) == (*TWO, 40)
    assert meeting.wins + meeting.ties + meeting.losses == 40
    assert meeting.score.value == pytest.approx((meeting.wins + meeting.ties / 2) / 40)
    assert meeting.score.high < 0.5
    weak, strong = found.players
    assert weak.rating.value < 0 < strong.rating.value
    assert weak.decisions > 400
    assert 0 < weak.seconds < 0.01
    assert found.rate is not None


def test_at_mixed_tables_sensible_has_more_than_its_fair_share():
    found = tournament("coals", (*TWO, f"{BOTS}:Quiet"), seats=3, games=60)
    assert found.fair == pytest.approx(1 / 3)
    assert sum(one.share.value * one.games for one in found.players) == pytest.approx(60)
    best = max(found.players, key=lambda one: one.rating.value)
    assert best.player == "sensible"
    assert best.share.low > found.fair
    assert best.chance < 0.001


@pytest.mark.parametrize("seats", [2, 3])
def test_the_table_of_players_has_a_cell_below_each_head(seats):
    found = tournament("coals", (*TWO, "imp")[:seats], seats=seats, games=6)
    table = player_table(found)
    assert [len(row) for row in table.rows] == [len(table.head)] * seats
    assert ("by luck" in table.head) == (seats > 2)
    assert table.head[1] == ("seats" if seats > 2 else "games")


def test_partners_win_together():
    found = tournament("tails", TWO, seats=4, games=4)
    assert found.players[1].games == 4
    assert found.players[1].share.value > 0.5


@pytest.mark.parametrize(
    ("game", "seats"), [("coals", 2), pytest.param("tails", 3, marks=pytest.mark.ci)]
)
def test_the_same_seed_gives_the_same_games_with_any_number_of_workers(game, seats, tmp_path):
    files = [tmp_path / f"{workers}.jsonl" for workers in (1, 2)]
    for workers, file in enumerate(files, 1):
        tournament(game, TWO, seats=seats, games=12, file=file, workers=workers)
    assert games(files[0]) == games(files[1])
    other = tournament(game, TWO, seats=seats, games=12, seed=2, file=tmp_path / "seed")
    assert other.games == 12
    assert games(tmp_path / "seed")[1] != games(files[0])[1]


def test_a_tournament_goes_on_where_its_file_stops(tmp_path):
    whole, part = tmp_path / "whole", tmp_path / "part"
    first = tournament("coals", TWO, games=10, file=whole)
    lines = whole.read_text().splitlines(keepends=True)
    part.write_text("".join([lines[0], *lines[3:7]]))
    told = []
    second = tournament("coals", TWO, games=10, file=part, progress=lambda *done: told.append(done))
    assert games(part) == games(whole)
    assert part.read_text().startswith("".join([lines[0], *lines[3:7]]))
    assert told[0] == (4, 10)
    assert told[-1] == (10, 10)
    assert second.meetings == first.meetings
    before = part.read_text()
    assert tournament("coals", TWO, games=10, file=part).meetings == first.meetings
    assert part.read_text() == before


def test_only_full_tables_count():
    config = tournament_config("coals", TWO, games=10)
    results = TournamentResults(config)
    for fixture in islice(schedule(config), 7):
        results.add(play_fixture(config, fixture, lambda: False))
    assert standings(config, schedule(config), results.played).games == 6
    assert standings(config, schedule(config), {}).games == 0


def test_wins_and_thinking_times_are_those_of_the_games():
    config, results = tournament_config("coals", TWO, games=4), {}
    won, shared = (1.0, -1.0), (0.0, 0.0)  # by seat: "random" has the seats 0, 1, 0, 1
    returns = [won, won, shared, won]
    for fixture in schedule(config):
        names = tuple(TWO[player] for player in fixture.players)
        decisions = tuple(1 + fixture.number if name == "random" else 2 for name in names)
        seconds = tuple(float(fixture.number) if name == "random" else 0.5 for name in names)
        results[fixture.number] = GameResult(
            fixture.number, names, returns[fixture.number], decisions, seconds
        )
    found = standings(config, schedule(config), results)
    (meeting,) = found.meetings
    assert (meeting.wins, meeting.ties, meeting.losses, meeting.score.value) == (1, 1, 2, 0.375)
    random, sensible = found.players
    assert (random.games, random.share.value) == (4, 0.375)
    assert (random.decisions, random.seconds) == (1 + 2 + 3 + 4, (2 + 2 * 3 + 3 * 4) / 10)
    assert (sensible.decisions, sensible.seconds) == (8, 0.5)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("file") / "six.jsonl"
    tournament("coals", TWO, games=6, file=path)
    return path.read_text().splitlines(keepends=True)


def test_the_first_line_of_a_file_has_everything_that_fixes_the_results(rows):
    names = "diablerie game version tournament seats options players mixed games seed"
    assert list(json.loads(rows[0])) == names.split()


def changed(row, **values):
    return json.dumps({**json.loads(row), **values}) + "\n"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda r: [changed(r[0], seed=2), *r[1:]], "line 1: another config, seed 2, not 1"),
        (lambda r: [changed(r[0], diablerie="9"), *r[1:]], 'diablerie "9"'),
        (lambda r: [changed(r[0], players=["a", "b"]), *r[1:]], "another config, players"),
        (lambda r: r[1:], "line 1: not a line"),
        (lambda r: [*r[:3], r[3][:-9]], "line 4: it is cut off"),
        (lambda r: [*r[:3], "\n", *r[3:]], "line 4: not a line"),
        (lambda r: [*r, r[2]], "line 8: game 1 is there twice"),
        (lambda r: [r[0], changed(r[1], game=6)], "line 2: there is no game 6"),
        (lambda r: [r[0], changed(r[1], players=TWO[::-1])], "not between these players"),
        (lambda r: [r[0], changed(r[1], returns=[1.0])], "each of 2 seats"),
        (lambda r: [r[0], changed(r[1], seconds=[0.1])], "each of 2 seats"),
        (lambda r: [r[0], changed(r[1], opening=["bet 0"])], "each of 2 seats"),
        (lambda r: [r[0], changed(r[1], returns=[1.0, 1.0])], "cannot have ended so"),
        (lambda r: [r[0], changed(r[1], returns=[2.0, -2.0])], "cannot have ended so"),
        (lambda r: [r[0], changed(r[1], decisions=[-1, 1])], "cannot have ended so"),
        (lambda r: [r[0], changed(r[1], more=1)], "line 2: not a line"),
        (lambda _: ["\0\0\0\n"], "line 1: not a line"),
    ],
)
def test_a_damaged_file_or_another_tournaments_is_refused_and_left_alone(
    damage, said, rows, tmp_path
):
    path = tmp_path / "six.jsonl"
    path.write_text("".join(damage(rows)))
    before = path.read_bytes()
    with pytest.raises(BadFile, match=r"six\.jsonl") as refused:
        tournament("coals", TWO, games=6, file=path)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == before


def test_a_file_has_one_writer(tmp_path):
    config, path = tournament_config("coals", TWO, games=2), tmp_path / "one"
    with TournamentResults(config, path), pytest.raises(BadFile, match="writing to it"):
        TournamentResults(config, path)
    assert run_study(partial(TournamentResults, config), path).games == 2


@pytest.mark.parametrize(
    ("bot", "said", "workers"),
    [
        ("Cheat", r"“.+” is not allowed here: .+\[C\d+\w?\]", 1),
        ("Cheat", r"“.+” is not allowed here: .+\[C\d+\w?\]", 2),
        ("Absurd", "'the best one' is no action", 1),
        ("Outside", "is no action; they are 0 to", 1),
        ("Broken", "RuntimeError: out of ideas", 1),
    ],
)
def test_a_bot_that_fails_ends_the_tournament_and_is_named(bot, said, workers, tmp_path):
    path = tmp_path / "kept"
    with pytest.raises(BotFailure, match=said) as failed:
        tournament("coals", (*TWO, f"{BOTS}:{bot}"), games=10, file=path, workers=workers)
    text = str(failed.value)
    assert text.startswith(f"bot {BOTS}:{bot}, seat ")
    assert "dice seed " in text
    assert "\n" not in text
    if workers == 1:  # the first pairing's first table came before
        assert len(path.read_text().splitlines()) == 1 + 2


@pytest.mark.parametrize("kept", [True, False])
def test_a_failure_names_a_file_that_ends_where_it_happened(kept, tmp_path):
    keep = tmp_path / "games" if kept else None
    with pytest.raises(BotFailure) as failed:
        tournament("coals", ("random", f"{BOTS}:Late"), games=4, keep=keep)
    path = Path(re.search(r"; (\S+) ends there$", str(failed.value))[1])
    match = diablerie.verify(path)
    assert (path.parent == keep) is kept
    seat = match.actor
    assert match.names[seat] == f"{BOTS}:Late"
    assert sum(event.seat == seat for event in match.events) == 3
    assert f"seat {seat}" in str(failed.value)
    path.unlink()


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.ci)])
def test_every_game_is_kept_as_a_match_file_that_verifies(workers, tmp_path):
    file, keep = tmp_path / "results", tmp_path / "new" / "games"
    tournament("coals", TWO, seats=3, games=6, file=file, keep=keep, workers=workers)
    _, results = games(file)
    paths = sorted(keep.iterdir())
    assert [path.name for path in paths] == [f"{n:06}.jsonl" for n in range(6)]
    for path, result in zip(paths, results, strict=True):
        match = diablerie.verify(path)
        assert list(match.names) == result["players"]
        assert match.returns() == result["returns"]
        decided = [event.seat for event in match.events if event.seat != CHANCE]
        assert [decided.count(seat) for seat in range(3)] == result["decisions"]
    dice = [diablerie.load(path).fair.key for path in paths]
    assert dice[0] == dice[1] == dice[2] != dice[3]


def test_a_file_of_0_1_is_refused_since_its_dice_were_others(tmp_path):
    path = tmp_path / "old"
    tournament("coals", TWO, games=2, file=path)
    old = path.read_text().replace('"tournament":2', '"tournament":1', 1)
    path.write_text(old)
    with pytest.raises(BadFile, match="line 1: another config, tournament 1, not 2"):
        tournament("coals", TWO, games=4, file=path)
    assert path.read_text() == old


@pytest.mark.parametrize("bot", ["Vandal", "Fresh", "Peeping"])
@pytest.mark.parametrize("game", ["coals", "tails"])
def test_bots_are_new_for_each_seat_and_see_a_redacted_copy(bot, game):
    assert tournament(game, ("random", f"{BOTS}:{bot}"), games=4).games == 4


def test_every_bot_has_decided_once_before_its_time_is_measured(monkeypatch):
    asked = []

    def choose(self, s, seat, rng):
        asked.append(type(self).__name__)
        return Quiet.choose(self, s, seat, rng)

    for name in ("Vandal", "Fresh"):
        monkeypatch.setattr(f"{BOTS}.{name}.choose", choose)
    tournament_config("coals", (f"{BOTS}:Vandal", f"{BOTS}:Fresh"), games=2).runner.warm()
    assert asked == ["Vandal", "Fresh"]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_ends_the_program_is_a_bots_failure(workers):
    with pytest.raises(BotFailure, match="SystemExit: 3"):
        tournament("coals", ("random", f"{BOTS}:Quitter"), games=4, workers=workers)


def test_a_script_that_starts_workers_whenever_it_is_imported_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from diablerie.lab.tournament import tournament\n"
        "tournament('coals', ('random', 'sensible'), games=4, workers=2)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert "it must start them below “if __name__ == '__main__':”" in last
    assert done.stderr.count("Traceback") == 1, "workers say nothing"


def test_a_worker_that_dies_is_told_of(tmp_path):
    with pytest.raises(WorkersLost, match="ended with status 3"):
        tournament("coals", ("random", f"{BOTS}:Leaver"), games=4, workers=2)


def test_a_module_that_cannot_be_imported_is_refused(tmp_path, monkeypatch):
    (tmp_path / "my_wrong_bot.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BadSpec, match="ZeroDivisionError"):
        tournament_config("coals", ("random", "my_wrong_bot:Bot"))


@pytest.mark.ci  # commands start workers in the same way
def test_a_script_may_hold_a_tournament(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from diablerie.lab.tournament import tournament\n"
        "if __name__ == '__main__':\n"
        "    print(tournament('coals', ['random', 'sensible'], games=4, workers=2).games)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "4\n"), done.stderr


@pytest.mark.parametrize(
    ("scores", "shares"),
    [
        ([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], [1 / 3] * 3),
        ([[0.5, 0.6, 0.7], [0.4, 0.5, 0.9], [0.3, 0.1, 0.5]], [1, 0, 0]),
        ([[0.5, 0.8, 0.3], [0.2, 0.5, 0.6], [0.7, 0.4, 0.5]], [1 / 6, 1 / 3, 1 / 2]),
    ],
)
def test_nobody_scores_more_than_half_against_the_equilibrium_of_a_matrix(scores, shares):
    found = equilibrium(np.array(scores))
    assert found == pytest.approx(shares, abs=0.01)
    assert (np.array(scores) @ found).max() < 0.503


def test_a_matrix_has_everybody_against_everybody_with_intervals(tmp_path):
    page = tmp_path / "page.html"
    words = ("tournament", "coals", "--option", "goal=300", "--seats", "2", "--games", "8")
    players = "--players", "random,sensible,sensible:epsilon=0.5"
    done = run(*words, *players, "--matrix", "--workers", "1", "--report", str(page))
    assert done.exit_code == 0, done.output
    assert "score of the row's player against the column's" in done.output
    assert re.search(r"1 sensible.* +│ +\d", done.output)
    shown = page.read_text("utf-8")
    assert 'id="matrix"' in shown
    asked = run(*words, *players, "--matrix", "--workers", "1", "--json")
    found = json.loads(asked.stdout)
    assert len(found["meetings"]) == 3
    assert sum(found["mixture"]) == pytest.approx(1, abs=0.001)
    assert "leave out --mixed" in run(*words, *players, "--matrix", "--mixed").output
