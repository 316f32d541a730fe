"""Groups with members and a series; secrets that only the server gives; requests to take back."""

import sqlalchemy as sa
from alembic import op

from diablerie.runtime.clock import SYSTEM_CLOCK

revision = "0010"
down_revision = "0009"

KNOWN = """
    INSERT INTO browsers (id, made)
    SELECT owner, :now FROM (
        SELECT owner FROM seats WHERE owner IS NOT NULL
        UNION SELECT host FROM matches
        UNION SELECT maker FROM tokens
        UNION SELECT owner FROM passes
        UNION SELECT owner FROM pushes
        UNION SELECT owner FROM hooks
    ) AS owners
    WHERE owner <> '' AND owner NOT IN (SELECT id FROM tokens)
"""


def upgrade() -> None:
    """From 0009 to 0010."""
    _create_browsers()
    _create_groups()
    op.add_column("matches", _text("group_id", sa.String(32)))
    op.add_column("matches", _text("request", sa.Text))
    op.create_index("matches_by_group", "matches", ["group_id", "created"])
    op.add_column("seats", sa.Column("member", sa.Integer, nullable=False, server_default="0"))


def _text(name: str, kind: sa.types.TypeEngine[str] | type[sa.Text]) -> sa.Column[str]:
    return sa.Column(name, kind, nullable=False, server_default="")


def _create_browsers() -> None:
    """Create the table of browsers; those that have anything here are known already."""
    op.create_table(
        "browsers",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("made", sa.Float, nullable=False),
        _text("replaces", sa.String(64)),
    )
    op.get_bind().execute(sa.text(KNOWN), {"now": SYSTEM_CLOCK()})


def _group() -> sa.Column[str]:
    """The key of a row that belongs to a group, and goes with it."""
    parent = sa.ForeignKey("groups.id", ondelete="CASCADE")
    return sa.Column("group_id", sa.String(32), parent, primary_key=True)


def _member() -> sa.Column[int]:
    return sa.Column("member", sa.Integer, primary_key=True, autoincrement=False)


def _create_groups() -> None:
    op.create_table(
        "groups",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("link", sa.String(64), nullable=False, unique=True),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
    )
    op.create_table(
        "members",
        _group(),
        _member(),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("colour", sa.Integer, nullable=False),
    )
    op.create_table(
        "member_devices",
        _group(),
        _member(),
        sa.Column("owner", sa.String(64), primary_key=True),
        sa.Column("seen", sa.Float, nullable=False),
    )
    op.create_index("member_devices_by_owner", "member_devices", ["owner"])
    op.create_table(
        "series",
        _group(),
        sa.Column("match", sa.String(32), primary_key=True),
        _member(),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("points", sa.Float, nullable=True),
        sa.Column("lost", sa.Float, nullable=True),
        sa.Column("at", sa.Float, nullable=False),
    )
