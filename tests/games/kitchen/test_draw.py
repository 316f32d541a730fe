"""The picture of KITCHEN: what it offers, and to whom."""

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

from diablerie.engine import verbs
from diablerie.engine.queries import legal_actions, redacted
from diablerie.engine.text import ENGLISH, render_line
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL
from diablerie.games.kitchen.rules.state import Node
from diablerie.testing.positions import GameSetting, states_of_game
from diablerie.web.html.speech import Speech
from tests.games.kitchen.kitchens import does, kitchen
from tests.scripts import opening, play

KITCHEN = ALL["kitchen"]


def plain(line):
    return render_line(line, ENGLISH, lambda seat: f"Seat{int(seat)}")


def drawn(s, viewer):
    """The picture a viewer gets."""
    seen = redacted(s, viewer)
    deciding = viewer >= 0 and verbs.pending(s) >> viewer & 1
    actions = legal_actions(KITCHEN, s, viewer) if deciding else []
    texts = [KITCHEN.notation.format_action(s, viewer, a) for a in actions]
    return ET.fromstring(KITCHEN.ui.draw(KITCHEN.ui.look(seen, viewer), texts, plain))


def having(root, attribute):
    return [e for e in root.iter() if e.get(attribute) is not None]


def kin(root, child):
    """The nearest ancestor with `data-for`."""
    parents = {c: p for p in root.iter() for c in p}
    while child.get("data-for") is None:
        child = parents[child]
    return child.get("data-for")


BUSY = """
    y3   y1yFbE bB .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    y2vS .
    .    v    .    .    y    .
    g1   .    .    .    b1   v1
"""


def test_every_mark_belongs_to_a_choice_and_is_a_walk_that_can_be_played():
    match = kitchen(BUSY, 4)
    root = drawn(match.state, 0)
    picks = {e.get("data-pick") for e in having(root, "data-pick")}
    assert picks == {"walk-0-0", "walk-0-1", "walk-0-10", "walk-1-0", "walk-1-8", "walk-2-0"}
    assert {e.get("data-for") for e in having(root, "data-for")} == picks
    for goal in having(root, "data-action"):
        if "can" in goal.get("class", "").split():
            played = does(match.copy(), *goal.get("data-action").split("; "))
            devil = int(kin(root, goal).split("-")[1])
            assert played.state.devil[0, devil] != match.state.devil[0, devil]


def test_a_mark_says_what_a_walk_costs_and_where_it_leads_to_a_duel():
    root = drawn(kitchen(BUSY, 4).state, 0)
    goals = {e.get("data-action"): e for e in having(root, "data-action")}
    walk = goals["go 2 e5 violet-star"]
    assert "".join(walk.itertext()) == "1"
    steps = ("go 2 f4", "go 2 f5", "go 2 e6")
    duel = goals["; ".join(f"{step} violet-star" for step in steps)]
    assert "duel" in duel.get("class")
    assert "".join(duel.itertext()) == "3"


def test_what_cannot_be_done_can_be_tried():
    match = kitchen(BUSY, 4)
    tries = [e.get("data-action") for e in having(drawn(match.state, 0), "data-action")
             if e.get("class") == "try"]  # fmt: skip
    assert "go 2 e5" in tries  # nothing to serve: K27
    assert "go 1 b2 yellow-flame" in tries  # blue's grill: K14
    assert "go 1 d6" in tries  # far away: K5
    assert "go 3 b1" not in tries  # an own devil there is to be chosen, not stepped on
    assert not set(tries) & set(match.legal())


def test_somebody_is_chosen_to_begin_with_so_that_places_are_lit():
    (first,) = having(drawn(kitchen(BUSY, 4).state, 0), "data-default")
    assert first.get("data-pick") == "walk-0-0"


def test_the_way_back_to_a_start_is_marked_and_leaves_who_stands_there_to_be_chosen():
    root = drawn(kitchen(BUSY, 4, own_start=True).state, 0)
    marks = {e.get("data-action"): e.get("class").split() for e in having(root, "data-action")}
    assert "shared" in marks["go 1 a1"]
    assert not [kind for action, kind in marks.items() if "a1" not in action and "shared" in kind]
    alone = kitchen(BUSY.replace("y3 ", ".  "), 4, own_start=True)
    (mark,) = [
        e for e in having(drawn(alone.state, 0), "data-action") if e.get("data-action") == "go 1 a1"
    ]
    assert "shared" not in mark.get("class")


