"""TAILS: lay triangles so that your devils' tails wind long, and the others' do not."""

from diablerie.engine.game import Game, Length, LevelParams, Original, Playout
from diablerie.engine.options import OptionValues
from diablerie.engine.text import say
from diablerie.games.tails import policy, rules, ui
from diablerie.games.tails.rules.sides import SEATS, SIDE
from diablerie.games.tails.rules.state import CELLS, Node


def teams(seats: int) -> tuple[int, ...]:
    """The side of each seat: with 4 players, those opposite play together (T5)."""
    return tuple(SIDE[seats, :seats].tolist())


def longest(seats: int, options: OptionValues) -> Length:
    """A rotation for every tile and a cell for every other one (T12), so long is every game.

    With 3 a cell for every tile, and up to two players pass before they find one (T14).
    """
    decisions = 4 * CELLS if seats == 3 else CELLS + CELLS // 2
    return Length(decisions, 1 + CELLS)


GAME = Game(
    home=__name__,
    rules=rules,
    policy=policy,
    ui=ui,
    name="tails",
    title=say("TAILS"),
    tagline=say("Place triangles so that your devils’ tails grow long and the others’ stay short."),
    clauses="T",
    seats=SEATS,
    minutes=30,
    poster="triumph",
    original=Original("Auf Teufel komm raus!", ("Niek Neuwahl",), "ASS", 1995),
    forced=frozenset({Node.ROTATION, Node.PASS}),
    teams=teams,
    levels=(
        LevelParams(guesses=2, neglect=1.0, temperature=0.42),
        LevelParams(guesses=10, neglect=0.5, temperature=0.08),
        LevelParams(guesses=80, temperature=0.005),
    ),
    playout=Playout(16, skill=0.0, most=True),
    longest=longest,
    perfect_information=True,
)
