"""Random playouts of every game; COALS and TAILS beside C by hand, and OpenSpiel's C++ `pig`."""

import shutil
import subprocess
import time
from functools import partial
from pathlib import Path

import numpy as np

from bench.timing import median, note, row, seconds
from diablerie.engine.game import Game
from diablerie.engine.playout import buffers, playouts
from diablerie.engine.rng import seeded
from diablerie.games import ALL

HERE = Path(__file__).parent
SECONDS = 0.6


def all_games() -> None:
    """Uniformly random, chance explicit, the whole loop compiled, one core."""
    for name, game in ALL.items():
        for seats in game.seats:
            row(f"{name}, {seats} seats: random playouts", speed(game, seats), "M steps/s")


def speed(game: Game, seats: int) -> tuple[float, float, float]:
    """Million steps a second of random playouts."""
    start = game.start(seats).array.view(np.recarray)
    room, rng = start.copy(), seeded(1)
    out, p = buffers(game)
    playouts(start, room, rng, out, p, 5)

    def once() -> float:
        began, steps = time.process_time(), 0
        while time.process_time() - began < SECONDS:
            steps += playouts(start, room, rng, out, p, 50)
        return steps / (time.process_time() - began) / 1e6

    return median(once)


def twins() -> None:
    """Ratios within one run: COALS and TAILS here and in C, which play the same games."""
    for name in ("coals", "tails"):
        beside_c(name)


def beside_c(name: str) -> tuple[float, float, float]:
    """Million steps a second of a game with two seats, after a row for it and for its twin in C."""
    ours = speed(ALL[name], 2)
    row(f"{name}, 2 seats: random playouts", ours, "M steps/s")
    if program := compiled_c(name, HERE / "build"):
        theirs = median(partial(c_speed, program))
        row("the same loop in C by hand", theirs, "M steps/s")
        note(f"ours / C: {ours[0] / theirs[0]:.2f}")
    return ours


def coals_against_c_and_openspiel() -> None:
    """Ratios within one run: COALS here, in C, and OpenSpiel's pig with its own rollouts."""
    ours = beside_c("coals")
    try:
        import pyspiel
    except ImportError:
        note("open_spiel is not installed: no comparison with pig")
        return
    game = pyspiel.load_game("pig")
    theirs = median(partial(pig_speed, pyspiel, game, pig_length(game)))
    row("OpenSpiel pig, its C++ random rollout evaluator", theirs, "M steps/s")
    note(f"ours / pig: {ours[0] / theirs[0]:.2f}")


def compiled_c(name: str, folder: Path) -> str:
    """A game's twin in C, built in a folder with the system's compiler; "" if there is none."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        note("no C compiler: no comparison with C")
        return ""
    folder.mkdir(exist_ok=True)
    program = str(folder / name)
    command = [compiler, "-O3", "-march=native", "-o", program, str(HERE / f"{name}.c"), "-lm"]
    subprocess.run(command, check=True)
    return program


def c_speed(program: str) -> float:
    """Million steps a second of the C loop."""
    steps, took, _ = c_games(program, 2, 20000)
    return steps / took / 1e6


def c_games(program: str, seats: int, games: int) -> tuple[int, float, int]:
    """Steps, seconds and where the generator, seeded by 1, then stands."""
    command = [program, str(seats), str(games)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    steps, took, generator = done.stdout.split()
    return int(steps), float(took), int(generator)


def pig_speed(pyspiel: object, game: object, length: float) -> float:
    """Million steps a second of the rollouts in OpenSpiel's own MCTS, from the start of pig.

    All but a trifle of the bot's time goes into its 4,000 rollouts. It does not count their steps:
    the mean length of a random game is measured apart.
    """
    simulations, rollouts = 4, 1000
    evaluator = pyspiel.RandomRolloutEvaluator(rollouts, 7)  # type: ignore[attr-defined]
    bot = pyspiel.MCTSBot(  # type: ignore[attr-defined]
        game, evaluator, 1.0, simulations, 100, False, 7, False
    )
    took = seconds(lambda: bot.step(game.new_initial_state()))
    return simulations * rollouts * length / took / 1e6


def pig_length(game: object, games: int = 300) -> float:
    """The mean number of steps of random games of pig, chance included."""
    rng, steps = np.random.default_rng(1), 0
    for _ in range(games):
        state = game.new_initial_state()  # type: ignore[attr-defined]
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, p = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choice(outcomes, p=p))
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
    return steps / games
