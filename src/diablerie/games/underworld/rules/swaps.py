"""Swapping two cards, and rearranging two to four."""

from diablerie.engine.compile import rule
from diablerie.games.underworld.rules.deck import clear, exchange
from diablerie.games.underworld.rules.state import (
    HAND,
    UNSEEN,
    Node,
    State,
    above,
    bit,
    first,
    size,
)
from diablerie.games.underworld.rules.targets import takeable
from diablerie.games.underworld.rules.turns import begin, end_turn, forget


@rule
def call_off(s: State) -> None:
    """Back to the beginning of the turn, from a choice of cards or spaces not finished yet."""
    forget(s)
    begin(s)


@rule
def swap_first(s: State, space: int) -> None:
    """U19: one of the two."""
    s.last = space
    s.node = Node.SWAP2


@rule
def swap_second(s: State, space: int) -> None:
    """U19: and the other."""
    exchange(s, int(s.last), space)
    s.moved = bit(s.last) | bit(space)
    end_turn(s)


@rule
def take(s: State, space: int) -> None:
    """U21: one card more; no question where only one answer is left."""
    s.taken |= bit(space)
    s.todo += 1
    s.last = space
    if s.todo == HAND or (takeable(s) & above(space)) == 0:
        stop_taking(s)


@rule
def stop_taking(s: State) -> None:
    """U21: now to where they go."""
    s.last = -1
    s.node = Node.LAY


@rule
def lay(s: State, space: int) -> None:
    """U21: one space more; after the last, the cards are shuffled."""
    s.laid |= bit(space)
    s.last = space
    if size(s.laid) == s.todo:
        gather(s)
        s.last = -1
        s.node = Node.DEAL


@rule
def gather(s: State) -> None:
    """Pick the taken cards up, and lay their backs on the chosen spaces."""
    n = 0
    while s.taken:
        insert(s, n, clear(s, first(s.taken)))
        s.taken &= s.taken - 1
        n += 1
    rest = int(s.laid)
    while rest:
        s.card[first(rest)] = UNSEEN
        rest &= rest - 1
    s.down |= s.laid
    s.moved = s.laid


@rule
def insert(s: State, n: int, card: int) -> None:
    """Put a card into the hand of n sorted ones."""
    while n > 0 and s.hand[n - 1] > card:
        s.hand[n] = s.hand[n - 1]
        n -= 1
    s.hand[n] = card


@rule
def deal(s: State, card: int) -> None:
    """One shuffled card to the next space, in order."""
    s.card[first(s.laid)] = card
    s.laid &= s.laid - 1
    s.todo -= 1
    discard(s, card)
    if s.todo == 0:
        end_turn(s)


@rule
def discard(s: State, card: int) -> None:
    """Take one card of this kind out of the hand."""
    k = 0
    while s.hand[k] != card:
        k += 1
    while k < HAND - 1:
        s.hand[k] = s.hand[k + 1]
        k += 1
    s.hand[HAND - 1] = 0
