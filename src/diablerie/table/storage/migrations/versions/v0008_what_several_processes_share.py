"""What several processes on one database tell each other: whose turn, who looks, what was had."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """From 0007 to 0008."""
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
        for table in ("processes", "looks", "budgets"):  # they need not outlive a crash
            op.execute(f"ALTER TABLE {table} SET UNLOGGED")
    referred = sa.ForeignKey("matches.id", ondelete="CASCADE")
    op.create_table(
        "turns",
        sa.Column("match", sa.String(32), referred, primary_key=True),
        sa.Column("due", sa.Float, nullable=False),
        sa.Column("lease", sa.Float, nullable=False),
        sa.Column("holder", sa.String(64), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("alone", sa.Boolean, nullable=False),
    )
    op.create_index("turns_by_due", "turns", ["due"])
    for table, column in (
        ("hooks", sa.Column("heard", sa.Integer, nullable=False, server_default="-1")),
        ("hours", sa.Column("noted", sa.Float, nullable=False, server_default="0")),
    ):
        op.add_column(table, column)
