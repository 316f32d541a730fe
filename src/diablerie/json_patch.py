"""JSON Patch (RFC 6902): what turns one JSON document into another.

Documents are what `json.loads` returns; tuples count as lists. Of the operations there are `add`,
`remove` and `replace`, of list positions only numbers.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

Json = Any  # a value as JSON has it
Operation = dict[str, Any]  # op, path, and value unless op is "remove"


def difference(old: Json, new: Json, path: str = "") -> list[Operation]:
    """The operations, to be done in order, that turn `old` into `new`; `path` is where both are.

    Where many values differ, what holds them is replaced as a whole if that is shorter.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        steps = _of_objects(old, new, path)
    elif isinstance(old, list | tuple) and isinstance(new, list | tuple):
        steps = _of_lists(old, new, path)
    elif old == new and isinstance(old, bool) == isinstance(new, bool):
        return []
    else:
        return [{"op": "replace", "path": path, "value": new}]
    whole = [{"op": "replace", "path": path, "value": new}]
    return whole if steps and _length(steps) > _length(whole) else steps


def _of_objects(old: dict[str, Json], new: dict[str, Json], path: str) -> list[Operation]:
    steps: list[Operation] = []
    for name in old:
        if name not in new:
            steps.append({"op": "remove", "path": f"{path}/{_escaped(name)}"})
    for name, value in new.items():
        here = f"{path}/{_escaped(name)}"
        if name in old:
            steps += difference(old[name], value, here)
        else:
            steps.append({"op": "add", "path": here, "value": value})
    return steps


def _of_lists(old: Sequence[Json], new: Sequence[Json], path: str) -> list[Operation]:
    steps: list[Operation] = []
    for at in range(min(len(old), len(new))):
        steps += difference(old[at], new[at], f"{path}/{at}")
    for at in range(len(old) - 1, len(new) - 1, -1):
        steps.append({"op": "remove", "path": f"{path}/{at}"})
    for at in range(len(old), len(new)):
        steps.append({"op": "add", "path": f"{path}/{at}", "value": new[at]})
    return steps


def _length(steps: list[Operation]) -> int:
    return len(msgspec.json.encode(steps))


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def patched(document: Json, steps: Sequence[Operation]) -> Json:
    """The document after these operations; the one that was given may be changed.

    Raises ValueError for an operation that does not fit the document.
    """
    holder = {"": document}
    for step in steps:
        *way, last = ["", *map(_unescaped, step["path"].split("/")[1:])]
        try:
            inside: Json = holder
            for name in way:
                inside = inside[_key(inside, name)]
            _done(inside, last, step)
        except (LookupError, TypeError, ValueError) as error:
            raise ValueError(f"the patch does not fit: {step['op']} {step['path']}") from error
    return holder[""]


def _unescaped(name: str) -> str:
    return name.replace("~1", "/").replace("~0", "~")


def _key(inside: Json, name: str) -> Json:
    return int(name) if isinstance(inside, list) else name


def _done(inside: Json, last: str, step: Operation) -> None:
    """Do one operation on the object or list `inside`."""
    key = _key(inside, last)
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
