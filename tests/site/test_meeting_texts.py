"""What is said at a meeting point, by the site's own scripts, without Python: who hears what, and from whom.

Somebody means harm who serves the point, or has the link, or both.
"""

import json
import random
from collections.abc import Callable

import pytest
import segno
from playwright.sync_api import BrowserContext, Page
from segno import encoder

from tests.site.meeting_point import Point
from tests.site.test_channels import (  # noqa: F401 (fixtures)
    HOST,
    VERSION,
    WAITED,
    at,
    browser_of,
    folder_of,
    hosting,
    port,
)

pytestmark = [pytest.mark.browser, pytest.mark.ci, pytest.mark.xdist_group("channels")]
HOSTILE = 10_000  # texts
# a door of a host for a link; about: room and key, made if there are none
OPENED = """async ([point, version, about]) => {
  const meeting = await import("./meeting.js");
  about ??= meeting.newRoom();
  const room = new meeting.Room(point, about);
  window.door = new meeting.Door({ room, host, version, away: new Set(), welcome: async () => "/t/here" });
  door.listen();
  return [about.room, about.key, await host.fingerprint()].join("~");
}"""
ENTERED = """async ([point, version, link]) => {
  const meeting = await import("./meeting.js");
  const about = meeting.readLink(link);
  window.told = [];
  window.room = new meeting.Room(point, about);
  window.found = undefined;
  const { fingerprint } = about;
  const come = meeting.entered({ room, fingerprint, by: "Ann", version, told: (what) => told.push(what) });
  come.then((one) => (window.found = one ? one.path : "nobody"), ({ message }) => (window.found = message));
}"""


@pytest.fixture(scope="module")
def point() -> Point:  # type: ignore[misc]
    made = Point()
    yield made
    made.stop()


def run(page: Page, script: str, *given: object) -> object:
    return page.evaluate(script.replace('"./', f'"{folder_of(page)}'), *given)


def opens(page: Page, point: Point, about: dict[str, str] | None = None) -> str:
    return str(run(page, OPENED, [point.address, VERSION, about]))


def enters(page: Page, point: Point, link: str, version: str = VERSION) -> None:
    run(page, ENTERED, [point.address, version, link])


def test_a_guest_goes_to_the_host_of_the_link_and_to_no_other_who_has_it(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
    point: Point,
) -> None:
    host, thief, guest = hosting(at(browser_of())), hosting(at(browser_of())), at(browser_of())
    link = opens(host, point)
    host.evaluate("door.close()")
    room, key, own = link.split("~")
    opens(thief, point, {"room": room, "key": key})
    enters(guest, point, link)
    thief.evaluate(
        WAITED, "door.people().length === 1"
    )  # it has heard the guest, and made an offer
    thief.evaluate(
        """async (own) => {
          const mine = await host.fingerprint();
          const invite = host.invite.bind(host);
          host.invite = async (...given) => (await invite(...given)).replace(mine, own);
        }""",
        own,
    )
    guest.evaluate(WAITED, "told.length")
    assert guest.evaluate("window.found") is None
    # an offer with the fingerprint of the host, by who has not its key
    lying, led = at(browser_of()), opens(thief, point).split("~")
    enters(lying, point, "~".join([*led[:2], own]))
    lying.evaluate(WAITED, "told.includes('apart')")
    assert lying.evaluate("window.found") is None
    assert thief.evaluate("heard.filter(({ who }) => who)") == []
    opens(host, point, {"room": room, "key": key})
    guest.evaluate(WAITED, "window.found")
    assert guest.evaluate("window.found") == "/t/here"
    assert len(host.evaluate("heard.filter(({ who }) => who)")) == 1


def test_what_a_text_says_is_bound_to_its_room_its_role_and_what_it_answers(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
) -> None:
    page = at(browser_of())
    found = run(
        page,
        """async () => {
          const { Room, newRoom } = await import("./meeting.js");
          const about = newRoom();
          const wrong = [{ ...about, room: newRoom().room }, { ...about, key: newRoom().key }];
          const [room, other, locked] = [about, ...wrong].map((one) => new Room("", one));
          const text = await room.sealed("hello", "guest", "before");
          const said = [
            await room.opened(text, "guest", "before"), await room.opened(text, "host", "before"),
            await room.opened(text, "guest", ""), await other.opened(text, "guest", "before"),
            await locked.opened(text, "guest", "before"),
          ];
          for (let at = 0; at < text.length - 1; at += 1) {
            const spoilt = text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);
            said.push(await room.opened(spoilt, "guest", "before"));
          }
          return [said, text !== (await room.sealed("hello", "guest", "before"))];
        }""",
    )
    (first, *rest), differs = found  # type: ignore[misc]
    assert first == "hello"
    assert set(rest) == {None}
    assert len(rest) > 40
    assert differs


