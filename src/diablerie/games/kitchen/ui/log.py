"""The log of KITCHEN in sentences, and the words for its pieces.

Every message is there once, whole, so that languages can inflect it.
"""

from diablerie.engine.naming import PieceName
from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.state import (
    Duel,
    Node,
    State,
    Survivor,
    colour_of,
    defender,
    delivered,
    neutral,
    players_left,
    seat_of,
)

# -- words -------------------------------------------------------------------------------------


SIGN_WORDS = (say("flame"), say("eye"), say("bone"), say("star"))
POT_WORDS = (
    say("the yellow flame pot"),
    say("the yellow eye pot"),
    say("the yellow bone pot"),
    say("the yellow star pot"),
    say("the violet flame pot"),
    say("the violet eye pot"),
    say("the violet bone pot"),
    say("the violet star pot"),
    say("the blue flame pot"),
    say("the blue eye pot"),
    say("the blue bone pot"),
    say("the blue star pot"),
    say("the green flame pot"),
    say("the green eye pot"),
    say("the green bone pot"),
    say("the green star pot"),
)


def pot_word(colour: int, sign: int) -> Line:
    """What a pot is called in sentences."""
    return POT_WORDS[len(SIGN_WORDS) * colour + sign]


def card_word(value: int) -> Line:
    """What a menu card of this value is called."""
    return says("{n} point", "{n} points", value) if value else say("milk")


def devil_id(colour: int, d: int) -> str:
    """The id of a devil's drawing."""
    return f"kitchen-devil-{colour}-{d}"


def devil_number(colour: int, d: int) -> PieceName:
    """The number by which sentences name a devil; while they do, it is in the picture, too."""
    return PieceName(devil_id(colour, d), str(d + 1))


def devil_word(s: State, colour: int, d: int) -> Line:
    """What a devil is called: by its owner and its number."""
    seat = seat_of(s, colour)
    if seat >= s.seats:
        return say("A neutral devil")
    return say("Devil {number} of {who}", number=devil_number(colour, d), who=seat)


