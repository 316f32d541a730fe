"""PettingZoo: every seat an agent, one after the other (AEC) or together (parallel).

    from diablerie.envs import pettingzoo
    env = pettingzoo.env("coals", seats=4)

Agents are `seat_0` and so on. An observation is a dict: "observation" is that of
`values.observation`, float32 (size,); "action_mask", int8 (actions,), says which actions are legal,
and is all 0 for a seat that is not to decide; with `history`, "history", int32 (history, 3), has the
last events that the seat may know, see `envs.history.HistoryLayout`. The infos hold `illegal` (bool):
whether the agent's last action was illegal, and ended the match. They do not hold the mask: TorchRL
refuses it twice.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NotRequired, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

import diablerie
from diablerie.engine import extras
from diablerie.envs.gymnasium import VERSION
from diablerie.envs.history_rules import Rows
from diablerie.envs.single_game import (
    RENDER_MODES,
    CopiedWhole,
    GameSettings,
    Info,
    SingleGame,
    action_number,
    history_box,
)
from diablerie.envs.stepping import Mask, Observations

with extras.needed("research"):
    from gymnasium import spaces
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils import wrappers


class Seen(TypedDict):
    """What an agent observes."""

    observation: Observations
    action_mask: Mask
    history: NotRequired[Rows]


def env(game: str, **chosen: Unpack[GameSettings]) -> "SeatsInOrder":
    """The seats of a game one after the other, with PettingZoo's check of the order of calls.

    chosen: seats, options, illegal, encoding, inputs, history and render_mode, see `SingleGame`,
    which also says what is raised.
    """
    diablerie.checked(game, SingleGame, chosen)
    return SeatsInOrder(SeatsInTurn(game, **chosen))


def parallel_env(game: str, **chosen: Unpack[GameSettings]) -> "SeatsTogether":
    """The seats of a game at the same time; a seat that is not to decide passes, its last action.

    `chosen` as for `env`.
    """
    diablerie.checked(game, SingleGame, chosen)
    return SeatsTogether(game, **chosen)


class _Seats(CopiedWhole):
    """What both environments share. `more` is the number of actions beyond the game's own."""

    more = 0

    def __init__(self, game: str, **chosen: Unpack[GameSettings]) -> None:
        self.single = SingleGame(diablerie.game_named(game), **chosen)
        self.render_mode = self.single.render_mode
        self.metadata: Info = {
            "name": f"diablerie_{game}_v{VERSION}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{k}" for k in range(self.single.seats)]
        self.agents = self.possible_agents[:]
        actions = self.single.game.actions + self.more
        mask = spaces.Box(0, 1, (actions,), np.int8)
        parts: dict[str, spaces.Space[Any]] = {
            "observation": self.single.observed,
            "action_mask": mask,
        }
        if self.single.remembered.length:
            parts["history"] = history_box(self.single.remembered)
        self.observation_spaces = dict.fromkeys(self.possible_agents, spaces.Dict(parts))
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._draws = np.random.default_rng()

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Seen:
        """An agent's observation and its action mask, and its history if one is asked for."""
        seat = self.possible_agents.index(agent)
        seen: Seen = {"observation": self.single.observe(seat), "action_mask": self._mask(seat)}
        if self.single.remembered.length:
            seen["history"] = self.single.history(seat)
        return seen

    def render(self) -> str | NDArray[np.uint8] | None:
        """What everybody may see, as `render_mode` says: text, or pixels (height, width, 3)."""
        return self.single.render()

    def close(self) -> None:
        """Nothing to close."""

    def _mask(self, seat: int) -> Mask:
        return self.single.mask(seat, self.more)

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self._draws = np.random.default_rng(seed)
        self.single.begin(int(self._draws.integers(2**63)) if seed is None else seed)
        self.agents = self.possible_agents[:]

    def _infos(self) -> dict[str, Info]:
        """Every agent's info."""
        return {
            agent: {**self.single.entries(seat), "illegal": seat == self.single.loser}
            for seat, agent in enumerate(self.possible_agents)
        }

    def _rewards(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.single.returns(), strict=True))


class SeatsInTurn(_Seats, AECEnv[str, Seen, int | None]):  # type: ignore[misc]
    """One agent after the other. Seats that decide at the same time do so in their order."""

    def reset(self, seed: int | None = None, options: object = None) -> None:
        """Begin the match of `diablerie.start` with this seed."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._turn()

    def step(self, action: int | None) -> None:
        """Decide for the agent whose turn it is; None once it is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.single.decide(self.possible_agents.index(agent), action_number(action))
        if self.single.over:
            self.rewards = self._rewards()
            self.terminations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()
        self._deads_step_first()

    def _turn(self) -> None:
        self.infos = self._infos()
        if not self.single.over:
            self.agent_selection = self.possible_agents[self.single.pending[0]]


class SeatsTogether(_Seats, ParallelEnv[str, Seen, int]):  # type: ignore[misc]
    """All agents at once. The action after the last one of the game is to pass."""

    more = 1
    metadata: ClassVar[Info] = {}  # type: ignore[misc]

    def reset(
        self, seed: int | None = None, options: object = None
    ) -> tuple[dict[str, Seen], dict[str, Info]]:
        """Begin the match of `diablerie.start` with this seed."""
        self._begin(seed)
        return {agent: self.observe(agent) for agent in self.agents}, self._infos()

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[
        dict[str, Seen], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Info]
    ]:
        """Decide for all seats that are to decide now; the actions of the others are ignored.

        Raises gymnasium's ResetNeeded before the first reset, ValueError if an action is missing,
        TypeError for what is no whole number.
        """
        self.single.need_begun()
        chosen = {seat: self._chosen(seat, actions) for seat in self.single.pending}
        for seat, action in chosen.items():
            # After a decision before it a seat may not be to decide any more: the match may be over.
            if seat in self.single.pending:
                self.single.decide(seat, action)
        here = self.agents
        over = self.single.over
        if over:
            self.agents = []
        return (
            {agent: self.observe(agent) for agent in here},
            self._rewards() if here else {},
            dict.fromkeys(here, over),
            dict.fromkeys(here, False),
            self._infos(),
        )

    def _chosen(self, seat: int, actions: Mapping[str, int]) -> int:
        agent = self.possible_agents[seat]
        if agent not in actions:
            raise ValueError(f"{agent} is to decide, and has no action")
        return action_number(actions[agent])

    def _mask(self, seat: int) -> Mask:
        mask = super()._mask(seat)
        mask[-1] = seat not in self.single.pending
        return mask


class SeatsInOrder(CopiedWhole, wrappers.OrderEnforcingWrapper[str, Seen, int | None]):  # type: ignore[misc]
    """`SeatsInTurn`, with PettingZoo's check of the order of calls."""
