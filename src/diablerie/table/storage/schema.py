"""The tables of the database. Nothing here is particular to one kind of database.

Every change here needs a revision in `migrations/versions`: CONTRIBUTING, "Add a column".
"""

from typing import TypeVar

from sqlalchemy import (
    DDL,
    Boolean,
    Column,
    ColumnElement,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    event,
    false,
)
from sqlalchemy.types import TypeEngine

metadata = MetaData()
T = TypeVar("T")


def _column(
    name: str,
    kind: TypeEngine[T] | type[TypeEngine[T]],
    default: str | ColumnElement[bool] | None = None,
) -> Column[T]:
    """A column that is never NULL. default: what rows have that were there before it."""
    return Column(name, kind, nullable=False, server_default=default)


def _word(name: str, size: int = 64, default: str | None = None) -> Column[str]:
    """A column of short texts, of at most `size` characters."""
    return _column(name, String(size), default)


def _key(name: str, size: int = 64) -> Column[str]:
    """A key, or a part of one: a short text."""
    return Column(name, String(size), primary_key=True)


def _key_of(name: str, parent: Column[str]) -> Column[str]:
    """The first part of the key of rows that belong to `parent`'s, and go with them."""
    return Column(name, ForeignKey(parent, ondelete="CASCADE"), primary_key=True)


def _numbered(name: str) -> Column[int]:
    """A part of a key: a number that is given, not counted by the database."""
    return Column(name, Integer, primary_key=True, autoincrement=False)


matches = Table(
    "matches",
    metadata,
    _key("id", 32),
    _word("game", 32),
    _column("rules", Integer),  # version of the rules it is played by
    _column("options", Text),  # JSON: name to the option's text
    _word("key"),  # hex; nobody sees it before the end
    _word("commitment"),
    _word("status", 8),
    _column("public", Boolean),
    _column("hints", Boolean, false()),
    _column("screen", Boolean, false()),
    _word("origin", 32, ""),  # match it goes on from
    _column("taken", Integer, "0"),  # plies of that match
    _column("waits", Float, "0"),  # since when for nonces (Unix time)
    _column("pace", Integer, "0"),  # seconds of its turn clock
    _column("aborted", Integer, "0"),  # starts, see nonce_exchange
    _column("earlier", Text, "[]"),  # JSON: the last of them
    _column("by_lines", Boolean, false()),  # see engine/fair.py
    _word("host"),
    _column("created", Float),
    _word("rematch", 32),
    _word("group_id", 32, ""),  # see commands/groups.py
    _column("request", Text, ""),  # JSON, see state/take_back.py
    _column("revision", Integer),  # of all but plies and chat: compare and swap
)

Index("matches_by_status", matches.c.status, matches.c.created)

Index("matches_by_group", matches.c.group_id, matches.c.created)

seats = Table(
    "seats",
    metadata,
    _key_of("match", matches.c.id),
    Column("seat", Integer, primary_key=True),
    _word("kind", 8),
    _word("name"),
    Column("owner", String(64)),  # hash of the browser's secret
    Column("link", String(64), unique=True),  # hash of the personal link's
    _word("bot"),
    _word("stand_in"),
    _word("nonce"),
    _word("pledge", default=""),  # its hash, see nonce_exchange
    _word("called", default=""),  # when the match started
    _word("label", default=""),  # see engine/fair.py
    _column("due", Float, "0"),  # seconds of uptime, see turn_clock
    _column("member", Integer, "0"),  # of the group; 0: of none
    Column("wanted", String(64)),  # who asks for it, see commands/latecomers.py
    _word("wanted_name", default=""),
    Column("declined", String(64)),
)

Index("seats_by_owner", seats.c.owner)

Index("seats_by_due", seats.c.due)

# The uptime: the seconds for which servers have run on this database; one row (uptime_clock.py).
uptime = Table(
    "hours",
    metadata,
    _numbered("id"),
    _column("seconds", Float),
    _column("noted", Float, "0"),  # when (Unix time)
)

