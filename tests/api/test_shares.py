"""A program's share in the dice: a hash, then a nonce, as browsers have it."""

import hashlib
from collections.abc import Callable

from diablerie.table.authority import Authority
from tests.api.conftest import Program

Programs = Callable[..., Program]


def hashed(nonce: str) -> str:
    return hashlib.sha256(nonce.encode()).hexdigest()


def test_programs_promise_nonces_and_show_them_when_all_hashes_are_in(
    program: Programs, authority: Authority
):
    robo, other = program(), program()
    table = robo.post("/tables", game="coals", plan=["me", "open"], share=True)["id"]
    assert robo.get(f"/tables/{table}")["fair"]["phase"] == ""
    other.post(f"/tables/{table}/sit", share=True)
    seen = robo.get(f"/tables/{table}")["fair"]
    assert (seen["phase"], seen["asked"], seen["hashes"]) == ("pledges", [0], [])
    share = f"/tables/{table}/share"
    assert robo.refused(share, nonce="mine") == (409, "wrong-time")
    assert robo.refused(share, hash="no hash")[0] == 422
    assert robo.refused(share)[0] == 400
    robo.post(share, hash=hashed("mine"))
    assert robo.refused(share, hash=hashed("another")) == (409, "wrong-time")
    assert other.get(f"/tables/{table}")["fair"]["hashes"] == [], "not before all are in"
    other.post(share, hash=hashed("theirs"))
    seen = other.get(f"/tables/{table}")["fair"]
    assert (seen["phase"], seen["asked"]) == ("nonces", [1])
    assert seen["hashes"] == [hashed("mine"), hashed("theirs")]
    robo.post(share, nonce="mine")
    assert other.refused(share, nonce="mine") == (400, "bad-input")
    assert other.refused(share, seat=0, nonce="theirs")[0] == 403
    other.post(share, nonce="theirs")
    seen = robo.get(f"/tables/{table}")
    assert (seen["status"], seen["fair"]["phase"], seen["fair"]["asked"]) == ("running", "", [])
    assert len(seen["fair"]["digest"]) == 64
    live = authority.live(table)
    assert live.match is not None
    assert live.match.fair.nonces == ("mine", "theirs")
    assert live.match.fair.by == ["player", "player"]