# -- the log -----------------------------------------------------------------------------------


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them."""
    if before.node == Node.MENU:
        return [say("{who} has filled the tray.", "K8", who=seat)]
    assert action is not None  # all else is seen by everybody
    return [*_say(before, action, after), *_say_end(after)]


def _say(before: State, action: int, after: State) -> list[Line]:
    match before.node:
        case Node.FIRST:
            return [say("{who} begins.", "K9", who=action)]
        case Node.POT:
            return [_say_pot(before, action)]
        case Node.ROLL:
            return [_say_roll(before, action)]
        case Node.MOVE:
            return _say_move(before, action, after)
        case Node.DEFEND:
            return [_say_defend(before, action)]
    return _say_stove(before, action, after)


def _say_pot(before: State, action: int) -> Line:
    sign, k = divmod(action - state.POT, len(SPACES))
    pot = POT_WORDS[state.SIGNS * colour_of(before, before.turn) + sign]
    where = NAMES[SPACES[k]]
    return say("{who} puts {pot} on {place}.", "K10", who=before.turn, pot=pot, place=where)


def _say_roll(before: State, action: int) -> Line:
    who = before.turn
    one, other = state.DICE[action]
    if one + other == 0:
        return say("{who} rolls two wings: a devil may fly.", "K16", who=who)
    # Of one wing and a number the number stands first in DICE.
    if other == 0:
        return says(
            "{who} rolls a wing and {n}: {n} point.",
            "{who} rolls a wing and {n}: {n} points.",
            one,
            "K2",
            who=who,
        )
    return say(
        "{who} rolls {one} and {other}: {sum} points.",
        "K13",
        who=who,
        one=one,
        other=other,
        sum=one + other,
    )


def _say_move(before: State, action: int, after: State) -> list[Line]:
    if action == state.END:
        return [say("{who} ends the turn.", "K13", who=before.turn)]
    _, _, load = move_of(action)
    if load and delivered(after, load - 1):
        return [_say_delivery(before, action), *_say_card(before, action, after)]
    lines = [_say_walk(before, action)]
    if after.duel != Duel.NONE:
        lines.append(_say_challenge(after))
    return lines


def _say_walk(before: State, action: int) -> Line:
    devil, to, load = move_of(action)
    number = devil_number(colour_of(before, before.turn), devil)
    values = {"who": before.turn, "number": number, "place": NAMES[to]}
    if before.wings:
        if load:
            return say(
                "{who} flies devil {number} to {place} with {pot}.",
                "K16",
                pot=POT_WORDS[load - 1],
                **values,
            )
        return say("{who} flies devil {number} to {place}.", "K16", **values)
    if load:
        return say(
            "{who} moves devil {number} to {place} with {pot}.",
            "K17",
            pot=POT_WORDS[load - 1],
            **values,
        )
    return say("{who} moves devil {number} to {place}.", "K13", **values)


def _say_delivery(before: State, action: int) -> Line:
    devil, _, load = move_of(action)
    return say(
        "{who} serves {pot} with devil {number}.",
        "K27",
        who=before.turn,
        pot=POT_WORDS[load - 1],
        number=devil_number(colour_of(before, before.turn), devil),
    )


def _say_card(before: State, action: int, after: State) -> list[Line]:
    devil, _, load = move_of(action)
    card = int(after.card[load - 1])
    colour = colour_of(before, before.turn)
    if card == state.MILK:
        return [
            say(
                "It is milk! Devil {number} is thrown out of the kitchen.",
                "K31",
                number=devil_number(colour, devil),
            )
        ]
    return [
        says(
            "It is worth {n} point; {who} has {total} now.",
            "It is worth {n} points; {who} has {total} now.",
            card,
            "K29",
            who=before.turn,
            total=int(after.score[colour]),
        )
    ]


def _say_challenge(after: State) -> Line:
    foe = devil_word(after, after.foe_colour, after.foe)
    if neutral(after):
        return say(
            "{devil} is in the way: a duel. {who} presses the button for it.",
            "K26",
            devil=foe,
            who=defender(after),
        )
    return say("{devil} is in the way: fight or refuse?", "K19", devil=foe)


def _say_defend(before: State, action: int) -> Line:
    who = defender(before)
    if action == state.FIGHT:
        return say("{who} accepts the duel.", "K21", who=who)
    return say("{who} refuses: the devil goes back to its start.", "K20", who=who)


def _say_stove(before: State, action: int, after: State) -> list[Line]:
    attacks = before.burst % 2 == 1
    who = before.attacker if attacks else defender(before)
    presses = before.burst
    if action != state.JUMP:
        return [
            says(
                "{who} presses once: nothing happens.",
                "{who} presses {n} times: nothing happens.",
                presses,
                "K21",
                who=who,
            )
        ]
    # Who makes him jump wins; then what the loser loses.
    return [
        says(
            "{who} presses once: the Oberteufel jumps! {who} wins the duel.",
            "{who} presses {n} times: the Oberteufel jumps! {who} wins the duel.",
            presses,
            "K21",
            who=who,
        ),
        _say_loser(before, after),
    ]


def _say_loser(before: State, after: State) -> Line:
    colour = after.foe_colour
    d = after.foe
    if after.duel == Duel.LOST:
        colour = colour_of(after, after.attacker)
        d = after.fighter
    devil = devil_word(after, colour, d)
    if after.devil[colour, d] < 0:
        return say("{devil} is out of the game.", "K24", devil=devil)
    if before.cap[colour, d]:
        return say("{devil} goes to its start without its cap.", "K24", devil=devil)
    return say("{devil} is the last one, so it goes to its start.", "K24", devil=devil)


def _say_end(after: State) -> list[Line]:
    if after.node != Node.OVER:
        return []
    scores = [int(after.score[colour_of(after, i)]) for i in range(after.seats)]
    winners = [i for i in range(after.seats) if after.winner[i]]
    if max(scores) < state.GOAL and _survived(after) and after.survivor == Survivor.WINS:
        return [say("Only {who} has devils left and wins!", "K33", who=winners[0])]
    why = [] if max(scores) >= state.GOAL else [_say_why(after)]
    return [*why, *(_say_winner(i, scores[i], len(winners)) for i in winners)]


def _survived(after: State) -> bool:
    """Whether the game ended because a single player has devils left (K33)."""
    alone = players_left(after) == 1 and after.survivor != Survivor.PLAYS_ON
    return bool(alone and after.turns < state.LAST_TURN)


def _say_why(after: State) -> Line:
    """What ended a game in which nobody has ten points."""
    if after.turns == state.LAST_TURN:
        return say("The five hundredth turn is over.", "K33")
    if _survived(after):
        return say("Only one player has devils left: the most points win.", "K33")
    return say("Nobody can reach ten any more.", "K33")


def _say_winner(seat: int, total: int, winners: int) -> Line:
    values = {"who": seat, "total": total}
    if winners > 1:
        return say("{who} shares the win with {total} points.", "K33", **values)
    return say("{who} wins with {total} points!", "K32", **values)
