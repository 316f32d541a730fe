"""The API for programs, `/api/v1`: the structs of its requests and answers, and its operations.

The server validates requests, makes answers and the OpenAPI document with them, and the client
decodes answers into them. Times are Unix time in seconds; seats count from 0.
"""

from collections.abc import Awaitable, Callable
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import (
    Annotated,
    Any,
    Concatenate,
    Generic,
    Literal,
    ParamSpec,
    Self,
    TypeVar,
    dataclass_transform,
    overload,
)

from msgspec import UNSET, Meta, Struct, field

from diablerie.engine.verbs import SEATS

PREFIX = "/api/v1"

Seat = Annotated[int, Meta(ge=0, lt=SEATS, description="A seat, from 0.")]
Number = Annotated[int, Meta(ge=0, lt=10**6)]
Share = Annotated[
    bool, Meta(description="A nonce for the dice will come, its hash first: see `share`.")
]
Kind = Literal["person", "program", "bot", "open"]
Status = Literal["open", "running", "over"]
Decision = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=700,
        description="An action in the game's notation, as `legal` has it; several in a row (a "
        "walk, a plan) with `; ` between.",
    ),
]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Frozen(Struct, frozen=True):
    """A struct whose fields stay as they are, of it and of its subclasses."""


class Body(Frozen, forbid_unknown_fields=True):
    """What a program sends, and the fields of a form of a table's page.

    Without `seat` the only one is meant that the sender has; to decide, the one asked.
    """


# -- what is asked -----------------------------------------------------------------------------


class Opening(Body):
    """Open a table. It starts at once if no seat is `open`.

    `plan` says who sits where: `me` (this program), `open`, or a bot of the house. `name` is the
    program's at the table, "": its token's.
    """

    game: str
    plan: Annotated[list[str], Meta(min_length=1, max_length=SEATS)]
    options: dict[str, str] = {}
    name: str = ""
    public: bool = False  # listed for everybody
    clock: Annotated[
        int, Meta(ge=0, description="After so many seconds a devil decides; 0: never.")
    ] = 0
    share: Share = False


class Own(Body):
    """About a seat of one's own."""

    seat: Seat | None = None


class Sitting(Own):
    """Take an open seat: this one, or any."""

    name: str = ""
    share: Share = False


class Rematching(Body):
    """Another match for the players of a finished one."""

    game: Annotated[str, Meta(description='Another game; "" is the same one.')] = ""


class Sharing(Own):
    """A share in the dice: first the hash of a nonce, and when all hashes are in the nonce."""

    hash: Annotated[
        str, Meta(pattern="^([0-9a-f]{64})?$", description="SHA-256 of the nonce, in hex.")
    ] = ""
    nonce: Annotated[str, Meta(max_length=64)] = ""


class Filling(Body):
    """Begin at a table one has opened, with bots of the house on its open seats.

    `devils`: on so many of them, and the others are taken away; without it on all.
    """

    bot: str = "devil"
    devils: Annotated[int, Meta(ge=0, lt=SEATS)] | None = None


class Publishing(Body):
    """Whether anybody finds the table in the list, or only who has its link."""

    public: bool = False


class Screening(Body):
    """Whether a screen in the middle shows the board for all, so that players' pages are hands.

    Then whoever has a seat may begin, free seats and give those of bots. With `here` the sender's
    device is the screen: before the start it leaves its seats.
    """

    on: bool = False
    here: bool = False


class Deciding(Body):
    """Decide. `ply` is that of the state the sender has thought about."""

    ply: Number
    do: Decision
    seat: Seat | None = None


class TakingBack(Body):
    """Take the last decision back. `ply` is that of the state the sender has seen."""

    ply: Number
    seat: Seat | None = None


class Answering(Own):
    """Agree to a request, or not."""

    agree: bool = False


class Talking(Body):
    """Say something at a table."""

    text: str = ""
    seat: Seat | None = None


class Other(Body):
    """About a seat that may be another's."""

    seat: Seat


