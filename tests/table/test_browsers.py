"""A browser's secret is made by the server alone, and can be renewed: then the old one is nobody's."""

import pytest

from diablerie.table.authority import Authority
from diablerie.table.commands import browsers, groups, lobby
from diablerie.table.commands.browsers import OUTLIVED, REMEMBERED_SECONDS
from diablerie.table.errors import Forbidden, NotFound, Unavailable
from diablerie.table.state.turn_clock import DAY_SECONDS
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


def linked(authority: Authority, owner: Visitor) -> str:
    """The secret of a new device of a visitor."""
    secret, visitor = known(authority)
    return browsers.redeem(authority, visitor, browsers.create_link(authority, owner), secret)


def test_a_renewed_secret_keeps_everything_and_ends_all_others(
    authority: Authority, clock: Clock
) -> None:
    secret, ann = known(authority)
    table = seated(authority, ann, BO)
    phone = linked(authority, ann)
    opening = browsers.create_link(authority, ann)
    fresh = authority.browsers.renew(secret)
    assert authority.browsers.visitor(secret) == ann, "until the new one is shown"
    assert authority.browsers.visitor(fresh) == ann
    assert authority.browsers.visitor(secret) is None
    assert authority.browsers.visitor(phone) is None
    assert authority.live(table).seats_of(ann) == [0]
    assert len(authority.browsers.of(fresh)) == 1
    with pytest.raises(NotFound):
        browsers.redeem(authority, BO, opening)
    with pytest.raises(Forbidden):
        authority.browsers.renew(secret)


def test_one_device_is_locked_out_and_the_others_stay(authority: Authority, clock: Clock) -> None:
    laptop, ann = known(authority)
    phone, tablet = linked(authority, ann), linked(authority, ann)
    clock.now += DAY_SECONDS + 1
    assert {authority.browsers.visitor(one) for one in (laptop, phone, tablet)} == {ann}
    found = authority.browsers.of(laptop)
    assert [one.here for one in found].count(True) == 1
    assert {one.seen for one in found} == {clock.now}
    lost = next(one.code for one in authority.browsers.of(phone) if one.here)
    stranger, _ = known(authority)
    for asking in (stranger, phone, fresh_secret()):
        with pytest.raises(NotFound):
            authority.browsers.lock_out(asking, lost)
    for code in ("", "%", lost[:-1]):
        with pytest.raises(NotFound):
            authority.browsers.lock_out(laptop, code)
    authority.browsers.lock_out(laptop, lost)
    assert authority.browsers.visitor(phone) is None
    assert {authority.browsers.visitor(one) for one in (laptop, tablet)} == {ann}
    assert len(authority.browsers.of(tablet)) == 2
    assert authority.browsers.of(phone) == []


def test_the_other_devices_of_a_browser_come_along(authority: Authority) -> None:
    laptop, ann = known(authority)
    phone, bo = known(authority)
    tablet = linked(authority, bo)
    fresh = browsers.redeem(authority, bo, browsers.create_link(authority, ann), phone)
    assert {authority.browsers.visitor(one) for one in (laptop, tablet, fresh)} == {ann}
    assert authority.browsers.visitor(phone) is None
    assert len(authority.browsers.of(laptop)) == 3


def test_another_process_finds_the_old_secret_ended_soon(
    authority: Authority, clock: Clock, reopen: object
) -> None:
    secret, ann = known(authority)
    other: Authority = reopen()  # type: ignore[operator]
    assert other.browsers.visitor(secret) == ann
    authority.browsers.visitor(authority.browsers.renew(secret))
    clock.now += REMEMBERED_SECONDS
    assert other.browsers.visitor(secret) is None


def test_the_same_person_in_a_group_by_both_secrets_is_there_once(authority: Authority) -> None:
    _, ann = known(authority)
    _, bo = known(authority)
    link = groups.create(authority, ann, "Us", "Oma").link
    groups.join(authority, link, bo, member=1)
    assert groups.find(authority, link, ann).members[0].devices[1:]
    browsers.redeem(authority, bo, browsers.create_link(authority, ann))
    assert not groups.find(authority, link, ann).members[0].devices[1:]


def test_a_browser_that_is_known_stays_so_while_the_database_is_away(
    authority: Authority, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret, ann = known(authority)
    assert authority.browsers.visitor(secret) == ann
    clock.now += REMEMBERED_SECONDS

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
