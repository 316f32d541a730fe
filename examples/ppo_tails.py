"""The network with which examples/ppo.py learns TAILS: it is told where the lines lead.

A line may cross the whole board; no small network finds its end from the tiles. So the rules are
asked, and every cell is looked at with the same weights, and so is every rotation.
"""

import jax
import jax.numpy as jnp
import numpy as np

from diablerie.engine.compile import rule
from diablerie.games.tails.rules.board import (
    ACROSS,
    BODIES,
    CELLS,
    ENDS,
    HEAD,
    KINDS,
    ROTATIONS,
    TURNS,
    TWIN_OF,
    code,
)
from diablerie.games.tails.rules.lines import at_body, at_tail_end, body_at, follow
from diablerie.games.tails.rules.sides import owner, side_of, worth
from diablerie.games.tails.rules.state import Node

NEAR = 4 * ENDS + 1  # numbers that are read of a cell, the last of them 1
BOARD = 9  # and of a board, likewise
WEIGHTS = jax.nn.initializers.he_normal()


class Network:
    """`see` makes what it reads, `apply` logits of all actions and what each seat may expect."""

    def __init__(self, game, seats, width, shown):
        self.seats, self.width = seats, width

    def see(self, states, seats, observation):
        """Nothing is hidden in TAILS: else this would have to be made of redacted states."""
        n, pairs = len(states), CELLS // 2  # of twins
        cells = np.zeros((n, pairs, 2, NEAR), np.float32)
        boards = np.zeros((n, 1 + TURNS, BOARD), np.float32)  # as it is; changes by each rotation
        read(states, seats, cells, boards)
        stock = states["stock"] / np.float32(8)
        return {"cells": cells.reshape(n, pairs, 2 * NEAR), "boards": boards, "stock": stock}

    def init(self, key):
        k, w = jax.random.split(key, 6), self.width
        return {
            "cell": WEIGHTS(k[0], (2 * NEAR, w)),  # of a cell, and of its twin
            "name": WEIGHTS(k[1], (w, 1)) / 10,
            "lay": WEIGHTS(k[2], (2 * BOARD, w)),
            "turn": WEIGHTS(k[3], (w, 1)) / 10,
            "board": WEIGHTS(k[4], (3 * w + BOARD + KINDS, w)),
            "judge": WEIGHTS(k[5], (w, self.seats)) / 10,
        }

    def apply(self, p, x):
        twins = jnp.hstack([p["cell"], jnp.roll(p["cell"], NEAR, 0)])
        h = jax.nn.relu(x["cells"] @ twins)
        name = (h.reshape(*h.shape[:2], 2, self.width) @ p["name"])[..., 0]
        now, after = x["boards"][:, :1], x["boards"][:, 1:]
        lay = jnp.concatenate([jnp.broadcast_to(now, after.shape), after], 2)
        laid = jax.nn.relu(lay @ p["lay"])
        turn = (laid @ p["turn"])[..., 0]
        # the twin of cell i is 53 - i; behind the rotations comes the pass
        logits = [name[:, :, 0], name[:, ::-1, 1], turn, jnp.zeros_like(turn[:, :1])]
        board = jnp.hstack([h.mean(1), laid.max(1), now[:, 0], x["stock"]])
        return jnp.hstack(logits), jax.nn.relu(board @ p["board"]) @ p["judge"]


@rule
def read(states, seats, cells, boards):
    """Follow the lines from all ends of every empty cell, and all bodies' for every rotation."""
    for i in range(len(states)):
        s, side = states[i], side_of(states[i], seats[i])
        for cell in range(CELLS):
            if s.laid[cell] < 0:
                near = cells[i, min(cell, TWIN_OF[cell]), int(TWIN_OF[cell] < cell)]
                near[-1] = 1
                for end in range(ENDS):
                    at, n = follow(s, int(ACROSS[ENDS * cell + end]))
                    if at_body(at):
                        near[4 * end + (owner(s, body_at(at)) != side)] = 1
                    near[4 * end + 2], near[4 * end + 3] = at_tail_end(at), n / 8
        stands(s, side, boards[i, 0])
        if s.node == Node.ROTATION:
            for turn in range(ROTATIONS[s.kind]):
                s.laid[s.cell] = code(s.kind, turn)
                stands(s, side, boards[i, 1 + turn])
                for k in range(BOARD):  # rules make no arrays
                    boards[i, 1 + turn, k] -= boards[i, 0, k]
            s.laid[s.cell] = -1


@rule
def stands(s, side, out):
    """Open tails and those that score, and their tiles: one's own side's, then the others'."""
    out[-1] = 1
    for body in range(BODIES):
        at, n = follow(s, int(HEAD[body]))
        if at >= 0 or worth(at, n):
            k = 4 * (owner(s, body) != side) + 2 * (at < 0)
            out[k] += 1 / 4
            out[k + 1] += n / 8
