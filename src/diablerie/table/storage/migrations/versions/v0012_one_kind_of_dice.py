"""Every match draws its dice in one way."""

from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """From 0011 to 0012."""
    op.drop_column("matches", "fair")
