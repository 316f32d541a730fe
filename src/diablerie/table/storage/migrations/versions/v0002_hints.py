"""Hints, matches that go on from others, and analyses.

0.1 added these columns by itself and kept no version, so here they may be there already.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """From 0001 to 0002."""
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("matches")}
    for column in (
        sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("origin", sa.String(32), nullable=False, server_default=""),
        sa.Column("taken", sa.Integer, nullable=False, server_default="0"),
    ):
        if column.name not in there:
            op.add_column("matches", column)
    referred = sa.ForeignKey("matches.id", ondelete="CASCADE")
    op.create_table(
        "analyses",
        sa.Column("match", sa.String(32), referred, primary_key=True),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("chances", sa.Text, nullable=False),
        if_not_exists=True,
    )
