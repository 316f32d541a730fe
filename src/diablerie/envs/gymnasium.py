"""Gymnasium: one seat against bots. Importing this registers `diablerie/Coals-v0` and so on.

For example:

    import gymnasium, diablerie.envs.gymnasium

    env = gymnasium.make("diablerie/Tails-v0", seats=3, opponents="sensible")
"""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

import diablerie
from diablerie.bots.spec import parse_bot
from diablerie.engine.rng import seeded
from diablerie.envs.single_game import RENDER_MODES, SingleGame
from diablerie.games import ALL
from diablerie.values.observation import ObservationLayout

Observation = NDArray[np.float32]
VERSION = (
    0  # of observation, actions and rules: what changes them raises it (tests/envs/versions.py)
)


def observation_box(layout: ObservationLayout) -> Any:
    """The space of observations."""
    return spaces.Box(layout.low, layout.high, dtype=np.float32)


class SeatEnv(gymnasium.Env[Observation, np.int64]):
    """One seat of a match; bots play the others.

    The observation is of `engine.observation`; `info["action_mask"]` (int8) says what is legal,
    `action_masks()` too. The reward is the seat's utility when the match ends, else 0.
    `reset(seed=…)` plays the dice of `diablerie.start(game, seed=…)`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (as Gymnasium has it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
    }

    def __init__(
        self,
        game: str,
        *,
        seats: int | None = None,
        seat: int = 0,
        opponents: str | Sequence[str] = "sensible",
        options: Mapping[str, Any] | None = None,
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        """opponents: the spec of a bot, or one for each other seat, in the order of seats.

        illegal: an action that is not legal ends the match with the lowest utility ("lose"), or
        "raise"s Illegal. Raises BadOption, BadSpec or ValueError for what there is not.
        """
        self.sitting = SingleGame(diablerie.game_named(game), seats, options, illegal, render_mode)
        self.seat, self.render_mode = seat, render_mode
        others = [k for k in range(self.sitting.seats) if k != seat]
        specs = [opponents] * len(others) if isinstance(opponents, str) else list(opponents)
        if not 0 <= seat < self.sitting.seats or len(specs) != len(others):
            raise ValueError("one of the seats, and a bot for each of the others")
        self._specs = {
            k: parse_bot(spec, imports=True) for k, spec in zip(others, specs, strict=True)
        }
        self.observation_space = observation_box(self.sitting.layout)
        self.action_space = spaces.Discrete(self.sitting.game.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """See Gymnasium."""
        super().reset(seed=seed)
        chosen = int(self.np_random.integers(2**63)) if seed is None else seed
        self.sitting.begin(chosen)
        self._bots = {k: spec.make(self.sitting.game) for k, spec in self._specs.items()}
        self._rng = seeded(chosen)
        self._others()
        return self.sitting.observe(self.seat), self._info()

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """See Gymnasium."""
        self.sitting.decide(self.seat, int(action))
        self._others()
        reward = self.sitting.returns()[self.seat]
        return self.sitting.observe(self.seat), reward, self.sitting.over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal, as learners with masks ask for it."""
        return self.sitting.mask(self.seat).astype(np.bool_)

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the seat sees, as text or picture."""
        return self.sitting.render(self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.sitting.mask(self.seat)}

    def _others(self) -> None:
        """The bots decide until the seat is to, or the match is over."""
        match = self.sitting.match
        while not self.sitting.over and (who := match.actor) != self.seat:
            assert who is not None
            action = self._bots[who].choose(match.seen_by(who), who, self._rng)
            self.sitting.decide(who, action)


def id_of(name: str) -> str:
    """The id of a game's environment."""
    return f"diablerie/{name.capitalize()}-v{VERSION}"


for _name in ALL:
    gymnasium.register(
        id_of(_name),
        entry_point="diablerie.envs.gymnasium:SeatEnv",
        vector_entry_point="diablerie.envs.vector:VectorGames",
        kwargs={"game": _name},
    )
