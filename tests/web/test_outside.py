"""A game the house does not know beforehand has a ticket, a table and a style like any other."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from diablerie.art.devil import puppet
from diablerie.engine.game import Game
from diablerie.engine.text import say
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.web.html import assets
from diablerie.web.people import language
from tests.stores import new_store
from tests.table.toy import TOY
from tests.web.anew import anew, forget
from tests.web.client import Client
from tests.web.test_language import catalogue

SHEETS = {"b.css": ".late { fill: red }", "a.css": ".early { fill: red }"}
Room = Callable[..., Game]


@pytest.fixture
def brings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """The toy for three or four as a package of its own, whose room `ui` holds these files."""
    monkeypatch.syspath_prepend(tmp_path)

    def made(**sheets: str) -> Game:
        package = tmp_path / f"{tmp_path.name}_{len(sheets)}"  # of a name not imported yet
        (package / "ui").mkdir(parents=True)
        for room in (package, package / "ui"):
            (room / "__init__.py").touch()
        for name, text in sheets.items():
            (package / "ui" / name).write_text(text)
        return like_the_toy(
            name="embers",
            title=say("EMBERS"),
            seats=(3, 4),
            quick=3,
            home=package.name,
        )

    return made


def like_the_toy(**fields: object) -> Game:
    """Not made anew, since a second game with these records could not be registered."""
    game = object.__new__(type(TOY))  # `copy` gives a game itself
    vars(game).update(vars(TOY) | fields)
    return game


@pytest.fixture
def outsider(brings: Room, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    game = brings(**SHEETS)
    yield from known(game, monkeypatch)


def known(game: Game, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    with anew(), monkeypatch.context() as patch:
        patch.setitem(ALL.loaded, game.name, game)
        yield game


@pytest.fixture
def authority(tmp_path: Path, outsider: Game) -> Iterator[Authority]:
    store = new_store(tmp_path / "tables.db")
    yield Authority(store, {"toy": TOY, outsider.name: outsider})
    store.close()


def ticket(client: Client, name: str) -> str:
    page = client.page("/")
    assert page.status_code == 200
    return page.text.partition(f'id="game-{name}"')[2].partition("</article>")[0]


def test_the_landing_page_shows_what_there_is(ann: Client):
    shown = ticket(ann, "embers")
    assert "EMBERS" in shown
    assert "3 to 4 players" in shown
    assert "puppet" in shown
    assert "puppet" in ticket(ann, "toy")
    assert ann.page("/").text.count('<article class="ticket game"') == 2


def test_as_many_are_offered_one_screen_as_can_play(ann: Client):
    for name, seats in ("embers", ["3", "4"]), ("toy", ["2", "3", "4"]):
        assert f'href="/friends/{name}"' in ticket(ann, name)
        assert re.findall('name="here" value="(.)"', ann.page(f"/friends/{name}").text) == seats
    table = ann.call("/tables", game="embers", way="here").json()["url"]
    assert ann.data(table)["own"] == [0, 1, 2]


@pytest.mark.parametrize(("poster", "pose"), [("cook", "cook"), ("dance", "grin"), ("", "grin")])
def test_a_pose_that_is_not_there_is_the_houses(
    ann: Client, outsider: Game, poster: str, pose: str
):
    vars(outsider)["poster"] = poster
    assert puppet(pose) in ticket(ann, "embers")


def test_a_games_sheets_are_one_in_the_order_of_their_names(ann: Client, outsider: Game):
    sheet = ann.get(assets.address("games/embers.css"))
    assert sheet.headers["content-type"].startswith("text/css")
    assert sheet.text.index(".early") < sheet.text.index(".late ")
    page = ann.page(ann.call("/tables", game="embers", way="bots").json()["url"]).text
    assert assets.address("games/embers.css") in page
    assert assets.address(assets.PLAIN_SHEET) not in page


def test_another_sheet_is_another_address(outsider: Game, brings: Room, monkeypatch):
    before = assets.static_digest()
    for _ in known(brings(**SHEETS, **{"c.css": ".more { fill: red }"}), monkeypatch):
        assert assets.static_digest() != before


def test_who_brings_no_style_gets_the_plain_one(ann: Client, bo: Client):
    table = ann.call("/tables", game="toy", here="1", open="1").json()["url"]
    bo.call(f"{table}/sit")
    assert assets.address(assets.PLAIN_SHEET) in ann.page(table).text
    assert "/games/toy.css" not in ann.page(table).text


def test_a_room_without_sheets_gets_the_plain_one(brings: Room, monkeypatch):
    for game in known(brings(), monkeypatch):
        assert assets.game_stylesheet(game) == assets.PLAIN_SHEET


def test_a_game_brings_its_words_in_other_languages(ann: Client, outsider: Game, tmp_path: Path):
    package = outsider.home
    catalogue(tmp_path / package, "es", {"EMBERS": "BRASAS"})
    forget()
    assert language.available() == ("en", "de", "es", "fr", "ro")
    ann.send("/language", language="es")
    assert "BRASAS" in ann.page("/").text
