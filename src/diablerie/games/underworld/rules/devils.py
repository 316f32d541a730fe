"""Devil pegs: getting one, a second one, giving one away and putting one back."""

from diablerie.engine.compile import rule
from diablerie.engine.record import Record
from diablerie.games.underworld.rules.board import size
from diablerie.games.underworld.rules.letters import take_letter
from diablerie.games.underworld.rules.reach import occupant
from diablerie.games.underworld.rules.state import Node
from diablerie.games.underworld.rules.turns import end_turn, leave_if_free


@rule
def receive(s: Record, seat: int) -> None:
    """U14, U23: a devil for the player whose turn it is."""
    if s.pegs == 0:
        s.node = Node.HOLDER
        return
    s.pegs -= 1
    gain(s, seat)
    resolve(s, seat)


@rule
def receive_from(s: Record, seat: int, holder: int) -> None:
    """U23: from another player, who may leave by it (U26)."""
    s.devil[holder] = 0
    gain(s, seat)
    leave_if_free(s, holder)
    resolve(s, seat)


@rule
def give(s: Record, seat: int) -> None:
    """U22: to the player whose space is shared."""
    other = occupant(s, seat, int(s.disk[seat]))
    s.devil[seat] = 0
    gain(s, other)
    take_letter(s, seat)
    leave_if_free(s, seat)
    resolve(s, other)


@rule
def gain(s: Record, seat: int) -> None:
    """U24: a second devil sends both to the face; letters are lost in `resolve`."""
    if s.devil[seat]:
        s.devil[seat] = 0
        s.pegs += 2
        s.hit = s.struck = seat
    else:
        s.devil[seat] = 1


@rule
def resolve(s: Record, seat: int) -> None:
    """U24: two letters to lose, if there was a second devil; then the turn is over."""
    if s.node == Node.OVER:
        return
    if s.hit != seat:
        end_turn(s)
    elif size(int(s.letters[seat])) > 2:
        s.last = -1
        s.node = Node.LOSE
    else:
        s.letters[seat] = 0
        end_turn(s)


@rule
def lose(s: Record, letter: int) -> None:
    """U24: one letter of the two."""
    s.letters[s.hit] &= ~(1 << letter)
    if s.last >= 0:
        end_turn(s)
    else:
        s.last = letter


@rule
def put_back(s: Record, seat: int) -> None:
    """U15: on a tower."""
    s.devil[seat] = 0
    s.pegs += 1
    leave_if_free(s, seat)
