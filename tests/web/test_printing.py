"""Games on paper: what is printed is what the rules name, in their numbers, and it fits the paper."""

import re
from collections import Counter
from itertools import product
from xml.etree import ElementTree

import pytest

import diablerie
from diablerie.art.marks import token
from diablerie.engine.paper import Pieces, Shape
from diablerie.engine.sources import sources
from diablerie.games.coals.rules.state import FULL, VALUES
from diablerie.games.coals.ui import print as coals
from diablerie.games.kitchen.rules.board import COLOURS
from diablerie.games.kitchen.rules.state import CARDS, DEVILS, DICE, PATIENCE, SIGNS, WEIGHTS
from diablerie.games.kitchen.ui import print as kitchen
from diablerie.games.kitchen.ui.drawing.floor import coordinates, corners, floor
from diablerie.games.tails.rules.state import COPIES, JOIN, KINDS, TURNS
from diablerie.games.underworld.rules.state import DEALT, LETTERS, PEGS
from diablerie.web.html.leaves import FOOT_HEIGHT, PAGE_MARGIN, PAPERS, leaves
from diablerie.web.routes.printing import PrintQuery, as_file
from tests.test_cli import refused, run
from tests.web.client import Client

GAMES = [game for game in diablerie.GAMES.values() if game.printed]
ALL_FOUR = ("coals", "kitchen", "tails", "underworld")


def printed(name: str):
    return diablerie.game_named(name).printed(lambda line: line.text)


def pieces(name: str, title: str) -> Pieces:
    [found] = [one for one in printed(name).pieces if one.name.text == title]
    return found


def test_the_four_games_can_be_printed():
    assert {game.name for game in GAMES} >= {*ALL_FOUR}


# -- numbers: what the rules and the sheets name --------------------------------------------------


def test_coals_has_every_piece_of_coal_once():
    coal = pieces("coals", "Pieces of coal, nine of them devils")
    written = Counter(re.search(r">(\d+)</text>", front) for front, _ in coal.faces)
    counts = Counter(found[1] if found else "devil" for found in written.elements())
    names = [str(value) if value else "devil" for value in VALUES]
    assert counts == dict(zip(names, FULL, strict=True))
    assert len({back for _, back in coal.faces}) == 1  # face down they are alike


def test_coals_has_seventy_chips_alike_on_both_sides():
    chips = pieces("coals", "Chips")
    assert len(chips.faces) == sum(coals.CHIPS.values()) == 70
    assert all(front == back for front, back in chips.faces)
    assert len(pieces("coals", "Pawns").faces) == max(diablerie.game_named("coals").seats)


def test_tails_has_each_tile_with_the_lines_of_the_engine():
    tiles = pieces("tails", "Tiles")
    lines = [
        frozenset((int(a), int(b)) for a, b in re.findall(r"#tails-(?:line|flat)-(\d)(\d)", front))
        for front, _ in tiles.faces
    ]
    of_rules = [
        frozenset((min(a, int(b)), max(a, int(b))) for a, b in enumerate(JOIN[TURNS * kind]))
        for kind in range(KINDS)
    ]
    assert Counter(lines) == dict.fromkeys(of_rules, COPIES)
    assert len({back for _, back in tiles.faces}) == 1


def test_underworld_has_its_cards_letters_and_devils():
    cards = pieces("underworld", "Cards")
    assert len(cards.faces) == DEALT.bit_count() == 42
    assert len({back for _, back in cards.faces}) == 1
    faces = Counter(front for front, _ in cards.faces)
    assert sorted(faces.values()) == [1] * 36 + [2, 4]  # letters, towers, devils
    letters = pieces("underworld", "Letters")
    seats = max(diablerie.game_named("underworld").seats)
    assert len(letters.faces) == len({*letters.faces}) == LETTERS * seats
    assert len(pieces("underworld", "Disks").faces) == seats
    assert len(pieces("underworld", "Devils").faces) == PEGS


def test_a_letter_of_underworld_and_its_mark_do_not_touch():
    """Both have one colour: an E that touches a square is another letter."""
    for front, _ in pieces("underworld", "Letters").faces:
        [(x, y)] = re.findall(r'translate\((\S+) (\S+)\)"><text', front)
        assert float(x) < 0 > float(y)


