"""Forms, read strictly: what is not UTF-8 or not a form is refused, not repaired."""

from urllib.parse import parse_qsl

from starlette.requests import Request

from diablerie.engine.text import say
from diablerie.web.errors import Refused

FIELDS = 64
KIND = "application/x-www-form-urlencoded"


class Form(dict[str, str]):
    """The fields of a form by name."""

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from a field, held between `low` and `high`. Raises Refused."""
        text = self.get(name, "").strip() or str(default)
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise Refused(422, say("“{text}” is not a whole number.", text=text[:40]))
        return min(max(int(text), low), high)


async def read(request: Request) -> Form:
    """The form a request brings. Raises Refused."""
    body = await request.body()
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != KIND:
        raise Refused(415, say("A form is expected, sent as {kind}.", kind=KIND))
    return Form(_pairs(body))


def _pairs(body: bytes) -> list[tuple[str, str]]:
    try:
        pairs = parse_qsl(
            body.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=FIELDS
        )
    except ValueError:
        raise Refused(400, say("This form cannot be read: it is not UTF-8.")) from None
    if len({name for name, _ in pairs}) != len(pairs):
        raise Refused(400, say("This form has a field twice."))
    return pairs
