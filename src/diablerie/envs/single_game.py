"""One match, as the Gymnasium and PettingZoo environments play it: actions are numbers."""

from copy import deepcopy
from functools import partial
from io import BytesIO
from typing import Any, Self, TypedDict

import numpy as np
from numpy.typing import NDArray

from diablerie.engine import extras, verbs
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.options import OptionValues
from diablerie.engine.plies import Ply
from diablerie.engine.queries import Illegal, refusal
from diablerie.engine.text import ENGLISH, render_line, say
from diablerie.engine.verbs import CHANCE, WATCHER
from diablerie.envs.batch import ILLEGAL, lost_returns
from diablerie.envs.history import HistoryLayout, SeenEvents
from diablerie.envs.history_rules import Rows
from diablerie.envs.stepping import Observations
from diablerie.learning.inputs import LearnerInputs
from diablerie.values.observation import ObservationLayout

with extras.needed("research"):
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded


RENDER_MODES = ("human", "ansi", "rgb_array")
PICTURE_WIDTH = 600  # pixels
Info = dict[str, Any]  # what is told beside an observation, by name, as Gymnasium has it


class GameSettings(TypedDict, total=False):
    """What any environment of one game takes, and hands to `SingleGame`."""

    seats: int | None
    options: OptionValues | None
    illegal: str
    encoding: str
    inputs: bool
    history: int
    render_mode: str | None


def action_number(action: object) -> int:
    """The number of an action: a whole number of Python or NumPy. Raises TypeError for others."""
    array = np.asarray(action)
    if array.dtype.kind not in "iu" or array.size != 1:
        raise TypeError(f"an action is one whole number, not {action!r}")
    return int(array.item())


def observation_box(layout: ObservationLayout, inputs: LearnerInputs | None) -> spaces.Box:
    """The space of observations, or of inputs instead: float32 (size,)."""
    if inputs:
        return spaces.Box(-np.inf, np.inf, inputs.position.shape[1:])
    return spaces.Box(layout.low, layout.high)


def history_box(layout: HistoryLayout) -> spaces.Box:
    """The space of a history: int32 (length, 3)."""
    high = layout.high()
    return spaces.Box(np.full_like(high, -1), high, dtype=np.int32)


def pixels(game: Game, view: object, width: int = PICTURE_WIDTH) -> NDArray[np.uint8]:
    """The game's own picture of a view: uint8 (height, width, 3), in the light theme."""
    with extras.needed("research"):
        from PIL import Image  # here, since few environments are asked for pixels

        from diablerie.art.raster import png, without_sheets

    english = partial(render_line, language=ENGLISH, name=lambda seat: f"Seat {seat}")
    drawn = without_sheets(game.ui.draw(view, [], english), f"{game.home}.ui")
    return np.asarray(Image.open(BytesIO(png(drawn, width))).convert("RGB"))


class CopiedWhole:
    """What `copy.copy` copies with all that belongs to it, so that both play on independently."""

    def __copy__(self) -> Self:
        return deepcopy(self)


