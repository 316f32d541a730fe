"""A house into which COASTERS has come from outside, looked at over HTTP; run by test_outside.

Prints as JSON what is found: a page each, and how a table ends at which somebody sits with bots.
"""

import json
import re
import sys
import time
from pathlib import Path

from diablerie.table.authority import Authority
from diablerie.table.bots.driver import Driver
from diablerie.table.storage.store import Store
from diablerie.web.app import create_app
from tests.test_cli import run
from tests.web.client import Client

PATIENCE = 240  # seconds, compiling included


def main() -> None:
    store = Store(Path(sys.argv[1]) / "tables.db", durable=False)
    authority = Authority(store)
    driver = Driver(authority, tempo=0, seed=1)
    driver.start()
    try:
        house = found(Client(create_app(authority)))
        print(json.dumps(house | {"commands": commands(str(house["match"]))}))
    finally:
        driver.stop()
        store.close()


def found(ann: Client) -> dict[str, object]:
    table = ann.open(game="coasters", bots="2", bot="sensible")
    page = ann.page(table).text
    sheet = re.search(r'/static/[^"]*games/coasters\.css', page)
    return {
        "landing": ann.page("/").text,
        "friends": ann.page("/friends/coasters").text,
        "rules": ann.page("/rules/coasters").text,
        "page": page,
        "sheet": ann.get(sheet[0]).text if sheet else "",
        "here": ann.call("/tables", game="coasters", way="here").status_code,
        "end": played(ann, table),
        "replay": ann.page(f"{table}/replay").status_code,
        "match": ann.get(f"{table}/match.jsonl").text,
    }


def commands(match: str) -> dict[str, str]:
    """What commands print, by their first word; `verify` reads the match that was played."""
    file = Path(sys.argv[1]) / "match.jsonl"
    file.write_text(match, "utf-8")
    players = ("--players", "sensible,random", "--games", "30", "--workers", "1", "--json")
    told = {}
    for words in (
        ("games",),
        ("walk", "coasters", "--seats", "4"),
        ("perft", "coasters", "--depth", "5"),
        ("tournament", "coasters", *players),
        ("verify", str(file)),
    ):
        done = run(*words)
        assert done.exit_code == 0, done.output
        told[words[0]] = done.stdout
    return told


def played(ann: Client, table: str) -> object:
    """The table when its game is over; Ann does what stands first, and the bots wait for nobody."""
    until = time.monotonic() + PATIENCE
    while (table_now := ann.data(table))["status"] != "over" and time.monotonic() < until:
        if table_now["legal"]:
            answer = ann.act(table, table_now["legal"][0]["do"])
            assert answer.status_code == 200, answer.text
        else:
            time.sleep(0.02)
    return table_now


if __name__ == "__main__":
    main()
