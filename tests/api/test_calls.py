"""What programs do at tables, and what stops them."""

from collections.abc import Callable

import pytest
from starlette.applications import Starlette

from diablerie.engine import files
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.presence.rate_limits import RATES
from diablerie.table.state.visitors import visitor_of
from tests.api.conftest import Program, generous
from tests.web.client import Client

Programs = Callable[..., Program]


def test_a_program_opens_a_table_and_plays_it_to_the_end(robo: Program, authority: Authority):
    authority.limits = generous(authority.clock)
    table = robo.post("/tables", game="coals", plan=["me", "me"], options={"goal": "400"})["id"]
    seen = robo.get(f"/tables/{table}")
    while seen["status"] == "running":
        assert seen["seat"] in seen["pending"]
        do = seen["legal"][len(seen["legal"]) // 2]["do"]
        robo.post(f"/tables/{table}/decide", ply=seen["ply"], do=do)
        seen = robo.get(f"/tables/{table}")
    assert seen["own"] == [0, 1]
    assert sum(seen["returns"]) == 0
    assert seen["legal"] == []
    assert seen["log"][-1]["ply"] == seen["ply"] == authority.live(table).ply
    text = robo.ask("GET", f"/tables/{table}/match.jsonl").content
    assert files.parse_match(text, ALL, dice=True).over
    (row,) = robo.get("/me/tables", status="over")
    assert row["id"] == table
    assert robo.get("/me/tables", status="open") == []
    again = robo.post(f"/tables/{table}/rematch")["id"]
    assert again == robo.get(f"/tables/{table}")["rematch"] != table
    (newest,) = robo.get("/me/tables", limit=1)
    (oldest,) = robo.get("/me/tables", before=newest["id"])
    assert {newest["id"], oldest["id"]} == {table, again}
    assert robo.get("/me/tables", before=oldest["id"]) == []


def test_a_program_joins_people_who_see_what_it_is(
    robo: Program, app: Starlette, authority: Authority
):
    ann = Client(app)
    url = ann.open(here="1", open="1", public="1")
    table = url.rpartition("/")[2]
    (row,) = robo.get("/tables", game="coals", status="open")
    assert (row["id"], [seat["kind"] for seat in row["seats"]]) == (table, ["person", "open"])
    assert robo.get("/tables", game="tails") == []
    assert robo.post(f"/tables/{table}/sit")["seat"] == 1
    assert authority.live(table).seats[1].kind == "program"
    page = ann.page(url).text
    assert "Robo" in page
    assert "a program" in page
    robo.post(f"/tables/{table}/chat", text="Good <b>evening</b>.")
    assert "Good &lt;b&gt;evening" in ann.page(url).text
    assert robo.get(f"/tables/{table}")["chat"][0]["text"] == "Good <b>evening</b>."
    assert robo.post(f"/tables/{table}/resign")["seat"] == 1
    assert robo.get(f"/tables/{table}")["returns"] == [1.0, -1.0]
    assert "all other players have resigned" in ann.page(url).text
    assert ann.page(f"{url}/replay").status_code == 200


def test_before_the_start_a_seat_is_left_or_the_others_filled(robo: Program):
    table = robo.post("/tables", game="tails", plan=["me", "open"])["id"]
    assert robo.get(f"/tables/{table}")["view"] is None
    robo.post(f"/tables/{table}/fill", bot="random")
    assert robo.get(f"/tables/{table}")["status"] == "running"
    other = robo.post("/tables", game="tails", plan=["me", "open"])["id"]
    assert robo.post(f"/tables/{other}/leave")["id"] == other
    assert robo.ask("GET", f"/tables/{other}").status_code == 404


def test_without_a_token_one_only_looks_as_a_watcher(robo: Program, app: Starlette):
    table = robo.post("/tables", game="coals", plan=["me", "me"])["id"]
    nobody = Program(app)
    assert {game["name"] for game in nobody.get("/games")} == set(ALL)
    seen = nobody.get(f"/tables/{table}")
    assert (seen["seat"], seen["own"], seen["legal"]) == (None, [], [])
    assert seen["log"][0]["seat"] is None, "who begins is drawn"
    assert nobody.ask("GET", f"/tables/{table}", params={"seat": 0}).status_code == 403
    for path in ("/tables", f"/tables/{table}/decide", f"/tables/{table}/sit"):
        answer = nobody.ask("POST", path, json={"game": "coals", "plan": ["me", "me"]})
        assert answer.status_code in (401, 422)
    body = {"game": "coals", "plan": ["me", "me"]}
    answer = nobody.ask("POST", "/tables", json=body)
    assert (answer.status_code, answer.json()["code"]) == (401, "no-token")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert nobody.ask("GET", "/me").status_code == 401


@pytest.mark.parametrize("shown", ["Bearer x", "Bearer diablerie_x", "Basic YTpi", "Bearer"])
def test_a_token_that_is_none_is_refused_even_for_looking(app: Starlette, shown: str):
    answer = Program(app).ask("GET", "/games", headers={"authorization": shown})
    assert (answer.status_code, answer.json()["code"]) == (401, "no-token")


def test_programs_do_not_play_for_others(program: Programs, app: Starlette):
    one, other = program(), program()
    table = one.post("/tables", game="coals", plan=["me", "open"])["id"]
    other.post(f"/tables/{table}/sit")
    ply = one.get(f"/tables/{table}")["ply"]
    asked = {"ply": ply, "do": "bet 0", "seat": 0}
    assert other.refused(f"/tables/{table}/decide", **asked) == (403, "forbidden")
    assert other.refused(f"/tables/{table}/resign", seat=0) == (403, "forbidden")
    assert other.refused(f"/tables/{table}/fill") == (403, "forbidden")


def test_a_program_that_looks_counts_as_present(program: Programs, authority: Authority):
    one, other = program(), program()
    table = one.post("/tables", game="coals", plan=["me", "open"])["id"]
    other.post(f"/tables/{table}/sit")
    now = authority.clock() + 100
    authority.attendance._clock = lambda: now
    other.get(f"/tables/{table}")
    presence = authority.presence(authority.live(table))
    assert (presence[0].away, presence[1].away) == (100, 0)


def test_what_a_cookie_allows_counts_for_nothing_here(app: Starlette):
    ann = Client(app)
    table = ann.open(here="2").rpartition("/")[2]
    cookie = f"diablerie={ann.cookies['diablerie']}"
    asked = Program(app).ask("GET", f"/tables/{table}", headers={"cookie": cookie}).json()
    assert asked["own"] == []
    body = {"ply": 1, "do": "bet 0", "seat": 0}
    sent = Program(app).ask(
        "POST", f"/tables/{table}/decide", json=body, headers={"cookie": cookie}
    )
    assert sent.status_code == 401


def test_refusals_say_why_and_what_to_do(robo: Program):
    table = robo.post("/tables", game="coals", plan=["me", "devil"])["id"]
    path = f"/tables/{table}/decide"
    assert robo.refused(path, ply=1, do="pull") == (422, "illegal")
    forbidden = robo.ask("POST", path, json={"ply": 1, "do": "pull"}).json()
    assert forbidden["clause"].startswith("C")
    assert forbidden["rule"].endswith(f"/rules/coals#{forbidden['clause']}")
    assert robo.refused(path, ply=1, do="fly") == (400, "bad-input")
    assert robo.refused(path, ply=1, do=" ; ") == (400, "bad-input")
    robo.post(path, ply=1, do="bet 10")
    assert robo.refused(path, ply=1, do="bet 10") == (409, "repeated")
    stale = robo.ask("POST", path, json={"ply": 1, "do": "bet 20"})
    assert (stale.json()["code"], stale.json()["ply"]) == ("stale", 2)
    assert robo.refused("/tables/nowhere/resign") == (404, "not-found")


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"\xff", "application/json", 400),
        (b"[]", "application/json", 422),
        (b'{"game": "coals"}', "application/json", 422),
        (b'{"game": "coals", "plan": ["me"], "bots": 3}', "application/json", 422),
        (b'{"game": "coals", "plan": ["me", "search:n=99999"]}', "application/json", 400),
        (b'{"game": "chess", "plan": ["me", "me"]}', "application/json", 400),
        (b"game=coals", "application/x-www-form-urlencoded", 415),
        (b'"' + b"x" * 70_000 + b'"', "application/json", 413),
    ],
)
def test_a_body_that_does_not_fit_is_refused(robo: Program, body: bytes, kind: str, status: int):
    answer = robo.ask("POST", "/tables", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [("GET", "/nothing", 404), ("DELETE", "/me", 405), ("GET", "/tables/x/decide", 405)],
)
def test_addresses_that_are_none_are_problems_for_browsers_too(
    robo: Program, method: str, path: str, status: int
):
    answer = robo.ask(method, path, headers={"accept": "text/html"})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


