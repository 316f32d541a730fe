"""What one seat sees of COALS, as plain data, and the sentences of log and buttons."""

from typing import Any

from diablerie.engine.game import Amount
from diablerie.engine.record import Record
from diablerie.engine.text import Line, Seat, say, says
from diablerie.games.coals.rules import play as rules
from diablerie.games.coals.rules.notation import KIND_NAMES
from diablerie.games.coals.rules.settling import left
from diablerie.games.coals.rules.state import (
    DEVIL,
    KINDS,
    LAST_ROUND,
    PULL,
    UNIT,
    UNSET,
    VALUES,
    Node,
)


def look(s: Record, viewer: int) -> dict[str, Any]:
    """The table as `viewer` sees it; an opponent's total is None where C16 hides it."""
    seats = range(int(s.seats))
    return {
        "node": Node(int(s.node)).name.lower(),
        "round": int(s.rounds),
        "first": int(s.first),
        "turn": int(s.turn) if s.node in (Node.PULL, Node.COAL) else None,
        "furnace": _kinds(s.furnace),
        "full": _kinds(s.full),
        "aside": [
            int(s.full[k]) - int(s.furnace[k]) - int(s.front[:, k].sum()) for k in range(KINDS)
        ],
        "marks": [int(m) for m in s.marks if m],
        "viewer": viewer,
        "seats": [_seat(s, i, viewer) for i in seats],
        "last": [_last(s, i) for i in seats] if s.last_stake[0] != UNSET else [],
    }


def _seat(s: Record, i: int, viewer: int) -> dict[str, Any]:
    open_purse = i == viewer or s.pact[i] or s.purses or s.node == Node.OVER
    total = int(s.chips[i]) + max(0, int(s.stake[i])) * (s.node != Node.BET)
    stake = int(s.stake[i])
    return {
        "total": int(total) if open_purse else None,
        "chips": int(s.chips[i]) if open_purse else None,
        "stake": stake if stake >= 0 else None,
        "staked": stake != UNSET,
        "front": _kinds(s.front[i]),
        "coal": int(s.coal[i]),
        "pieces": int(s.pieces[i]),
        "busted": bool(s.busted[i]),
        "pact": bool(s.pact[i]),
        "space": int(s.space[i]),
    }


def _last(s: Record, i: int) -> dict[str, Any]:
    return {
        "stake": int(s.last_stake[i]),
        "coal": int(s.last_coal[i]),
        "pieces": int(s.last_pieces[i]),
        "busted": bool(s.last_busted[i]),
        "gain": int(s.gain[i]),
    }


def _kinds(counts: Any) -> list[int]:
    return [int(n) for n in counts]


def sketch(view: dict[str, Any]) -> str:
    """The position in a few lines of text."""
    kinds = "  ".join(f"{n}×{name}" for n, name in zip(view["furnace"], KIND_NAMES, strict=True))
    lines = [f"round {view['round']}, {view['node']}", f"furnace: {kinds}"]
    for i, seat in enumerate(view["seats"]):
        mark = "→" if i == view["turn"] else " "
        total = "?" if seat["total"] is None else seat["total"]
        stake = seat["stake"] if seat["stake"] is not None else "hidden" if seat["staked"] else "-"
        front = "busted" if seat["busted"] else f"{seat['coal']} in {seat['pieces']}"
        pact = "  pact" if seat["pact"] else ""
        lines.append(f"{mark} {i}  total {total}  stake {stake}  coal {front}{pact}")
    return "\n".join(lines)


def panel(view: dict[str, Any], seat: int) -> list[Line]:
    """What stands beside a player's name."""
    own = view["seats"][seat]
    shown = []
    if own["total"] is not None:
        shown.append(say("{total} in all", total=own["total"]))
    if own["stake"] is not None:
        shown.append(say("staked {stake}", stake=own["stake"]))
    elif own["staked"]:
        shown.append(say("has staked"))
    if own["pact"]:
        shown.append(say("pact with the devil", clause="C22"))
    return shown


# -- decisions ---------------------------------------------------------------------------------


def label(s: Record, seat: int, action: int) -> Line:
    """What the button of an action says."""
    if action < PULL:
        return say("Stake {amount}", amount=action * UNIT, clause="C7")
    if action == PULL:
        return say("Pull a piece", clause="C10")
    return say("Stop with {coal}", coal=int(s.coal[seat]), clause="C11")


def prompt(s: Record, viewer: int) -> Line:
    """What is going on, and what is asked of the viewer."""
    if s.node == Node.OVER:
        return say("The furnace is cold: the game is over.", clause="C21")
    if viewer >= 0 and rules.pending(s) >> viewer & 1:
        return _question(s, viewer)
    if s.node == Node.BET:
        waiting = [i for i in range(int(s.seats)) if s.stake[i] == UNSET]
        return says("{n} stake is still out.", "{n} stakes are still out.", len(waiting))
    return say("{who} is at the furnace.", who=Seat(s.turn))


