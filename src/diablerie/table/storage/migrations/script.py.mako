"""${message}."""

import sqlalchemy as sa
from alembic import op

revision = ${repr(up_revision).replace("'", '"')}
down_revision = ${repr(down_revision).replace("'", '"')}


def upgrade() -> None:
    """From ${down_revision} to ${up_revision}."""
    ${upgrades if upgrades else "pass"}
