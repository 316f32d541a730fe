"""What KITCHEN asks and what its buttons say, what speaks for an action, and why one cannot be done."""

from collections.abc import Sequence

from diablerie.engine import verbs
from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import CELLS, DISTANCE, GRILL, NAMES, SPACES
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.play import attackers_chance
from diablerie.games.kitchen.rules.state import (
    END,
    FIGHT,
    MILK,
    MOVE,
    POT,
    POTS,
    REFUSE,
    Node,
    State,
    colour_of,
    defender,
    delivered,
    devils_left,
    opposed,
    players_left,
)
from diablerie.games.kitchen.ui.log import POT_WORDS, SIGN_WORDS, devil_number


def prompt(s: State, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("The kitchen is closed: the game is over.")
    if viewer >= 0 and verbs.pending(s) >> viewer & 1:
        return _question(s)
    if s.node == Node.MENU:
        waiting = int(verbs.pending(s)).bit_count()
        return says("Waiting for {n} menu.", "Waiting for {n} menus.", waiting)
    if s.node == Node.DEFEND:
        return say("{who} is challenged: fight or refuse?", "K20", who=defender(s))
    return say("{who} is moving.", who=s.turn)


def _question(s: State) -> Line:
    if s.node == Node.MENU:
        return say(
            "Which pot holds which dish? Milk, 1, 3 and 5: your secret, for the whole game.", "K8"
        )
    if s.node == Node.POT:
        return say(
            "Place one of your pots on a cooking place. Your devils will carry it to your grill.",
            "K10",
        )
    if s.node == Node.DEFEND:
        return _challenged(s)
    return _your_move(s)


def _challenged(s: State) -> Line:
    odds = round(100 * (1 - attackers_chance(s.stove)))
    values = {"who": s.attacker, "odds": odds, "number": devil_number(s.foe_colour, s.foe)}
    if s.cap[s.foe_colour, s.foe]:
        return say(
            "{who} challenges your devil {number}. If you fight, you win {odds} times in 100; "
            "otherwise you lose the cap. If you refuse, the devil goes to its start with its "
            "cap, and {who} goes on.",
            "K20",
            **values,
        )
    # Without a cap: what is lost depends on whether it is the last.
    if devils_left(s, s.foe_colour) == 1:
        return say(
            "{who} challenges your last devil. If you fight, you win {odds} times in 100; "
            "otherwise it goes to its start. If you refuse, it goes there as well, and {who} "
            "gets no extra point.",
            "K24",
            **values,
        )
    return say(
        "{who} challenges your devil {number}, which has no cap. If you fight, you win {odds} "
        "times in 100; otherwise you lose the devil. If you refuse, it goes to its start, and "
        "{who} goes on.",
        "K24",
        **values,
    )


def _your_move(s: State) -> Line:
    if s.wings:
        return say(
            "Two wings! One of your devils may fly to any cooking place where you have none.", "K16"
        )
    if s.obliged != state.NONE:
        return say(
            "Two of your devils cannot stand together: devil {number} has to move on.",
            "K15",
            number=devil_number(colour_of(s, s.turn), s.obliged),
        )
    # The extra point (K22) is the winner's alone, so it is told with that devil's number.
    if s.extra and s.points == 0:
        return say(
            "Devil {number} has one extra point for winning the duel.",
            "K22",
            number=devil_number(colour_of(s, s.turn), s.mover),
        )
    if s.extra:
        return says(
            "You have {n} movement point, and devil {number} has one extra point for its next "
            "step.",
            "You have {n} movement points, and devil {number} has one extra point for its "
            "next step.",
            s.points,
            "K22",
            number=devil_number(colour_of(s, s.turn), s.mover),
        )
    return says(
        "You have {n} movement point: carry pots to your grill. Ten points win.",
        "You have {n} movement points: carry pots to your grill. Ten points win.",
        s.points,
        "K13",
    )


def points(s: State) -> Sequence[float]:
    """Every seat's points, those of the pots that it has served."""
    return [int(s.score[colour_of(s, seat)]) for seat in range(s.seats)]


def ending(s: State) -> Line:
    """What ended the game, and the clause."""
    if max(points(s)) >= state.GOAL:
        return say("somebody had ten points", "K32")
    if s.turns >= state.LAST_TURN:
        return say("the 500th turn was over", "K33")
    if players_left(s) == 1 and s.survivor != state.Survivor.PLAYS_ON:
        return say("only one player had devils left", "K33")
    return say("nobody could reach ten any more", "K33")


def chapter(s: State) -> Line:
    """How many pots have been served: the game has no rounds."""
    if s.node in (Node.MENU, Node.FIRST, Node.POT):
        return say("Menus and pots")
    served = sum(bool(delivered(s, pot)) for pot in range(state.POTS))
    if not served:
        return say("No pot served yet")
    return says("{n} pot served", "{n} pots served", served)


THEMES = {  # what a decision is about, in a few words, for the daily challenge
    Node.MENU: say("which pot holds what"),
    Node.POT: say("where a pot may stand"),
    Node.MOVE: say("where to walk"),
    Node.DEFEND: say("whether to fight"),
}


# -- buttons -----------------------------------------------------------------------------------


def label(s: State, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < state.POT:
        cards = [
            say("milk") if value == state.MILK else str(value) for value in state.MENUS[action]
        ]
        names = dict(zip("abcd", cards, strict=True))
        return say("flame {a}, eye {b}, bone {c}, star {d}", "K8", **names)
    if action < state.MOVE:
        sign, k = divmod(action - state.POT, len(SPACES))
        return say("Pot with {sign} on {place}", sign=SIGN_WORDS[sign], place=NAMES[SPACES[k]])
    if action < state.END:
        return _label_move(s, action)
    if action == state.END:
        return say("End the turn", "K13")
    if action == state.FIGHT:
        return say("Fight", "K21")
    return say("Refuse: back to the start", "K20")


def _label_move(s: State, action: int) -> Line:
    devil, to, load = move_of(action)
    number = devil_number(colour_of(s, s.turn), devil)
    values: dict[str, object] = {"number": number, "place": NAMES[to]}
    if load:
        values["pot"] = POT_WORDS[load - 1]
        if s.wings:
            return say("Fly devil {number} to {place} with {pot}", "", **values)
        return say("Devil {number} to {place} with {pot}", "", **values)
    if s.wings:
        return say("Fly devil {number} to {place}", "", **values)
    return say("Devil {number} to {place}", "", **values)


# -- why, and why not --------------------------------------------------------------------------


def reason(s: State, seat: int, action: int) -> Line | None:
    """What a move gains, as far as the seat can know."""
    odds = round(100 * attackers_chance(s.stove))
    if action == FIGHT:
        return say("You win the duel {odds} times in 100.", "K21", odds=100 - odds)
    if action == REFUSE:
        return say("Your devil goes back to its start, and loses nothing else.", "K20")
    colour = int(colour_of(s, seat))
    if POT <= action < MOVE:
        return _away(int(DISTANCE[int(GRILL[colour]), SPACES[(action - POT) % len(SPACES)]]))
    if not MOVE <= action < END:
        return None
    _, to, load = move_of(action)
    if int(opposed(s, colour)) >> to & 1:
        return say("You win the duel {odds} times in 100.", "K21", odds=odds)
    return _carried(s, colour, to, load - 1) if load else _nearest(s, to)


def _nearest(s: State, to: int) -> Line | None:
    """How far a devil without a pot has to go to the next one that could be served."""
    pots = [pot for pot in range(POTS) if s.pot[pot] >= 0 and s.card[pot] != MILK]
    steps = [int(DISTANCE[int(s.pot[pot]), to]) for pot in pots if not delivered(s, pot)]
    left = min(steps, default=CELLS)
    if left == CELLS:
        return None
    if not left:
        return say("A pot stands there that this devil can carry.", "K17")
    return says(
        "The nearest pot to serve is then {n} step away.",
        "The nearest pot to serve is then {n} steps away.",
        left,
        "K17",
    )


def _carried(s: State, colour: int, to: int, pot: int) -> Line:
    """A pot that is served, or how far it has to go."""
    grill = int(GRILL[colour])
    card = int(s.card[pot])
    if to == grill:
        if card < 0:
            return say("It serves a pot: only its owner knows what is in it.", "K29")
        if card == MILK:
            return say("It is milk: the devil would be thrown out.", "K31")
        return says("It scores {n} point.", "It scores {n} points.", card, "K29")
    return _away(int(DISTANCE[grill, to]))


def _away(left: int) -> Line:
    return says(
        "The pot is then {n} step from your grill.",
        "The pot is then {n} steps from your grill.",
        left,
        "K27",
    )


SHORT = {
    "K4": say("Nobody can stand there."),
    "K5": say("No path leads there in one step."),
    "K8": say("The tray is filled once, at the beginning."),
    "K9": say("It is not your turn."),
    "K10": say("There is already a pot of this colour."),
    "K13": say("There are no movement points left."),
    "K14": say("No devil may enter a start or another player’s grill."),
    "K15": say("Two devils of one colour cannot stand together."),
    "K16": say("A flying devil must land on a cooking place without a devil of your own."),
    "K17": say("That pot is not where this devil is."),
    "K20": say("There is no duel to accept or refuse now."),
    "K22": say("Only the devil that won the duel may use the extra point."),
    "K24": say("This devil has lost a duel without a cap: it is out of the game."),
    "K27": say("You may enter your grill only with a pot to serve."),
    "K28": say("One of your first three pots must be another player’s."),
    "K31": say("This devil was thrown out of the kitchen."),
}
WALK_ON = say("Two devils of one colour cannot stand together: this one has to move on.")
NOT_YET = say("No devil moves yet: first the menus, then the pots.")
ALREADY = say("All pots are on the board, or it is not your turn to place one.")
IN_DUEL = say("The duel comes before any other move.")
HOME_ALONE = say(
    "A devil may go back to its own start, without a pot; nobody steps on other players’ starts or "
    "grills."
)


def refuse(s: State, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    if clause == "K15" and (action == END or s.obliged >= 0):
        return WALK_ON
    if clause == "K14" and s.homing:
        return HOME_ALONE
    if clause == "K10" and s.node != Node.POT:
        return ALREADY
    if clause == "K13" and s.node in (Node.MENU, Node.POT):
        return NOT_YET
    if clause == "K13" and s.node != Node.MOVE:
        return IN_DUEL
    return SHORT.get(clause)