@pytest.mark.parametrize(
    "said",
    [
        '"not JSON', "[]", "null", "{}", '{"last": -1, "texts": []}', '{"last": 1e99, "texts": []}',
        '{"last": "1", "texts": []}', '{"last": 1, "texts": {}}', "<html>", "", "x" * 600_000,
    ],
)  # fmt: skip
def test_a_point_that_speaks_otherwise_does_not_answer(
    said: str,
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
) -> None:
    asks = """async (said) => {
      const { Room, newRoom } = await import("./meeting.js");
      window.fetch = async () => new Response(said);
      return new Room("", newRoom()).next().then(() => "heard", () => "unheard");
    }"""
    assert run(at(browser_of()), asks, said) == "unheard"


def test_of_what_a_point_says_texts_are_read_and_not_too_many(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
) -> None:
    asks = """async (said) => {
      const { Room, newRoom } = await import("./meeting.js");
      window.fetch = async () => new Response(JSON.stringify(said));
      return new Room("", newRoom()).next();
    }"""
    strange = [None, 5, ["A"], {"A": "B"}, "", "ä", "a b", "A" * 5000]
    found = run(at(browser_of()), asks, {"last": 7, "texts": [*strange, *["ok"] * 100]})
    assert found == ["ok"] * 64


def test_ten_thousand_texts_of_a_point_and_a_guest_who_mean_harm_change_nothing_at_the_host(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
    point: Point,
) -> None:
    host, ann = hosting(at(browser_of())), at(browser_of())
    enters(ann, point, opens(host, point))
    ann.evaluate(WAITED, "window.found === '/t/here'")
    complaints = list[str]()
    host.on("pageerror", lambda error: complaints.append(str(error)))
    most = run(
        host,
        """async ([count, version]) => {
          const { Room } = await import("./meeting.js");
          let seed = 20261128;
          const dice = (below) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % below;
          const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
          const word = (length) => Array.from({ length }, () => letters[dice(64)]).join("");
          const seen = []; // what lies in the room: the host's own texts, too
          const put = door.room.put;
          door.room.put = async (text) => void seen.push(text);
          const mine = (length) => `${word(8)}~${word(4)}~${word(22)}~${word(length)}~192.0.2.9_9`;
          const plain = () => [
            () => "", () => "null", () => JSON.stringify({ by: word(3000) }), () => '{"by": {}}',
            () => `${version}~${mine(43)}`, () => mine(43), () => mine(42), () => word(2000),
            () => '{"by": "<b>\\u202e"}', () => "away",
          ][dice(10)]();
          const made = async () => {
            const kind = dice(5);
            if (kind === 0) return word(1 + dice(4000));
            if (kind === 1 && seen.length) return seen[dice(seen.length)];
            const answered = kind === 2 && seen.length ? seen[dice(seen.length)] : "";
            return door.room.sealed(plain(), ["guest", "host", "nobody"][dice(3)], answered);
          };
          let most = 0;
          door.room.texts = async function* () {
            for (let k = 0; k < count; k += 1) {
              const text = await made();
              seen.push(text);
              if (seen.length > 60) seen.shift();
              most = Math.max(most, door.people().length);
              yield text;
            }
          };
          const asked = [...heard];
          await door.listen();
          door.room.put = put;
          if (heard.length !== asked.length) throw new Error(JSON.stringify(heard.slice(asked.length)));
          if (door.people().some(({ by }) => by.length > 24 || /\\p{C}/u.test(by))) throw new Error("a name");
          return most;
        }""",
        [HOSTILE, VERSION],
    )
    assert 1 < int(most) <= 1 + 8  # type: ignore[call-overload]
    assert complaints == []
    assert host.evaluate("host.guests") == 1  # and she goes on
    assert len(host.evaluate("heard.filter(({ who }) => who)")) == 1