class SeatWish(Own):
    """Ask for the seat of a bot of the house: this one, or any."""

    name: str = ""
    share: Annotated[bool, Meta(description="Nonces will come for the dice of rematches.")] = False


class SeatGrant(Other):
    """Give the seat to who asks for it, or not."""

    agree: bool = False


class Renaming(Own):
    """Another name for the player of one's own seat; "" removes it."""

    name: str = ""


class Empty(Body):
    """Nothing needs to be said."""


# -- what the table answers ----------------------------------------------------------------------


class OptionInfo(Frozen):
    """An option of a game; `values` are the usual ones, if there are few."""

    name: str
    label: str
    default: str
    values: list[str]


class GameInfo(Frozen):
    """A game. `rules` is the version of its rules: other versions do not play together."""

    name: str
    title: str
    tagline: str
    seats: list[int]  # how many may play
    options: list[OptionInfo]
    rules: int
    law: str  # where the rules can be read


class SeatInfo(Frozen):
    """Who sits on a seat. `bot` is the bot of the house that decides for it now, "" if none."""

    seat: int
    kind: Kind
    name: str
    bot: str
    here: bool  # somebody listens or has the page open
    due: float | None = None  # when a devil decides for it (Unix time), if a clock runs


class Row(Frozen):
    """A table in a list."""

    id: str
    url: str  # of its page
    game: str
    options: dict[str, str]
    status: Status
    public: bool
    created: float
    seats: list[SeatInfo]


class Move(Frozen):
    """A legal action: what to send, and what its button says."""

    do: str
    label: str


class Told(Frozen):
    """What the log says of one ply to this seat; `seat` is null for chance."""

    ply: int
    seat: int | None
    lines: list[str]


class Said(Frozen):
    """A line of the chat; `seat` is null for who has none any more."""

    id: int
    seat: int | None
    text: str
    at: float


class Fair(Frozen):
    """The shares that seats have in the dice. What a table waits for before its match is `phase`.

    `asked` are the own seats for which something is to be sent by `share` now; `hashes`, by seat,
    are told when no other is taken, and `digest` when the match has begun. So many starts were
    `aborted` since somebody left when the hashes were told: each time the table took a new
    `commitment`, and a nonce that was shown is not to be promised again.
    """

    phase: Literal["pledges", "nonces", ""] = ""
    asked: list[int] = []
    hashes: list[str] = []
    digest: str = ""
    aborted: int = 0


class Wished(Frozen):
    """Somebody asks for the seat of a bot of the house: `answer_seat` gives it, or not."""

    seat: int
    name: str  # "" if none was given


class Table(Frozen, tag_field="type", tag="table"):
    """A table as one seat sees it, which is all that a person there sees.

    It is the first line of a stream, and with `whole` every line; there `log` and `chat` are what
    came since the line before.
    """

    id: str
    url: str
    game: str
    rules: int
    options: dict[str, str]
    status: Status
    clock: Annotated[int, Meta(description="After so many seconds a devil decides; 0: never.")]
    commitment: str  # SHA-256 of the key that the dice come from
    seats: list[SeatInfo]
    seat: int | None  # through whose eyes; null for a watcher
    own: list[int]  # the seats this program has
    ply: Annotated[int, Meta(description="The number of plies so far: send it with a decision.")]
    pending: list[int]  # the seats that are to decide
    prompt: str
    legal: Annotated[list[Move], Meta(description="What this seat may do now, in order.")]
    view: Annotated[Any, Meta(description="The position as this seat sees it.")] = None
    record: Annotated[
        dict[str, Any] | None,
        Meta(description="The same as the fields of the rules' record, blanked as `redact` does."),
    ] = None
    log: list[Told] = []
    chat: list[Said] = []
    returns: Annotated[
        list[float] | None, Meta(description="By seat, -1 to 1, once it is over.")
    ] = None
    rematch: str = ""  # the table where these players go on
    fair: Fair = Fair()
    wishes: Annotated[
        list[Wished], Meta(description="Told to who may give a bot's seat to a newcomer: the host.")
    ] = []


