"""`python -m tests.table.kills [sqlite] [postgresql] [--kills 40]`: kill servers under play, and count.

What the killing tests do, as often as is asked, with its figures: every decision that was
acknowledged is in the database, once. Whatever is lost or done twice ends it with an AssertionError.
"""

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from tests.table import test_crash, test_killed

KINDS = 3  # of processes that are killed in a round: one that answers, one for bots, the database


def sqlite(kills: int) -> Sequence[test_crash.Client]:
    """The one server of a SQLite file, killed so often."""
    with TemporaryDirectory() as folder:
        house = test_crash.House(Path(folder) / "tables.db")
        with house.parent:
            house.start()
            try:
                return test_crash.played_while_killed(house, kills)
            finally:
                with contextlib.suppress(ProcessLookupError):
                    house.kill()
                house.parent.communicate()


def postgresql(kills: int) -> Sequence[test_crash.Client]:
    """One of four processes or their database killed, so often."""
    house = test_killed.House()
    try:
        return test_killed.played_while_killed(house, kills // KINDS)
    finally:
        house.close()


@click.command()
@click.argument("databases", nargs=-1, type=click.Choice(["sqlite", "postgresql"]))
@click.option("--kills", default=40, help="How often; on PostgreSQL a multiple of three.")
def main(databases: Sequence[str], kills: int) -> None:
    """Kill servers while clients play, and tell how many acknowledged decisions were lost."""
    for name in databases or ("sqlite", "postgresql"):
        began, often = time.monotonic(), kills if name == "sqlite" else -(-kills // KINDS) * KINDS
        clients = (sqlite if name == "sqlite" else postgresql)(often)
        accepted = [one for client in clients for one in client.accepted]
        tables = {one.table for one in accepted}
        click.echo(
            f"{name}: {often} kills, {len(accepted)} decisions acknowledged at {len(tables)} tables, "
            f"0 lost, 0 done twice, {sum(client.retried for client in clients)} asked again, "
            f"{time.monotonic() - began:.0f} s"
        )


if __name__ == "__main__":
    main()
