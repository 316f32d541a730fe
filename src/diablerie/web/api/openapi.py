"""The OpenAPI document, made from the operations and the structs that they take and give.

It includes the views and records of the games on this server.
"""

import re
from collections.abc import Iterable, Mapping
from inspect import cleandoc
from typing import Any, get_type_hints

import msgspec
import numpy as np

import diablerie
from diablerie import api
from diablerie.api import KNOWN, AnyOperation
from diablerie.engine.game import Game
from diablerie.table.commands.tokens import SCOPES

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/{name}"
API_DESCRIPTION = """Programs play here as people do: with a token (made on the page /programs) they open and
join tables, read one stream for each, and decide. A program sees what a person on its seat sees.
Refusals are problem documents; `code` is their word for programs. Requests count for the address
the token was made from."""


def document(operations: Iterable[AnyOperation], games: Mapping[str, Game]) -> Schema:
    """The whole document, for these games, as data for JSON."""
    operations = list(operations)
    kinds = [operation.takes for operation in operations if operation.writes]
    kinds += [operation.gives for operation in operations if operation.gives is not str]
    views = {name: view for name, game in games.items() if (view := view_of(game))}
    refs, parts = msgspec.json.schema_components(
        [*kinds, api.Table, api.Problem, *views.values()], ref_template=REFERENCE
    )
    for part in parts.values():
        part["description"] = cleandoc(part["description"])
    schemas = dict(zip([*kinds, "table", "problem", *views], refs, strict=True))
    table = parts["Table"]["properties"]
    table["view"]["anyOf"] = [*(schemas[name] for name in views), {"type": "null"}]
    parts |= {f"{name}.Record": record_schema(game) for name, game in games.items()}
    records = [{"$ref": REFERENCE.format(name=f"{name}.Record")} for name in games]
    if len(views) < len(games):  # a view that its game does not declare may be anything
        table["view"]["anyOf"].append({})
    table["record"]["anyOf"] = [*records, {"type": "null"}]
    paths: dict[str, Schema] = {}
    for operation in operations:
        described = _operation(operation, schemas)
        paths.setdefault(api.PREFIX + operation.path, {})[operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "diablerie",
            "version": diablerie.__version__,
            "description": API_DESCRIPTION,
        },
        "paths": paths,
        "components": {"schemas": parts, **_common(schemas["problem"])},
    }


def view_of(game: Game) -> type[msgspec.Struct] | None:
    """The type of a game's views, None if the game does not declare it as a msgspec struct."""
    view = get_type_hints(game.ui.look).get("return")
    return view if isinstance(view, type) and issubclass(view, msgspec.Struct) else None


def record_schema(game: Game) -> Schema:
    """The fields of a game's record: whole numbers and (nested) lists of them."""
    layout = game.state.dtype
    fields = {name: _field(layout.fields[name][0]) for name in game.state.declared}
    about = f"The state of {game.name} as its rules have it, blanked for the seat."
    return {"type": "object", "description": about, "properties": fields, "required": list(fields)}


def _field(layout: "np.dtype[np.generic]") -> Schema:
    schema: Schema = {"type": "integer" if layout.base.kind == "i" else "number"}
    for length in reversed(layout.shape):
        schema = {"type": "array", "items": schema, "minItems": length, "maxItems": length}
    return schema


# -- one operation -------------------------------------------------------------------------------


def _operation(operation: AnyOperation, schemas: Mapping[object, Schema]) -> Schema:
    schema = {"type": "string"} if operation.gives is str else schemas[operation.gives]
    done = {
        "description": "Done.",
        "content": {operation.media: {"schema": schema}},
    }
    path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    described: Schema = {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": [*path, *_query(operation)],
        "responses": {
            str(operation.status): done,
            "4XX": {"$ref": "#/components/responses/Refused"},
            "5XX": {"$ref": "#/components/responses/Refused"},
        },
        "security": _security(operation.scope),
    }
    # What is read has its fields in the query, what writes has them in its body.
    if operation.writes:
        body = {"application/json": {"schema": schemas[operation.takes]}}
        described["requestBody"] = {"required": True, "content": body}
    return described


def _query(operation: AnyOperation) -> list[Schema]:
    if operation.writes:
        return []
    (schema,), parts = msgspec.json.schema_components([operation.takes], ref_template=REFERENCE)
    fields = parts[schema["$ref"].rpartition("/")[2]]["properties"]
    return [{"name": name, "in": "query", "schema": _given(kind)} for name, kind in fields.items()]


def _given(kind: Schema) -> Schema:
    """The schema of a field without null and default: a query leaves a field out instead."""
    known = [one for one in kind.get("anyOf", [kind]) if one != {"type": "null"}]
    return {name: value for name, value in known[0].items() if name != "default"}


def _security(scope: str | None) -> list[Schema]:
    if scope is None:
        return [{}, {"token": []}]
    return [{"token": [] if scope == KNOWN else [scope]}]


def _common(problem: Schema) -> Schema:
    scopes = "; ".join(f"{name}: {line}" for name, line in SCOPES.items())
    return {
        "securitySchemes": {
            "token": {"type": "http", "scheme": "bearer", "description": f"Scopes: {scopes}."}
        },
        "responses": {
            "Refused": {
                "description": "Nothing was done, and why.",
                "headers": {
                    "Retry-After": {
                        "description": "After how many seconds it may be tried again.",
                        "schema": {"type": "integer"},
                    }
                },
                "content": {"application/problem+json": {"schema": problem}},
            }
        },
    }
