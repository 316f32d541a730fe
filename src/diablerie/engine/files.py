"""Match files: JSON Lines, a header, one line per decision or outcome, a last line with the key.

    {"diablerie":6,"game":"coals","version":1,"options":{…},"names":["Ann","Bo"],"nonces":[],…}
    {"n":0,"seat":"chance","do":"first 1"}
    {"n":1,"seat":0,"do":"bet 50"}
    {"n":2,"seat":0,"note":"takeback","to":1}
    …
    {"end":[1.0,-1.0],"key":"…"}

`n` counts lines. The dice are numbered by draws: the outcomes of the match's own key, from 0, those
that were taken back too. Plies that are no decisions are notes.

That is format 6, the one that is written. In matches that began before 0.4.0 the dice are numbered
by lines: `n` is the number of the die, and the header says so. Their own files, which 0.3.0 wrote in
formats 1 to 5, are read as such.

A file is taken whole or refused whole, with the line that is wrong.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from diablerie.engine import proof
from diablerie.engine.fair import KEY_BYTES, Aborted, DiceStream
from diablerie.engine.foreign_json import BadJson, read_json
from diablerie.engine.game import Game
from diablerie.engine.match import Match
from diablerie.engine.notation import NotationError
from diablerie.engine.options import BadOption, in_files
from diablerie.engine.plies import Event, Ply, PlyKind, all_others
from diablerie.engine.queries import Illegal
from diablerie.engine.record import Record
from diablerie.engine.replay import PositionTree, forbids_take_back
from diablerie.engine.text import say
from diablerie.engine.verbs import CHANCE

FILE_FORMAT = 6  # all others that are read have their dice numbered by lines
OLDEST_FORMAT = 1  # which 0.3.0 still wrote
T = TypeVar("T")
LONGEST_FILE_BYTES = 64 * 2**20  # bytes
LONGEST_EXPLANATION = 200  # characters of what is wrong, at most: it may quote the file


class Damaged(ValueError):
    """A match file that is not what it should be: `line` counts from 1, `why` is a short sentence.

    The message names the file, where the match was read from one.
    """

    def __init__(self, line: int, why: str, file: Path | None = None) -> None:
        why = " ".join(why.split())
        why = why if len(why) <= LONGEST_EXPLANATION else f"{why[: LONGEST_EXPLANATION - 2]} …"
        place = f"{' '.join(str(file).split())}, " if file else ""
        super().__init__(f"{place}line {line}: {why}")
        self.line = line
        self.why = why


class Header(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The first line: all that is fixed before the first event.

    taken: the number of plies that come from another match, from whose position this one goes on; of
    lines, where dice are numbered `by_lines`.
    Where seats have a share in the chance (see fair.py and proof.py): the hashes by which nonces were
    promised, who gave each nonce, the hashes of the seats' names (all that is left of a name that was
    deleted), and the digest. Then how many starts were aborted, and the last of them; and the seats
    whose players had said that a hash would come, and the match began without it.
    """

    diablerie: int
    game: str
    version: int
    options: dict[str, str]
    names: list[str]
    nonces: list[str]
    commitment: str
    taken: int = 0
    hashes: list[str] = []
    by: list[Literal["player", "table"]] = []
    labels: list[str] = []
    digest: str = ""
    aborted: int = 0
    earlier: list[Aborted] = []
    late: list[int] = []
    by_lines: bool = False


class FileEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One decision or outcome (`do`), or a ply that is neither (`note`, see `plies.PlyKind`)."""

    n: int
    seat: int | Literal["chance"]
    do: str = ""
    note: PlyKind = PlyKind.MOVE
    to: int = 0
    by: str = ""


class Last(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The last line: the returns (null while the match runs), the key in hex, and the seal."""

    end: list[float] | None
    key: str
    seal: str = ""


def header(match: Match) -> Header:
    """The first line of a match's file."""
    fair = match.fair
    return Header(
        diablerie=FILE_FORMAT,
        game=match.game.name,
        version=match.game.version,
        options=in_files(match.game.options, match.options),
        names=list(match.names),
        nonces=list(fair.nonces),
        commitment=fair.commitment,
        taken=proof.taken_in_file(match),
        hashes=list(fair.pledges or ()),
        by=fair.by,  # type: ignore[arg-type]
        labels=list(fair.labels),
        digest=proof.match_digest(match),
        aborted=fair.aborted,
        earlier=list(fair.earlier),
        late=list(fair.late),
        by_lines=fair.by_lines,
    )


def match_lines(match: Match) -> Iterator[str]:
    """The lines of a match's file."""
    yield _json(header(match))
    yield from _played(match)
    yield _json(
        Last(match.returns() if match.over else None, match.fair.key.hex(), match_seal(match))
    )


