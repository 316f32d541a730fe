"""While somebody waits for the database, all others are answered."""

import asyncio
import sqlite3
from pathlib import Path

from diablerie.table.authority import Authority
from diablerie.table.commands import tokens
from diablerie.table.commands.tokens import SCOPES
from diablerie.web.app import create_app
from tests.api.conftest import MAKER, Program
from tests.stores import new_store


def test_who_reads_waits_for_nobody_who_writes(tmp_path: Path) -> None:
    store = new_store(tmp_path / "tables.db", busy=60.0)
    authority = Authority(store)
    robo = Program(
        create_app(authority),
        tokens.issue.do(authority, MAKER, tokens.NewToken("Robo", SCOPES), ""),
    )
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]
    other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def run() -> None:
        said = asyncio.create_task(robo._ask("POST", f"/tables/{table}/chat", json={"text": "hm"}))
        async with asyncio.timeout(30):
            for path in ("/me", "/tables", f"/tables/{table}"):
                assert (await robo._ask("GET", path)).status_code == 200
            assert not said.done()
            assert authority.live(table).chat == ()
            other.close()
            assert (await said).status_code == 200

    asyncio.run(run())
    assert [line.text for line in authority.live(table).chat] == ["hm"]
    store.close()