class SingleGame(CopiedWhole):
    """A game with its seats and options, and the match that is being played.

    illegal: an illegal action ends the match with the lowest utility for its side ("lose"), or
    "raise"s Illegal. encoding: of observations, see `ObservationLayout`. inputs: whether a seat
    observes what the built-in learner reads instead, `LearnerInputs.position`. history: how many of
    the last events a seat may look back at. render_mode: "human", "ansi" or "rgb_array".
    Raises BadOption as `Game.start`, ValueError for another `illegal`, `render_mode`, encoding or
    history, TypeError for a history that is no whole number.
    """

    def __init__(
        self,
        game: Game,
        *,
        seats: int | None = None,
        options: OptionValues | None = None,
        illegal: str = "lose",
        encoding: str = "raw",
        inputs: bool = False,
        history: int = 0,
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ILLEGAL:
            raise ValueError(f"{illegal!r} is none of {', '.join(ILLEGAL)}")
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"{render_mode!r} is none of {', '.join(RENDER_MODES)}")
        self.game = game
        self.seats = game.seats[0] if seats is None else seats
        self.options = game.settled(self.seats, options or {})
        self.raises = illegal == "raise"
        self.render_mode = render_mode
        self.layout = ObservationLayout(game, self.seats, encoding)
        self.inputs = LearnerInputs(game, 1) if inputs else None
        self.remembered = HistoryLayout.of(game, self.seats, history)
        # A match is there from the start, but does not count as begun: `reset` has to come first.
        self.begin(0)
        self.begun = False

    def begin(self, seed: int) -> None:
        """Start the match that `diablerie.start` starts with this seed."""
        self.match = Match.new(self.game, seats=self.seats, seed=seed, options=self.options)
        self.loser: int | None = None  # the seat whose action was not legal
        start = self.game.start(self.seats, self.options)
        self._events = SeenEvents(self.game, start, self.remembered)
        self._note(self.match.plies[0])
        self.begun = True

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.loser is not None or self.match.over

    def returns(self) -> list[float]:
        """Every seat's utility, all 0 while it runs."""
        if self.loser is None:
            return self.match.returns()
        return [float(x) for x in lost_returns(self.game, self.seats, self.loser)]

    def decide(self, seat: int, action: int) -> None:
        """Decide for a seat. For an illegal action, raises Illegal or ends the game: see `illegal`.

        Raises gymnasium's ResetNeeded before a match has been begun.
        """
        self.need_begun()
        code = self._forbids(seat, action)
        if code == 0:
            text = self.game.notation.format_action(self.match.state, seat, action)
            self._note(self.match.play(text, seat))
        elif not self.raises:
            self.loser = seat
        elif code > 0:
            raise refusal(self.game, code, self.match.state, action, str(action))
        else:
            raise Illegal(say("It is not this seat's turn to decide."))

    def _note(self, ply: Ply) -> None:
        """Let all seats note what has happened, where a history is asked for."""
        if not self.remembered.length:
            return
        notation = self.game.notation
        for who, text in ply.events:
            s = self._events.state
            if who == CHANCE:
                what = notation.parse_outcome(s, text)
            else:
                what = notation.parse_action(s, who, text)
            self._events.play(who, what)

    def history(self, seat: int) -> Rows:
        """The last events that a seat may know, the newest first: int32 (history, 3)."""
        return self._events.of(seat)

    def need_begun(self) -> None:
        """Raise ResetNeeded unless a match has been begun."""
        if not self.begun:
            raise ResetNeeded("call reset first: no match has begun")

    def legal(self, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; none if it is not to decide."""
        return self.match.actions(seat) if seat in self.pending else []

    @property
    def pending(self) -> list[int]:
        """The seats that may decide now."""
        return [] if self.over else self.match.pending

    def mask(self, seat: int, more: int = 0) -> NDArray[np.int8]:
        """1 for each legal action, else 0, then `more` zeros: int8 (actions + more,)."""
        mask = np.zeros(self.game.actions + more, np.int8)
        mask[self.legal(seat)] = 1
        return mask

    def observe(self, seat: int) -> Observations:
        """What a seat observes: float32 (size,)."""
        if self.inputs:
            legal = self.legal(seat)
            (width,) = self.inputs.kinds[0].shape
            actions = np.zeros((1, width), np.int32)
            actions[0, : len(legal)] = legal
            who, count = np.array([[seat if legal else -1], [len(legal)]], np.int32)
            self.inputs.write(self.match.state.array, who, actions, count)
            seen: Observations = self.inputs.position[0].copy()
            return seen
        return self.layout.observe(self.match.state, seat)

    def entries(self, seat: int) -> Info:
        """With inputs `kinds`, int32 (n,), and `marks`, float32 (n, marks), of n legal actions."""
        if not self.inputs:
            return {}
        self.observe(seat)
        n = len(self.legal(seat))
        return {"kinds": self.inputs.kinds[0, :n].copy(), "marks": self.inputs.marks[0, :n].copy()}

    @property
    def observed(self) -> spaces.Box:
        """The space of what a seat observes."""
        return observation_box(self.layout, self.inputs)

    def render(self, viewer: int = WATCHER) -> str | NDArray[np.uint8] | None:
        """What a viewer sees: text, or pixels (height, width, 3); "human" prints the text."""
        if self.render_mode is None:
            return None
        view = self.match.view(viewer)
        if self.render_mode == "rgb_array":
            return pixels(self.game, view)
        text = self.game.ui.sketch(view)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _forbids(self, seat: int, action: int) -> int:
        """What `verbs.forbids` answers; -1 if the seat is not to decide or the number is no action."""
        if seat not in self.pending or not 0 <= action < self.game.actions:
            return -1
        return verbs.forbids(self.match.state, seat, action)
