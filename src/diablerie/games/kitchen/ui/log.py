"""The sentences of KITCHEN's log."""

from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.lookup import (
    colour_of,
    defender,
    delivered,
    neutral,
    players_left,
)
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import Duel, Node, State, Survivor
from diablerie.games.kitchen.ui.words import POT_WORDS, devil_word


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them."""
    if before.node == Node.MENU:
        return [say("{who} has filled the tray.", clause="K8", who=SeatRef(seat))]
    assert action is not None  # all else is seen by everybody
    return [*_SENTENCES[Node(int(before.node))](before, action, after), *_say_end(after)]


def _say_first(before: State, action: int, after: State) -> list[Line]:
    return [say("{who} begins.", clause="K9", who=SeatRef(action))]


def _say_pot(before: State, action: int, after: State) -> list[Line]:
    sign, k = divmod(action - state.POT, len(SPACES))
    pot = POT_WORDS[state.SIGNS * colour_of(before, int(before.turn)) + sign]
    where = NAMES[SPACES[k]]
    return [
        say(
            "{who} puts {pot} on {place}.",
            clause="K10",
            who=SeatRef(before.turn),
            pot=pot,
            place=where,
        )
    ]


def _say_roll(before: State, action: int, after: State) -> list[Line]:
    who, (one, other) = SeatRef(before.turn), state.DICE[action]
    if one + other == 0:
        return [say("{who} rolls two wings: a devil may fly.", clause="K16", who=who)]
    if other == 0:
        return [
            says(
                "{who} rolls a wing and {n}: {n} point.",
                "{who} rolls a wing and {n}: {n} points.",
                one,
                clause="K2",
                who=who,
            )
        ]
    return [
        say(
            "{who} rolls {one} and {other}: {sum} points.",
            clause="K13",
            who=who,
            one=one,
            other=other,
            sum=one + other,
        )
    ]


def _say_move(before: State, action: int, after: State) -> list[Line]:
    if action == state.END:
        return [say("{who} ends the turn.", clause="K13", who=SeatRef(before.turn))]
    _, _, load = move_of(action)
    if load and delivered(after, load - 1):
        return [_say_delivery(before, action), *_say_card(before, action, after)]
    lines = [_say_walk(before, action)]
    if after.duel != Duel.NONE:
        lines.append(_say_challenge(after))
    return lines


def _say_walk(before: State, action: int) -> Line:
    devil, to, load = move_of(action)
    values = {"who": SeatRef(before.turn), "number": devil + 1, "place": NAMES[to]}
    if before.wings:
        if load:
            return say(
                "{who} flies devil {number} to {place} with {pot}.",
                clause="K16",
                pot=POT_WORDS[load - 1],
                **values,
            )
        return say("{who} flies devil {number} to {place}.", clause="K16", **values)
    if load:
        return say(
            "{who} moves devil {number} to {place} with {pot}.",
            clause="K17",
            pot=POT_WORDS[load - 1],
            **values,
        )
    return say("{who} moves devil {number} to {place}.", clause="K13", **values)


def _say_delivery(before: State, action: int) -> Line:
    devil, _, load = move_of(action)
    return say(
        "{who} serves {pot} with devil {number}.",
        clause="K27",
        who=SeatRef(before.turn),
        pot=POT_WORDS[load - 1],
        number=devil + 1,
    )


def _say_card(before: State, action: int, after: State) -> list[Line]:
    devil, _, load = move_of(action)
    card, colour = int(after.card[load - 1]), colour_of(before, int(before.turn))
    if card == state.MILK:
        return [
            say(
                "It is milk! Devil {number} is thrown out of the kitchen.",
                clause="K31",
                number=devil + 1,
            )
        ]
    return [
        says(
            "It is worth {n} point; {who} has {total} now.",
            "It is worth {n} points; {who} has {total} now.",
            card,
            clause="K29",
            who=SeatRef(before.turn),
            total=int(after.score[colour]),
        )
    ]


def _say_challenge(after: State) -> Line:
    foe = devil_word(after, int(after.foe_colour), int(after.foe))
    if neutral(after):
        return say(
            "{devil} is in the way: a duel. {who} presses the button for it.",
            clause="K26",
            devil=foe,
            who=SeatRef(defender(after)),
        )
    return say("{devil} is in the way: fight or refuse?", clause="K19", devil=foe)


def _say_defend(before: State, action: int, after: State) -> list[Line]:
    who = SeatRef(defender(before))
    if action == state.FIGHT:
        return [say("{who} accepts the duel.", clause="K21", who=who)]
    return [say("{who} refuses: the devil goes back to its start.", clause="K20", who=who)]


def _say_stove(before: State, action: int, after: State) -> list[Line]:
    attacks = before.burst % 2 == 1
    who = SeatRef(before.attacker if attacks else defender(before))
    presses = int(before.burst)
    if action != state.JUMP:
        return [
            says(
                "{who} presses once: nothing happens.",
                "{who} presses {n} times: nothing happens.",
                presses,
                clause="K21",
                who=who,
            )
        ]
    return [
        says(
            "{who} presses once: the Oberteufel jumps! {who} wins the duel.",
            "{who} presses {n} times: the Oberteufel jumps! {who} wins the duel.",
            presses,
            clause="K21",
            who=who,
        ),
        _say_loser(before, after),
    ]


def _say_loser(before: State, after: State) -> Line:
    colour, d = int(after.foe_colour), int(after.foe)
    if after.duel == Duel.LOST:
        colour, d = colour_of(after, int(after.attacker)), int(after.fighter)
    devil = devil_word(after, colour, d)
    if after.devil[colour, d] < 0:
        return say("{devil} is out of the game.", clause="K24", devil=devil)
    if before.cap[colour, d]:
        return say("{devil} goes to its start without its cap.", clause="K24", devil=devil)
    return say("{devil} is the last one, so it goes to its start.", clause="K24", devil=devil)


_SENTENCES = {
    Node.FIRST: _say_first,
    Node.POT: _say_pot,
    Node.ROLL: _say_roll,
    Node.MOVE: _say_move,
    Node.DEFEND: _say_defend,
    Node.STOVE: _say_stove,
}


def _say_end(after: State) -> list[Line]:
    if after.node != Node.OVER:
        return []
    scores = [int(after.score[colour_of(after, i)]) for i in range(int(after.seats))]
    winners = [i for i in range(int(after.seats)) if after.winner[i]]
    if max(scores) < state.GOAL and _survived(after) and after.survivor == Survivor.WINS:
        return [say("Only {who} has devils left and wins!", clause="K33", who=SeatRef(winners[0]))]
    why = [] if max(scores) >= state.GOAL else [_say_why(after)]
    return [*why, *(_say_winner(i, scores[i], len(winners)) for i in winners)]


def _survived(after: State) -> bool:
    """Whether the game ended because a single player has devils left (K33)."""
    alone = players_left(after) == 1 and after.survivor != Survivor.PLAYS_ON
    return bool(alone and after.turns < state.LAST_TURN)


def _say_why(after: State) -> Line:
    """What ended a game in which nobody has ten points."""
    if after.turns == state.LAST_TURN:
        return say("The five hundredth turn is over.", clause="K33")
    if _survived(after):
        return say("Only one player has devils left: the most points win.", clause="K33")
    return say("Nobody can reach ten any more.", clause="K33")


def _say_winner(seat: int, total: int, winners: int) -> Line:
    values = {"who": SeatRef(seat), "total": total}
    if winners > 1:
        return say("{who} shares the win with {total} points.", clause="K33", **values)
    return say("{who} wins with {total} points!", clause="K32", **values)
