"""The sentences of KITCHEN's log."""

from diablerie.engine.record import Record
from diablerie.engine.text import Line, SeatRef, say, says
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.lookup import (
    colour_of,
    defender,
    delivered,
    neutral,
    players_left,
)
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    DICE,
    END,
    FIGHT,
    GOAL,
    JUMP,
    LAST_TURN,
    MILK,
    POT,
    SIGNS,
    Duel,
    Node,
)
from diablerie.games.kitchen.ui.text.words import POT_WORDS, devil_word


def narrate(
    before: Record, seat: int, action: int | None, after: Record, viewer: int
) -> list[Line]:
    """What one decision or outcome did, in sentences."""
    if before.node == Node.MENU:
        return [say("{who} has filled the tray.", clause="K8", who=SeatRef(seat))]
    assert action is not None  # all else is seen by everybody
    return [*_TOLD[Node(int(before.node))](before, action, after), *_told_end(after)]


def _told_first(before: Record, action: int, after: Record) -> list[Line]:
    return [say("{who} begins.", clause="K9", who=SeatRef(action))]


def _told_pot(before: Record, action: int, after: Record) -> list[Line]:
    sign, k = divmod(action - POT, len(SPACES))
    pot = POT_WORDS[SIGNS * colour_of(before, int(before.turn)) + sign]
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


def _told_roll(before: Record, action: int, after: Record) -> list[Line]:
    who, (one, other) = SeatRef(before.turn), DICE[action]
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


def _told_move(before: Record, action: int, after: Record) -> list[Line]:
    if action == END:
        return [say("{who} ends the turn.", clause="K13", who=SeatRef(before.turn))]
    _, _, load = move_of(action)
    if load and delivered(after, load - 1):
        return [_told_delivery(before, action), *_told_card(before, action, after)]
    lines = [_told_walk(before, action)]
    if after.duel != Duel.NONE:
        lines.append(_told_challenge(after))
    return lines


def _told_walk(before: Record, action: int) -> Line:
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
            "{who} walks devil {number} to {place} with {pot}.",
            clause="K17",
            pot=POT_WORDS[load - 1],
            **values,
        )
    return say("{who} walks devil {number} to {place}.", clause="K13", **values)


def _told_delivery(before: Record, action: int) -> Line:
    devil, _, load = move_of(action)
    return say(
        "{who} serves {pot} with devil {number}.",
        clause="K27",
        who=SeatRef(before.turn),
        pot=POT_WORDS[load - 1],
        number=devil + 1,
    )


def _told_card(before: Record, action: int, after: Record) -> list[Line]:
    devil, _, load = move_of(action)
    card, colour = int(after.card[load - 1]), colour_of(before, int(before.turn))
    if card == MILK:
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


def _told_challenge(after: Record) -> Line:
    foe = devil_word(after, int(after.foe_colour), int(after.foe))
    if neutral(after):
        return say(
            "{devil} stands there: a duel. {who} presses for it.",
            clause="K26",
            devil=foe,
            who=SeatRef(defender(after)),
        )
    return say("{devil} is in the way: fight or flee?", clause="K19", devil=foe)


def _told_defend(before: Record, action: int, after: Record) -> list[Line]:
    who = SeatRef(defender(before))
    if action == FIGHT:
        return [say("{who} accepts the duel.", clause="K21", who=who)]
    return [say("{who} refuses: the devil goes back to its start.", clause="K20", who=who)]


def _told_stove(before: Record, action: int, after: Record) -> list[Line]:
    attacks = before.burst % 2 == 1
    who = SeatRef(before.attacker if attacks else defender(before))
    presses = int(before.burst)
    if action != JUMP:
        return [
            says(
                "{who} presses once: all quiet.",
                "{who} presses {n} times: all quiet.",
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
        _told_loser(before, after),
    ]


def _told_loser(before: Record, after: Record) -> Line:
    colour, d = int(after.foe_colour), int(after.foe)
    if after.duel == Duel.LOST:
        colour, d = colour_of(after, int(after.attacker)), int(after.fighter)
    devil = devil_word(after, colour, d)
    if after.devil[colour, d] < 0:
        return say("{devil} is out of the game.", clause="K24", devil=devil)
    if before.cap[colour, d]:
        return say("{devil} goes to its start without its cap.", clause="K24", devil=devil)
    return say("{devil} is the last one: it goes to its start.", clause="K24", devil=devil)


_TOLD = {
    Node.FIRST: _told_first,
    Node.POT: _told_pot,
    Node.ROLL: _told_roll,
    Node.MOVE: _told_move,
    Node.DEFEND: _told_defend,
    Node.STOVE: _told_stove,
}


def _told_end(after: Record) -> list[Line]:
    if after.node != Node.OVER:
        return []
    scores = [int(after.score[colour_of(after, i)]) for i in range(int(after.seats))]
    winners = [i for i in range(int(after.seats)) if after.winner[i]]
    why = []
    if after.turns == LAST_TURN:
        why = [say("The five hundredth turn is over.", clause="K33")]
    elif max(scores) < GOAL and players_left(after) == 1:
        return [say("{who} alone has devils left and wins!", clause="K33", who=SeatRef(winners[0]))]
    elif max(scores) < GOAL:
        why = [say("Nobody can reach ten any more.", clause="K33")]
    return [*why, *(_told_winner(i, scores[i], len(winners)) for i in winners)]


def _told_winner(seat: int, total: int, winners: int) -> Line:
    values = {"who": SeatRef(seat), "total": total}
    if winners > 1:
        return say("{who} shares the win with {total} points.", clause="K33", **values)
    return say("{who} wins with {total} points!", clause="K32", **values)
