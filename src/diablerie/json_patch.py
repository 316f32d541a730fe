"""JSON Patch (RFC 6902): what turns one JSON document into another.

Documents are what `json.loads` returns; tuples count as lists. Of the operations there are `add`,
`remove` and `replace`, of list positions only numbers.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.json import encode

Json = Any  # a value as JSON has it
Operation = dict[str, Any]  # op, path, and value unless op is "remove"


def difference(old: Json, new: Json, path: str = "") -> list[Operation]:
    """The operations, to be done in order, that turn `old` into `new`; `path` is where both are.

    Where many values differ, what holds them is replaced as a whole if that is shorter.
    """
    whole = [{"op": "replace", "path": path, "value": new}]
    if not any(isinstance(old, kind) and isinstance(new, kind) for kind in (dict, list | tuple)):
        return [] if old == new and isinstance(old, bool) == isinstance(new, bool) else whole
    before = _by_key(old)
    after = _by_key(new)
    gone = [key for key in reversed(before) if key not in after]  # of a list from its end
    steps: list[Operation] = [{"op": "remove", "path": f"{path}/{key}"} for key in gone]
    for key, value in after.items():
        here = f"{path}/{key}"
        if key in before:
            steps += difference(before[key], value, here)
        else:
            steps.append({"op": "add", "path": here, "value": value})
    return whole if steps and len(encode(steps)) > len(encode(whole)) else steps


def _by_key(values: dict[str, Json] | Sequence[Json]) -> dict[str, Json]:
    """The values by the last part of their path."""
    if isinstance(values, dict):
        return {name.replace("~", "~0").replace("/", "~1"): value for name, value in values.items()}
    return {str(at): value for at, value in enumerate(values)}


def patched(document: Json, steps: Sequence[Operation]) -> Json:
    """The document after these operations; the one that was given may be changed.

    Raises ValueError for an operation that does not fit the document.
    """
    holder = {"": document}
    for step in steps:
        parts = step["path"].split("/")
        *way, last = (part.replace("~1", "/").replace("~0", "~") for part in parts)
        try:
            inside: Json = holder
            for name in way:
                inside = inside[_key(inside, name)]
            _done(inside, _key(inside, last), step)
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"the patch does not fit: {step['op']} {step['path']}") from error
    return holder[""]


def _key(inside: Json, name: str) -> Json:
    return int(name) if isinstance(inside, list) else name


def _done(inside: Json, key: Json, step: Operation) -> None:
    """Do one operation on the object or list `inside`."""
    match step["op"]:
        case "add" if isinstance(inside, list):
            if not 0 <= key <= len(inside):
                raise ValueError
            inside.insert(key, step["value"])
        case "add":
            inside[key] = step["value"]
        case "remove":
            del inside[key]
        case "replace":
            inside[key]  # must be there
            inside[key] = step["value"]
        case _:
            raise ValueError
