"""Playing by forms: decisions, refusals beside their control, chat, seats, the end."""

import re
from collections.abc import Callable

import pytest

from diablerie.bots.levels import USUAL_LEVEL
from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions, lobby, seats, sequels
from diablerie.table.state.visitors import visitor_of
from tests.web.client import PAGE, Client, fields


def finish(authority: Authority, table: str) -> None:
    """Everybody plays sensibly to the end."""
    rng, name = seeded(1), table.rpartition("/")[2]
    while (live := authority.live(name)).status != "over":
        seat = live.pending[0]
        action = verbs.advise(redacted(live.match.state, seat), seat, rng)
        text = live.game.notation.format_action(live.match.state, seat, action)
        if live.seats[seat].driver:
            decisions.decide_as_bot(authority, name, seat, live.ply, text)
        else:
            decisions.decide(authority, name, live.seats[seat].owner, live.ply, text, seat)


def test_a_decision_by_form_leads_back_to_the_table(ann: Client):
    table = ann.open(bots="1")
    form = fields(ann.page(table).text, f"{table}/decide")
    answer = ann.send(f"{table}/decide", **form, amount="50")
    assert answer.status_code == 303
    assert answer.headers["location"] == table
    assert ann.data(table)["view"]["seats"][0]["stake"] == 50


def test_the_devil_thinks_of_whoever_has_to_decide(ann: Client):
    table = ann.open(here="2")
    page = ann.page(table).text
    assert faces(page) == ["think", "think"]
    ann.act(table, "bet 50")
    assert faces(ann.page(table).text) == ["grin", "think"]


def faces(page: str) -> list[str]:
    """The faces of the first two seats beside the board."""
    return re.findall(r'class="avatar devil seat-[01]" [^>]*><use href="#head-(\w+)"', page)[:2]


def test_an_illegal_try_is_refused_beside_its_control_with_the_clause(ann: Client):
    table = ann.open(bots="1")
    form = fields(ann.page(table).text, f"{table}/decide")
    answer = ann.send(f"{table}/decide", **form, amount="990")
    assert answer.status_code == 422
    notice = re.search(r'data-refusal="act".*?</div>', answer.text, re.DOTALL)
    assert notice
    assert "no more than you own" in notice[0]
    assert "bet 990" not in notice[0]
    assert 'href="/rules/coals#C7"' in notice[0]


def test_our_script_gets_the_refusal_as_a_problem_document(ann: Client):
    table = ann.open(bots="1")
    answer = ann.act(table, "pull")
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == "illegal"
    assert problem["clause"] == "C5"
    assert problem["rule"] == "/rules/coals#C5"


def test_chat_is_kept_with_the_table_and_shown_escaped(ann: Client, bo: Client):
    table = ann.open(open="1")
    bo.call(f"{table}/sit", name="Bo")
    assert ann.send(f"{table}/chat", text="<b>hot</b>").status_code == 303
    page = ann.page(table).text
    assert "&lt;b&gt;hot&lt;/b&gt;" in page
    assert "<b>hot</b>" not in page


def test_names_are_shown_escaped_everywhere(ann: Client):
    table = ann.open(bots="1", names="<i>&")
    ann.act(table, "bet 50")
    page = ann.page(table).text
    assert "<i>" not in page
    assert "&lt;i&gt;&amp;" in page


def test_a_finished_game_names_the_winner_and_offers_rematch_and_replay(
    ann: Client, authority: Authority
):
    table = ann.open(bots="1")
    finish(authority, table)
    page = ann.page(table).text
    assert "Play again" in page
    assert re.search(r"You win|wins?!|wins?\. Revenge|Nobody wins", page)
    answer = ann.send(f"{table}/rematch")
    assert answer.status_code == 303
    assert ann.data(answer.headers["location"])["status"] == "running"
    assert "To the next game" in ann.page(table).text


def test_the_same_people_go_on_with_another_game(ann: Client, bo: Client, authority: Authority):
    table = ann.open(game="underworld", here="1", open="1", bots="1")
    bo.send(f"{table}/sit", name="Bo")
    finish(authority, table)
    page = ann.page(table).text
    assert "Another game with the same players" in page
    assert [name for name in ALL if f'name="game" value="{name}"' in page] == [
        name for name in ALL if name != "underworld"
    ]
    after = ann.send(f"{table}/rematch", game="tails").headers["location"]
    told = bo.data(after)
    assert (told["game"], told["viewer"]) == ("tails", 1)
    assert [seat["kind"] for seat in told["seats"]] == ["person", "person", "bot"]
    assert bo.send(f"{table}/rematch", game="kitchen").headers["location"] == after
    page = bo.page(table).text
    assert "To the next game" in page
    assert "Another game with the same players" not in page


def test_too_many_for_another_game_are_not_offered_it(ann: Client, authority: Authority):
    table = ann.open(game="coals", bots="4")
    finish(authority, table)
    page = ann.page(table).text
    assert 'name="game" value="underworld"' in page
    assert 'name="game" value="tails"' not in page
    for game in ("tails", "chess"):
        refused = ann.send(f"{table}/rematch", game=game)
        assert refused.status_code == 400
    assert not ann.data(table)["rematch"]


