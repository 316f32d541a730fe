"""The command `diablerie solve`: progress to stderr, the result to stdout."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
from rich.console import Console

import diablerie
from diablerie.bots.exact.solution import Solution
from diablerie.engine.text import say
from diablerie.lab.config import check_player
from diablerie.lab.errors import BadConfig
from diablerie.lab.exact.endgames import endgames
from diablerie.lab.exact.endgames import report as ended
from diablerie.lab.exact.losses import Loss, measured
from diablerie.lab.exact.report import Summary, report, summary
from diablerie.lab.exact.responding import exploited
from diablerie.lab.exact.solving import Told, library, solved
from diablerie.lab.progress import reported
from diablerie.lab.telling import left_off, show

TABLE, PAGE, SUMMARY = "table.npz", "page.html", "summary.json"


def run(game: str, options: Mapping[str, Any], *, error: float, out: Path | None,
        players: Sequence[str], games: int, seed: int, respond: bool, workers: int, as_json: bool,
        words: str) -> bool:  # fmt: skip
    """Solve a game and say what was found; False if Ctrl-C ended it early.

    out: the folder in which it is kept; words: the command that was given, for the page.
    """
    for player in players:
        check_player(player)
    if diablerie.game_named(game).perfect_information:
        return _endgames(game, options, players, games, seed, as_json)
    if out:
        out.mkdir(parents=True, exist_ok=True)
    file = out / TABLE if out else None
    err, began = Console(stderr=True), monotonic()
    try:
        solution = _solved(err, game, options, error, file, workers)
        losses = [_measured(err, solution, player, games, seed, respond) for player in players]
    except KeyboardInterrupt:
        left_off(err, "stopped", file, "--out would have kept it")
        return False
    found = summary(solution, losses, monotonic() - began)
    show(found, report, as_json)
    if out:
        _keep(solution, found, out, words)
    return True


def _endgames(game: str, options: Mapping[str, Any], players: Sequence[str], games: int, seed: int,
              as_json: bool) -> bool:  # fmt: skip
    """What bots lose at the end of a game that is too large to be solved from its beginning."""
    library()
    if not players:
        raise BadConfig(say("of {game} only endgames are solved: name --players", game=game))
    err, found = Console(stderr=True), []
    for player in players:
        try:
            with reported(err, partial(str, player)) as progress:
                found += endgames(game, player, options, games=games, seed=seed,
                                  tell=lambda done: progress(done, games))  # fmt: skip
        except KeyboardInterrupt:
            return False
    show(found, partial(ended, game), as_json)
    return True


def _solved(err: Console, game: str, options: Mapping[str, Any], error: float, file: Path | None,
            workers: int) -> Solution:  # fmt: skip
    now = [""]
    with reported(err, lambda: now[0], "rounds") as progress:

        def tell(told: Told) -> None:
            now[0] = f"error at most {told.error:.2g}"
            progress(told.rounds, told.last)

        return solved(game, options, error=error, file=file, workers=workers, tell=tell)


def _measured(err: Console, solution: Solution, player: str, games: int, seed: int,
              respond: bool) -> Loss:  # fmt: skip
    with reported(err, lambda: player) as progress:
        found = measured(solution, player, games, seed, lambda done: progress(done, games))
    if not respond:
        return found
    with reported(err, lambda: f"against {player}", "rounds") as progress:
        best = exploited(solution, player, tell=lambda n: progress(n, solution.rounds.last))
    return msgspec.structs.replace(found, exploited=best)


def _keep(solution: Solution, found: Summary, out: Path, words: str) -> None:
    from diablerie.lab.exact.page import page

    (out / PAGE).write_text(page(solution, found, words), "utf-8")
    (out / SUMMARY).write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