# The truth. (match, ply) as primary key is the compare-and-swap: of two decisions for the same
# place in the log, one is stored and the other is told that the match has moved on.
plies = Table(
    "plies",
    metadata,
    _key_of("match", matches.c.id),
    _numbered("ply"),
    _column("seat", Integer),
    _column("events", Text),  # JSON: pairs of seat and notation
    _column("at", Float),
    _column("since", Integer),  # see engine.plies.Ply
)

# A shortcut, to be deleted at any time; `layout` names the sources that wrote the bytes.
snapshots = Table(
    "snapshots",
    metadata,
    _key_of("match", matches.c.id),
    _column("ply", Integer),
    _word("layout", 32),
    _column("state", LargeBinary),
)

# The analysis of a finished match (bots/match_analysis.py); it can be computed again.
# Where `chances` is only a list, an older version wrote it, and the row counts as missing.
analyses = Table(
    "analyses",
    metadata,
    _key_of("match", matches.c.id),
    _column("games", Integer),  # played on from every position, at least
    _column("chances", Text),  # JSON, see bots.analysis.whole.Raw
)

# How a finished match ended, by seat; it can be computed again. See commands/history.py.
results = Table(
    "results",
    metadata,
    _key_of("match", matches.c.id),
    _numbered("seat"),
    _column("won", Boolean),
    Column("points", Float),
)

# The browsers that this server has given a secret; see commands/browsers.py.
browsers = Table(
    "browsers",
    metadata,
    _key("id"),  # hash of the secret
    _column("made", Float),
    _word("replaces", default=""),  # until it is first used
    _word("visitor", default=""),  # whose it is; "": its own
    _column("seen", Float, "0"),  # to the day
)

Index("browsers_by_visitor", browsers.c.visitor)

# Groups: people who play together for longer than a game; see commands/groups.py.
groups = Table(
    "groups",
    metadata,
    _key("id", 32),
    _word("name"),
    Column("link", String(64), nullable=False, unique=True),  # itself: its page shows it
    _column("last", Integer),  # number of the last member: none is given twice
    _column("created", Float),
    _column("used", Float),  # to the day
)

members = Table(
    "members",
    metadata,
    _key_of("group_id", groups.c.id),
    _numbered("member"),
    _word("name"),
    _column("colour", Integer),  # of the seat they take if it is free
)

# The browsers of a group's members; several may be at one browser.
member_devices = Table(
    "member_devices",
    metadata,
    _key_of("group_id", groups.c.id),
    _numbered("member"),
    _key("owner"),  # hash of the browser's secret
    _column("seen", Float),  # when it last showed the group's page (Unix time)
)

Index("member_devices_by_owner", member_devices.c.owner)

# What the last of a game owes, as a group has written it; see commands/forfeits.py.
forfeits = Table(
    "forfeits",
    metadata,
    _key_of("group_id", groups.c.id),
    _numbered("number"),
    _word("text", 255),
    _column("made", Float),  # when (Unix time)
)

# What devils have told of a group's series, for each match; see commands/recollections.py.
recollections = Table(
    "recollections",
    metadata,
    _key_of("group_id", groups.c.id),
    _key("match", 32),
    _column("seat", Integer),
    _word("kind", 8),
    _column("number", Integer),  # of the sentence
    _column("member", Integer),  # of whom it is told
    _column("n", Integer),
    _column("at", Float),
)

# How the finished matches of a group ended, by member. They outlive their matches.
series = Table(
    "series",
    metadata,
    _key_of("group_id", groups.c.id),
    _key("match", 32),
    _numbered("member"),
    _word("game", 32),
    _column("won", Boolean),
    Column("points", Float),
    Column("lost", Float),  # most points lost at one stroke
    _column("at", Float),  # when it ended
)

# Links that bring a browser to another device, once; see commands/browsers.py.
passes = Table(
    "passes",
    metadata,
    _key("id"),  # hash of the link's secret
    _word("owner"),  # the visitor
    _column("made", Float),
)

