"""What every answer carries, word by word: who may frame a page, load into it or be told of it."""

from tests.web.client import Client


def directives(ann: Client) -> dict[str, str]:
    policy = ann.page("/").headers["content-security-policy"]
    return {name: value for name, _, value in (part.partition(" ") for part in policy.split("; "))}


def test_no_page_may_be_framed(ann: Client):
    for page in (ann.page("/"), ann.get("/nothing"), ann.get("/healthz")):
        assert page.headers["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"].split("; ")
        assert "unsafe" not in page.headers["content-security-policy"]
        assert page.headers["x-content-type-options"] == "nosniff"


def test_a_page_loads_from_its_own_house_alone(ann: Client):
    told = directives(ann)
    own = {"script", "style", "font", "connect", "manifest", "worker"}
    assert {told.pop(f"{kind}-src") for kind in own} == {"'self'"}
    assert told == {
        "default-src": "'none'",
        "img-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }


def test_other_sites_learn_nothing(ann: Client):
    headers = ann.page("/").headers
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    for use in ("camera", "geolocation", "microphone", "payment"):
        assert f"{use}=()" in headers["permissions-policy"].split(", ")


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(ann: Client):
    cookie = ann.send("/tables", game="coals", way="bots").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