def match_seal(match: Match) -> str:
    """The seal of the match as it is, see proof.py."""
    return proof.seal_of(proof.match_digest(match), _played(match))


def _played(match: Match) -> Iterator[str]:
    for n, entry in enumerate(entry for ply in match.plies for entry in _entries(ply)):
        entry.n = n
        yield _json(entry)


def _entries(ply: Ply) -> list[FileEntry]:
    if ply.kind is not PlyKind.MOVE:
        return [FileEntry(0, ply.seat, note=ply.kind, to=ply.to, by=ply.by)]
    return [FileEntry(0, "chance" if e.seat == CHANCE else e.seat, e.text) for e in ply.events]


def dump(match: Match) -> str:
    """The text of a match's file. It holds the key: of a running match, only for its owner."""
    return "".join(f"{line}\n" for line in match_lines(match))


def save(match: Match, path: str | Path) -> None:
    """Write a match to a file, whole or not at all."""
    write_whole(Path(path), dump(match).encode())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, which appears whole or not at all. Raises OSError."""
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)


def load_match(path: str | Path, games: Mapping[str, Game], dice: bool = False) -> Match:
    """The match of a file; with `dice`, every outcome is checked against the revealed key.

    With `dice`, and two players or more who had a share in the dice, take-backs are checked too:
    nobody may have learnt anything before one, unless all others agreed to it. Raises Damaged with
    the first line that is wrong, OSError if the file cannot be read.
    """
    file = Path(path)
    with file.open("rb") as source:
        data = source.read(LONGEST_FILE_BYTES + 1)  # a device may have no end
    if len(data) > LONGEST_FILE_BYTES:
        raise Damaged(1, f"the file is larger than {LONGEST_FILE_BYTES} bytes", file)
    try:
        return parse_match(data, games, dice)
    except Damaged as damaged:
        raise Damaged(damaged.line, damaged.why, file) from None


def parse_match(data: bytes, games: Mapping[str, Game], dice: bool = False) -> Match:
    """The match that a file's bytes hold. Raises as `load_match`: Damaged names the line."""
    rows = data.removesuffix(b"\n").split(b"\n")
    if len(rows) < 2:
        raise Damaged(1, "a header and a last line with the key are needed")
    head = _read(rows[0], Header, 1)
    last = _read(rows[-1], Last, len(rows))
    match = _opening(head, last, games, len(rows))
    if not 0 <= head.taken <= len(rows):  # how many plies there are is not known yet
        raise Damaged(1, f"{head.taken} plies or lines are said to be taken over")
    replay = _Replay(match, head.taken)
    for n, row in enumerate(rows[1:-1]):
        replay.line(_read(row, FileEntry, n + 2), n, dice)
    replay.end(len(rows) - 2)
    if head.digest != proof.match_digest(match):
        raise Damaged(1, "the digest is not of this commitment, these seats, nonces and options")
    _check_end(match, last, len(rows))
    return match


def _opening(head: Header, last: Last, games: Mapping[str, Game], end: int) -> Match:
    if not OLDEST_FORMAT <= head.diablerie <= FILE_FORMAT:
        raise Damaged(
            1, f"format {head.diablerie} is not known here, which reads those since 0.3.0"
        )
    if head.game not in games:
        raise Damaged(1, f"there is no game “{head.game[:40]}”")
    game = games[head.game]
    if head.version != game.version:
        raise Damaged(1, f"rules version {head.version}, but {game.version} is known here")
    # The key comes before all that follows from it, so that a wrong one is named as such.
    fair = _fair(head, _key(last.key, end))
    if fair.commitment != head.commitment:
        raise Damaged(end, "the key is not the one the commitment in line 1 was made from")
    try:
        match = Match.opening(
            game, seats=len(head.names), fair=fair, names=head.names, options=head.options
        )
        if fair.pledges is not None:
            proof.check(match, list(head.by))
    except (BadOption, proof.Forged) as error:
        raise Damaged(1, str(error)) from None
    return match


def _fair(head: Header, key: bytes) -> DiceStream:
    """The stream that the header describes, that of the key alone if nobody has a share in it."""
    by_lines = head.by_lines or head.diablerie < FILE_FORMAT
    shares = head.nonces or head.hashes or head.by or head.labels or head.digest
    if not (shares or head.aborted or head.earlier or head.late):
        return DiceStream(key, by_lines=by_lines)
    return DiceStream(
        key,
        tuple(head.nonces),
        tuple(head.hashes),
        tuple(head.labels),
        head.aborted,
        tuple(head.earlier),
        tuple(head.late),
        by_lines,
    )


