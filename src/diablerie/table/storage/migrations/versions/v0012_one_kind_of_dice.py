"""Every match draws its dice in one way."""

from alembic import op

revision = "0012"
down_revision = None  # 0011 is what 0.3.0 has


def upgrade() -> None:
    """From 0011 to 0012."""
    op.drop_column("matches", "fair")
