"""How turns end, how players and the game leave off, and how devil pegs change hands."""

from diablerie.engine.compile import Floats, rule
from diablerie.engine.shared_rules import winner_takes_all
from diablerie.games.underworld.rules import state
from diablerie.games.underworld.rules.deck import take_letter
from diablerie.games.underworld.rules.state import Node, State, Why, size
from diablerie.games.underworld.rules.targets import occupant


@rule
def end_turn(s: State) -> None:
    """U28 and U29, else the next seat's turn."""
    if s.node == Node.OVER:
        return
    s.turns += 1
    s.idle = 0 if s.fresh else s.idle + 1
    forget(s)
    if s.down == 0 or turns_left(s) <= 0:
        s.node = Node.OVER
    else:
        s.turn = (s.turn + 1) % s.seats
        begin(s)


@rule
def turns_left(s: State) -> int:
    """U29: turns until day breaks by the clock, if no card is turned up and no letter taken."""
    return min(state.TURNS - int(s.turns), state.IDLE - int(s.idle))


@rule
def forget(s: State) -> None:
    """What belongs to one turn alone."""
    s.fresh = s.todo = 0
    s.why = Why.NOTHING
    s.last = s.spot = s.hit = -1
    s.taken = s.laid = 0


@rule
def begin(s: State) -> None:
    """U7, U8."""
    if s.gone[s.turn]:
        s.todo = state.REVEALS
        s.node = Node.REVEAL
    else:
        s.node = Node.TURN


@rule
def leave_if_free(s: State, seat: int) -> None:
    """U26, U27."""
    if s.letters[seat] != state.ALL_LETTERS or s.devil[seat]:
        return
    left = 1
    for i in range(s.seats):
        left += int(s.gone[i] > 0)
    s.gone[seat] = left
    s.disk[seat] = state.ABSENT
    if left == s.seats - 1:
        forget(s)
        s.node = Node.OVER


@rule
def returns(s: State, out: Floats) -> None:
    """The verb: losers share -1 and those who left +1; nobody left: 0 for all."""
    for i in range(s.seats):
        out[i] = 1.0 if s.gone[i] else 0.0
    winner_takes_all(out, int(s.seats), out)


# -- devil pegs --------------------------------------------------------------------------------


@rule
def receive(s: State, seat: int) -> None:
    """U14, U23: a devil for the player whose turn it is."""
    if s.pegs == 0:
        s.node = Node.HOLDER
        return
    s.pegs -= 1
    gain(s, seat)
    resolve(s, seat)


@rule
def receive_from(s: State, seat: int, holder: int) -> None:
    """U23: from another player, who may leave by it (U26)."""
    s.devil[holder] = 0
    gain(s, seat)
    leave_if_free(s, holder)
    resolve(s, seat)


@rule
def give(s: State, seat: int) -> None:
    """U22: to the player whose space is shared."""
    other = occupant(s, seat, int(s.disk[seat]))
    s.devil[seat] = 0
    gain(s, other)
    take_letter(s, seat)
    leave_if_free(s, seat)
    resolve(s, other)


@rule
def gain(s: State, seat: int) -> None:
    """U24: a second devil sends both to the face; letters are lost in `resolve`."""
    if s.devil[seat]:
        s.devil[seat] = 0
        s.pegs += 2
        s.hit = s.struck = seat
    else:
        s.devil[seat] = 1


@rule
def resolve(s: State, seat: int) -> None:
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
def lose(s: State, letter: int) -> None:
    """U24: one letter of the two."""
    s.letters[s.hit] &= ~(1 << letter)
    if s.last >= 0:
        end_turn(s)
    else:
        s.last = letter


@rule
def put_back(s: State, seat: int) -> None:
    """U15: on a tower."""
    s.devil[seat] = 0
    s.pegs += 1
    leave_if_free(s, seat)
