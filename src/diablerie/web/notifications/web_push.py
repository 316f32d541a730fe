"""How somebody is told: a push, encrypted for one browser, or JSON for a webhook."""

import logging
from collections.abc import Mapping
from typing import Any

import msgspec

from diablerie.table.commands.subscriptions import Push
from diablerie.table.errors import BadInput
from diablerie.table.outbound import addresses
from diablerie.table.outbound.addresses import Address
from diablerie.table.outbound.https_post import Courier, Undelivered
from diablerie.web.notifications.vapid_keys import Keys

log = logging.getLogger(__name__)
DAY = 24 * 3600
WELL = range(200, 300)
GONE = (404, 410)  # the browser cannot be called any more


class SubscriptionGone(Exception):
    """A browser that cannot be called any more."""


def push(courier: Courier, keys: Keys, to: Push, message: Mapping[str, Any], now: float) -> None:
    """Send a message to a browser at a Unix time. Raises SubscriptionGone, Undelivered."""
    from pywebpush import WebPusher, WebPushException

    info = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    try:
        address = addresses.parse(to.endpoint)
        body = WebPusher(info).encode(msgspec.json.encode(message))["body"]
    except (BadInput, WebPushException, ValueError) as error:
        raise SubscriptionGone from error
    headers = {
        **keys.private.sign(_claims(address, to.home, now)),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(DAY),
        "Topic": "turn",  # a newer one takes the place of one that waits
        "Urgency": "normal",
    }
    status = courier.post(address, body, headers)
    if status in GONE:
        raise SubscriptionGone
    if status not in WELL:
        raise Undelivered(f"the push service answered {status}")


def _claims(address: Address, home: str, now: float) -> dict[str, Any]:
    """Who signs, for whom, and how long it holds."""
    who = home if home.startswith("https://") else "mailto:nobody@localhost"
    return {"aud": address.origin, "exp": int(now) + DAY // 2, "sub": who}


def post(courier: Courier, url: str, message: Mapping[str, Any]) -> bool:
    """Send JSON to a webhook; whether that got through."""
    try:
        body, kind = msgspec.json.encode(message), {"Content-Type": "application/json"}
        status = courier.post(addresses.parse(url), body, kind)
    except (BadInput, Undelivered) as error:
        log.info("a webhook could not be told: %s", error)
        return False
    return status in WELL
