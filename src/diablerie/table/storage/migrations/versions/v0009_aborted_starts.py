"""Starts that were given up after the hashes of nonces were fixed: how many, and the last."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """From 0008 to 0009."""
    for column in (
        sa.Column("aborted", sa.Integer, nullable=False, server_default="0"),
        sa.Column("earlier", sa.Text, nullable=False, server_default="[]"),
    ):
        op.add_column("matches", column)