def test_a_bot_that_may_know_one_game_alone_does_not_go_on_with_another(authority: Authority):
    known = visitor_of("ann")
    table = lobby.open_table(authority, known, "coals", ["me", "sensible:epsilon=0.5"]).id
    seats.resign(authority, table, known, 0)
    again = sequels.rematch(authority, table, known, game="tails")
    assert [info.bot for info in again.seats] == ["", USUAL_LEVEL.name]


def test_the_replay_goes_from_the_first_step_to_the_last(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    finish(authority, table)
    last = ann.data(table)["ply"]
    for step in (1, 2, last // 2, last):
        page = ann.page(f"{table}/replay?step={step}&eyes=all")
        assert f"Step {step} of {last}" in page.text
        assert "<svg" in page.text
    assert ann.get(f"{table}/replay?step=2&eyes=1").json()["ply"] == 2
    assert ann.get(f"{table}/replay?step=999999&eyes=0").json()["ply"] == last


def test_a_replay_leads_no_further_than_its_ends(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    finish(authority, table)
    last = ann.data(table)["ply"]
    for step, linked in ((1, {1, 2}), (last, {last - 1, last})):
        page = ann.page(f"{table}/replay?step={step}&eyes=all").text
        found = set(map(int, re.findall(r'href="[^"]*/replay\?step=(\d+)&amp;eyes=all"', page)))
        assert linked <= found
        assert not {0, last + 1} & found


def test_nobody_is_shown_as_the_winner_before_the_end(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    assert 'class="player' in ann.page(table).text
    assert not re.search(r'class="player[^"]*winner', ann.page(table).text)
    finish(authority, table)
    assert re.search(r'class="player[^"]*winner', ann.page(table).text)


def test_the_file_of_a_finished_match_can_be_verified(ann: Client, authority: Authority, tmp_path):
    import diablerie

    table = ann.open(bots="2")
    finish(authority, table)
    answer = ann.get(f"{table}/match.jsonl")
    assert "attachment" in answer.headers["content-disposition"]
    path = tmp_path / "match.jsonl"
    path.write_bytes(answer.content)
    assert diablerie.verify(path).over


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_to_look_at_a_personal_link_moves_nothing(
    ann: Client, browser: Callable[[], Client], method: str
):
    """As messengers do, to show what is behind it."""
    table = ann.open(bots="1")
    link = ann.call(f"{table}/link", seat=0).json()["link"]
    phone = browser()
    assert phone.request(method, link, headers=PAGE).status_code == 200
    assert ann.data(table)["own"] == [0]
    assert phone.send(link).status_code == 303
    assert (phone.data(table)["own"], ann.data(table)["own"]) == ([0], [])


def test_what_was_decided_can_be_taken_back_by_form(ann: Client, bo: Client):
    table = ann.open(bots="1")
    assert "Take back" not in ann.page(table).text
    ann.act(table, "bet 50")
    form = fields(ann.page(table).text, f"{table}/take_back")
    assert bo.send(f"{table}/take_back", **form).status_code == 403
    assert ann.send(f"{table}/take_back", **form).headers["location"] == table
    page = ann.page(table).text
    assert "takes back a move." in page
    assert 'id="amount-send"' in page
    assert ann.send(f"{table}/take_back", **form).status_code == 409


def test_who_leaves_is_told_in_the_log_and_may_come_back(ann: Client):
    table = ann.open(bots="2")
    page = ann.page(table).text
    assert "Leave it to a devil" in page
    assert ">Resign<" not in page, "two devils would have to share the win"
    assert ann.send(f"{table}/hand_over", seat=0).status_code == 303
    page = ann.page(table).text
    assert "from now on." in page
    assert "I am back" in page
    assert "Take back" not in page
    ann.send(f"{table}/relieve_bot", seat=0)
    assert "is back." in ann.page(table).text


def test_the_replay_has_perspectives_only_where_something_is_hidden(
    ann: Client, authority: Authority
):
    for game, hidden in (("coals", True), ("tails", False)):
        table = ann.open(game=game, bots="1")
        finish(authority, table)
        page = ann.page(f"{table}/replay").text
        assert ('id="perspectives"' in page) == hidden
        for place in ("back", "play", "slider", "on"):
            assert f'id="replay-{place}"' in page


def test_with_all_open_the_replay_shows_what_everybody_owns(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    finish(authority, table)
    assert ann.page(f"{table}/replay?step=2&eyes=all").text.count('class="place-total"') == 2
    assert ann.page(f"{table}/replay?step=2&eyes=0").text.count('class="place-total"') == 1


def test_trying_another_way_links_back_to_where_it_began(ann: Client, authority: Authority):
    table = ann.open(bots="1")
    finish(authority, table)
    other = ann.send(f"{table}/explore", step=2).headers["location"]
    assert f'href="{table}/replay?step=2&amp;eyes=all">Back to step 2' in ann.page(other).text


def test_the_same_decision_sent_twice_without_our_script_is_no_mistake(ann: Client):
    table = ann.open(game="tails", here="2")
    form = {
        **fields(ann.page(table).text, f"{table}/decide"),
        "do": ann.data(table)["legal"][0]["do"],
    }
    assert ann.send(f"{table}/decide", **form).status_code == 303
    again = ann.send(f"{table}/decide", **form)
    assert (again.status_code, again.headers["location"]) == (303, table)
    problem = ann.call(f"{table}/decide", **form)
    assert (problem.status_code, problem.json()["code"]) == (409, "repeated")
