"""The log of COALS in sentences, and how a round was settled: stakes, doubles, the two bonuses."""

import msgspec

from diablerie.engine.queries import utilities
from diablerie.engine.text import Line, say, says
from diablerie.games.coals.rules.settling import bonus, collects, prize
from diablerie.games.coals.rules.state import DEVIL, PULL, VALUES, Node, State


def narrate(before: State, seat: int, action: int | None, after: State, viewer: int) -> list[Line]:
    """The log's sentences for one decision or outcome (seat CHANCE), as `viewer` may read them."""
    if before.node == Node.FIRST:
        lines = [say("{who} begins.", "C6", who=after.first)]
    elif before.node == Node.BET:
        lines = _bet(seat, after)
    elif before.node == Node.COAL:
        lines = _piece(before, int(action or 0))
    # A pull alone tells nothing: the piece that comes is the next entry.
    elif action == PULL:
        lines = []
    else:
        stopped = says(
            "{who} stops with {coal} in {n} piece.",
            "{who} stops with {coal} in {n} pieces.",
            int(before.pieces[seat]),
            "C11",
            who=seat,
            coal=int(before.coal[seat]),
        )
        lines = [stopped]
    if before.node in (Node.PULL, Node.COAL) and after.node in (Node.BET, Node.OVER):
        lines += _settled(before, after)
    return lines


def _bet(seat: int, after: State) -> list[Line]:
    lines = [say("{who} has staked.", "C7", who=seat)]
    if after.node != Node.PULL:
        return lines
    revealed = [
        say("{who} stakes {amount}.", "C7", who=i, amount=int(after.stake[i]))
        for i in range(after.seats)
    ]
    return [*lines, *revealed]


def _piece(before: State, kind: int) -> list[Line]:
    who = before.turn
    if kind != DEVIL:
        value = VALUES[kind]
        coal = int(before.coal[before.turn]) + value  # a settled round has cleared it away
        return [say("{who} pulls {value}: {coal} so far.", "C10", who=who, value=value, coal=coal)]
    paid = [
        say("{who} collects 50 for the pact.", "C14", who=other)
        for other in range(before.seats)
        if collects(before, other, before.turn)
    ]
    return [say("{who} wakes a devil: burnt fingers!", "C12", who=who), *paid]


def _settled(before: State, after: State) -> list[Line]:
    best = int(after.last_coal.max())
    lines = [say("The best haul of the round is {best}.", "C17", best=best)]
    lines += settlement(after)
    lines += [_gain(after, i) for i in range(after.seats)]
    if after.node == Node.OVER:
        return [*lines, *_end(after)]
    lines += [
        say("{who} has a pact with the devil.", "C22", who=i)
        for i in range(after.seats)
        if after.pact[i]
    ]
    # More pieces than before: what was set aside has gone back.
    if after.furnace.sum() > before.furnace.sum():
        filled = says(
            "The {n} piece goes back into the furnace.",
            "All {n} pieces go back into the furnace.",
            int(after.furnace.sum()),
            "C23",
        )
        lines.append(filled)
    return lines


def _gain(after: State, i: int) -> Line:
    gain = int(after.gain[i])
    if gain > 0:
        return say("{who} wins {gain}.", "C17", who=i, gain=gain)
    if gain < 0:
        return say("{who} loses {loss}.", "C17", who=i, loss=-gain)
    return say("{who} neither wins nor loses.", "C17", who=i)


def _end(after: State) -> list[Line]:
    won = winners(after)
    top = int(after.chips[won[0]])
    lines = [say("{who} wins with {total}!", "C21", who=i, total=top) for i in won]
    if top < after.goal:
        return [say("The last round is over.", "C24"), *lines]
    return lines


def winners(s: State) -> list[int]:
    """The seats that share the win of a finished game (C21)."""
    returns = utilities(s, s.seats)
    return [seat for seat, utility in enumerate(returns) if utility == max(returns)]


# -- how a round was settled, step by step -----------------------------------------------------


NO_MATCH = -1  # of coal or pieces: nobody has so much


class Result(msgspec.Struct, frozen=True):
    """What a settled round brought one seat."""

    stake: int
    coal: int
    pieces: int
    busted: bool
    gain: int
    paid: int  # for the stake (C17)
    double: bool  # whether it was paid twice (C18)
    most_coal: int  # for that (C19)
    most_pieces: int  # and for that


def results(after: State) -> tuple[Result, ...]:
    """Everybody's, as the rules pay, from what the state keeps of the last settled round."""
    s = after.copy()
    s.stake[:] = after.last_stake
    s.coal[:] = after.last_coal
    s.pieces[:] = after.last_pieces
    best = int(s.coal.max())
    most = int(s.pieces.max())
    highest = int(s.stake.max())
    return tuple(
        Result(
            stake=int(s.stake[i]),
            coal=int(s.coal[i]),
            pieces=int(s.pieces[i]),
            busted=bool(s.last_busted[i]),
            gain=int(s.gain[i]),
            paid=(back := int(prize(s, i, best, highest))) - int(s.stake[i]),
            double=back > 2 * int(s.stake[i]),
            # A bonus is asked for alone: with no match for the other, `bonus` pays only this one.
            most_coal=int(bonus(s, i, best, NO_MATCH)),
            most_pieces=int(bonus(s, i, NO_MATCH, most)),
        )
        for i in range(s.seats)
    )


def settlement(after: State) -> list[Line]:
    """How the stakes and the two bonuses of the last round were paid, in sentences."""
    paid = list(enumerate(results(after)))
    return [
        # In the order of the rules; who won nothing of a kind is left out.
        *(_stake(i, own) for i, own in paid if own.stake),
        *(
            say("{who}: {paid} for the most coal.", "C19", who=i, paid=own.most_coal)
            for i, own in paid
            if own.most_coal
        ),
        *(
            say(
                "{who}: {paid} for the most pieces.",
                "C19",
                who=i,
                paid=own.most_pieces,
            )
            for i, own in paid
            if own.most_pieces
        ),
    ]


def _stake(who: int, own: Result) -> Line:
    values = {"who": who, "stake": own.stake, "won": own.paid}
    if own.paid < 0:
        return say("{who}: a stake of {stake} was too high and is lost.", "C17", **values)
    if own.double:
        return say("{who}: {stake} was the highest stake and pays double, {won}.", "C18", **values)
    return say("{who}: a stake of {stake} pays {won}.", "C17", **values)
