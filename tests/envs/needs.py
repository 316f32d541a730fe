"""What tests need from elsewhere: left out where it is missing, but in CI it has to be there."""

import os
from importlib.util import find_spec

import pytest


def need(*names: str) -> None:
    """Skip the module that calls this if one of these packages is missing; in CI fail."""
    missing = [name for name in names if find_spec(name) is None]
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"CI lacks {', '.join(missing)}: pip install diablerie[research]", False)
    if missing:
        pytest.skip(f"needs {', '.join(missing)}", allow_module_level=True)
