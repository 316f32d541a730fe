"""What writes has threads of its own, and what reads is answered while those are taken."""

import asyncio

from diablerie.table.authority import Authority
from diablerie.web.edges import thread_pools
from tests.api.conftest import Program


def test_who_reads_waits_for_nobody_who_writes(robo: Program, authority: Authority):
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]
    others = [object() for _ in range(thread_pools.WRITERS)]

    async def run() -> None:
        writers = thread_pools._limiter("writing", thread_pools.WRITERS)
        for other in others:
            writers.acquire_on_behalf_of_nowait(other)
        said = asyncio.create_task(robo._ask("POST", f"/tables/{table}/chat", json={"text": "hm"}))
        async with asyncio.timeout(20):
            for path in ("/me", f"/tables/{table}"):
                assert (await robo._ask("GET", path)).status_code == 200
            assert not said.done()
            assert authority.live(table).chat == ()
            writers.release_on_behalf_of(others.pop())
            assert (await said).status_code == 200

    asyncio.run(run())
    assert [line.text for line in authority.live(table).chat] == ["hm"]