# The tokens of programs (commands/tokens.py): only hashes of their secrets are stored.
tokens = Table(
    "tokens",
    metadata,
    _key("id"),  # hash of the secret: the visitor it plays as
    _word("maker"),  # hash of the browser's secret
    _word("address"),  # whom the bounds count
    _word("name"),
    _word("scopes"),  # words
    _column("created", Float),
    _column("used", Float),  # to the day
)

Index("tokens_by_maker", tokens.c.maker)
Index("tokens_by_address", tokens.c.address)

chat = Table(
    "chat",
    metadata,
    _key_of("match", matches.c.id),
    _numbered("id"),
    _column("seat", Integer),
    _column("text", Text),
    _column("at", Float),
)

# Browsers that want to be called by web push; see commands/subscriptions.py.
pushes = Table(
    "pushes",
    metadata,
    _key("id"),  # hash of the endpoint
    _word("owner"),  # hash of the browser's secret
    _column("endpoint", Text),
    _word("p256dh", 128),  # by which a message is encrypted
    _word("auth"),
    _word("language", 16),
    _word("home", 255),  # this server's address, as the browser knows it
    _column("created", Float),
    _column("told", Boolean),  # notified, and has not looked at a page since
)

Index("pushes_by_owner", pushes.c.owner)

# Webhooks: addresses that learn whose turn it is; see commands/subscriptions.py.
hooks = Table(
    "hooks",
    metadata,
    _key_of("match", matches.c.id),
    _column("url", Text),
    _word("owner"),  # who gave the address: nobody else sees it
    _word("language", 16),
    _word("home", 255),
    _column("failures", Integer),  # in a row
    _column("heard", Integer, "-1"),  # the turn it knows of
)

# Lines of chat that somebody has reported to whoever keeps the server; see commands/chat.py.
# They outlive their table, so that deleting it hides nothing.
reports = Table(
    "reports",
    metadata,
    _key("match", 32),
    _numbered("line"),
    _key("reporter"),  # hash of the browser's secret
    _column("seat", Integer),
    _word("name"),
    _column("text", Text),
    _column("said", Float),
    _column("at", Float),
)

# Bots that are due, where several processes share the tables: see cluster/bot_jobs.py.
turns = Table(
    "turns",
    metadata,
    _key_of("match", matches.c.id),
    _column("due", Float),  # this and what follows: Unix time of the database
    _column("lease", Float),  # until when it is claimed
    _word("holder"),  # the process, and the number of its claim
    _word("client"),  # the client whose thinking time it uses
    _column("alone", Boolean),  # nobody plays there but bots
)

Index("turns_by_due", turns.c.due)

# The processes that share the tables, while they renew `beat`: see cluster/cluster_node.py.
processes = Table(
    "processes",
    metadata,
    _key("id", 32),
    _column("threads", Integer),  # for bots
    _column("beat", Float),
)

# Who looks at which table in which of them; see cluster/presence_store.py.
presence = Table(
    "looks",
    metadata,
    _key("process", 32),
    _key("match", 32),
    _key("visitor"),
    _key("client"),
    _column("pages", Integer),
    _column("at", Float),
)

Index("looks_by_match", presence.c.match)

# What clients have used of what is limited; see cluster/shared_counts.py.
rate_counts = Table(
    "budgets",
    metadata,
    _key("kind", 16),
    _key("client"),
    _column("level", Float),
    _column("at", Float),
)

Index("budgets_by_at", rate_counts.c.at)

# PostgreSQL may lose these in a crash, so it need not write them to its log first.
FLEETING = (processes, presence, rate_counts)
for fleeting in FLEETING:
    event.listen(
        fleeting,
        "after_create",
        DDL(  # type: ignore[no-untyped-call]
            "ALTER TABLE %(table)s SET UNLOGGED"
        ).execute_if(dialect="postgresql"),
    )