def test_tokens_count_for_the_address_that_made_them(program: Programs, app: Starlette):
    """However many there are, and wherever the program runs."""
    robos = [program(client="10.9.9.9") for _ in range(3)]
    for number, robo in enumerate(robos):
        robo.address = f"10.2.0.{number}"
    burst = RATES["tables"].burst
    opened = [
        robos[i % 3].ask("POST", "/tables", json={"game": "coals", "plan": ["me", "open"]})
        for i in range(burst + 1)
    ]
    assert [answer.status_code for answer in opened] == [201] * burst + [429]
    assert opened[-1].headers["retry-after"]
    browser = Client(app, "10.9.9.9")
    assert browser.call("/tables", game="coals", here="2").status_code == 429
    assert program(client="10.9.9.8").post("/tables", game="coals", plan=["me", "open"])


def test_reading_is_bounded_too(robo: Program):
    burst = RATES["reads"].burst
    found = [robo.ask("GET", "/me").status_code for _ in range(burst + 1)]
    assert found == [200] * burst + [429]


def test_the_page_shows_a_token_once_and_revokes_it(app: Starlette):
    ann, bo = Client(app), Client(app, "10.0.0.2")
    assert "<form" in ann.page("/programs").text
    made = ann.send("/programs", **{"name": "Robo", "scope-play": "1", "scope-open": "1"}).text
    token = made.partition('id="token">')[2].partition("<")[0]
    assert Program(app, token).get("/me") == {
        "name": "Robo", "scopes": ["open", "play"], "created": 1000.0
    }  # fmt: skip
    again = ann.page("/programs").text
    assert token not in again
    assert "Robo" in again
    assert "Robo" not in bo.page("/programs").text
    id = again.partition('name="token" value="')[2].partition('"')[0]
    assert bo.call("/programs/revoke", token=id).status_code in (403, 404)
    assert ann.send("/programs/revoke", token=id).status_code == 303
    assert Program(app, token).ask("GET", "/me").status_code == 401
    refused = ann.send("/programs", name="Devil", **{"scope-play": "1"})
    assert refused.status_code == 400
    assert 'value="Devil"' in refused.text
    problem = ann.call("/programs", name="Devil", **{"scope-play": "1"}).json()
    assert (problem["status"], problem["code"]) == (400, "bad-input")
    assert visitor_of(token) != Program(app, token).visitor


