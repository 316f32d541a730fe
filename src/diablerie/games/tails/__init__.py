"""TAILS: lay triangles so that your devils' tails wind long, and the others' do not."""

from diablerie.engine.game import Game, Playout
from diablerie.engine.text import say
from diablerie.games.tails import policy, rules, ui
from diablerie.games.tails.rules.sides import SEATS, SIDE
from diablerie.games.tails.rules.state import ACTIONS, OUTCOMES, Node, State
from diablerie.games.tails.ui.lesson import LESSON


def teams(seats: int) -> tuple[int, ...]:
    """The side of each seat: with 4 players, those opposite play together (T5)."""
    return tuple(SIDE[seats, :seats].tolist())


GAME = Game(
    name="tails",
    title=say("TAILS"),
    tagline=say("Lay triangles so that your devils' tails wind long, and the others' do not."),
    clauses="T",
    seats=SEATS,
    options=(),
    state=State,
    node=Node,
    actions=ACTIONS,
    outcomes=OUTCOMES,
    minutes=30,
    poster="triumph",
    rules=rules,
    policy=policy,
    ui=ui,
    lesson=LESSON,
    forced=frozenset({Node.ROTATION, Node.PASS}),
    teams=teams,
    playout=Playout(16, skill=0.0),
    epsilon=(0.95, 0.52, 0.2),
)
