"""The tables of the database. Nothing here is particular to one kind of database.

Every change here needs a revision in `migrations/versions`: CONTRIBUTING, "Add a column".
"""

from sqlalchemy import (
    DDL,
    Boolean,
    Column,
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

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules", Integer, nullable=False),  # version of the rules it is played by
    Column("options", Text, nullable=False),  # JSON: name to the option's text
    Column("key", String(64), nullable=False),  # hex; nobody sees it before the end
    Column("commitment", String(64), nullable=False),
    Column("status", String(8), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("hints", Boolean, nullable=False, server_default=false()),
    Column("origin", String(32), nullable=False, server_default=""),  # match it goes on from
    Column("taken", Integer, nullable=False, server_default="0"),  # plies of that match
    Column("waits", Float, nullable=False, server_default="0"),  # since when for nonces (Unix time)
    Column("pace", Integer, nullable=False, server_default="0"),  # seconds of its turn clock
    Column("aborted", Integer, nullable=False, server_default="0"),  # starts, see nonce_exchange
    Column("earlier", Text, nullable=False, server_default="[]"),  # JSON: the last of them
    Column("host", String(64), nullable=False),
    Column("created", Float, nullable=False),
    Column("rematch", String(32), nullable=False),
    Column("group_id", String(32), nullable=False, server_default=""),  # see commands/groups.py
    Column("request", Text, nullable=False, server_default=""),  # JSON, see state/take_back.py
    Column("revision", Integer, nullable=False),  # of all but plies and chat: compare and swap
)

Index("matches_by_status", matches.c.status, matches.c.created)

Index("matches_by_group", matches.c.group_id, matches.c.created)

seats = Table(
    "seats",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),
    Column("name", String(64), nullable=False),
    Column("owner", String(64), nullable=True),  # hash of the browser's secret
    Column("link", String(64), nullable=True, unique=True),  # hash of the personal link's
    Column("bot", String(64), nullable=False),
    Column("stand_in", String(64), nullable=False),
    Column("nonce", String(64), nullable=False),
    Column("pledge", String(64), nullable=False, server_default=""),  # its hash, see nonce_exchange
    Column("called", String(64), nullable=False, server_default=""),  # when the match started
    Column("label", String(64), nullable=False, server_default=""),  # see engine/fair.py
    Column("due", Float, nullable=False, server_default="0"),  # seconds of uptime, see turn_clock
    Column("member", Integer, nullable=False, server_default="0"),  # of the group; 0: of none
)

Index("seats_by_owner", seats.c.owner)

Index("seats_by_due", seats.c.due)

# The uptime: the seconds for which servers have run on this database; one row (uptime_clock.py).
uptime = Table(
    "hours",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seconds", Float, nullable=False),
    Column("noted", Float, nullable=False, server_default="0"),  # when (Unix time)
)

# The truth. (match, ply) as primary key is the compare-and-swap: of two decisions for the same
# place in the log, one is stored and the other is told that the match has moved on.
plies = Table(
    "plies",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("events", Text, nullable=False),  # JSON: pairs of seat and notation
    Column("at", Float, nullable=False),
    Column("since", Integer, nullable=False),  # see engine.plies.Ply
)

# A shortcut, to be deleted at any time; `layout` names the sources that wrote the bytes.
snapshots = Table(
    "snapshots",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("layout", String(32), nullable=False),
    Column("state", LargeBinary, nullable=False),
)

# The analysis of a finished match (bots/match_analysis.py); it can be computed again.
# Where `chances` is only a list, an older version wrote it, and the row counts as missing.
analyses = Table(
    "analyses",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("games", Integer, nullable=False),  # played on from every position, at least
    Column("chances", Text, nullable=False),  # JSON, see bots.analysis.whole.Raw
)

# How a finished match ended, by seat; it can be computed again. See commands/history.py.
results = Table(
    "results",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("won", Boolean, nullable=False),
    Column("points", Float, nullable=True),
)

# The browsers that this server has given a secret; see commands/browsers.py.
browsers = Table(
    "browsers",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the secret
    Column("made", Float, nullable=False),
    Column("replaces", String(64), nullable=False, server_default=""),  # until it is first used
    Column("visitor", String(64), nullable=False, server_default=""),  # whose it is; "": its own
    Column("seen", Float, nullable=False, server_default="0"),  # to the day
)

Index("browsers_by_visitor", browsers.c.visitor)

# Groups: people who play together for longer than a game; see commands/groups.py.
groups = Table(
    "groups",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("link", String(64), nullable=False, unique=True),  # itself: its page shows it
    Column("last", Integer, nullable=False),  # number of the last member: none is given twice
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),  # to the day
)