def test_kitchen_has_its_devils_pots_and_cards():
    seats = max(diablerie.game_named("kitchen").seats)
    counts = {one.name.text: len(one.faces) for one in printed("kitchen").pieces}
    assert counts["Devils"] == counts["Caps"] == DEVILS * seats
    assert counts["Pots"] == SIGNS * seats
    assert counts["Menu cards"] == len(CARDS) * seats
    assert counts["Trays"] == seats
    backs = Counter(back for _, back in pieces("kitchen", "Menu cards").faces)
    assert sorted(backs.values()) == [len(CARDS)] * seats  # a back tells the owner alone


def test_kitchens_dice_and_button_have_the_chances_of_the_rules():
    faces = kitchen.die_faces()
    rolls = Counter(tuple(sorted(roll)) for roll in product(faces, repeat=2))
    of_rules = {tuple(sorted(roll)): n for roll, n in zip(DICE, WEIGHTS, strict=True)}
    assert rolls == of_rules
    options = {one.name: one.default for one in diablerie.game_named("kitchen").options}
    assert options["stove"] == PATIENCE == 2**3  # as three coins
    [(button, _)] = pieces("kitchen", "The stove’s button").faces
    assert button.count("wheel-line") == PATIENCE
    assert button.count("devil-head") == 1


# -- where they lie ------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("name", ALL_FOUR)
def test_backs_meet_their_fronts_when_the_leaf_is_turned(name: str, paper):
    of_game = printed(name)
    places = [pair for leaf in leaves(of_game, paper) for pair in leaf.places]
    assert len(places) == sum(len(one.faces) for one in of_game.pieces if one.backed) > 0
    for front, back in places:
        assert abs(paper.wide - front.x - back.x) < 0.01
        assert (front.y, front.turn) == (back.y, back.turn)
    assert len({*places}) == len(places)


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("name", ALL_FOUR)
def test_every_back_is_drawn_behind_a_front(name: str, paper):
    drawn = [leaf for leaf in leaves(printed(name), paper) if leaf.back]
    for leaf in drawn:
        behind = [(paper.wide - x, y, turn) for x, y, turn in middles(leaf.back)]
        fronts = middles(leaf.front)
        assert len(behind) == len(leaf.places)
        assert all(any(near(back, front) for front in fronts) for back in behind)
    assert drawn


def middles(drawn: str):
    """Where the pieces of a page are drawn, and how they are turned."""
    moved = [part.get("transform") or "" for part in ElementTree.fromstring(drawn)]
    found = [re.match(r"translate\((\S+) (\S+)\)(?: rotate\((\d+)\))?", one) for one in moved]
    return [(float(one[1]), float(one[2]), int(one[3] or 0)) for one in found if one]


