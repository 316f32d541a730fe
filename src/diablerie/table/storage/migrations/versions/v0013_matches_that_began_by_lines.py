"""Dice are numbered by draws; matches that began before end by lines."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """From 0012 to 0013."""
    numbered: sa.Column[bool] = sa.Column(
        "by_lines", sa.Boolean(), server_default=sa.false(), nullable=False
    )
    op.add_column("matches", numbered)
    matches = sa.table("matches", sa.column("status", sa.String), sa.column("by_lines", sa.Boolean))
    begun = matches.c.status != "open"
    op.execute(matches.update().where(begun).values(by_lines=sa.true()))
