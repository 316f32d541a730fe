"""The OpenAPI document describes this server: tried by schemathesis, call by call."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import GenerationMode, checks

from diablerie import api
from diablerie.api import OPERATIONS
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from tests.api.conftest import MAKER, Program, generous
from tests.table.conftest import Clock

pytestmark = pytest.mark.xdist_group("document")
EXAMPLES = 2
FEW = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# Whether a game takes what fits the document (a bot's name, a seat) only its rules can say; who
# may ask without a token is in test_calls.
LEFT_OUT = [checks.positive_data_acceptance, checks.ignored_auth]


@pytest.fixture(scope="module")
def robo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    store = Store(Path(tmp_path_factory.mktemp("document")) / "tables.db", durable=False)
    authority = Authority(store, clock=Clock())
    authority.limits = generous(authority.clock)
    app = create_app(authority, hosts={"testserver"})
    yield Program(
        app, tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), "10.1.0.1")
    )
    store.close()


@pytest.fixture(scope="module")
def schema(robo: Program) -> Any:
    return schemathesis.openapi.from_asgi(f"{api.PREFIX}/openapi.json", robo.app)


CALLS = [call for call in OPERATIONS if call.name != "stream"]  # it has no end: test_stream


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_a_call_does_what_the_document_says(call: Any, schema: Any, robo: Program):
    table = robo.post("/tables", game="coals", plan=["me", "me", "open"])["id"]
    operation = schema[api.PREFIX + call.path][call.method]
    seen: list[int] = []

    def tried(case: Any) -> None:
        shown = {"authorization": f"Bearer {robo.token}"}
        seen.append(case.call_and_validate(headers=shown, excluded_checks=LEFT_OUT).status_code)

    fixed = {"id": table} if "{id}" in call.path else None
    modes = list(GenerationMode) if call.takes.__struct_fields__ else [GenerationMode.POSITIVE]
    for mode in modes:
        cases = operation.as_strategy(generation_mode=mode, path_parameters=fixed)
        seed(17)(FEW(given(cases)(tried)))()
    assert len(seen) >= len(modes)
    assert any(status < 500 for status in seen)


def test_a_record_is_described_as_lists_of_their_lengths(schema: Any):
    for name, game in ALL.items():
        described = schema.raw_schema["components"]["schemas"][f"{name}.Record"]["properties"]
        blank = np.zeros((), game.state.dtype)
        assert list(described) == list(game.state.declared)
        for field, part in described.items():
            lengths = []
            while part["type"] == "array":
                assert part["minItems"] == part["maxItems"]
                lengths.append(part["minItems"])
                part = part["items"]
            assert tuple(lengths) == blank[field].shape
        assert any(part["type"] == "array" for part in described.values())


def test_the_document_names_every_game_and_every_call(schema: Any):
    raw = schema.raw_schema
    parts = raw["components"]["schemas"]
    assert {f"{name}.Record" for name in ("coals", "tails", "underworld", "kitchen")} <= set(parts)
    named = {one["operationId"] for path in raw["paths"].values() for one in path.values()}
    assert named == {call.name for call in OPERATIONS}
    assert raw["paths"]["/api/v1/tables"]["post"]["security"] == [{"token": ["open"]}]
