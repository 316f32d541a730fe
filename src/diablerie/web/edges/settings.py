"""Settings that stand in variables alone, checked before the server starts.

All raise ValueError, with a sentence, for what would otherwise have no effect.
"""

import ipaddress
import os
import re
from urllib.parse import urlsplit

HOSTS = "DIABLERIE_HOSTS"
PROXIES = "FORWARDED_ALLOW_IPS"
METRICS = "DIABLERIE_METRICS"
VALID_PORTS = range(1, 65536)
LOOPBACK = "127.0.0.1"
DNS_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*")
ANY_PROXY = "*"  # trusted as a proxy


def own_hosts() -> set[str]:
    """The names in DIABLERIE_HOSTS, as `host_name` has them."""
    named = re.split(r"[\s,]+", os.environ.get(HOSTS, ""))
    return {host_name(text) for text in named if text}


def host_name(text: str) -> str:
    """A host as browsers name it, without scheme and port: devils.example, [fd00::1]."""
    try:
        return f"[{ipaddress.IPv6Address(text).compressed}]"
    except ValueError:
        pass
    try:
        return host_of(text)
    except ValueError:
        raise ValueError(
            f"{HOSTS} has “{text}”, which is no host: give names such as devils.example, with "
            "commas between; other letters than a to z as browsers send them (xn--…)"
        ) from None


def host_of(text: str) -> str:
    """The host of an address without a path, which may lack its scheme. Raises ValueError."""
    parts = urlsplit(text if "://" in text else f"//{text}")
    _ = parts.port  # raises for one that is none
    if parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc:
        raise ValueError(text)
    host = parts.hostname or ""
    if ":" in host:
        return host_name(host)
    name = host.removesuffix(".")
    sent = name.encode("idna").decode()
    # where the old rule changes a letter (ß), browsers follow the new one
    if not DNS_NAME.fullmatch(sent) or not (name.isascii() or sent.encode().decode("idna") == name):
        raise ValueError(text)
    return sent


def trusted_proxies() -> str | list[str]:
    """The addresses and networks in FORWARDED_ALLOW_IPS, or ANY_PROXY."""
    named = [text.strip() for text in os.environ.get(PROXIES, "").split(",")]
    found = [text for text in named if text]
    if found == [ANY_PROXY]:
        return ANY_PROXY
    for text in found:
        try:
            ipaddress.ip_network(text)
        except ValueError:
            raise ValueError(
                f"{PROXIES} has “{text}”, which is no network address: give addresses such as "
                "127.0.0.1 or networks such as 10.0.0.0/8, with commas between, or * alone"
            ) from None
    return found


def metrics_address() -> tuple[str, int] | None:
    """The host and port in DIABLERIE_METRICS, written [HOST:]PORT; None if it is not set.

    Without a host it is this machine alone.
    """
    setting = os.environ.get(METRICS, "").strip()
    if not setting:
        return None
    host, _, port = setting.rpartition(":")
    if not re.fullmatch("[0-9]{1,5}", port) or int(port) not in VALID_PORTS:
        raise ValueError(
            f"{METRICS}={setting}: no port to listen on: give one from 1 to 65535, such as 9100, "
            "or an address and a port, such as 10.0.0.1:9100"
        )
    return host.strip("[]") or LOOPBACK, int(port)