def near(one: tuple[float, float, int], other: tuple[float, float, int]) -> bool:
    """Whether two pieces lie on top of each other, to the rounding of what is written."""
    return one[2] == other[2] and all(abs(a - b) < 0.02 for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
@pytest.mark.parametrize("name", ALL_FOUR)
def test_nothing_is_cut_outside_the_margins(name: str, paper):
    for leaf in leaves(printed(name), paper):
        boxes = [*cut_boxes(leaf.front)]
        assert boxes or [name.text for name in leaf.names] == ["Dice"]  # which draw their own lines
        for left, top, right, bottom in boxes:
            assert left >= PAGE_MARGIN - 0.01
            assert top >= PAGE_MARGIN - 0.01
            assert right <= paper.wide - PAGE_MARGIN + 0.01
            assert bottom <= paper.high - PAGE_MARGIN - FOOT_HEIGHT + 0.01


def cut_boxes(drawn: str):
    """The boxes of all that is cut out, from the lines that say so."""
    number = r"(-?[\d.]+)"
    moved = rf'<g transform="translate\({number} {number}\)(?: rotate\(180\))?">'
    rects = rf'<rect x="{number}" y="{number}" width="{number}" height="{number}" class="cutting"/>'
    for x, y, left, top, wide, high in re.findall(moved + rects, drawn):
        yield box(float(x) + float(left), float(y) + float(top), float(wide), float(high))
    for left, top, wide, high in re.findall(rf"(?<!\">){rects}", drawn):
        yield box(float(left), float(top), float(wide), float(high))
    disks = rf'{moved}<circle cx="0" cy="0" r="{number}" class="cutting"/>'
    for x, y, r in re.findall(disks, drawn):
        yield box(float(x) - float(r), float(y) - float(r), 2 * float(r), 2 * float(r))
    tiles = rf'{moved}<path d="M0 {number}L{number} {number}H'
    for x, y, top, half, low in re.findall(tiles, drawn):
        reach = max(-float(top), float(low))
        yield box(float(x) - float(half), float(y) - reach / 2, 2 * float(half), reach)


def box(left: float, top: float, wide: float, high: float):
    return left, top, left + wide, top + high


def test_boards_are_joined_at_letters_that_occur_on_two_sheets():
    paper = PAPERS["a4"]
    [board] = printed("kitchen").boards
    sheets = [leaf for leaf in leaves(printed("kitchen"), paper) if board.name in leaf.names]
    assert len(sheets) == 4
    marks = [{*re.findall(r">([A-P])</text>", sheet.front)} for sheet in sheets]
    assert Counter(letter for one in marks for letter in one) == dict.fromkeys("ABCD", 2)


def test_each_grill_has_its_mark_for_printers_without_colours():
    [board] = printed("kitchen").boards
    bare = floor() + coordinates() + corners((0, 1, 2, 3))
    for colour in range(COLOURS):
        sign = token(colour, 13)
        assert board.drawing.count(sign) == bare.count(sign) + 1


def test_every_stand_has_a_picture_on_either_side():
    stands = [one for name in ALL_FOUR for one in printed(name).pieces if one.shape is Shape.STAND]
    assert len(stands) >= 5
    assert all(front and back for one in stands for front, back in one.faces)


# -- pages ---------------------------------------------------------------------------------------


def test_what_is_printed_is_no_reason_to_compile_anew():
    assert not [name for name, _ in sources() if name.endswith((".print", ".paper"))]


def test_the_page_has_its_paper_its_pieces_and_the_rules(ann: Client):
    page = ann.get("/print/coals?paper=letter&ground=0").text
    assert 'class="on-paper letter bare"' in page
    assert page.count('width="215.9mm"') == 2 * len(leaves(printed("coals"), PAPERS["letter"]))
    assert 'id="C24"' in page
    assert "print.css" in page


@pytest.mark.parametrize("name", ALL_FOUR)
def test_places_for_glue_are_lines(name: str):
    """Browsers write a pattern into a PDF as a picture of the whole page, for each place anew."""
    drawn = "".join(leaf.front for leaf in leaves(printed(name), PAPERS["a4"]))
    assert "glue-line" in drawn
    assert "url(" not in drawn


def test_rules_and_cards_lead_to_the_page(ann: Client):
    for name in ALL_FOUR:
        assert f'href="/print/{name}"' in ann.get(f"/rules/{name}").text
        assert f'href="/print/{name}"' in ann.get("/").text


def test_what_cannot_be_printed_is_not_there(ann: Client):
    for address in ("/print/chess", "/print/coals?paper=a5", "/print/coals?ground=x"):
        assert ann.get(address).status_code == 404


def test_a_game_without_a_sheet_has_no_link(ann: Client, monkeypatch: pytest.MonkeyPatch):
    game = diablerie.game_named("coals")
    monkeypatch.setitem(vars(game), "printed", None)
    assert ann.get("/print/coals").status_code == 404
    assert "/print/coals" not in ann.get("/rules/coals").text + ann.get("/").text
    assert "nothing to print" in refused("print", "coals", "--out", "nowhere.html")


def test_the_command_writes_the_same_as_one_file(tmp_path):
    out = tmp_path / "game.html"
    done = run("print", "tails", "--out", str(out), "--paper", "letter", "--language", "de")
    assert (done.exit_code, done.output) == (0, "")
    text = out.read_text("utf-8")
    assert text == as_file(diablerie.game_named("tails"), "de", PrintQuery("letter"))
    assert 'lang="de"' in text
    assert not re.search(r'(?:src|href)="/', text)


def test_the_command_refuses_in_a_line(tmp_path):
    out = str(tmp_path / "game.html")
    assert "a4, letter" in refused("print", "coals", "--out", out, "--paper", "a5")
    assert "en, de, fr, ro" in refused("print", "coals", "--out", out, "--language", "es")
    assert "“chess”" in refused("print", "chess", "--out", out)
    refused("print", "coals")
