"""What one seat sees of KITCHEN, as plain data, and the words of panel, prompt and buttons."""

from typing import Any

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say, says
from diablerie.games.kitchen.rules import play as rules
from diablerie.games.kitchen.rules.board import HOLE, NAMES, PLACES, SIDE
from diablerie.games.kitchen.rules.duel import attackers_chance, defender
from diablerie.games.kitchen.rules.lookup import colour_of, devils_left, seat_of
from diablerie.games.kitchen.rules.notation import (
    ACTION_TEXTS,
    COLOUR_NAMES,
    SIGN_NAMES,
    step_of,
)
from diablerie.games.kitchen.rules.state import (
    BANISHED,
    DEVILS,
    END,
    FIGHT,
    GO,
    HAND,
    MENUS,
    MILK,
    NONE,
    POT,
    POTS,
    SIGNS,
    Duel,
    Node,
)
from diablerie.games.kitchen.rules.turns import delivered
from diablerie.games.kitchen.ui.text.log import narrate
from diablerie.games.kitchen.ui.text.words import POT_WORDS, SIGN_WORDS, percent
from diablerie.games.kitchen.ui.walks import walks

__all__ = ["amount", "label", "look", "narrate", "panel", "prompt", "sketch"]


def look(s: Record, viewer: int) -> dict[str, Any]:
    """The kitchen as `viewer` sees it; a secret card is None."""
    moving = s.node in (Node.MOVE, Node.DEFEND, Node.STOVE)
    return {
        "node": Node(int(s.node)).name.lower(),
        "viewer": viewer,
        "turn": int(s.turn) if s.node not in (Node.MENU, Node.FIRST, Node.OVER) else None,
        "turns": int(s.turns),
        "stove": int(s.stove),
        "dice": [int(face) for face in s.dice] if moving else None,
        "points": int(s.points),
        "extra": int(s.mover) if s.extra else None,
        "wings": bool(s.wings),
        "obliged": int(s.obliged) if s.obliged != NONE else None,
        "colours": [_colour(s, c, viewer) for c in range(4)],
        "pots": [_pot(s, pot) for pot in range(POTS)],
        "duel": _duel(s),
        "walks": _walks(s) if s.node == Node.MOVE and viewer == s.turn else [],
        "winners": [i for i in range(int(s.seats)) if s.winner[i]],
    }


def _colour(s: Record, c: int, viewer: int) -> dict[str, Any]:
    seat = seat_of(s, c)
    playing = seat < int(s.seats) and colour_of(s, seat) == c
    return {
        "name": COLOUR_NAMES[c],
        "seat": seat if playing else None,
        "devils": [_devil(s, c, d) for d in range(DEVILS)],
        "score": int(s.score[c]) if playing else None,
        "own": playing and seat == viewer,
        "chosen": playing and not rules.choosing(s, seat),
    }


def _devil(s: Record, c: int, d: int) -> dict[str, Any]:
    at = int(s.devil[c, d])
    return {
        "at": NAMES[at] if at >= 0 else None,
        "cap": bool(s.cap[c, d]),
        "milk": at == BANISHED,
    }


def _pot(s: Record, pot: int) -> dict[str, Any]:
    at, card = int(s.pot[pot]), int(s.card[pot])
    return {
        "colour": pot // SIGNS,
        "sign": pot % SIGNS,
        "at": NAMES[at] if at >= 0 else None,
        "hand": at == HAND,
        "served": bool(delivered(s, pot)),
        "card": card if card >= 0 else None,
    }


def _duel(s: Record) -> dict[str, Any] | None:
    """The duel at hand, or the one that the last step led to."""
    state = Duel(int(s.duel))
    if state == Duel.NONE:
        return None
    done = state in (Duel.WON, Duel.LOST)
    fighters = (
        (colour_of(s, int(s.attacker)), int(s.fighter)),
        (int(s.foe_colour), int(s.foe)),
    )
    return {
        "id": f"{int(s.turns)}-{int(s.points)}-{int(s.foe_colour)}{int(s.foe)}",
        "state": state.name.lower(),
        "colours": [c for c, _ in fighters],
        "devils": [d for _, d in fighters],
        "caps": [bool(s.cap[c, d]) for c, d in fighters],
        "seats": [int(s.attacker), defender(s)],
        "bursts": int(s.burst) - (0 if done else 1) if s.burst else 0,
    }


def _walks(s: Record) -> list[dict[str, Any]]:
    return [
        {
            "devil": walk.devil,
            "pot": walk.load - 1 if walk.load else None,
            "to": NAMES[walk.to],
            "cost": 0 if s.wings else len(walk.actions),
            "duel": walk.duel,
            "actions": [ACTION_TEXTS[a] for a in walk.actions],
        }
        for walk in walks(s)
    ]


def sketch(view: dict[str, Any]) -> str:
    """The kitchen as text: devils by colour and number (small without cap), pots by signs."""
    rows = [
        " ".join(f"{_cell_text(view, row * SIDE + column):<9}" for column in range(SIDE)).rstrip()
        for row in range(SIDE)
    ]
    state = f"{view['node']}, turn {view['turns'] + 1}"
    if view["node"] == "move":
        state += f", {view['points']} points left"
    scores = "  ".join(
        f"{colour['name']} {colour['score']}"
        for colour in view["colours"]
        if colour["seat"] is not None
    )
    return "\n".join([state, scores, *rows])


