"""Why something cannot be done in COALS, and what speaks for what can, each in one sentence."""

from diablerie.engine.text import Line, say
from diablerie.games.coals.policy.evaluation import safe, somebody
from diablerie.games.coals.rules.state import PULL, STOP, UNIT, State


def reason(s: State, seat: int, action: int) -> Line | None:
    """The odds that an action rests on."""
    if action < PULL:
        return _stake(s, action * UNIT)
    percent = round(100 * (1 - float(safe(s))))
    coal = int(s.coal[seat])
    stake = int(s.stake[seat])
    if action == STOP:
        values = {"coal": coal, "percent": percent}
        return say("You keep {coal}; the chance of a devil is {percent}%.", "C11", **values)
    if stake > int(s.coal.max()):
        values = {"stake": stake, "percent": percent}
        return say(
            "Nobody has reached your stake of {stake} yet; the chance of a devil is {percent}%.",
            "C17",
            **values,
        )
    return say("The chance of a devil is {percent}%.", "C12", percent=percent)


def _stake(s: State, stake: int) -> Line | None:
    if not stake:
        return None
    percent = round(100 * float(somebody(s, float(stake))))
    return say("Somebody pulls that much {percent}% of the time.", "C17", percent=percent)


SHORT = {
    "C5": say("Not now: first everybody stakes, then everybody pulls."),
    "C7": say("You may stake once in a round, and no more than you own."),
    "C8": say("Without chips you can only stake 0."),
    "C10": say("You must pull the first piece."),
}


def refuse(s: State, action: int, clause: str) -> Line | None:
    """The sentence for an action that a clause forbids."""
    return SHORT.get(clause)
