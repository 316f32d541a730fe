"""The one reader of JSON that others wrote: files, the bodies of requests, the answers of servers.

No module that is compiled imports it, so a change here compiles nothing anew.
"""

import json
from typing import TypeVar

import msgspec

T = TypeVar("T")


class BadJson(ValueError):
    """Text that is no JSON, or not of the type that was expected; the message says why."""


class UnfitJson(BadJson):
    """JSON that is not of the type that was expected."""


def read_json(text: bytes | str, kind: type[T], *, fields_once: bool = False) -> T:
    """JSON as a value of the type `kind`. Raises BadJson, whatever the text is.

    fields_once: whether an object may have each field once only, since readers differ in which of
    two they take.
    """
    try:
        if fields_once:
            json.loads(text, object_pairs_hook=_once)
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise UnfitJson(str(error)) from error
    except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, or nested too deep
        raise BadJson(str(error)) from error


def _once(pairs: list[tuple[str, object]]) -> None:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a field is there twice")
