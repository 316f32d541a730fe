"""Whoever comes after the start may ask for a bot's seat."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """From 0013 to 0014."""
    visitors: list[sa.Column[str]] = [
        sa.Column("wanted", sa.String(64)),
        sa.Column("declined", sa.String(64)),
    ]
    for column in visitors:
        op.add_column("seats", column)
    named: sa.Column[str] = sa.Column(
        "wanted_name", sa.String(64), server_default="", nullable=False
    )
    op.add_column("seats", named)
