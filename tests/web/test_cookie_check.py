"""A browser that keeps no cookies is told so; one that keeps them, and its guests, never."""

import asyncio
from collections.abc import Callable

import httpx
import pytest
from starlette.applications import Starlette

from diablerie.web.edges.cookies import COOKIE_CHECK_QUERY
from tests.web.client import HOME, PAGE, Client

TOLD = {
    "en": "Your browser keeps no cookies",
    "de": "Dein Browser behält keine Cookies",
    "fr": "Ton navigateur ne garde pas les cookies",
    "ro": "Browserul tău nu păstrează cookie-uri",
}
Doing = Callable[[Client], tuple[str, dict[str, str]]]


def opening(ann: Client) -> tuple[str, dict[str, str]]:
    return "/tables", {"game": "coals", "way": "friends"}


def sitting(ann: Client) -> tuple[str, dict[str, str]]:
    return f"{ann.open(open='1')}/sit", {"name": "Bo"}


def founding(ann: Client) -> tuple[str, dict[str, str]]:
    return "/groups", {"name": "The Hoofs", "person": "Oma"}


def joining(ann: Client) -> tuple[str, dict[str, str]]:
    link = ann.send("/groups", name="The Hoofs", person="Oma").headers["location"]
    return f"{link}/join", {"name": "Opa"}


def claiming(ann: Client) -> tuple[str, dict[str, str]]:
    link = ann.call(f"{ann.open(bots='1')}/link", seat="0").json()["link"]
    return link.removeprefix(HOME), {}


def choosing(ann: Client) -> tuple[str, dict[str, str]]:
    return "/settings", {"theme": "dark"}


def speaking(ann: Client) -> tuple[str, dict[str, str]]:
    return "/language", {"language": "de"}


FIRST = [opening, sitting, founding, joining, claiming, choosing, speaking]


def led_to(
    app: Starlette, url: str, form: dict[str, str], keeps: bool, language: str = "en"
) -> list[httpx.Response]:
    """The answers to a new browser's form, and to what it asks for because of them."""

    async def asked() -> list[httpx.Response]:
        inside = httpx.ASGITransport(app, client=("10.0.0.9", 1))
        headers = PAGE | {"accept-language": language}
        async with httpx.AsyncClient(transport=inside, base_url=HOME, headers=headers) as browser:
            answers = [await browser.post(url, data=form)]
            while (next_one := answers[-1].next_request) and len(answers) < 5:
                if not keeps:
                    browser.cookies.clear()
                answers.append(await browser.get(next_one.url))
            return answers

    return asyncio.run(asked())


@pytest.mark.parametrize("doing", FIRST)
def test_who_keeps_no_cookies_is_told_what_to_do(ann: Client, doing: Doing):
    url, form = doing(ann)
    answers = led_to(ann.app, url, form, keeps=False)
    assert [one.status_code for one in answers] == [303, 403]
    assert TOLD["en"] in answers[-1].text
    assert "Allow cookies for this site" in answers[-1].text


@pytest.mark.parametrize("doing", FIRST)
def test_who_keeps_them_is_led_on_to_an_address_without_a_mark(ann: Client, doing: Doing):
    url, form = doing(ann)
    answers = led_to(ann.app, url, form, keeps=True)
    assert [one.status_code for one in answers] == [303, 303, 200]
    assert COOKIE_CHECK_QUERY not in str(answers[-1].url)
    assert not any(told in answers[-1].text for told in TOLD.values())


def test_who_has_nothing_to_be_forgotten_is_not_told(ann: Client):
    assert [one.status_code for one in led_to(ann.app, "/forget", {}, keeps=False)] == [303, 200]


@pytest.mark.parametrize("language", TOLD)
def test_it_is_told_in_every_language(ann: Client, language: str):
    answers = led_to(ann.app, *opening(ann), keeps=False, language=language)
    assert TOLD[language] in " ".join(answers[-1].text.split())


@pytest.mark.parametrize("site", ["none", "cross-site", "same-site"])
def test_a_guest_who_follows_a_marked_link_is_not_told(ann: Client, bo: Client, site: str):
    table = ann.open(open="1")
    answer = bo.request(
        "GET", f"{table}?as=0&{COOKIE_CHECK_QUERY}", headers=PAGE | {"sec-fetch-site": site}
    )
    assert (answer.status_code, answer.headers["location"]) == (303, f"{table}?as=0")


def test_the_known_are_led_by_one_redirect_at_their_first_form_only(ann: Client):
    ann.open(open="1")
    answer = ann.send("/tables", game="coals", way="bots")
    assert COOKIE_CHECK_QUERY not in answer.headers["location"]


@pytest.mark.parametrize(
    "path",
    ["//evil.example/", "//evil.example/t", "/%2Fevil.example", "/\\evil.example", "/%5Cevil"],
)
def test_the_mark_leads_nowhere_else(ann: Client, path: str):
    ann.open(open="1")
    for browser in (ann, Client(ann.app)):
        answer = browser.request("GET", f"{HOME}{path}?{COOKIE_CHECK_QUERY}", headers=PAGE)
        assert answer.status_code == 404