def _question(s: Record, viewer: int) -> Line:
    if s.node == Node.BET:
        return say(
            "How much coal will the luckiest of you pull without waking a devil? "
            "Stake up to that, in secret.",
            clause="C7",
        )
    odds = {"devils": int(s.furnace[DEVIL]), "pieces": left(s)}
    if s.pieces[viewer] == 0:
        return say(
            "Your turn at the furnace: {devils} of the {pieces} pieces are devils.",
            clause="C10",
            **odds,
        )
    return say(
        "You hold {coal}. {devils} of the {pieces} pieces left are devils: pull on, or stop?",
        clause="C10",
        coal=int(s.coal[viewer]),
        **odds,
    )


def amount(s: Record, seat: int) -> Amount | None:
    """A stake is typed or slid."""
    if s.node != Node.BET:
        return None
    high = int(s.chips[seat])
    return Amount(0, high, UNIT, min(high, 80), "bet {}", say("Your stake", clause="C7"))


# -- the log -----------------------------------------------------------------------------------


def narrate(
    before: Record, seat: int, action: int | None, after: Record, viewer: int
) -> list[Line]:
    """What happened, in sentences; settlement is told from what the state keeps of it."""
    if before.node == Node.FIRST:
        lines = [say("{who} begins.", clause="C6", who=Seat(after.first))]
    elif before.node == Node.BET:
        lines = _told_bet(before, seat, after)
    elif before.node == Node.COAL:
        lines = _told_piece(before, int(action or 0))
    elif action == PULL:
        lines = []
    else:
        lines = [_told_stop(before, seat)]
    if _settled(before, after):
        lines += _told_round(before, after)
    return lines


def _settled(before: Record, after: Record) -> bool:
    pulling = before.node in (Node.PULL, Node.COAL)
    return bool(pulling and after.node in (Node.BET, Node.OVER))


def _told_bet(before: Record, seat: int, after: Record) -> list[Line]:
    lines = [say("{who} has staked.", clause="C7", who=Seat(seat))]
    if after.node != Node.PULL:
        return lines
    revealed = [
        say("{who} stakes {amount}.", clause="C7", who=Seat(i), amount=int(after.stake[i]))
        for i in range(int(after.seats))
    ]
    return [*lines, *revealed]


def _told_piece(before: Record, kind: int) -> list[Line]:
    who = Seat(before.turn)
    if kind != DEVIL:
        coal = int(before.coal[before.turn]) + VALUES[kind]
        return [say("{who} turns {value}: {coal} so far.", clause="C10", who=who,
                    value=VALUES[kind], coal=coal)]  # fmt: skip
    paid = [
        say("{who} collects 50 for the pact.", clause="C14", who=Seat(other))
        for other in range(int(before.seats))
        if before.pact[other] and other != before.turn
    ]
    return [say("{who} wakes a devil: burnt fingers!", clause="C12", who=who), *paid]


def _told_stop(before: Record, seat: int) -> Line:
    return says(
        "{who} stops with {coal} in {n} piece.",
        "{who} stops with {coal} in {n} pieces.",
        int(before.pieces[seat]),
        clause="C11",
        who=Seat(seat),
        coal=int(before.coal[seat]),
    )


def _told_round(before: Record, after: Record) -> list[Line]:
    best = max(int(c) for c in after.last_coal)
    lines = [say("The best coal of the round is {best}.", clause="C17", best=best)]
    lines += [_told_gain(after, i) for i in range(int(after.seats))]
    if after.node == Node.OVER:
        return [*lines, *_told_end(after)]
    lines += [
        say("{who} has a pact with the devil.", clause="C22", who=Seat(i))
        for i in range(int(after.seats))
        if after.pact[i]
    ]
    if left(after) > left(before):
        lines.append(
            says(
                "The {n} piece goes back into the furnace.",
                "All {n} pieces go back into the furnace.",
                int(after.full.sum()),
                clause="C23",
            )
        )
    return lines


def _told_gain(after: Record, i: int) -> Line:
    gain = int(after.gain[i])
    if gain > 0:
        return say("{who} wins {gain}.", clause="C17", who=Seat(i), gain=gain)
    if gain < 0:
        return say("{who} loses {loss}.", clause="C17", who=Seat(i), loss=-gain)
    return say("{who} neither wins nor loses.", clause="C17", who=Seat(i))


def _told_end(after: Record) -> list[Line]:
    top = max(int(c) for c in after.chips)
    lines = [
        say("{who} wins with {total}!", clause="C21", who=Seat(i), total=top)
        for i in range(int(after.seats))
        if after.chips[i] == top
    ]
    if after.rounds == LAST_ROUND and top < after.goal:
        return [say("The hundredth round is over.", clause="C24"), *lines]
    return lines
