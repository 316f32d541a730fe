"""A browser's secret is made by the server alone, and can be renewed: then the old one is nobody's."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import devices, groups, lobby, tokens
from diablerie.table.commands.browsers import OUTLIVED, REMEMBERED
from diablerie.table.errors import Forbidden, NotFound, Unavailable
from diablerie.table.state.visitors import Visitor, fresh_secret, visitor_of
from diablerie.table.storage import schema
from tests.table.conftest import BO, Clock, seated

ON_BOTH = True  # kinds of databases


def known(authority: Authority) -> tuple[str, Visitor]:
    secret = fresh_secret()
    authority.browsers.note(visitor_of(secret))
    return secret, visitor_of(secret)


def test_a_secret_that_the_server_has_not_made_is_nobodys(authority: Authority) -> None:
    secret, visitor = known(authority)
    assert authority.browsers.visitor(secret) == visitor
    for other in ("", "A" * 43, fresh_secret(), secret[:-1], visitor):
        assert authority.browsers.visitor(other) is None
    authority.browsers.note(visitor)
    assert authority.browsers.visitor(secret) == visitor


def test_a_renewed_secret_keeps_everything_and_ends_the_old_one(
    authority: Authority, clock: Clock
) -> None:
    secret, ann = known(authority)
    table = seated(authority, ann, BO)
    tokens.issue(authority, ann, "Robot", ["play"], "10.0.0.1")
    group = groups.create(authority, ann, "Us", "Oma")
    opening = devices.create_link(authority, secret)
    fresh = authority.browsers.renew(secret)
    assert authority.browsers.visitor(secret) == ann, "until the new one is shown"
    anew = authority.browsers.visitor(fresh)
    assert anew == visitor_of(fresh) != ann
    assert authority.browsers.visitor(secret) is None
    live = authority.live(table)
    assert (live.host, live.seats_of(anew), live.seats_of(ann)) == (anew, [0], [])
    assert [one.name for one in tokens.made_by(authority, anew)] == ["Robot"]
    assert [one.id for one in groups.groups_of(authority, anew)] == [group.id]
    with pytest.raises(NotFound):
        devices.redeem(authority, opening, BO)
    with pytest.raises(Forbidden):
        authority.browsers.renew(secret)


def test_another_process_finds_the_old_secret_ended_soon(
    authority: Authority, clock: Clock, reopen: object
) -> None:
    secret, ann = known(authority)
    other: Authority = reopen()  # type: ignore[operator]
    assert other.browsers.visitor(secret) == ann
    authority.browsers.visitor(authority.browsers.renew(secret))
    clock.now += REMEMBERED
    assert other.browsers.visitor(secret) is None


def test_the_same_person_in_a_group_by_both_secrets_is_there_once(authority: Authority) -> None:
    laptop, ann = known(authority)
    phone, bo = known(authority)
    link = groups.create(authority, ann, "Us", "Oma").link
    groups.join(authority, link, bo, member=1)
    assert groups.find(authority, link, ann).members[0].devices == 2
    devices.redeem(authority, devices.create_link(authority, laptop), bo)
    assert groups.find(authority, link, ann).members[0].devices == 1
    assert phone


def test_a_browser_that_is_known_stays_so_while_the_database_is_away(
    authority: Authority, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, ann = known(authority)
    assert authority.browsers.visitor(secret) == ann
    clock.now += REMEMBERED

    def away(*_: object) -> None:
        raise Unavailable

    monkeypatch.setattr(authority.store, "row", away)
    assert authority.browsers.visitor(secret) == ann
    with pytest.raises(Unavailable):
        authority.browsers.visitor(fresh_secret())


def test_browsers_whose_cookie_has_expired_are_forgotten(
    authority: Authority, clock: Clock
) -> None:
    secret, _ = known(authority)
    lobby.open_table(authority, BO, "toy", ["me", "random"])
    clock.now += OUTLIVED + 1
    authority.sweep()
    assert authority.browsers.visitor(secret) is None
    assert list(authority.store.column(schema.browsers.c.id)) == []
