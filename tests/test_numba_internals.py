"""What the engine takes of Numba beside its documented interface."""

from pkgutil import resolve_name

from diablerie.engine.numba_internals import NUMBA_NAMES


def test_this_version_of_numba_has_all_that_is_needed_of_it():
    lacking = [name for name in NUMBA_NAMES if not found(name)]
    assert lacking == []


def test_what_a_version_lacks_is_named():
    assert not found("numba.core.dispatcher.Dispatcher.no_such_part")


def found(name: str) -> bool:
    try:
        resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True
