"""Messages: what they say, and how they are sent.

They go to one browser, encrypted (web push), or as JSON to a webhook. They contain a table's game, its
players and its address only. Push services know this server by a key (VAPID, RFC 8292), which is made
once and kept in a file.
"""

import base64
import logging
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import platformdirs

from diablerie.engine.text import say, says
from diablerie.table import outbound
from diablerie.table.commands.subscriptions import Hook, Push, key_bytes
from diablerie.table.errors import BadInput
from diablerie.table.outbound import Courier, Undelivered
from diablerie.table.state.table_state import TableState
from diablerie.table.storage.database import at_home, tighten
from diablerie.web.html.speech import Speech
from diablerie.web.people import language

# -- what they say ---------------------------------------------------------------------------------

MESSAGE_ESCAPES = str.maketrans(
    {"@": "＠", "<": "‹", ">": "›", "&": "＆"}
)  # characters that start mentions and markup in chat programs
Deadlines = Sequence[float | None]


def message_speech(locale: str) -> Speech:
    """The `Speech` of a language; English if the language does not exist (any more)."""
    return Speech(language.texts(locale if locale in language.available() else language.SOURCE))


def push_message(push: Push, tables: Sequence[TableState]) -> dict[str, object]:
    """The message to a browser: one for all tables where its user is to decide."""
    tell = message_speech(push.language).plain
    count = len(tables)
    one = say("{game} waits for you.", game=tables[0].game.title)
    many = says("{n} table waits for you.", "{n} tables wait for you.", count)
    return {
        "title": tell(say("Your turn")),
        "body": tell(one if count == 1 else many),
        "url": f"/t/{tables[0].id}" if count == 1 else "/",
        "count": count,
    }


def turn_message(
    hook: Hook, live: TableState, seats: Sequence[int], due: Deadlines
) -> Mapping[str, object]:
    """The message to a webhook: whose turn it is, and their deadlines (Unix time)."""
    tell = message_speech(hook.language).plain
    names = [tell(live.name(seat)).translate(MESSAGE_ESCAPES) for seat in seats]
    line = say("{game}: waiting for {names}.", game=live.game.title, names=", ".join(names))
    waiting = [
        {"seat": seat, "name": name, "due": due[seat]}
        for seat, name in zip(seats, names, strict=True)
    ]
    return _event("turn", hook, live, tell(line)) | {"seats": waiting}


def webhook_greeting(hook: Hook, live: TableState) -> Mapping[str, object]:
    """The first message to a new webhook."""
    line = say("{game}: this table will send its notifications here.", game=live.game.title)
    return _event("hello", hook, live, message_speech(hook.language).plain(line))


def _event(kind: str, hook: Hook, live: TableState, line: str) -> dict[str, object]:
    url = f"{hook.home}/t/{live.id}"
    text = f"{line} {url}"
    return {
        "type": kind,
        "table": live.id,
        "url": url,
        "game": live.game.name,
        "ply": live.ply,
        "text": text,  # where Slack, Mattermost and Zulip look
        "content": text,  # where Discord looks
        "allowed_mentions": {"parse": []},
    }


# -- how they are sent -----------------------------------------------------------------------------

if TYPE_CHECKING:
    from py_vapid import Vapid

log = logging.getLogger(__name__)
KEY_FILE_ENDING = ".push.pem"
PUSH_KEY = "DIABLERIE_PUSH_KEY"
PEM = b"PRIVATE KEY-----"
PUSH_LIFE_SECONDS = 24 * 3600
SUCCESS_STATUSES = range(200, 300)  # the statuses of success
GONE_STATUSES = (404, 410)  # the statuses of a subscription that has ended


def key_file(database: Path | None) -> Path:
    """The file of the key: what DIABLERIE_PUSH_KEY names, else one beside the database.

    Raises ValueError, with a sentence, if what is named is there and holds no key.
    """
    if named := os.environ.get(PUSH_KEY, ""):
        path = Path(at_home(named))
        if path.exists() and not _holds_key(path):
            raise ValueError(
                f"{PUSH_KEY}={named}: this holds no key: name the file that a server has made, or "
                "one that is not there yet"
            )
        return path
    if database is None:
        return Path(platformdirs.user_data_dir("diablerie")) / f"server{KEY_FILE_ENDING}"
    return database.with_name(database.name + KEY_FILE_ENDING)


def _holds_key(path: Path) -> bool:
    """Whether a file looks like a key; to read it as one takes long. Raises OSError."""
    return path.is_file() and PEM in path.read_bytes()


class Keys:
    """The VAPID key, in a file that only its owner may read. Imports its libraries when used."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def make(self) -> None:
        """Make the key, unless there is one. Raises OSError."""
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import ec

        if self._path.exists():
            tighten(self._path)
            return
        pem = ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        self._path.parent.mkdir(parents=True, exist_ok=True)
        half = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(pem)
        try:
            os.link(half, self._path)
        except FileExistsError:  # another process was first
            pass
        finally:
            half.unlink()

    @cached_property
    def private(self) -> "Vapid":
        """The private key. Raises OSError, and ValueError if the file holds no key."""
        from py_vapid import Vapid

        self.make()
        return Vapid.from_pem(self._path.read_bytes())

    @cached_property
    def public(self) -> str:
        """The public key in base64url, as the browser's push API takes it."""
        from cryptography.hazmat.primitives import serialization

        point = self.private.public_key.public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


class SubscriptionGone(Exception):
    """A push subscription that has ended."""


def push(courier: Courier, keys: Keys, to: Push, message: Mapping[str, object], now: float) -> None:
    """Send a message to a browser. now: Unix time. Raises SubscriptionGone, Undelivered."""
    try:
        address = outbound.parse_address(to.endpoint)
        body = encrypted(to, msgspec.json.encode(message))
    except (BadInput, ValueError) as error:
        raise SubscriptionGone from error
    who = to.home if to.home.startswith("https://") else "mailto:nobody@localhost"
    # VAPID (RFC 8292): audience, expiry, subject
    claims = {"aud": address.origin, "exp": int(now) + PUSH_LIFE_SECONDS // 2, "sub": who}
    headers = {
        **keys.private.sign(claims),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(PUSH_LIFE_SECONDS),
        "Topic": "turn",  # a newer message replaces one that still waits
        "Urgency": "normal",
    }
    status = courier.post(address, body, headers)
    if status in GONE_STATUSES:
        raise SubscriptionGone
    if status not in SUCCESS_STATUSES:
        raise Undelivered(f"the push service answered {status}")


def encrypted(to: Push, message: bytes) -> bytes:
    """A message that only this browser can read (RFC 8291). Raises ValueError for bad keys."""
    import http_ece
    from cryptography.hazmat.primitives.asymmetric import ec

    once = ec.generate_private_key(ec.SECP256R1())
    secret = key_bytes(to.auth)
    try:
        sealed = http_ece.encrypt(
            message, private_key=once, dh=key_bytes(to.p256dh), auth_secret=secret
        )
    except http_ece.ECEException as error:
        raise ValueError(str(error)) from error
    return bytes(sealed)


def post(courier: Courier, url: str, message: Mapping[str, object]) -> bool:
    """Send JSON to a webhook; return whether it was accepted."""
    try:
        body = msgspec.json.encode(message)
        kind = {"Content-Type": "application/json"}
        status = courier.post(outbound.parse_address(url), body, kind)
    except (BadInput, Undelivered) as error:
        log.info("a webhook could not be told: %s", error)
        return False
    return status in SUCCESS_STATUSES
