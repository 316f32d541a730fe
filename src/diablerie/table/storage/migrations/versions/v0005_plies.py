"""What numbers a ply is called so here too."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """From 0004 to 0005."""
    for table in ("plies", "snapshots"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN seq TO ply")