members = Table(
    "members",
    metadata,
    Column("group_id", ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
    Column("member", Integer, primary_key=True, autoincrement=False),
    Column("name", String(64), nullable=False),
    Column("colour", Integer, nullable=False),  # of the seat they take if it is free
)

# The browsers of a group's members; several may be at one browser.
member_devices = Table(
    "member_devices",
    metadata,
    Column("group_id", ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
    Column("member", Integer, primary_key=True, autoincrement=False),
    Column("owner", String(64), primary_key=True),  # hash of the browser's secret
    Column("seen", Float, nullable=False),  # when it last showed the group's page (Unix time)
)

Index("member_devices_by_owner", member_devices.c.owner)

# How the finished matches of a group ended, by member. They outlive their matches.
series = Table(
    "series",
    metadata,
    Column("group_id", ForeignKey("groups.id", ondelete="CASCADE"), primary_key=True),
    Column("match", String(32), primary_key=True),
    Column("member", Integer, primary_key=True, autoincrement=False),
    Column("game", String(32), nullable=False),
    Column("won", Boolean, nullable=False),
    Column("points", Float, nullable=True),
    Column("lost", Float, nullable=True),  # most points lost at one stroke
    Column("at", Float, nullable=False),  # when it ended
)

# Links that bring a browser to another device, once; see commands/devices.py.
passes = Table(
    "passes",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the link's secret
    Column("owner", String(64), nullable=False),  # the visitor
    Column("made", Float, nullable=False),
)

# The tokens of programs (commands/tokens.py): only hashes of their secrets are stored.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the secret: the visitor it plays as
    Column("maker", String(64), nullable=False),  # hash of the browser's secret
    Column("address", String(64), nullable=False),  # whom the bounds count
    Column("name", String(64), nullable=False),
    Column("scopes", String(64), nullable=False),  # words
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),  # to the day
)

Index("tokens_by_maker", tokens.c.maker)
Index("tokens_by_address", tokens.c.address)

chat = Table(
    "chat",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
)

# Browsers that want to be called by web push; see commands/subscriptions.py.
pushes = Table(
    "pushes",
    metadata,
    Column("id", String(64), primary_key=True),  # hash of the endpoint
    Column("owner", String(64), nullable=False),  # hash of the browser's secret
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(128), nullable=False),  # by which a message is encrypted
    Column("auth", String(64), nullable=False),
    Column("language", String(16), nullable=False),
    Column("home", String(255), nullable=False),  # this server's address, as the browser knows it
    Column("created", Float, nullable=False),
    Column("told", Boolean, nullable=False),  # notified, and has not looked at a page since
)

Index("pushes_by_owner", pushes.c.owner)

# Webhooks: addresses that learn whose turn it is; see commands/subscriptions.py.
hooks = Table(
    "hooks",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("url", Text, nullable=False),
    Column(
        "owner", String(64), nullable=False
    ),  # the visitor who gave the address: nobody else sees it
    Column("language", String(16), nullable=False),
    Column("home", String(255), nullable=False),
    Column("failures", Integer, nullable=False),  # in a row
    Column("heard", Integer, nullable=False, server_default="-1"),  # the turn it knows of
)

# Lines of chat that somebody has reported to whoever keeps the server; see commands/chat.py.
# They outlive their table, so that deleting it hides nothing.
reports = Table(
    "reports",
    metadata,
    Column("match", String(32), primary_key=True),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("reporter", String(64), primary_key=True),  # hash of the browser's secret
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("said", Float, nullable=False),
    Column("at", Float, nullable=False),
)

# Bots that are due, where several processes share the tables: see cluster/bot_jobs.py.
turns = Table(
    "turns",
    metadata,
    Column("match", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("due", Float, nullable=False),  # this and what follows: Unix time of the database
    Column("lease", Float, nullable=False),  # until when it is claimed
    Column("holder", String(64), nullable=False),  # the process, and the number of its claim
    Column("client", String(64), nullable=False),  # the client whose thinking time it uses
    Column("alone", Boolean, nullable=False),  # nobody plays there but bots
)

Index("turns_by_due", turns.c.due)

# The processes that share the tables, while they renew `beat`: see cluster/cluster_node.py.
processes = Table(
    "processes",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("threads", Integer, nullable=False),  # for bots
    Column("beat", Float, nullable=False),
)

# Who looks at which table in which of them; see cluster/presence_store.py.
presence = Table(
    "looks",
    metadata,
    Column("process", String(32), primary_key=True),
    Column("match", String(32), primary_key=True),
    Column("visitor", String(64), primary_key=True),
    Column("client", String(64), primary_key=True),
    Column("pages", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

Index("looks_by_match", presence.c.match)

# What clients have used of what is limited; see cluster/shared_counts.py.
rate_counts = Table(
    "budgets",
    metadata,
    Column("kind", String(16), primary_key=True),
    Column("client", String(64), primary_key=True),
    Column("level", Float, nullable=False),
    Column("at", Float, nullable=False),
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
