"""The tables as 0.1 first laid them out."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """From nothing to 0001."""
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
    )
    op.create_index("seats_by_owner", "seats", ["owner"])
    op.create_table(
        "plies",
        _match(),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("since", sa.Integer, nullable=False),
    )
    op.create_table(
        "snapshots",
        _match(),
        sa.Column("seq", sa.Integer, nullable=False),
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


def _match() -> sa.Column[str]:
    referred = sa.ForeignKey("matches.id", ondelete="CASCADE")
    return sa.Column("match", sa.String(32), referred, primary_key=True)
