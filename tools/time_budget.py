"""For `pytest -p`: no test begins after the others have taken $TIME_BUDGET seconds of processor time."""

import os
import time

import pytest

BUDGET = float(os.environ.get("TIME_BUDGET", "inf"))
began: list[float] = []


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End the session, with what has failed until now, when the time is over."""
    began.append(time.process_time())
    if began[-1] - began[0] > BUDGET:
        pytest.exit("the time is over", returncode=int(item.session.testsfailed > 0))
