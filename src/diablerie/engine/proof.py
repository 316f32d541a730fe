"""What a table shows of a match so that its file cannot be another one's later.

The digest, shown when the match starts, binds all that is fixed by then; the seal, shown when it
is over, every line of the file.
"""

import hashlib
from collections.abc import Iterable, Sequence

from diablerie.engine.fair import dealt, joined, label, pledge
from diablerie.engine.match import Match
from diablerie.engine.plies import Ply
from diablerie.engine.verbs import CHANCE


class Forged(ValueError):
    """What is said of a stream does not hold together: a sentence."""


def digest(match: Match) -> str:
    """SHA-256, in hex, of commitment, seats, names, nonces, options and what is taken over.

    "" for a match whose stream nobody had a share in.
    """
    fair = match.fair
    if fair.pledges is None:
        return ""
    shares = zip(fair.labels, fair.pledges, fair.nonces, strict=True)
    options = sorted((o.name, o.format(match.options[o.name])) for o in match.game.options)
    taken = sum(ply.lines for ply in match.plies[: match.taken])
    parts = [
        "digest",
        match.game.name,
        str(match.game.version),
        fair.commitment,
        str(match.seats),
        *(text for share in shares for text in share),
        *(text for option in options for text in option),
        str(taken),
    ]
    return hashlib.sha256(joined(*parts)).hexdigest()


def seal(opening: str, lines: Iterable[str]) -> str:
    """SHA-256, in hex, of a digest and the lines of all decisions and outcomes; "" without one."""
    if not opening:
        return ""
    h = hashlib.sha256(joined("seal", opening))
    for line in lines:
        h.update(joined(line))
    return h.hexdigest()


def check(match: Match, by: list[str]) -> None:
    """Raise Forged if the nonces are not those of players who promised them, or of the key.

    `by` is whose each is said to be.
    """
    fair = match.fair
    pledges = fair.pledges or ()
    if not match.seats == len(fair.nonces) == len(pledges) == len(fair.labels) == len(by):
        raise Forged("one nonce, one hash and one label are needed for each seat")
    for seat, (nonce, promised, whose) in enumerate(zip(fair.nonces, pledges, by, strict=True)):
        if whose == "player" and pledge(nonce) != promised:
            raise Forged(f"the nonce of seat {seat} is not the one that its player promised")
        if whose == "table" and nonce != dealt(fair.key, seat):
            raise Forged(f"the nonce of seat {seat} is not the one that follows from the key")
        name = match.names[seat]
        if name and label(nonce, name) != fair.labels[seat]:
            raise Forged(f"seat {seat} was not called “{name[:60]}” when the match started")


def shares(match: Match) -> list[str]:
    """Who had a share in what chance drew, in sentences."""
    fair = match.fair
    if fair.pledges is None:
        if fair.nonces:
            return ["As in 0.1: whose the nonces are is not known, and names are not bound."]
        return ["Nobody but the key had a share in the dice."]
    players = [str(seat) for seat, by in enumerate(fair.by) if by == "player"]
    told = f"of the players of seats {', '.join(players)}" if players else "of no player"
    lines = [f"Nonces: {told}; the others follow from the key."]
    lines += [f"Seat {seat} promised a nonce and did not show it." for seat in fair.withheld]
    gone = [str(seat) for seat, name in enumerate(match.names) if not name]
    return lines + ([f"Names that were deleted: seats {', '.join(gone)}."] if gone else [])


def counted(match: Match) -> str:
    """How many decisions and draws of its own key a match has."""
    drawn, taken = _draws(match.plies), _draws(match.plies[: match.taken])
    decisions = len(match.events) - drawn
    return f"{decisions} decisions, {drawn - taken} outcomes drawn as the key says."


def taken_over(match: Match) -> str:
    """What is not proved of a match that goes on from another one."""
    taken = _draws(match.plies[: match.taken])
    return (
        f"It goes on from a position of another match: its first {match.taken} plies are "
        f"by the rules, but what chance drew in them ({taken} outcomes) was another key's."
    )


def _draws(plies: Sequence[Ply]) -> int:
    return sum(event.seat == CHANCE for ply in plies for event in ply.events)
