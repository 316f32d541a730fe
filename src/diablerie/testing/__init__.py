"""What a game is tested with: every law of the engine, and real positions to test on.

In the tests of a package with a game of its own, installed with its entry point:

    # tests/test_contract.py
    from diablerie.testing.contract import *

    GAMES = ["coasters"]

Before that, `python -m diablerie.testing coasters` holds them uncompiled and says in sentences what
fails, and where. Without `GAMES` the laws are held against every game there is, as they are by
`pytest --pyargs diablerie.testing.contract`. pytest and Hypothesis are needed, which only the
extra `test` of diablerie brings.
"""

import pytest

pytest.register_assert_rewrite("diablerie.testing.laws")
