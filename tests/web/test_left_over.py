"""No English is left over on any page that is read in another language.

Every page is asked for twice, in English and in the other language: what is the same in both has
not been translated.
"""

import re
from collections.abc import Iterator

import pytest

from diablerie.engine import verbs
from diablerie.engine.queries import redacted
from diablerie.engine.rng import seeded
from diablerie.games import ALL
from diablerie.table.authority import Authority
from diablerie.table.commands import decisions
from tests.languages import LANGUAGES
from tests.web.client import PAGE, Client
from tests.web.words import left_over, words

# What is never handed to a translator is the same in every language, so the games are shared out.
SHARED = [("de", "coals"), ("de", "underworld"), ("fr", "tails"), ("ro", "kitchen")]
shared = pytest.mark.parametrize(("language", "game"), SHARED)
every = pytest.mark.parametrize("language", LANGUAGES)
SHEETS = "Auf Teufel komm raus Diable par queue Tanja und Sara Engel Zoch Niek Neuwahl ASS"
PEOPLE = "Gordon Petra Lucy Saul Ann Robin"
LAW = [*SHEETS.split(), *PEOPLE.split()]
LOOKS = 5  # at a game while it is played


def check(client: Client, page: str, language: str, *names: str) -> None:
    """Compare a page in both languages; its words must not be the same."""
    there, english = (read(client, page, locale) for locale in (language, "en"))
    assert f'<html lang="{language}"' in there
    assert not left_over(there, english, language, names), page


def read(client: Client, page: str, language: str) -> str:
    client.cookies.set("language", language)
    return client.page(page).text


@every
def test_the_pages_of_the_house(ann: Client, language: str):
    for page in ("/", "/settings", "/kept", "/games", "/programs", "/nowhere", "/t/nowhere"):
        check(ann, page, language)


@shared
def test_the_law_and_the_rules_at_a_glance(ann: Client, language: str, game: str):
    check(ann, f"/rules/{game}", language, *LAW)


@shared
def test_a_lesson_and_what_it_answers(ann: Client, language: str, game: str):
    lesson = ALL[game].lesson
    assert lesson is not None
    asked = [number for number, step in enumerate(lesson.steps, 1) if step.want]
    for step in (1, asked[-1], len(lesson.steps)):
        check(ann, f"/learn/{game}?step={step}", language, "Robin")
    told = []
    for locale in (language, "en"):
        ann.cookies.set("language", locale)
        answer = ann.send(f"/learn/{game}", step=asked[0], do="nonsense")
        assert answer.status_code == 422
        told.append(answer.text)
    assert not left_over(*told, language, ["Robin", "nonsense"])


@shared
def test_a_whole_game_its_log_and_its_replay(
    ann: Client, authority: Authority, language: str, game: str
):
    table = ann.open(game=game, here="2", names="Ann,Robin", bots="1" if game != "tails" else "2")
    check(ann, table, language, "Ann", "Robin")
    for seat in looks(authority, table):
        check(ann, f"{table}?as={seat}", language, "Ann", "Robin")
    for page in (table, f"{table}/log", f"{table}/replay?step=2&eyes=all"):
        check(ann, page, language, "Ann", "Robin")


def looks(authority: Authority, table: str) -> Iterator[int]:
    """Play sensibly to the end; now and then it is the turn of a person, who looks."""
    rng, name, seen = seeded(1), table.rpartition("/")[2], set[tuple[int, bool]]()
    while (live := authority.live(name)).status != "over":
        seat, match = live.pending[0], live.match
        assert match is not None
        kind = (int(match.state.node), bool(live.ply % 2))
        if not live.seats[seat].driver and kind not in seen and len(seen) < LOOKS:
            seen.add(kind)
            yield seat
        action = verbs.advise(redacted(match.state, seat), seat, rng)
        text = live.game.notation.format_action(match.state, seat, action)
        if live.seats[seat].driver:
            decisions.decide_as_bot(authority, name, seat, live.ply, text)
        else:
            decisions.decide(authority, name, live.seats[seat].owner, live.ply, text, seat)


@every
def test_refusals_to_people_and_to_programs(ann: Client, bo: Client, language: str):
    table = ann.open(bots="1")
    for fields in ({"do": "bet 9990"}, {"do": "pull"}, {"do": "x"}, {"ply": "77", "do": "bet 0"}):
        told = set()
        for locale in (language, "en"):
            ann.cookies.set("language", locale)
            asked = {"seat": 0, "ply": ann.data(table)["ply"], **fields}
            told.add(ann.call(f"{table}/decide", **asked).json()["title"])
        assert len(told) == 2, told
    bo.cookies.set("language", language)
    assert bo.call(f"{table}/decide", seat=0, ply=0, do="bet 0").json()["title"] not in (
        "You have no seat at this table.",
        "This is not your seat.",
    )


@every
def test_a_page_about_a_clause_tells_it_in_the_language(ann: Client, language: str):
    table = ann.open(here="2", names="Ann,Robin")
    for seat in (0, 1):
        ann.act(table, "bet 10", seat=seat)
    linked = set(re.findall(r'class="clause".*?href="([^"]*)#(\w+)"', read(ann, table, language)))
    assert linked
    for url, clause in linked:
        told, english = (
            re.search(rf'<p id="{clause}".*?</p>', read(ann, url, locale), re.DOTALL)
            for locale in (language, "en")
        )
        assert told
        assert english
        assert told[0] != english[0], "the clause's own words"


def test_english_that_was_left_over_is_seen():
    english = '<p title="Your turn">Hello there, <b>Ann</b></p><pre>make play</pre><i>flame</i>'
    assert words(english) == {"Your turn", "Hello there,", "Ann", "flame"}
    there = english.replace("Hello there,", "Bună,")
    assert left_over(there, english, "de", ["Ann"]) == {"Your turn", "flame"}


def test_a_program_is_answered_in_the_language_it_asks_for(ann: Client):
    headers = {"accept": "application/json", "accept-language": "de"}
    answer = ann.request("GET", "/t/nowhere.json", headers=headers)
    assert answer.status_code == 404
    assert answer.headers["content-language"] == "de"
    english = ann.request("GET", "/t/nowhere.json", headers=PAGE | {"accept": "application/json"})
    assert answer.json()["title"] != english.json()["title"]
    assert english.headers["content-language"] == "en"
