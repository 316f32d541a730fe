"""What KITCHEN asks and what its buttons say, and how a finished game is summed up."""

from collections.abc import Sequence

from diablerie.engine import verbs
from diablerie.engine.text import Line, say, says
from diablerie.games.kitchen.rules import state
from diablerie.games.kitchen.rules.board import NAMES, SPACES
from diablerie.games.kitchen.rules.moving import move_of
from diablerie.games.kitchen.rules.play import attackers_chance
from diablerie.games.kitchen.rules.state import (
    Node,
    State,
    colour_of,
    defender,
    delivered,
    devils_left,
    players_left,
)
from diablerie.games.kitchen.ui.words import POT_WORDS, SIGN_WORDS


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
    values = {"who": s.attacker, "odds": odds, "number": s.foe + 1}
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
            number=s.obliged + 1,
        )
    # The extra point (K22) is the winner's alone, so it is told with that devil's number.
    if s.extra and s.points == 0:
        return say(
            "Devil {number} has one extra point for winning the duel.",
            "K22",
            number=s.mover + 1,
        )
    if s.extra:
        return says(
            "You have {n} movement point, and devil {number} has one extra point for its next "
            "step.",
            "You have {n} movement points, and devil {number} has one extra point for its "
            "next step.",
            s.points,
            "K22",
            number=s.mover + 1,
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
    values: dict[str, object] = {"number": devil + 1, "place": NAMES[to]}
    if load:
        values["pot"] = POT_WORDS[load - 1]
        if s.wings:
            return say("Fly devil {number} to {place} with {pot}", "", **values)
        return say("Devil {number} to {place} with {pot}", "", **values)
    if s.wings:
        return say("Fly devil {number} to {place}", "", **values)
    return say("Devil {number} to {place}", "", **values)
