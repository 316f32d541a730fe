"""The view: what a move would bring comes true, and choices can be made in any order."""

import msgspec
import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.record import copy
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.games.underworld.rules import actions
from diablerie.games.underworld.rules.notation import SPACE_NAMES
from diablerie.games.underworld.rules.state import Node
from diablerie.games.underworld.ui.choices import Kind, Preview
from diablerie.testing.positions import GameSetting, states_of_game
from tests.games.underworld.boards import board, space
from tests.scripts import play

GAME = ALL["underworld"]
TAKING = {Kind.DEVIL: (0, 1), Kind.SECOND: (1, 0), Kind.GIVE: (1, 0), Kind.GIVE_SECOND: (1, 0)}


def seen(match, viewer=0):
    return GAME.ui.look(redacted(match.state, viewer), viewer)


def moved(s, seat, where):
    """The true state after a move; a gift that may be refused is made, any devil taken."""
    after = copy(s)
    verbs.apply(after, seat, actions.MOVE + where)
    if after.node == Node.GIFT:
        verbs.apply(after, seat, actions.GIVE)
    if after.node == Node.HOLDER:
        holder = next(i for i in range(int(s.seats)) if i != seat and s.devil[i])
        verbs.apply(after, seat, actions.HOLDER + holder)
    return after


@pytest.mark.parametrize("gift", ["must", "may"])
@pytest.mark.parametrize("seats", [2, 4, 6])
def test_what_a_move_would_bring_comes_true(seats, gift):
    kinds = set()
    for advised in (False, True):
        for s in states_of_game(GameSetting("underworld", seats, (("gift", gift),)), 3, advised)[
            ::2
        ]:
            if s.node in (Node.TURN, Node.ONWARD):
                kinds |= {came_true(s, name, p) for name, p in shown(s).items()}
    assert kinds >= {Kind.OPEN, Kind.UNSEEN, Kind.REST, Kind.LETTER, Kind.STOP, Kind.DEVIL}
    assert kinds & {Kind.GIVE, Kind.GIVE_SECOND}


def shown(s):
    seat = int(s.turn)
    return GAME.ui.look(redacted(s, seat), seat).targets


def came_true(s, name: str, p: Preview) -> Kind:
    seat, where = int(s.turn), space(name)
    after = moved(s, seat, where)
    if p.kind == Kind.UNSEEN:
        assert s.down >> where & 1
        assert after.node == Node.CARD or after.up >> where & 1
        return p.kind
    assert p.leaves == bool(after.gone[seat])
    assert p.seen == bool(s.down >> where & 1 and after.up >> where & 1)
    assert (p.kind == Kind.REST) == bool(after.down >> where & 1 and p.other is None)
    assert (s.devil[seat], after.devil[seat]) == TAKING.get(p.kind, (s.devil[seat],) * 2)
    assert (p.other is not None) == (p.kind in (Kind.GIVE, Kind.GIVE_SECOND))
    if p.other is not None:
        assert s.disk[p.other] == where
        assert after.devil[p.other] == (p.kind == Kind.GIVE)
    return p.kind


def test_all_pegs_out_a_devil_is_shown_as_taken_from_somebody():
    match = board(6, "0 at w2", "devil up at w3", *(f"{seat} possessed" for seat in range(2, 6)))
    assert seen(match).targets["w3"] == Preview(Kind.DEVIL)
    match = board(6, "0 at w2", "devil up at w3", *(f"{seat} possessed" for seat in (0, 2, 3, 4)))
    assert seen(match).targets["w3"] == Preview(Kind.SECOND)


def test_a_gift_tells_of_the_letter_and_of_leaving():
    match = board(3, "0 at w2", "0 possessed", "0 holds ABCDE", "1 at w3", "F0 up at w3")
    assert seen(match).targets["w3"] == Preview(Kind.GIVE, "F", 1, leaves=True)
    match = board(3, "0 at w2", "0 possessed", "0 holds AB", "1 at w3", "F1 up at w3")
    assert seen(match).targets["w3"] == Preview(Kind.GIVE, "", 1)


def test_cards_to_swap_may_be_pointed_at_in_any_order_and_let_go():
    match = play(board(2, "A1 up at v2"), "0 swap, 0 exchange v3")
    chosen = seen(match).selection
    assert chosen.first == "v3"
    assert chosen.afresh["u2"] == "swap; exchange u2; with v3"
    assert chosen.afresh["v3"] == "swap"
    assert "v2" not in {*chosen.afresh, *chosen.choices}
    assert "u4" in chosen.choices


def test_cards_to_take_may_be_pointed_at_in_any_order_and_let_go():
    match = play(board(2, "0 possessed"), "0 rearrange, 0 take v2, 0 take v4")
    chosen = seen(match).selection
    assert chosen.taken == ["v2", "v4"]
    assert chosen.afresh["u3"] == "rearrange; take v2; take u3; take v4"
    assert chosen.afresh["v2"] == "rearrange; take v4"
    assert "v5" in chosen.choices


def test_spaces_to_lay_on_may_be_pointed_at_in_any_order_and_let_go():
    match = play(board(2, "0 possessed"), "0 rearrange, 0 take v2, 0 take v4, 0 done, 0 lay v4")
    chosen = seen(match).selection
    begun = "rearrange; take v2; take v4; done"
    assert chosen.laid == ["v4"]
    assert chosen.afresh["v4"] == begun
    assert chosen.afresh["v2"] == f"{begun}; lay v2; lay v4"
    last = play(board(2, "0 possessed"), "0 rearrange, 0 take v2, 0 take x7")
    assert "z7" not in seen(last).selection.afresh
    assert seen(last).selection.afresh == {}


def test_choices_afresh_are_for_the_one_who_decides_alone():
    match = play(board(2), "0 swap, 0 exchange v3")
    for viewer in (WATCHER, 1):
        assert seen(match, viewer).selection.afresh == {}
        assert seen(match, viewer).viewer == (None if viewer == WATCHER else 1)


def test_a_view_is_plain_data_with_the_names_of_its_fields():
    match = board(2, "0 at w2", "0 holds AB", "B0 up at w3", "C0 down at v2 seen by 0")
    data = msgspec.json.decode(msgspec.json.encode(seen(match)))
    assert data["seats"][0]["letters"] == "AB"
    assert data["spaces"][space("w3")]["card"] == {
        "kind": "letter", "letter": "B", "colour": 0, "held": True, "wanted": False,
    }  # fmt: skip
    assert data["spaces"][space("v2")]["card"]["wanted"] is True
    assert data["targets"]["v2"] == {
        "kind": "letter", "letter": "C", "other": None, "leaves": False, "seen": True,
    }  # fmt: skip
    assert data["ways"]["w3"] == ["w2", "w3"]
    assert [one["name"] for one in data["spaces"]] == list(SPACE_NAMES)
    assert {one["action"] for one in data["spaces"]} == {f"move {name}" for name in SPACE_NAMES}
