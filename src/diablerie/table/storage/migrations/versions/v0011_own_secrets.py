"""Each of a visitor's browsers has a secret of its own; links to devices hold none."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """From 0010 to 0011."""
    visitor = sa.Column("visitor", sa.String(64), nullable=False, server_default="")
    op.add_column("browsers", visitor)
    op.add_column("browsers", sa.Column("seen", sa.Float, nullable=False, server_default="0"))
    op.create_index("browsers_by_visitor", "browsers", ["visitor"])
    op.drop_column("passes", "sealed")