def test_nobody_else_is_offered_anything():
    match = kitchen(BUSY, 4)
    for viewer in (WATCHER, 1, 2, 3):
        root = drawn(match.state, viewer)
        assert not having(root, "data-pick")
        assert not having(root, "data-action")


def test_a_devil_that_has_to_walk_on_is_chosen_to_begin_with():
    drawing = BUSY.replace("y1yFbE bB", "y1yFbE y2").replace("y2vS .", "vS .")
    match = does(kitchen(drawing, 3), "go 1 c1 yellow-flame")
    first = [e for e in having(drawn(match.state, 0), "data-pick") if e.get("data-default")
             is not None]  # fmt: skip
    assert {e.get("data-pick") for e in first} == {"walk-0-0"}


def test_a_pot_in_hand_is_put_anywhere_but_on_a_pot_of_its_colour():
    match = play(opening("kitchen", 2), "0 menu 0 1 3 5, 1 menu 0 1 3 5, first 0")
    does(match, "pot flame c1", "pot eye d1")
    root = drawn(match.state, 0)
    assert {e.get("data-pick") for e in having(root, "data-pick")} == {"hand-1", "hand-2", "hand-3"}
    spots = having(root, "data-action")
    can = {e.get("data-action") for e in spots if "can" in e.get("class").split()}
    assert can == set(match.legal())
    assert {"pot eye c1", "pot bone c1", "pot star c1"} == {
        e.get("data-action") for e in spots if e.get("class") == "put"
    }


def test_the_menu_is_four_cards_for_four_pots():
    s = opening("kitchen", 3).state
    root = drawn(s, 1)
    (holder,) = having(root, "data-assign")
    values = [e.get("data-card") for e in having(root, "data-card")]
    assert len(having(root, "data-slot")) == 4
    assert values == ["0", "1", "3", "5"]
    text = holder.get("data-assign").format(*values)
    assert KITCHEN.notation.parse_action(s, 1, text) == 0
    chosen = play(opening("kitchen", 3), "1 menu 5 0 3 1").state
    assert not having(drawn(chosen, 1), "data-assign")


def picture(s, viewer):
    return ET.tostring(drawn(s, viewer))


def test_the_own_menu_is_seen_by_oneself_alone():
    pictures = {}
    for menu in ("0 1 3 5", "5 3 1 0"):
        match = play(opening("kitchen", 2), f"0 menu {menu}, 1 menu 0 1 3 5, first 0")
        pictures[menu] = [picture(match.state, viewer) for viewer in (0, 1, WATCHER)]
    (own, other, watcher), (own_2, other_2, watcher_2) = pictures.values()
    assert own != own_2
    assert other == other_2
    assert watcher == watcher_2


DUEL = """
    y23  y1   b1   .    .    .
    .    b    .    .    g    .
    .    .    #    #    .    .
    .    .    #    #    .    .
    .    v    .    .    y    .
    .    .    .    .    .    b23
"""


def test_the_challenged_player_is_shown_two_signs():
    match = does(kitchen(DUEL, 3), "go 1 c1")
    signs = [e.get("data-action") for e in having(drawn(match.state, 1), "data-action")]
    assert signs == ["fight", "refuse"]
    assert not having(drawn(match.state, 0), "data-action")


def test_a_question_names_a_devil_by_the_id_of_its_drawing():
    match = does(kitchen(DUEL, 3), "go 1 c1")
    asked = Speech().html(KITCHEN.ui.prompt(match.state, 1))
    assert re.findall(r'<span data-names="([^"]+)">1</span>', asked) == ["kitchen-devil-2-0"]
    assert "kitchen-devil-2-0" in {e.get("id") for e in drawn(match.state, 1).iter()}


def faces(root):
    """The heads in the picture, by the id of who wears them."""
    return {
        e.get("id"): next(use.get("href") for use in e.iter() if use.get("href"))
        for e in root.iter()
        if "devil" in e.get("class", "").split()
    }


def test_nobody_has_won_while_a_duel_is_fought():
    match = does(kitchen(DUEL, 3), "go 1 c1", "1 fight", "quiet")
    shown = faces(drawn(match.state, WATCHER))
    assert shown["kitchen-devil-0-0"] == shown["kitchen-devil-2-0"] == "#kitchen-head-sly"
    shown = faces(drawn(does(match, "jump").state, WATCHER))
    assert shown["kitchen-devil-0-0"] == "#kitchen-head-burnt"
    assert shown["kitchen-devil-2-0"] == "#kitchen-head-triumph"


