"""Tables to try, as in tests/table."""

from tests.table.conftest import authority as authority
from tests.table.conftest import clock as clock
from tests.table.conftest import reopen as reopen