def _key(text: str, line: int) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        raise Damaged(line, "the key is not in hex") from None
    if len(key) != KEY_BYTES:
        raise Damaged(line, f"the key has {len(key)} bytes, not {KEY_BYTES}")
    return key


class _Replay:
    """Plays the lines of a file, of which so much is `taken` over: plies, or lines `by_lines`."""

    def __init__(self, match: Match, taken: int) -> None:
        self._match = match
        self._taken = taken
        self._by_lines = match.fair.by_lines
        if not self._by_lines:
            match.taken = taken
        self._positions = PositionTree(match.game, match.state)
        self._followed = 0  # plies

    def line(self, entry: FileEntry, n: int, dice: bool) -> None:
        """Play line `n`, counted from 0 after the header. Raises Damaged.

        With `dice` what chance drew and what was taken back is checked, too.
        """
        line = n + 2
        match = self._match
        if entry.n != n:
            raise Damaged(line, f"event {n} expected, {entry.n} found")
        if self._by_lines and n == self._taken:
            self._take_over()
        dice = dice and self._own(entry, n)
        try:
            if entry.note is not PlyKind.MOVE:
                self._note(entry, dice)
                return
            event = Event(CHANCE if entry.seat == "chance" else entry.seat, entry.do)
            if dice and event.seat == CHANCE and match.waits_for_chance:
                _check_die(match, event, n)
            if event.seat != CHANCE:
                if not match.plies:  # chance had no part in the opening
                    match._begin()
                self._follow()
            match.apply(event)
        except (Illegal, NotationError) as error:
            raise Damaged(line, str(error)) from None

    def end(self, lines: int) -> None:
        """Check what is said to be taken over, of a file of so many lines. Raises Damaged."""
        there = lines if self._by_lines else self._match.ply
        if self._taken > there:
            what = "lines" if self._by_lines else "plies"
            raise Damaged(1, f"{self._taken} {what} are said to be taken over, of {there}")
        if self._by_lines and self._taken == lines:
            self._take_over()
        if proof.taken_in_file(self._match) != self._taken:
            raise Damaged(1, "what is said to be taken over ends within a ply")

    def _take_over(self) -> None:
        self._match.taken = self._match.ply
        self._match.draws = 0

    def _own(self, entry: FileEntry, n: int) -> bool:
        """Whether line `n` belongs to this match, and not to the one that it goes on from."""
        if self._by_lines:
            return n >= self._taken
        ply = self._match.ply + (entry.seat != "chance")
        return max(1, ply) > self._taken

    def _note(self, entry: FileEntry, dice: bool) -> None:
        match = self._match
        if entry.do or entry.seat == "chance":
            raise Illegal(say("A note is neither a decision nor a chance outcome."))
        past = None
        if entry.note is PlyKind.TAKE_BACK and 0 < entry.to < match.ply:
            past = self._returned_to(entry, entry.seat, dice)
        match.note(entry.note, entry.seat, to=entry.to, by=entry.by, past=past)

    def _returned_to(self, entry: FileEntry, seat: int, dice: bool) -> Record:
        """The position that a take-back returns to. Raises Illegal if it was not allowed."""
        match = self._match
        self._follow()
        past = self._positions.after(entry.to)
        if entry.by not in ("", all_others(match.seats, seat)):
            raise Illegal(
                say("A take-back names all the other players who have to agree, or nobody.")
            )
        # Alone against bots one may always take back, and with everybody's consent.
        judged = dice and not entry.by and proof.several(match)
        if judged and forbids_take_back(match, seat, entry.to, past):
            raise Illegal(
                say("Others have decided or seen something since, so this cannot be taken back.")
            )
        return past

    def _follow(self) -> None:
        """Add all plies so far to the tree of positions: none of them can become longer now."""
        for k in range(self._followed, self._match.ply):
            self._positions.add(self._match.plies[k], self._match.state)
        self._followed = self._match.ply


def _check_die(match: Match, event: Event, n: int) -> None:
    """Check what line `n` says that chance drew. Raises Damaged."""
    true = match.drawn(n if match.fair.by_lines else match.draws)
    if event != true:
        raise Damaged(n + 2, f"the key draws “{true.text}”, not “{event.text[:60]}”")


def _check_end(match: Match, last: Last, line: int) -> None:
    true = match.returns() if match.over else None
    if last.end != true:
        raise Damaged(line, f"the end is {last.end}, but the events lead to {true}")
    if last.seal != match_seal(match):
        raise Damaged(line, "the lines are not those that were sealed")


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _read(row: bytes, kind: type[T], line: int) -> T:
    try:
        return read_json(row, kind, fields_once=True)
    except BadJson as error:
        raise Damaged(line, f"not a line of a match file ({error})") from None