class PatchStep(Frozen):
    """An operation of JSON Patch (RFC 6902); `value` is missing where something is removed."""

    op: Literal["add", "remove", "replace"]
    path: str
    value: Annotated[Any, Meta(description="What is put there.")] = UNSET


class Change(Frozen, tag_field="type", tag="change"):
    """What has changed at a table since the line before in a stream.

    `patch` is a JSON Patch of that line's table without `log` and `chat`, which here, too, hold
    what came since.
    """

    patch: list[PatchStep]
    log: list[Told] = []
    chat: list[Said] = []


class Gone(Frozen, tag_field="type", tag="gone"):
    """The last line of a stream whose table is gone."""

    problem: "Problem"


class Refused(Frozen, tag_field="type", tag="refused"):
    """The last line of a stream that this program may not read any more.

    Its token was revoked, the seat is no longer its own, or the match cannot be read.
    """

    problem: "Problem"


class Me(Frozen):
    """Whom the table takes a program for."""

    name: str
    scopes: list[str]
    created: float


class Done(Frozen):
    """It is done: `id` is the table, and `ply` where it stands.

    `seat` is the seat that was taken or named, else the only one that the program has there.
    """

    id: str
    ply: int
    seat: int | None = None


class Problem(Frozen):
    """Why nothing was done (RFC 9457): a sentence, and `code`, a word for programs."""

    type: str
    title: str
    status: int
    code: str
    clause: str = ""  # that forbids a decision
    rule: str = ""  # where that clause can be read
    ply: int | None = None  # where the match stands by now


Event = Table | Change | Gone | Refused


# -- what may stand behind the `?` of an address ---------------------------------------------------


class Looking(Frozen):
    """Through the eyes of which own seat; the log above which ply, the chat above which line.

    Of several own seats it is the one that is to decide, else the first.
    """

    seat: Seat | None = None
    since: Number = 0
    heard: Number = 0


class Listening(Looking):
    """As `Looking`; with `whole` every line of the stream is the whole table."""

    whole: bool = False


class Listing(Frozen):
    """Which public tables."""

    game: str = ""
    status: Literal["open", "running"] | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 50


class Mine(Frozen):
    """Which tables of the program's own: newest first, those after the table `before`."""

    status: Status | None = None
    limit: Annotated[int, Meta(ge=1, le=50)] = 20
    before: str = ""


# -- what can be asked -----------------------------------------------------------------------------

P = ParamSpec("P")
T = TypeVar("T")
# the scope of operations that need no token, or any token
ANYBODY = None
KNOWN = ""


class Blocking:
    """A client whose methods return answers."""


class Awaiting:
    """A client whose methods are awaited."""


@dataclass(eq=False)
class Operation(Generic[P, T]):
    """One thing that a program can do: in a client, the method that asks for it.

    The server's function for it has the same name. takes: the struct of the body or query; gives:
    the type of the answer; scope: what the token needs; limit: the rate limit that counts it (see
    `table/presence/rate_limits.py`).
    """

    about: str
    takes: Any
    gives: object
    path: str
    scope: str | None = ANYBODY
    _: KW_ONLY
    method: str = "GET"
    limit: str = "reads"
    status: int = 200
    media: str = "application/json"
    name: str = ""

    def __post_init__(self) -> None:
        OPERATIONS.append(self)

    @property
    def writes(self) -> bool:
        """Whether it changes something, so that what is asked comes in the body."""
        return self.method != "GET"

    def __set_name__(self, owner: type, name: str) -> None:
        self.path = self.path.replace("{name}", name)
        self.name = name

    @overload
    def __get__(self, client: None, owner: type) -> Self: ...
    @overload
    def __get__(self, client: Blocking, owner: type) -> Callable[P, T]: ...
    @overload
    def __get__(self, client: Awaiting, owner: type) -> Callable[P, Awaitable[T]]: ...
    def __get__(self, client: Any, owner: type) -> Any:
        return self if client is None else partial(client.ask, self)


