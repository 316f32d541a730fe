"""All tables of diablerie 0.3.0 as it began."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = None
UNLOGGED = ("processes", "looks", "budgets")  # PostgreSQL may lose these in a crash


def upgrade() -> None:
    """Create the tables in an empty database."""
    _create_matches()
    _create_what_finished_matches_have()
    _create_what_visitors_have()
    _create_calls_and_reports()
    _create_what_processes_share()


def _match() -> sa.Column[str]:
    """The key of a row that belongs to a match, and goes with it."""
    parent = sa.ForeignKey("matches.id", ondelete="CASCADE")
    return sa.Column("match", sa.String(32), parent, primary_key=True)


def _create_matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("origin", sa.String(32), nullable=False, server_default=""),
        sa.Column("taken", sa.Integer, nullable=False, server_default="0"),
        sa.Column("fair", sa.Integer, nullable=False, server_default="1"),
        sa.Column("waits", sa.Float, nullable=False, server_default="0"),
        sa.Column("pace", sa.Integer, nullable=False, server_default="0"),
        sa.Column("aborted", sa.Integer, nullable=False, server_default="0"),
        sa.Column("earlier", sa.Text, nullable=False, server_default="[]"),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("rematch", sa.String(32), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
    )
    op.create_index("matches_by_status", "matches", ["status", "created"])
    op.create_table(
        "seats",
        _match(),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(64), nullable=True),
        sa.Column("link", sa.String(64), nullable=True, unique=True),
        sa.Column("bot", sa.String(64), nullable=False),
        sa.Column("stand_in", sa.String(64), nullable=False),
        sa.Column("nonce", sa.String(64), nullable=False),
        sa.Column("pledge", sa.String(64), nullable=False, server_default=""),
        sa.Column("called", sa.String(64), nullable=False, server_default=""),
        sa.Column("label", sa.String(64), nullable=False, server_default=""),
        sa.Column("due", sa.Float, nullable=False, server_default="0"),
    )
    op.create_index("seats_by_owner", "seats", ["owner"])
    op.create_index("seats_by_due", "seats", ["due"])
    op.create_table(
        "plies",
        _match(),
        sa.Column("ply", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
    )
    op.create_table(
        "snapshots",
        _match(),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("layout", sa.String(32), nullable=False),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "chat",
        _match(),
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def _create_what_finished_matches_have() -> None:
    op.create_table(
        "analyses",
        _match(),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("chances", sa.Text, nullable=False),
    )
    op.create_table(
        "results",
        _match(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("points", sa.Float, nullable=True),
    )


def _create_what_visitors_have() -> None:
    op.create_table(
        "passes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("maker", sa.String(64), nullable=False),
        sa.Column("address", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("scopes", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
    )
    op.create_index("tokens_by_maker", "tokens", ["maker"])
    op.create_index("tokens_by_address", "tokens", ["address"])


def _create_calls_and_reports() -> None:
    op.create_table(
        "pushes",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(128), nullable=False),
        sa.Column("auth", sa.String(64), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("home", sa.String(255), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
    )
    op.create_index("pushes_by_owner", "pushes", ["owner"])
    op.create_table(
        "hooks",
        _match(),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("home", sa.String(255), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
        sa.Column("heard", sa.Integer, nullable=False, server_default="-1"),
    )
    op.create_table(
        "reports",
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("reporter", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("said", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )


def _create_what_processes_share() -> None:
    op.create_table(
        "hours",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("noted", sa.Float, nullable=False, server_default="0"),
    )
    op.create_table(
        "turns",
        _match(),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("lease", sa.Float, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("alone", sa.Boolean, nullable=False),
    )
    op.create_index("turns_by_due", "turns", ["due"])
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("threads", sa.Integer, nullable=False),
        sa.Column("beat", sa.Float, nullable=False),
    )
    op.create_table(
        "looks",
        sa.Column("process", sa.String(32), primary_key=True),
        sa.Column("match", sa.String(32), primary_key=True),
        sa.Column("visitor", sa.String(64), primary_key=True),
        sa.Column("client", sa.String(64), primary_key=True),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("looks_by_match", "looks", ["match"])
    op.create_table(
        "budgets",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("client", sa.String(64), primary_key=True),
        sa.Column("level", sa.Float, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("budgets_by_at", "budgets", ["at"])
    if op.get_bind().dialect.name == "postgresql":
        for table in UNLOGGED:
            op.execute(f"ALTER TABLE {table} SET UNLOGGED")