def _cell_text(view: dict[str, Any], at: int) -> str:
    if at in HOLE:
        return "##"
    marks = [
        (colour["name"][0].upper() if devil["cap"] else colour["name"][0]) + str(d + 1)
        for colour in view["colours"]
        for d, devil in enumerate(colour["devils"])
        if devil["at"] == NAMES[at]
    ]
    marks += [
        COLOUR_NAMES[pot["colour"]][0] + SIGN_NAMES[pot["sign"]][0]
        for pot in view["pots"]
        if pot["at"] == NAMES[at]
    ]
    return "".join(marks) or ("." if at in PLACES else "_")


def panel(view: dict[str, Any], seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = next(colour for colour in view["colours"] if colour["seat"] == seat)
    if view["node"] == "menu":
        return [say("tray filled", clause="K8")] if own["chosen"] else []
    left = [devil for devil in own["devils"] if devil["at"]]
    caps = sum(devil["cap"] for devil in left)
    return [
        says("{n} point", "{n} points", own["score"]),
        says("{n} devil", "{n} devils", len(left)),
        says("{n} cap", "{n} caps", caps, clause="K24"),
    ]


# -- decisions ---------------------------------------------------------------------------------


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < POT:
        return _label_menu(action)
    if action < GO:
        sign, place = divmod(action - POT, len(PLACES))
        return say("Pot with {sign} on {place}", sign=SIGN_WORDS[sign], place=NAMES[PLACES[place]])
    if action < END:
        return _label_go(s, action)
    if action == END:
        return say("End the turn", clause="K13")
    if action == FIGHT:
        return say("Fight", clause="K21")
    return say("Refuse: back to the start", clause="K20")


def _label_menu(menu: int) -> Line:
    cards = [say("milk") if v == MILK else str(v) for v in MENUS[menu]]
    names = dict(zip("abcd", cards, strict=True))
    return say("flame {a}, eye {b}, bone {c}, star {d}", clause="K8", **names)


def _label_go(s: Record, action: int) -> Line:
    devil, to, load = step_of(action)
    values: dict[str, Any] = {"number": devil + 1, "place": NAMES[to]}
    if load:
        values["pot"] = POT_WORDS[load - 1]
        if s.wings:
            return say("Fly devil {number} to {place} with {pot}", **values)
        return say("Devil {number} to {place} with {pot}", **values)
    if s.wings:
        return say("Fly devil {number} to {place}", **values)
    return say("Devil {number} to {place}", **values)


def prompt(s: Record, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("The kitchen is closed: the game is over.")
    if viewer >= 0 and rules.pending(s) >> viewer & 1:
        return _question(s, viewer)
    if s.node == Node.MENU:
        waiting = sum(rules.choosing(s, i) for i in range(int(s.seats)))
        return says("{n} menu is still to be chosen.", "{n} menus are still to be chosen.", waiting)
    if s.node == Node.DEFEND:
        return say("{who} is challenged: fight or flee?", clause="K20", who=Seat(defender(s)))
    return say("{who} is in the kitchen.", who=Seat(s.turn))


def _question(s: Record, viewer: int) -> Line:
    if s.node == Node.MENU:
        return say(
            "Which pot holds which dish? Milk, 1, 3 and 5: your secret, for the whole game.",
            clause="K8",
        )
    if s.node == Node.POT:
        return say("Put one of your pots on a cooking place.", clause="K10")
    if s.node == Node.DEFEND:
        return _challenged(s, viewer)
    return _your_move(s)


def _challenged(s: Record, viewer: int) -> Line:
    cap = bool(s.cap[s.foe_colour, s.foe])
    odds = percent(1 - attackers_chance(int(s.stove)))
    values = {"who": Seat(s.attacker), "odds": odds, "number": int(s.foe) + 1}
    if cap:
        return say(
            "{who} challenges your devil {number}. In a fight you win {odds} times in 100, or lose "
            "the cap. If you refuse, it goes to its start with the cap, and {who} goes on.",
            clause="K20",
            **values,
        )
    if devils_left(s, int(s.foe_colour)) == 1:
        return say(
            "{who} challenges your last devil. In a fight you win {odds} times in 100, or go to "
            "your start. If you refuse, you go there as well, and {who} gets no extra point.",
            clause="K24",
            **values,
        )
    return say(
        "{who} challenges your devil {number}, which has no cap. In a fight you win {odds} times "
        "in 100, or lose the devil. If you refuse, it goes to its start, and {who} goes on.",
        clause="K24",
        **values,
    )


def _your_move(s: Record) -> Line:
    if s.wings:
        return say("Two wings! One of your devils may fly to any cooking place.", clause="K16")
    if s.obliged != NONE:
        return say(
            "Two of your devils cannot stand together: devil {number} has to walk on.",
            clause="K15",
            number=int(s.obliged) + 1,
        )
    if s.extra and s.points == 0:
        return say("Devil {number} has its point for the duel.", clause="K22",
                   number=int(s.mover) + 1)  # fmt: skip
    if s.extra:
        return says(
            "{n} point to walk with, and devil {number} has one more for its next step.",
            "{n} points to walk with, and devil {number} has one more for its next step.",
            int(s.points),
            clause="K22",
            number=int(s.mover) + 1,
        )
    return says("{n} point to walk with.", "{n} points to walk with.", int(s.points), clause="K13")


def amount(s: Record, seat: int) -> Amount | None:
    """Nothing in the kitchen is typed as a number."""
    return None
