"""Random play in pgx's games that are closest to ours: dice, hidden cards, tiles on a board."""

import time

from bench.timing import median, note, row

GAMES = ("backgammon", "2048", "kuhn_poker", "leduc_holdem", "hex", "go_9x9")
SIZES = [2**k for k in range(10, 21, 2)]
STEPS, REPETITIONS = 100, 3


def all_games() -> None:
    """The choice, the step, observation, mask and new games, in one compiled loop on JAX's device.

    As in our batches an action is drawn from the legal ones, and games that are over begin anew.
    """
    try:
        import jax
        import pgx
    except ImportError as error:
        note(f"{error.name} is not installed: no comparison with pgx")
        return
    device = jax.devices()[0]
    note(f"pgx {pgx.__version__}, jax {jax.__version__} on {device.device_kind}")
    for name in GAMES:
        for n in SIZES:
            try:
                figures = rate(name, n)
            except jax.errors.JaxRuntimeError as error:
                note(f"pgx {name}, {n} games: {str(error).splitlines()[0][:80]}")
                break
            row(f"pgx {name}: {n} games", figures, "M decisions/s")


def rate(name: str, n: int) -> tuple[float, float, float]:
    """Million decisions a second."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    begin, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))
    draw = jax.vmap(lambda key, mask: jax.random.categorical(key, jnp.where(mask, 0.0, -jnp.inf)))

    def one(carry, _):
        state, key = carry
        key, first, second = jax.random.split(key, 3)
        chosen = draw(jax.random.split(first, n), state.legal_action_mask)
        return (step(state, chosen, jax.random.split(second, n)), key), None

    many = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS)[0])
    key = jax.random.key(1)
    state, key = many(jax.jit(begin)(jax.random.split(key, n)), key)

    def once() -> float:
        nonlocal state, key
        jax.block_until_ready(state)
        began = time.perf_counter()
        state, key = jax.block_until_ready(many(state, key))
        return n * STEPS / (time.perf_counter() - began) / 1e6

    return median(once, REPETITIONS)