@pytest.mark.parametrize("fields", [{}, {"text": "3"}, {"scope-play": "1"}, {"get": "x"}])
def test_a_form_without_a_name_is_refused_on_its_page(app: Starlette, fields: dict[str, str]):
    refused = Client(app).send("/programs", **fields)
    assert refused.status_code == 400
    assert 'name="name"' in refused.text
    assert 'role="alert"' in refused.text


def test_who_has_several_seats_says_which_one_is_meant(robo: Program, authority: Authority):
    opened = robo.post("/tables", game="coals", plan=["me", "me", "random"], name="Twin")
    table = opened["id"]
    live = authority.live(table)
    assert [info.name for info in live.seats] == ["Twin", "Twin 2", ""]
    assert robo.refused(f"/tables/{table}/resign") == (400, "bad-input")
    assert authority.live(table).status == "running"


@pytest.mark.parametrize("control", ["\0", "\x1b", "\x7f", "\x9f"], ids=ascii)
def test_a_control_character_in_a_body_is_refused(robo: Program, control: str):
    for wrong in ({"name": f"a{control}b"}, {"plan": ["me", f"dev{control}il"]}):
        body = {"game": "coals", "plan": ["me", "devil"], **wrong}
        refused = robo.ask("POST", "/tables", json=body)
        assert (refused.status_code, "neither typed nor seen" in refused.text) == (400, True)


def test_a_table_has_a_clock_if_a_program_wants_one(robo: Program):
    table = robo.post("/tables", game="coals", plan=["me", "devil"], clock=600)["id"]
    seen = robo.get(f"/tables/{table}")
    assert seen["clock"] == 600
    assert seen["seats"][0]["due"] > 0
    assert seen["seats"][1]["due"] is None
    again = robo.get(f"/tables/{table}")
    assert again["seats"] == seen["seats"]
