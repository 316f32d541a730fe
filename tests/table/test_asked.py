"""What a browser is asked for before a match: hashes first, then nonces, of its own seats alone."""

from dataclasses import replace

from diablerie.table.authority import Authority
from diablerie.table.commands import lobby
from diablerie.table.state.nonce_exchange import PROMISED_PLEDGE, Phase, asked, phase
from diablerie.table.state.table_state import PERSON, TableSeat
from tests.table.conftest import ANN, BO


def test_hashes_are_asked_for_until_all_are_there_and_then_nonces(authority: Authority) -> None:
    table = lobby.open_table(authority, ANN, "toy", ["me", "open"]).id
    live = authority.live(table)

    def seats(*shares: tuple[str, str]) -> list[list[int]]:
        infos = tuple(
            TableSeat(seat, PERSON, "", owner, pledge=pledge, nonce=nonce)
            for seat, (owner, (pledge, nonce)) in enumerate(zip((ANN, BO), shares, strict=True))
        )
        now = replace(live, seats=infos)
        found.append(phase(now))
        return [asked(now, who) for who in (ANN, BO, None)]

    found: list[Phase] = []
    assert seats((PROMISED_PLEDGE, ""), (PROMISED_PLEDGE, "")) == [[0], [1], []]
    assert seats(("a" * 64, ""), (PROMISED_PLEDGE, "")) == [[], [1], []]
    assert seats(("a" * 64, ""), ("b" * 64, "")) == [[0], [1], []]
    assert seats(("a" * 64, "n"), ("b" * 64, "")) == [[], [1], []]
    assert seats(("a" * 64, "n"), ("", "")) == [[], [], []]
    pledges, nonces, nothing = Phase.PLEDGES, Phase.NONCES, Phase.NOTHING
    assert found == [pledges, pledges, nonces, nonces, nothing]
