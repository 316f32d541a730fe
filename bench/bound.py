"""The bound of `bench load --bound`: a bare Starlette that commits a row and sends an event to four.

It knows no game: the browsers that play at our tables do at its tables, too, and what they are sent
is as long as a frame. So it says what a decision costs that is neither decided nor drawn.
"""

import asyncio
import json
import socket
import sqlite3
import sys
import zlib
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import closing

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

EVENT = 1800  # bytes
STORED = 0  # the level of compression of what is only packed


class Bound:
    """Its tables: how many plies were decided at each, and who listens there."""

    def __init__(self, file: str) -> None:
        self.database = sqlite3.connect(file, isolation_level=None)
        self.database.execute("PRAGMA journal_mode=WAL")
        self.database.execute("PRAGMA synchronous=FULL")
        self.database.execute("CREATE TABLE plies (tab TEXT, ply INTEGER, action TEXT)")
        self.plies: defaultdict[str, int] = defaultdict(int)
        self.streams: defaultdict[str, set[asyncio.Queue[bytes]]] = defaultdict(set)

    def event(self, table: str) -> bytes:
        """What a browser is told: the ply, and a button with which it can decide."""
        ask = ['<button name="do" value="go">', " " * EVENT]
        frame = json.dumps({"ply": self.plies[table], "regions": {"ask": ask}}).encode()
        return b"id: %d\ndata: %s\n\n" % (self.plies[table], frame)

    async def make(self, request: Request) -> Response:
        """POST /tables"""
        table = str(len(self.plies))
        self.plies[table] = 0
        return JSONResponse({"url": f"/t/{table}"})

    async def sit(self, request: Request) -> Response:
        """POST /t/{id}/sit, and all that is only answered."""
        return JSONResponse({"status": "running"})

    async def decide(self, request: Request) -> Response:
        """POST /t/{id}/decide"""
        table = request.path_params["id"]
        action = (await request.body()).decode()
        self.plies[table] += 1
        row = (table, self.plies[table], action)
        self.database.execute("INSERT INTO plies VALUES (?, ?, ?)", row)  # which commits
        for stream in self.streams[table]:
            stream.put_nowait(self.event(table))
        return JSONResponse({"url": f"/t/{table}"})

    async def stream(self, request: Request) -> Response:
        """GET /t/{id}/stream"""
        table, news = request.path_params["id"], asyncio.Queue[bytes]()
        news.put_nowait(self.event(table))
        self.streams[table].add(news)

        async def events() -> AsyncIterator[bytes]:
            packed = zlib.compressobj(STORED, zlib.DEFLATED, 31)
            while True:
                yield packed.compress(await news.get()) + packed.flush(zlib.Z_SYNC_FLUSH)

        headers = {"content-encoding": "gzip"}
        return StreamingResponse(events(), headers=headers, media_type="text/event-stream")


def serve(file: str) -> None:
    """Serve on a free port, which is printed, until interrupted."""
    bound, listening = Bound(file), socket.create_server(("127.0.0.1", 0))
    routes = [
        Route("/tables", bound.make, methods=["POST"]),
        Route("/t/{id}/decide", bound.decide, methods=["POST"]),
        Route("/t/{id}/stream", bound.stream),
        Route("/{path:path}", bound.sit, methods=["GET", "POST"]),
    ]
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(
        Starlette(routes=routes), http="h11", loop="asyncio", log_config=None,
        access_log=False, lifespan="off", timeout_keep_alive=75, timeout_graceful_shutdown=1,
    )  # fmt: skip
    with listening, closing(bound.database):
        uvicorn.Server(config).run([listening])


if __name__ == "__main__":
    serve(sys.argv[sys.argv.index("--db") + 1])