def bursts(root):
    return [e for e in having(root, "data-enter") if e.get("id", "").startswith("kitchen-burst")]


def test_a_duel_is_told_by_its_last_ten_bursts_and_the_jump_comes_last():
    for quiet in range(12):
        match = does(kitchen(DUEL, 3), "go 1 c1", "1 fight", *["quiet"] * quiet, "jump")
        root = drawn(match.state, WATCHER)
        shown, told = bursts(root), range(quiet + 1)[-10:]
        assert ["".join(e.itertext()) for e in shown] == [str(i + 1) for i in told]
        delays = [int(e.get("data-delay")) for e in shown]
        assert delays == sorted(set(delays))
        assert delays[-1] <= 3000
        (jump,) = [e for e in root.iter() if e.get("id", "").startswith("kitchen-jump")]
        assert int(jump.get("data-delay")) == delays[-1]
        sides = [re.search(r"seat-(\d)", e.get("class"))[1] for e in shown]
        assert sides == [("0", "2")[i % 2] for i in told]


def test_a_player_who_only_looks_on_waits_for_half_of_a_duel():
    match = does(kitchen(DUEL, 3), "go 1 c1", "1 fight", *["quiet"] * 8, "jump")
    jumps = [int(bursts(drawn(match.state, viewer))[-1].get("data-delay")) for viewer in (0, 1, 2)]
    assert jumps == [2500, 2500, 1200]


def test_a_neutral_devil_fights_in_grey_and_bareheaded():
    match = does(kitchen(DUEL.replace("b1 ", "g1n"), 3), "go 1 c1", "quiet", "quiet", "jump")
    shown = {e.get("id"): e for e in drawn(match.state, WATCHER).iter() if e.get("id")}
    ends = [f"kitchen-fighter-0-2-30-{end}" for end in ("0", "0-end", "1", "1-end")]
    told = [*ends, *(f"kitchen-burst-0-2-30-{i}" for i in range(3))]
    grey = ["idle" in shown[name].get("class").split() for name in told]
    assert grey == [False, False, True, True, False, True, False]
    worn = [{use.get("href") for use in shown[name].iter()} for name in ends]
    caps = [bool(used & {"#kitchen-toque", "#kitchen-bump"}) for used in worn]
    assert caps == [True, True, False, False]


def test_a_fighter_may_press_and_only_his_own_bursts_wait_for_him():
    match = does(kitchen(DUEL, 3), "go 1 c1", "1 fight", *["quiet"] * 3, "jump")
    for viewer, own in ((0, ["1", None, "3", None]), (1, [None, "2", None, "4"])):
        root = drawn(match.state, viewer)
        assert len(having(root, "data-pacer")) == 1
        assert [e.get("data-clicks") for e in bursts(root)] == own
    assert not having(drawn(match.state, WATCHER), "data-pacer")
    assert not having(drawn(match.state, WATCHER), "data-clicks")


def test_how_a_duel_has_ended_is_told_after_its_last_burst():
    match = does(kitchen(DUEL, 3), "go 1 c1", "1 fight", "quiet", "jump")
    told = {
        e.get("id"): int(e.get("data-beat")) for e in having(drawn(match.state, 0), "data-beat")
    }
    last = max(beat for name, beat in told.items() if "burst" in name)
    ends = [beat for name, beat in told.items() if "burst" not in name]
    assert len(ends) >= 4  # the jump, both fighters, and their devils on the board
    assert set(ends) == {last + 1}


def test_a_far_place_says_by_which_way_one_walks_there():
    root, far = drawn(kitchen(DUEL, 5).state, 0), 0
    for goal in having(root, "data-action"):
        steps = goal.get("data-action").split("; ")
        if "goal" in goal.get("class", "") and len(steps) > 1:
            far += 1
            assert len(goal.get("data-way").split()) == len(steps) + 1
            assert goal.get("data-walk").startswith("kitchen-devil-0-")
        else:
            assert goal.get("data-way") is None
    assert far > 3


def test_pieces_keep_their_ids_from_step_to_step():
    states = [s for s in states_of_game(GameSetting("kitchen", 3), 2, True) if s.node == Node.MOVE][
        :30
    ]
    for before, after in pairwise(states):
        ids = [
            {e.get("id") for e in having(drawn(s, WATCHER), "data-move")} for s in (before, after)
        ]
        pots = [{i for i in there if i.startswith("kitchen-pot")} for there in ids]
        assert pots[0]
        assert pots[0] <= pots[1]
