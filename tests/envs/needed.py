"""Libraries that some tests need, and that only an extra brings."""

import os
from importlib import import_module
from types import ModuleType

import pytest


def needed(name: str, extra: str = "research") -> ModuleType:
    """The module; without it the tests are skipped with the reason, but on CI they fail.

    extra: what brings it.
    """
    if os.environ.get("CI") == "true":
        return import_module(name)
    return pytest.importorskip(name, reason=f"{name} is not installed: the extra {extra} brings it")