def test_ten_thousand_texts_of_a_point_and_a_guest_who_mean_harm_lead_a_guest_nowhere(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
) -> None:
    """Whoever has the key may speak as the host, and refuse; the guest does not connect to anybody."""
    guest = at(browser_of())
    complaints = list[str]()
    guest.on("pageerror", lambda error: complaints.append(str(error)))
    found = run(
        guest,
        """async ([count, version]) => {
          const { Room, newRoom, entered } = await import("./meeting.js");
          let seed = 20261129;
          const dice = (below) => ((seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) >>> 8) % below;
          const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
          const word = (length) => Array.from({ length }, () => letters[dice(64)]).join("");
          let made = 0;
          const Real = RTCPeerConnection;
          window.RTCPeerConnection = function (...given) { made += 1; return new Real(...given); };
          const room = new Room("", newRoom());
          const seen = [];
          let said;
          const asked = new Promise((known) => (said = known));
          room.put = async (text) => (seen.push(text), said());
          const offer = () => `${version}~${word(8)}~${word(4)}~${word(22)}~${word(43)}~192.0.2.9_9`;
          const plain = () => [
            () => "", () => "away", () => offer(), () => offer().slice(13), () => word(900),
            () => '{"welcome": "//evil"}',
          ][dice(6)]();
          room.texts = async function* () {
            await asked;
            for (let k = 0; k < count; k += 1) {
              const kind = dice(4);
              const answered = seen[dice(seen.length)];
              const role = ["host", "guest"][dice(2)];
              const text = [
                () => word(1 + dice(3000)), () => answered, () => room.sealed(plain(), role, seen[0]),
                () => room.sealed(plain(), role, answered),
              ][kind]();
              seen.push(await text);
              if (seen.length > 60) seen.splice(1, 1);
              yield text;
            }
            room.close();
          };
          const fingerprint = word(43);
          const one = await entered({ room, fingerprint, by: "Ann", version, told: () => {} });
          return [one, made];
        }""",
        [HOSTILE, VERSION],
    )
    assert found == [None, 0]
    assert complaints == []


def test_a_guest_of_another_version_and_one_who_was_sent_away_are_told(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
    point: Point,
) -> None:
    host, ann, bob = hosting(at(browser_of())), at(browser_of()), at(browser_of())
    link = opens(host, point)
    enters(bob, point, link, "ba9876543210")
    bob.evaluate(WAITED, "window.found === 'differs'")
    enters(ann, point, link)
    ann.evaluate(WAITED, "window.found === '/t/here'")
    host.evaluate("door.sendAway(door.people().find(({ here }) => here).who)")
    assert host.evaluate("host.guests") == 0
    enters(ann, point, link)
    ann.evaluate(WAITED, "window.found === 'away'")
    enters(bob, point, link)
    bob.evaluate(WAITED, "window.found === '/t/here'")


def test_a_code_has_the_modules_that_another_writer_gives_it(
    browser_of: Callable[[], BrowserContext],  # noqa: F811
    at: Callable[..., Page],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # segno fills one byte too many where the text ends with a byte (ISO/IEC 18004, 7.4.10)
    fill = lambda bits, _, length: bits.extend([0] * (-length % 8))  # noqa: E731
    monkeypatch.setattr(encoder, "write_padding_bits", fill)
    dice = random.Random(20261128)
    page = at(browser_of())
    for size in (1, 14, 15, 26, 84, 106, 152, 213, 214, 250, 331, 412, 644, 1370, 2331):
        text = "ö" * (size > 50) + "".join(
            dice.choices("abcXYZ019~_-./#=&", k=size - 2 * (size > 50))
        )
        for mask in range(8) if size < 300 else (dice.randrange(8),):
            mine = run(
                page,
                'async ([text, mask]) => (await import("./qr.js")).encoded(text, mask)',
                [text, mask],
            )
            code = segno.make(
                text.encode(), error="m", mode="byte", mask=mask, micro=False, boost_error=False
            )
            assert mine == [list(row) for row in code.matrix], (size, mask)
    chosen = run(
        page, 'async (text) => (await import("./qr.js")).encoded(text)', json.dumps([1] * 99)
    )
    assert len(chosen) == len(chosen[0]) == 69  # type: ignore[arg-type, index]
    too_long = 'async () => (await import("./qr.js")).encoded("x".repeat(2332)).length'
    with pytest.raises(Exception, match="too long"):
        run(page, too_long)
