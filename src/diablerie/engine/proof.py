"""What a table shows of a match, so that nobody can pass off another file as its file later.

The digest, shown when the match starts, binds all that is fixed by then; the seal, shown when it
is over, every line of the file.
"""

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from diablerie.engine.fair import DiceStream, dealt, joined, label, pledge
from diablerie.engine.match import Match
from diablerie.engine.options import in_files
from diablerie.engine.plies import PlyKind, count_draws, line_of

DIGESTS_KEPT = 1024  # digests of matches that are played now


class Forged(ValueError):
    """What is said of a stream does not hold together: a sentence."""


def match_digest(match: Match) -> str:
    """SHA-256, in hex, of commitment, seats, names, nonces, options and what is taken over.

    It binds how draws are numbered, too. "" for a match whose stream nobody had a share in.
    """
    if match.fair.pledges is None:
        return ""
    options = tuple(sorted(in_files(match.game.options, match.options).items()))
    taken = taken_in_file(match)
    return _digest(match.game.name, match.game.version, match.fair, match.seats, options, taken)


def taken_in_file(match: Match) -> int:
    """How many plies of its file a match took over; in files numbered by lines, how many lines.

    Plies are no secret. Lines would tell how much was drawn in them.
    """
    if match.fair.by_lines:
        return sum(ply.lines for ply in match.plies[: match.taken])
    return match.taken


@lru_cache(DIGESTS_KEPT)
def _digest(
    game: str,
    version: int,
    fair: DiceStream,
    seats: int,
    options: tuple[tuple[str, str], ...],
    taken: int,
) -> str:
    shares = zip(fair.labels, fair.pledges or (), fair.nonces, strict=True)
    earlier = (text for start in fair.earlier for text in (start.commitment, *start.hashes))
    # What most matches lack is left out, so that digests from before it existed hold.
    parts = [
        "digest" if fair.by_lines else "digest by draws",
        game,
        str(version),
        fair.commitment,
        str(seats),
        *(text for share in shares for text in share),
        *(text for option in options for text in option),
        str(taken),
        *(("aborted", str(fair.aborted), *earlier) if fair.aborted else ()),
        *(("late", *map(str, fair.late)) if fair.late else ()),
    ]
    return hashlib.sha256(joined(*parts)).hexdigest()


def seal_of(opening: str, lines: Iterable[str]) -> str:
    """SHA-256, in hex, of a digest and the lines of all decisions and outcomes; "" without one."""
    if not opening:
        return ""
    h = hashlib.sha256(joined("seal", opening))
    for line in lines:
        h.update(joined(line))
    return h.hexdigest()


def check(match: Match, by: list[str]) -> None:
    """Raise Forged if a nonce is neither the one that its player promised nor the key's.

    by: who the file says gave each nonce, "player" or "table", by seat.
    """
    fair = match.fair
    pledges = fair.pledges or ()
    if fair.aborted < len(fair.earlier) or (fair.aborted and not fair.earlier):
        raise Forged("the starts that were aborted are not as many as is said")
    if any(len(start.hashes) != match.seats for start in fair.earlier):
        raise Forged("an aborted start needs one hash for each seat")
    if fair.repeated:
        sent = f"the hash of seat {fair.repeated[0]} was sent in an earlier start already"
        raise Forged(f"{sent}: others may have known its nonce")
    if not match.seats == len(fair.nonces) == len(pledges) == len(fair.labels) == len(by):
        raise Forged("one nonce, one hash and one label are needed for each seat")
    # Compared as a whole, so that a seat named twice, or out of order, is refused as well.
    if fair.late != tuple(
        i for i, promised in enumerate(pledges) if i in fair.late and not promised
    ):
        raise Forged("the seats that came late are not seats without a hash, in their order")
    for seat, (nonce, promised, giver) in enumerate(zip(fair.nonces, pledges, by, strict=True)):
        if giver == "player" and pledge(nonce) != promised:
            raise Forged(f"the nonce of seat {seat} is not the one that its player promised")
        if giver == "table" and nonce != dealt(fair.key, seat):
            raise Forged(f"the nonce of seat {seat} is not the one that follows from the key")
        # Of a name that was deleted later only the label is left.
        name = match.names[seat]
        if name and label(nonce, name) != fair.labels[seat]:
            raise Forged(f"seat {seat} was not called “{name[:60]}” when the match started")


def several(match: Match) -> bool:
    """Whether the file proves that two seats or more were not played by bots of the house.

    They are those that promised a nonce, or were to. Where only one did, others may have played or not.
    """
    fair = match.fair
    return sum(map(bool, fair.pledges or ())) + len(fair.late) > 1


