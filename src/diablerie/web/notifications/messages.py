"""The texts of notifications. They contain a table's game, its players and its address only."""

from collections.abc import Mapping, Sequence

from diablerie.engine.text import say, says
from diablerie.table.commands.subscriptions import Hook, Push
from diablerie.table.state.table_state import TableState
from diablerie.web.html.speech import Speech
from diablerie.web.people import language

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
