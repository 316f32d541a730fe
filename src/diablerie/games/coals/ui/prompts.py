"""What COALS asks and what its buttons say, what speaks for an action, and why one cannot be done."""

from collections.abc import Sequence

from diablerie.engine.game import Amount
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.engine.text import Line, say, says
from diablerie.engine.verbs import advise, pending
from diablerie.games.coals.policy.evaluation import safe, somebody
from diablerie.games.coals.rules.hidden import owned
from diablerie.games.coals.rules.legality import most_tens
from diablerie.games.coals.rules.state import DEVIL, PULL, STOP, UNIT, Node, State


def prompt(s: State, viewer: int) -> Line:
    """What is going on, and what is asked of `viewer`, a seat or WATCHER."""
    if s.node == Node.OVER:
        return say("The furnace is cold: the game is over.", "C21")
    waiting = pending(s)
    if viewer >= 0 and waiting >> viewer & 1:
        if s.node != Node.BET:
            return _pull(s, viewer)
        return say(
            "How much coal will the best haul be worth? Secretly stake no more than that.", "C7"
        )
    if s.node == Node.BET:
        return says("Waiting for {n} stake.", "Waiting for {n} stakes.", waiting.bit_count(), "C7")
    return say("{who} is at the furnace.", who=s.turn)


def _pull(s: State, viewer: int) -> Line:
    devils = int(s.furnace[DEVIL])
    pieces = int(s.furnace.sum())
    if s.pieces[viewer] == 0:
        # Two whole sentences: other languages need not put the number where English does.
        return says(
            "Your turn at the furnace: pull coal, and stop before you wake a devil. "
            "{n} of the {pieces} pieces is a devil.",
            "Your turn at the furnace: pull coal, and stop before you wake a devil. "
            "{n} of the {pieces} pieces are devils.",
            devils,
            "C10",
            pieces=pieces,
        )
    return says(
        "You have pulled {coal}. {n} of the {pieces} pieces left is a devil: pull again, or stop?",
        "You have pulled {coal}. {n} of the {pieces} pieces left are devils: pull again, or stop?",
        devils,
        "C10",
        coal=int(s.coal[viewer]),
        pieces=pieces,
    )


def points(s: State) -> Sequence[float]:
    """Every seat's money."""
    return [int(chips) for chips in s.chips[: s.seats]]


def progress(s: State) -> Sequence[float]:
    """Every seat's money, with what it has staked."""
    return [int(owned(s, seat)) for seat in range(s.seats)]


def ending(s: State) -> Line:
    """What ended the game, and the clause."""
    if max(points(s)) >= s.goal:
        return say("the goal was reached", "C21")
    return say("the last round was over", "C24")


def chapter(s: State) -> Line:
    """The round that a position belongs to."""
    return say("Round {n}", n=s.rounds)


THEMES = {  # what a decision is about, in a few words, for the daily challenge
    Node.BET: say("what to stake"),
    Node.PULL: say("when to stop"),
}


# -- buttons -----------------------------------------------------------------------------------


def label(s: State, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < PULL:
        return say("Stake {amount}", "C7", amount=action * UNIT)
    if action == PULL:
        return say("Pull a piece", "C10")
    return say("Stop with {coal}", "C11", coal=int(s.coal[seat]))


def amount(s: State, seat: int) -> Amount | None:
    """A stake is typed or slid; None at other nodes."""
    if s.node != Node.BET:
        return None
    step = int(s.step)
    most = int(most_tens(s, seat)) * UNIT // step
    # The slider begins where a sensible player would stake, who knows no more than this one.
    start = int(advise(redacted(s, seat), seat, seeded(0))) * UNIT // step
    doing = say("Stake {amount}", "C7", amount="{}")
    return Amount(0, most * step, step, start * step, "bet {}", say("Your stake", "C7"), doing)


# -- why, and why not --------------------------------------------------------------------------


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
    if clause == "C7" and action < PULL and action * UNIT % int(s.step):
        return say("Every stake is a multiple of {step}.", step=int(s.step))
    return SHORT.get(clause)