def nonce_sentences(match: Match) -> list[str]:
    """Who had a share in what chance drew, in sentences."""
    fair = match.fair
    if fair.pledges is None:
        return ["Nobody but the key had a share in the dice."]
    players = [str(seat) for seat, by in enumerate(fair.by) if by == "player"]
    givers = f"of the players of seats {', '.join(players)}" if players else "of no player"
    lines = [f"Nonces: {givers}; the others follow from the key."]
    lines += [f"Seat {seat} promised a nonce and did not show it." for seat in fair.withheld]
    lines += [
        f"Seat {seat} was to add a nonce and came late: the match began without it. Whoever knew "
        "the key and held it up could choose the dice."
        for seat in fair.late
    ]
    pledges = [promised for promised in fair.pledges if promised]
    if len(set(pledges)) < len(pledges):
        lines.append("Warning: the same hash was sent for two seats.")
    gone = [str(seat) for seat, name in enumerate(match.names) if not name]
    return lines + ([f"Names that were deleted: seats {', '.join(gone)}."] if gone else [])


def count_decisions(match: Match) -> str:
    """How many decisions and draws of its own key a match has."""
    drawn = count_draws(match.plies)
    taken = count_draws(match.plies[: match.taken])
    decisions = len(match.events) - drawn
    return f"{decisions} decisions, {drawn - taken} outcomes drawn as the key says."


def noted(match: Match) -> list[str]:
    """How often a match was started anew, taken back, handed over or late, in sentences."""
    kinds = Counter(ply.kind for ply in match.plies)
    back = kinds[PlyKind.TAKE_BACK]
    lines = [
        f"Aborted starts: {match.fair.aborted}. Take-backs: {back}. "
        f"Hand-overs: {kinds[PlyKind.HAND_OVER]}. Deadlines that passed: {kinds[PlyKind.DEADLINE]}."
    ]
    agreed = sum(ply.kind is PlyKind.TAKE_BACK and bool(ply.by) for ply in match.plies)
    lines += _moved(match)
    # `load_match` has checked only those to which nobody agreed, and only where others played.
    if agreed:
        lines.append(f"To {agreed} of the take-backs all others agreed, says the file.")
    if back > agreed and several(match):
        which = "Each other" if agreed else "Each"
        lines.append(f"{which} take-back came before anybody had learnt anything.")
    elif back > agreed:
        lines.append(
            "The take-backs were not checked: alone against bots one may always take back, and "
            "the file does not prove that others played."
        )
    return lines


def _moved(match: Match) -> list[str]:
    """By what later dice were moved, in sentences."""
    if match.fair.by_lines:
        notes = sum(ply.kind is not PlyKind.MOVE for ply in match.plies)
        return [
            "Its dice are numbered by lines, as before 0.4.0, so every line moved those after it. Whoever "
            f"knew the key and had a seat could choose dice so, above all by notes (there are {notes})."
        ]
    gone = count_draws(match.plies) - count_draws(line_of(match.plies, match.ply))
    return [
        f"Its dice are numbered by draws; {gone} were taken back, and others drawn after them."
        if gone
        else "Its dice are numbered by draws, of which none was taken back."
    ]


def bound(match: Match, given: Collection[str]) -> dict[str, str]:
    """What of a match is bound by what a table showed, in words; `given` is what was compared.

    `given` holds "commitment", "digest" and "seal", each if the user gave it and it was right.
    """
    there = {
        "commitment": True,
        "digest": bool(match_digest(match)),
        "seal": bool(match_digest(match)),
    }
    needs = {
        "key": ("commitment", "digest", "seal"),
        "nonces, names and options": ("digest", "seal"),
        "decisions": ("seal",),
    }

    # Each of them is enough, so the first that was given is named.
    def bound_by(proofs: Sequence[str]) -> str:
        if compared := [proof for proof in proofs if proof in given]:
            return f"bound by the {compared[0]}"
        if there[proofs[0]]:
            return f"not bound, no {proofs[0]} given"
        return f"not bound, this file has no {proofs[0]}"

    return {what: bound_by(proofs) for what, proofs in needs.items()}


def other(match: Match, what: str, true: str, wanted: str) -> str:
    """Why a commitment, digest or seal is not the one that was given, in a sentence."""
    if what == "commitment" and wanted in {start.commitment for start in match.fair.earlier}:
        return (
            f"its commitment is {true}; {wanted} was that of an earlier start, which was aborted: "
            "the page showed the new one then"
        )
    return f"its {what} is {true or 'missing'}, not {wanted}"


def taken_over(match: Match) -> str:
    """What is not proved of a match that goes on from another one."""
    taken = count_draws(match.plies[: match.taken])
    return (
        f"It goes on from a position of another match: its first {match.taken} plies are "
        f"by the rules, but what chance drew in them ({taken} outcomes) was another key's."
    )
