"""Match files: JSON Lines, a header, one line per decision or outcome, a last line with the key.

    {"diablerie":1,"game":"coals","version":1,"options":{…},"names":["Ann","Bo"],"nonces":[],…}
    {"n":0,"seat":"chance","do":"first 1"}
    {"n":1,"seat":0,"do":"bet 50"}
    …
    {"end":[1.0,-1.0],"key":"…"}

A file is taken whole or refused whole, with the line that is wrong.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from diablerie.engine.asking import Illegal
from diablerie.engine.fair import Fair
from diablerie.engine.game import Game
from diablerie.engine.match import Event, Match
from diablerie.engine.notation import NotationError
from diablerie.engine.options import BadOption
from diablerie.engine.verbs import CHANCE

FORMAT = 1
LONGEST = 64 * 2**20  # bytes


class Damaged(ValueError):
    """A match file that is not what it should be: `line` counts from 1, `why` is a sentence."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: all that is fixed before the first event.

    A match that goes on from a position of another one has so many of its events `taken`.
    """

    diablerie: int
    game: str
    version: int
    options: dict[str, str]
    names: list[str]
    nonces: list[str]
    commitment: str
    taken: int = 0


class Entry(msgspec.Struct, forbid_unknown_fields=True):
    """One event."""

    n: int
    seat: int | Literal["chance"]
    do: str


class Last(msgspec.Struct, forbid_unknown_fields=True):
    """The last line: the returns (null while the match runs) and the key, in hex."""

    end: list[float] | None
    key: str


def header(match: Match) -> Header:
    """The first line of a match's file."""
    options = {o.name: o.format(match.options[o.name]) for o in match.game.options}
    return Header(
        diablerie=FORMAT,
        game=match.game.name,
        version=match.game.version,
        options=options,
        names=list(match.names),
        nonces=list(match.fair.nonces),
        commitment=match.fair.commitment,
        taken=match.taken,
    )


def lines(match: Match) -> Iterator[str]:
    """The lines of a match's file."""
    yield _json(header(match))
    for n, event in enumerate(match.events):
        yield _json(Entry(n, "chance" if event.seat == CHANCE else event.seat, event.text))
    yield _json(Last(match.returns() if match.over else None, match.fair.key.hex()))


def dump(match: Match) -> str:
    """The text of a match's file. It holds the key: of a running match, only for its owner."""
    return "".join(f"{line}\n" for line in lines(match))


def save(match: Match, path: str | Path) -> None:
    """Write a match to a file, whole or not at all."""
    target = Path(path)
    half = target.with_name(target.name + ".part")
    half.write_text(dump(match), "utf-8")
    half.replace(target)


def load(path: str | Path, games: Mapping[str, Game], dice: bool = False) -> Match:
    """The match of a file; with `dice`, every outcome is checked against the revealed key.

    Raises Damaged with the first line that is wrong, OSError if the file cannot be read.
    """
    file = Path(path)
    if file.stat().st_size > LONGEST:
        raise Damaged(1, f"the file is larger than {LONGEST} bytes")
    return parse(file.read_bytes(), games, dice)


def parse(data: bytes, games: Mapping[str, Game], dice: bool = False) -> Match:
    """The match that a file's bytes hold; as `load`."""
    rows = data.removesuffix(b"\n").split(b"\n")
    if len(rows) < 2:
        raise Damaged(1, "a header and a last line with the key are needed")
    head = _read(rows[0], Header, 1)
    last = _read(rows[-1], Last, len(rows))
    match = _opening(head, last, games, len(rows))
    match.taken = _taken(head, len(rows) - 2)
    for n, row in enumerate(rows[1:-1]):
        _replay(match, _read(row, Entry, n + 2), n, dice and n >= head.taken)
    _check_end(match, last, len(rows))
    return match


def _opening(head: Header, last: Last, games: Mapping[str, Game], end: int) -> Match:
    if head.diablerie != FORMAT:
        raise Damaged(1, f"format {head.diablerie} is not known here")
    if head.game not in games:
        raise Damaged(1, f"there is no game “{head.game[:40]}”")
    game = games[head.game]
    if head.version != game.version:
        raise Damaged(1, f"rules version {head.version}, but {game.version} is known here")
    fair = Fair(_key(last.key, end), tuple(head.nonces))
    if fair.commitment != head.commitment:
        raise Damaged(end, "the key is not the one the commitment in line 1 was made from")
    try:
        return Match.opening(
            game, seats=len(head.names), fair=fair, names=head.names, options=head.options
        )
    except BadOption as error:
        raise Damaged(1, str(error)) from None


def _taken(head: Header, events: int) -> int:
    if not 0 <= head.taken <= events:
        raise Damaged(1, f"{head.taken} events are said to be taken over, but there are {events}")
    return head.taken


def _key(text: str, line: int) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise Damaged(line, "the key is not in hex") from None


def _replay(match: Match, entry: Entry, n: int, dice: bool) -> None:
    line = n + 2
    if entry.n != n:
        raise Damaged(line, f"event {n} expected, {entry.n} found")
    event = Event(CHANCE if entry.seat == "chance" else entry.seat, entry.do)
    try:
        if dice and event.seat == CHANCE and match.actor == CHANCE:
            _check_die(match, event, line)
        match.apply(event)
    except (Illegal, NotationError) as error:
        raise Damaged(line, str(error)) from None


def _check_die(match: Match, event: Event, line: int) -> None:
    true = match.drawn()
    if event != true:
        raise Damaged(line, f"the key draws “{true.text}”, not “{event.text[:60]}”")


def _check_end(match: Match, last: Last, line: int) -> None:
    true = match.returns() if match.over else None
    if last.end != true:
        raise Damaged(line, f"the end is {last.end}, but the events lead to {true}")


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _read(row: bytes, kind: type[Any], line: int) -> Any:
    try:
        return msgspec.json.decode(row, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(line, f"not a line of a match file ({error})") from None
