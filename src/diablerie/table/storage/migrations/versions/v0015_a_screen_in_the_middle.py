"""A screen in the middle of a table may show the board for all."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """From 0014 to 0015."""
    screen: sa.Column[bool] = sa.Column(
        "screen", sa.Boolean, server_default=sa.false(), nullable=False
    )
    op.add_column("matches", screen)
