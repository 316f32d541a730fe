"""How a decision changes a table: pure functions from one `Live` to the next."""

from collections.abc import Sequence
from dataclasses import replace

from diablerie.engine import verbs
from diablerie.engine.asking import redacted
from diablerie.engine.fair import Fair
from diablerie.engine.match import Match
from diablerie.engine.record import same
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE
from diablerie.table.errors import BadInput, Repeated, Stale
from diablerie.table.live import OVER, RUNNING, Live, Ply
from diablerie.table.logbook import untold
from diablerie.table.premoves import foresee


def begin(live: Live, key: bytes, at: float) -> Live:
    """The match starts: chance opens it, single options are played."""
    fair = Fair(key, tuple(info.nonce for info in live.seats))
    names = [info.name for info in live.seats]
    match = Match.new(
        live.game, seats=len(live.seats), fair=fair, names=names, options=live.options
    )
    opening = Ply(CHANCE, tuple(match.events), at, 1)
    return _finished(live, match, [opening], at)


def go_on(live: Live, key: bytes, plies: Sequence[Ply], at: float) -> Live:
    """The match starts with these plies of another one, and chance is drawn anew after them."""
    fair = Fair(key, tuple(info.nonce for info in live.seats))
    names = [info.name for info in live.seats]
    match = Match.opening(
        live.game, seats=len(live.seats), fair=fair, names=names, options=live.options
    )
    _retell(match, plies)
    match.taken = len(match.events)
    return _finished(live, match, [ply._replace(at=at) for ply in plies], at)


def pending_after(live: Live, step: int) -> list[int]:
    """The seats that were to decide after the first `step` plies."""
    match = untold(live)
    _retell(match, live.plies[:step])
    return match.pending


def _retell(match: Match, plies: Sequence[Ply]) -> None:
    for ply in plies:
        for event in ply.events:
            match.apply(event)


def decide(live: Live, seat: int, seq: int, texts: Sequence[str], at: float) -> Live:
    """The seat decides, once or several times in a row, and what follows by itself happens.

    Raises Stale, Repeated, IllegalMove or BadInput. Of several decisions the first ones are
    played as long as things go as the player could foresee; the rest is dropped.
    """
    if not texts:
        raise BadInput(say("Nothing was decided."))
    assert live.match is not None
    _timely(live, seat, seq, texts[0])
    expected = foresee(live.game, redacted(live.match.state, seat), seat, texts)
    match, plies = live.match.copy(), list(live.plies)
    for text, foreseen in zip(texts, expected, strict=True):
        plies.append(_ply(match, plies, seat, text, at))
        # Compared is only what the player sees: that the rest is dropped tells him nothing.
        if not same(redacted(match.state, seat), foreseen):
            break
    return _finished(live, match, plies, at)


def _timely(live: Live, seat: int, seq: int, text: str) -> None:
    """Raise Stale or Repeated if this seat's place in the log is not open any more."""
    now = live.seq
    if live.plies[-1].since <= seq <= now and (seat in live.pending or seq == now):
        return
    for k in range(max(1, seq), now):
        if live.plies[k].seat == seat:
            if live.plies[k - 1].since <= seq and live.plies[k].events[0].text == text:
                raise Repeated(now)
            break
    raise Stale(now)


def _ply(match: Match, plies: Sequence[Ply], seat: int, text: str, at: float) -> Ply:
    node, others = int(match.state.node), verbs.pending(match.state) & ~(1 << seat)
    events = tuple(match.play(text, seat))
    go_on = others and verbs.pending(match.state) == others and int(match.state.node) == node
    meanwhile = bool(go_on) and len(events) == 1
    return Ply(seat, events, at, plies[-1].since if meanwhile else len(plies) + 1)


def _finished(live: Live, match: Match, plies: list[Ply], at: float) -> Live:
    """Play what is forced, and look whether the game is over."""
    while (single := _single(match)) is not None:
        plies.append(_ply(match, plies, *single, at))
    status = OVER if match.over else RUNNING
    return replace(live, match=match, plies=tuple(plies), status=status)


def _single(match: Match) -> tuple[int, str] | None:
    """A seat with a single option, at a node where the table plays it by itself."""
    if match.over or int(match.state.node) not in match.game.forced:
        return None
    for seat in match.pending:
        texts = match.legal(seat)
        if len(texts) == 1:
            return seat, texts[0]
    return None
