"""The position of COALS in sentences, for those who do not see the picture."""

from collections.abc import Iterator

from diablerie.engine.text import Line, Section, listed, say, says
from diablerie.games.coals.rules.state import DEVIL, VALUES
from diablerie.games.coals.ui.log import Result
from diablerie.games.coals.ui.view import Player, View


def describe(view: View) -> list[Section]:
    """What everybody has, and where everything lies."""
    return [
        Section(say("Now"), list(_now(view))),
        *(
            Section(say("{who}", who=i), list(_player(view, own)))
            for i, own in enumerate(view.seats)
        ),
        Section(say("The furnace"), list(_furnace(view))),
        Section(say("The track"), list(_track(view))),
        *_settled(view),
    ]


def _now(view: View) -> Iterator[Line]:
    yield say("Round {n}", n=view.round)
    if view.over:
        yield say("The game is over.")
    elif view.turn is not None:
        yield say("{who} is at the furnace.", who=view.turn)
    elif view.betting:
        yield say("Everybody is choosing a stake.", "C7")
    if view.node != "first":
        yield say("{who} began this round.", "C6", who=view.first)


def _player(view: View, own: Player) -> Iterator[Line]:
    if own.won:
        yield say("Has won")
    if own.total is not None:
        yield say("{total} in total", total=own.total)
    if own.stake is not None:
        yield say("staked {stake}", stake=own.stake)
    elif own.staked:
        yield say("has staked in secret", "C7")
    elif view.betting:
        yield say("has not staked yet", "C7")
    yield _coal(own)
    if own.pact:
        yield say("pact with the devil", "C22")


def _coal(own: Player) -> Line:
    if own.busted:
        return say("Burnt fingers", "C12")
    if not own.pieces:
        return say("no coal in front")
    values = [VALUES[kind] for kind, count in enumerate(own.front) for _ in range(count)]
    return says(
        "{n} piece in front: {values}; {coal} in total",
        "{n} pieces in front: {values}; {coal} in total",
        own.pieces,
        values=", ".join(map(str, values)),
        coal=own.coal,
    )


def _furnace(view: View) -> Iterator[Line]:
    left = sum(view.furnace)
    devils = view.furnace[DEVIL]
    yield says("{n} piece is left.", "{n} pieces are left.", left)
    for kind, count in enumerate(view.furnace):
        named = say("devils") if kind == DEVIL else say("worth {value}", value=VALUES[kind])
        yield say("{what}: {n} of {of} left", what=named, n=count, of=view.full[kind])
    if left:
        share = round(100 * devils / left)
        yield say("The next piece is a devil {percent} times in 100.", "C12", percent=share)
    if aside := sum(view.aside):
        yield says("{n} piece set aside", "{n} pieces set aside", aside, "C23")


def _track(view: View) -> Iterator[Line]:
    yield say("The game ends when somebody owns {goal}", "C21", goal=view.goal)
    for i, own in enumerate(view.seats):
        space = _space(view.marks, own.space)
        yield say("{who}’s pawn: {space}", who=i, space=space)


def _space(marks: tuple[int, ...], space: int) -> Line:
    """A stone of the track: 0 to 50, each mark, and a grey one before each mark."""
    if not space:
        return say("on the first space, 0 to 50")
    if space % 2 == 0:
        return say("on {mark}", mark=marks[space // 2 - 1])
    low = (50, *marks)[space // 2]
    high = marks[space // 2]
    return say("between {low} and {high}", low=low, high=high)


def _settled(view: View) -> Iterator[Section]:
    """How the last round was paid, as long as the picture shows it."""
    if view.last and (view.betting or view.over):
        lines = [_result(i, own) for i, own in enumerate(view.last)]
        yield Section(say("The previous round"), lines)


def _result(who: int, own: Result) -> Line:
    parts = [say("staked {stake}", stake=own.stake)]
    if own.busted:
        parts.append(say("burnt fingers", "C12"))
    else:
        parts.append(says("{coal} in {n} piece", "{coal} in {n} pieces", own.pieces, coal=own.coal))
    if own.double:
        parts.append(say("paid double", "C18"))
    if own.most_coal:
        parts.append(say("{paid} for the most coal", "C19", paid=own.most_coal))
    if own.most_pieces:
        parts.append(say("{paid} for the most pieces", "C19", paid=own.most_pieces))
    parts.append(_gain(own.gain))
    return say("{who}: {what}", who=who, what=listed(parts))


def _gain(gain: int) -> Line:
    if gain > 0:
        return say("{gain} won", gain=gain)
    return say("{loss} lost", loss=-gain) if gain < 0 else say("nothing won or lost")
