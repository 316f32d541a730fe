"""The numbers of the actions: unique over all nodes, ascending in the order of the rules.

A name that goes with a space, a seat or a letter stands for that many numbers from there.
"""

from typing import Final

from diablerie.engine.verbs import SEATS
from diablerie.games.underworld.rules.state import LETTERS, SPACES, Node

PLACE: Final = 0  # U6, with a space
MOVE: Final = PLACE + SPACES  # U9, with a space
SWAP: Final = MOVE + SPACES  # U19
REARRANGE: Final = SWAP + 1  # U21
PASS: Final = REARRANGE + 1  # U7
STOP: Final = PASS + 1  # U9
HOLDER: Final = STOP + 1  # U23, with a seat
LOSE: Final = HOLDER + SEATS  # U24, with a letter
KEEP: Final = LOSE + LETTERS  # U15
PUT_BACK: Final = KEEP + 1  # U15
PEEK: Final = PUT_BACK + 1  # U15, with a space
NO_PEEK: Final = PEEK + SPACES  # U15
EXCHANGE: Final = NO_PEEK + 1  # U19, with a space
WITH: Final = EXCHANGE + SPACES  # U19, with a space
TAKE: Final = WITH + SPACES  # U21, with a space
DONE: Final = TAKE + SPACES  # U21
LAY: Final = DONE + 1  # U21, with a space
WITHHOLD: Final = LAY + SPACES  # U22
GIVE: Final = WITHHOLD + 1  # U22
REVEAL: Final = GIVE + 1  # U8, with a space
ACTIONS: Final = REVEAL + SPACES

NOWHERE: Final = -1  # of a node that asks for no space
_WITH_SPACE = {
    Node.PLACE: PLACE,
    Node.TURN: MOVE,
    Node.ONWARD: MOVE,
    Node.PEEK: PEEK,
    Node.SWAP1: EXCHANGE,
    Node.SWAP2: WITH,
    Node.TAKE: TAKE,
    Node.LAY: LAY,
    Node.REVEAL: REVEAL,
}
# By node: the first of the actions that name a space there.
BASES: Final = tuple(_WITH_SPACE.get(node, NOWHERE) for node in Node)