AnyOperation = Operation[Any, Any]
OPERATIONS: list[AnyOperation] = []
TABLE_PATH = "/tables/{id}"


def _general(
    about: str, takes: Callable[P, Any], gives: type[T], path: str, *scope: str, **more: Any
) -> Operation[P, T]:
    return Operation(about, takes, gives, path, *scope, **more)


def _table(
    about: str, takes: Callable[P, Any], gives: type[T], path: str, **more: Any
) -> Operation[Concatenate[str, P], T]:
    return Operation(about, takes, gives, TABLE_PATH + path, **more)


def _command(
    about: str, takes: Callable[P, Any], scope: str = "play", limit: str = "writes"
) -> Operation[Concatenate[str, P], Done]:
    path = f"{TABLE_PATH}/{{name}}"
    return Operation(about, takes, Done, path, scope, method="POST", limit=limit)


class Operations:
    """All that programs can do; both clients inherit it. At a table, its id comes first."""

    games = _general("The games there are, and their options.", Empty, list[GameInfo], "/games")
    tables = _general(
        "The public tables one may join or watch, newest first.", Listing, list[Row], "/tables"
    )
    open_table = _general(
        "Open a table.",
        Opening,
        Done,
        "/tables",
        "open",
        method="POST",
        limit="tables",
        status=201,
    )
    me = _general("Whom the table takes this program for.", Empty, Me, "/me", KNOWN)
    mine = _general(
        "The tables at which this program sits or sat.", Mine, list[Row], "/me/tables", KNOWN
    )
    look = _table("A table, as this program may see it.", Looking, Table, "")
    export = _table(
        "The match file; while the match runs, what this program may know of it.",
        Looking,
        str,
        "/match.jsonl",
        media="application/jsonl",
    )

    sit = _command("Take an open seat.", Sitting)
    share = _command(
        "Send the hash of a seat's nonce for the dice, and when all hashes are in the nonce.",
        Sharing,
    )
    begin = _command("Start a match without the hashes or nonces that do not come.", Empty)
    leave = _command("Leave a seat before the start.", Own)
    free = _command("Free the seat of another before the start.", Other, "open")
    fill = _command(
        "Start the game of one's own table: open seats are bots' of the house, or taken away.",
        Filling,
        "open",
    )
    publish = _command("Let anybody find the table, or only who has its link.", Publishing, "open")
    screen = _command("Say whether a screen in the middle shows the board.", Screening, "open")
    delete_table = _command("Delete one's own table and all that is stored of it.", Empty, "open")
    rename = _command("Change the name of a seat's player.", Renaming)
    decide = _command("Decide, once or several times in a row.", Deciding, limit="moves")
    take_back = _command("Take the last decision back.", TakingBack, limit="moves")
    request_take_back = _command("Ask the others to agree that one takes back.", Own)
    answer_take_back = _command(
        "Agree that another takes back, or refuse; who asked withdraws by refusing.", Answering
    )
    chat = _command("Say something.", Talking, "chat", "chat")
    hand_over = _command("Let a bot play on for a seat of one's own.", Own)
    give_to_bot = _command("Let a bot play for another player who is away.", Other)
    relieve_bot = _command("Take a seat of one's own back from the bot that plays for it.", Own)
    ask_seat = _command(
        "Ask the host of a running game for a bot's seat; one may who has none there.", SeatWish
    )
    answer_seat = _command(
        "Give a bot's seat to who asks for it, or not; who asked withdraws by not agreeing.",
        SeatGrant,
    )
    resign = _command("Give the match up; where others play on, a bot takes the seat over.", Own)
    rematch = _command(
        "The same players again, or another game; asked twice, the same new table.",
        Rematching,
        "open",
    )


STREAM = Operation[..., Event](  # in the clients a method of their own
    "The table now, then what changes, as lines of JSON; an empty line is a sign of life.",
    Listening,
    Event,
    f"{TABLE_PATH}/stream",
    media="application/x-ndjson",
    name="stream",
)
