"""Decisions a second of other libraries' environments beside ours, in one run.

Everywhere the same work: a uniformly random legal action, chance, the next observation as numbers,
the legal actions, a new game when one is over. Processor time of all threads.
"""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from bench.batch import N, batch_speed, rate
from bench.timing import median, note, row
from diablerie.envs import pettingzoo

OURS = ("coals", "tails", "underworld", "kitchen")
SPIEL = ("kuhn_poker", "leduc_poker", "tic_tac_toe", "connect_four", "backgammon")
ZOO = ("tictactoe_v3", "connect_four_v3", "leduc_holdem_v4")
PGX = ("kuhn_poker", "leduc_holdem", "tic_tac_toe", "connect_four", "backgammon")


def side_by_side() -> None:
    """A row for each environment; libraries that are not there are left out in a sentence."""
    note(f"batches of {N} games")
    for name in OURS:
        show(f"diablerie.batch: {name}", lambda name=name: batch_speed(name, mask="int8"))
    with needed("pgx", "its batches"):
        for name in PGX:
            show(f"pgx on this processor: {name}", pgx_speed(name))
    note("one game at a time, driven from Python")
    for name in OURS:
        show(f"diablerie, PettingZoo: {name}", lambda name=name: zoo_speed(pettingzoo.env(name)))
    with needed("pettingzoo.classic", "the PettingZoo classics"):
        for name in ZOO:
            classic = import_module(f"pettingzoo.classic.{name}")
            show(f"PettingZoo: {name}", lambda classic=classic: zoo_speed(classic.env()))
    with needed("pyspiel", "OpenSpiel's games"):
        import_module("diablerie.envs.open_spiel")
        for name in OURS:
            show(f"diablerie, OpenSpiel: {name}", spiel_speed(f"diablerie_{name}"))
        for name in SPIEL:
            show(f"OpenSpiel, in C++: {name}", spiel_speed(name))


def openspiel() -> None:
    """OpenSpiel from Python, one game at a time: stepping alone, and with a tensor before a decision.

    Beside each figure stands its ratio to that of Kuhn poker, in C++, in the same run.
    """
    pyspiel = import_module("pyspiel")
    import_module("diablerie.envs.open_spiel")
    tensors = (
        ("stepping alone", None),
        ("observation tensor", "observation_tensor"),
        ("information-state tensor", "information_state_tensor"),
    )
    yardstick: dict[str, float] = {}
    for name in ("kuhn_poker", *(f"diablerie_{name}" for name in OURS)):
        sizes = pyspiel.load_game(name)
        note(
            f"{name}: {sizes.observation_tensor_size()} numbers observed, "
            f"{sizes.information_state_tensor_size()} in an information state"
        )
        for what, tensor in tensors:
            speed = show(f"{name}: {what}", spiel_speed(name, tensor))
            note(f"    {speed / yardstick.setdefault(what, speed):.3f} of Kuhn poker's")


def show(what: str, job: Callable[[], float]) -> float:
    """One row; returns its median, in thousand decisions a second."""
    figures = median(lambda: job() * 1e3)
    row(what, figures, "k decisions/s")
    return figures[0]


@contextmanager
def needed(module: str, what: str) -> Iterator[None]:
    """Leave out what needs a module that is not installed, and say so."""
    try:
        yield
    except ModuleNotFoundError as missing:
        note(f"{missing.name} is not installed: no comparison with {what} ({module})")


def spiel_speed(name: str, tensor: str | None = "observation_tensor") -> Callable[[], float]:
    """Million decisions a second of a game of OpenSpiel, played from Python.

    tensor: the method of a state that is called before each decision; None: none is.
    """
    game = import_module("pyspiel").load_game(name)
    rng, state = random.Random(1), [game.new_initial_state()]

    def step() -> None:
        s = state[0]
        while s.is_terminal() or s.is_chance_node():
            if s.is_terminal():
                s = state[0] = game.new_initial_state()
                continue
            outcomes, p = zip(*s.chance_outcomes(), strict=True)
            s.apply_action(rng.choices(outcomes, p)[0])
        if tensor:
            getattr(s, tensor)(s.current_player())
        s.apply_action(rng.choice(s.legal_actions()))

    return lambda: rate(step)


def zoo_speed(env: Any) -> float:
    """Million decisions a second of a PettingZoo environment (AEC)."""
    rng = random.Random(1)
    env.reset(seed=1)

    def step() -> None:
        seen, _, ended, cut, _ = env.last()
        if ended or cut:
            env.reset()
            seen, *_ = env.last()
        env.step(rng.choice(seen["action_mask"].nonzero()[0]))

    return rate(step)


def pgx_speed(name: str) -> Callable[[], float]:
    """Million decisions a second of N games of pgx in one compiled call."""
    pgx, jax = import_module("pgx"), import_module("jax")
    again = import_module("pgx.experimental.wrappers").auto_reset
    env = pgx.make(name)

    def one(state: Any, key: Any) -> Any:
        choice, chance = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        action = jax.random.categorical(choice, logits)
        return again(env.step, env.init)(state, action, chance)

    @jax.jit
    def all_games(states: Any, key: Any) -> Any:
        key, now = jax.random.split(key)
        return jax.vmap(one)(states, jax.random.split(now, N)), key

    key = jax.random.PRNGKey(1)
    held = [jax.jit(jax.vmap(env.init))(jax.random.split(key, N)), key]

    def step() -> None:
        held[0], held[1] = all_games(*held)
        held[0].observation.block_until_ready()

    return lambda: N * rate(step)
