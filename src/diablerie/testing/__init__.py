"""Tests for games: the laws that every game must obey, positions to test on, catalogues.

In the tests of a package with a game of its own, installed with its entry point:

    # tests/test_contract.py
    from diablerie.testing.contract import *

    GAMES = ["coasters"]

Before that, `python -m diablerie.testing coasters` tests them uncompiled and says in sentences what
fails, and where. Without `GAMES` the laws are tested on every installed game, as by
`pytest --pyargs diablerie.testing.contract`. They need pytest and Hypothesis, which the extra `test`
of diablerie installs.
"""

from diablerie.engine.extras import needed

with needed("test"):
    import hypothesis  # noqa: F401
    import pytest

pytest.register_assert_rewrite("diablerie.testing.laws")
