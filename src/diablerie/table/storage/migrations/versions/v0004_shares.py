"""The shares that seats have in the dice: who promised a nonce, and what the seats were called."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """From 0003 to 0004."""
    text = sa.String(64)
    for table, column in (
        ("matches", sa.Column("fair", sa.Integer, nullable=False, server_default="1")),
        ("matches", sa.Column("waits", sa.Float, nullable=False, server_default="0")),
        ("seats", sa.Column("pledge", text, nullable=False, server_default="")),
        ("seats", sa.Column("called", text, nullable=False, server_default="")),
        ("seats", sa.Column("label", text, nullable=False, server_default="")),
    ):
        op.add_column(table, column)
    matches = sa.table("matches", sa.column("id"), sa.column("status"), sa.column("fair"))
    seats = sa.table("seats", sa.column("match"), sa.column("nonce"))
    waiting = sa.select(matches.c.id).where(matches.c.status == "open")
    op.execute(sa.update(seats).where(seats.c.match.in_(waiting)).values(nonce=""))
    op.execute(sa.update(matches).where(matches.c.status == "open").values(fair=2))
