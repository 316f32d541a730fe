"""A walk through the house: three browsers and a program, and what is answered to them.

They see every kind of page, press every kind of button, and try what is refused, always with the same
secrets, the same dice and the same time. Kept are all answers in short, and each kind of page as text.
"""

import re
import tempfile
from dataclasses import replace
from datetime import date
from pathlib import Path
from urllib.parse import urlencode

import diablerie
from diablerie.engine.fair import DiceStream
from diablerie.games import ALL
from diablerie.table.commands.tokens import SCOPES, TOKEN_PREFIX
from diablerie.table.state.nonce_exchange import settled
from diablerie.table.state.table_state import (
    BOT,
    FINISHED_TABLE,
    PERSON,
    RUNNING,
    TableSeat,
    TableState,
)
from diablerie.table.state.visitors import visitor_of
from diablerie.table.storage import rows
from tests.daily.challenges import beginning
from tests.web.walking import FIRST, NOW, Walk, same_secrets

GOLDEN = Path(__file__).parent.parent / "games"
CASES = (("coals", 3), ("tails", 4), ("underworld", 3), ("kitchen", 2))


def house(walk: Walk) -> None:
    """What is there without a table."""
    walk.page("landing", "ann", "/")
    walk.page("settings", "ann", "/settings")
    walk.see("ann", "/settings?back=/rules/coals", "/games?page=0")
    walk.page("games-none", "ann", "/games")
    walk.page("kept", "ann", "/kept")
    walk.page("programs", "ann", "/programs")
    walk.page("offline", "ann", "/offline")
    walk.see("ann", "/manifest.webmanifest", "/sw.js", "/healthz")
    walk.page("not-found", "ann", "/nowhere")
    walk.see("ann", "/t/nowhere", "/rules/chess", "/learn/chess")
    walk.see("ann", "/print/chess", "/print/coals?paper=a5", "/print/coals?ground=x")
    walk.see("ann", "/learn/coals?step=x", "/t/nowhere/replay", "/device/nothing")
    for game in ALL.values():
        walk.see("ann", f"/rules/{game.name}", f"/print/{game.name}?paper=letter&ground=0")
        steps = len(game.lesson.steps) if game.lesson else 0
        walk.see("ann", *(f"/learn/{game.name}?step={step}" for step in (1, steps, steps + 1)))
        walk.page(f"lesson-{game.name}", "ann", f"/learn/{game.name}?step={steps // 2 - 1}")
    walk.page("lesson-over", "ann", f"/learn/coals?step={len(ALL['coals'].lesson.steps)}")
    walk.page("rules", "ann", "/rules/coals")
    for locale in ("de", "fr", "ro"):
        walk.see("bo", "/", **{"accept-language": locale})
        walk.page(f"settings-{locale}", "bo", "/settings", **{"accept-language": locale})
    walk.press("bo", "/language", language="fr", back="/settings")
    walk.see("bo", "/", "/settings", "/learn/tails?step=2")
    walk.press("bo", "/language", language="en", back="/nowhere")
    walk.press("bo", "/language", language="tlh", back="https://elsewhere.example/")
    walk.press("bo", "/settings", theme="dark", speed="slow", sound="on", vibration="on", back="/")
    walk.see("bo", "/settings", "/")
    walk.press("bo", "/known", game="coals", back="/")
    walk.press("ann", "/learn/coals", step=1, do="pull")
    walk.press("ann", "/learn/coals", step=1, show="1")
    walk.keep("lesson-refused", walk.call("ann", "/learn/coals", step=3, do="stop"))
    walk.call("ann", "/learn/underworld", step=2, do="nonsense")


def daily(walk: Walk) -> None:
    """The daily challenge: today's, its answer, days that are refused, the archive."""
    walk.page("daily", "ann", "/daily")
    walk.see("ann", "/daily/2023-11-14", "/daily/2023-11-15", "/daily/2023-11-07", "/daily/x")
    walk.see("ann", "/daily/2023-02-30", "/daily/archive?page=2", "/daily/archive?page=x")
    for n in range(6):
        walk.see("ann", f"/daily/2023-11-{8 + n:02}?show=1")
    today = beginning(FIRST).on(date(2023, 11, 14))
    assert today
    answer = walk.press("ann", "/daily/2023-11-14", do=today.actions[1].text)
    walk.page("daily-answer", "ann", answer.headers["location"])
    walk.page("daily-best", "ann", f"/daily/2023-11-14?{urlencode({'do': today.best.text})}")
    walk.press("ann", "/daily/2023-11-14", show=1)
    walk.press("ann", "/daily/2023-11-14")
    walk.call("ann", "/daily/2023-11-14", do="nonsense")
    walk.press("ann", "/daily/2023-11-15", do="nonsense")
    walk.page("daily-archive", "ann", "/daily/archive")
    walk.page("daily-de", "bo", "/daily?show=1", **{"accept-language": "de"})


def invitation(walk: Walk) -> str:
    """A table of COALS for friends, from opening to its first stakes; its address."""
    walk.page("friends", "ann", "/friends/coals")
    walk.page("setup", "ann", "/setup/coals")
    walk.see("ann", "/friends/chess", "/setup/chess")
    walk.press("ann", "/tables", game="coals", way="friends")
    walk.press("ann", "/tables", game="coals", here=1, open=9)
    walk.press("ann", "/tables", game="coals", here=1, bots=1, **{"option-goal": "7"})
    walk.press("ann", "/tables", game="chess", way="bots")
    opened = walk.call(
        "ann", "/tables", game="coals", here=1, open=2, names="Ann", bot="archdevil", clock=300,
        hints=1, **{"option-goal": "500", "option-pact": "first_devil"},
    )  # fmt: skip
    table = str(opened.json()["url"])
    walk.page("table-waiting-host", "ann", table)
    walk.see("ann", "/")
    walk.press("ann", f"{table}/publish", public=1)
    walk.see("bo", "/")
    walk.page("table-waiting-guest", "bo", table)
    walk.press("bo", f"{table}/sit", name="Ann")
    walk.press("bo", f"{table}/sit", name="Imp Ash")
    walk.press("bo", f"{table}/sit", name="Bo & Co", seat=1)
    walk.press("cy", f"{table}/rename", seat=0, name="Not me")
    walk.press("bo", f"{table}/rename", seat=1, name="Bo")
    walk.page("table-waiting-seated", "bo", table)
    walk.page("middle-waiting", "cy", f"{table}/screen")
    walk.see("bo", "/", "/games")
    walk.call("bo", f"{table}/chat", text="Good evening <all>!")
    walk.call("ann", f"{table}/chat", text=" ")
    walk.call("cy", f"{table}/chat", text="May I?")
    walk.press("ann", f"{table}/mute", seat=1)
    walk.see("ann", table)
    walk.press("ann", f"{table}/mute", seat=1, hear=1)
    walk.keep("reported", walk.press("ann", f"{table}/report", line=1))
    for line in (1, 7):
        walk.press("ann", f"{table}/report", line=line)
    walk.press("cy", f"{table}/fill")
    walk.press("ann", f"{table}/fill", bot="imp")
    walk.page("table-first-turn", "ann", table)
    walk.see("ann", f"{table}/log")
    walk.page("table-watched", "cy", table)
    walk.page("middle-running", "cy", f"{table}/screen")
    for who, on in (("bo", "1"), ("ann", "1"), ("ann", "")):
        walk.press(who, f"{table}/screen", on=on)
    walk.see("cy", "/")
    walk.ask("ann", f"{table}.json", f"{table}/frame", f"{table}/frame?have=1")
    for bad in ("bet 5", "bet 9990", "stop", "?"):
        walk.decide("ann", table, bad, 0)
        walk.press("ann", f"{table}/decide", seat=0, ply=0, do=bad)
    walk.decide("cy", table, "bet 10", 0)
    walk.call("ann", f"{table}/decide", seat=0, ply=99, do="bet 10")
    walk.decide("ann", table, "bet 50", 0)
    walk.keep("table-refused", walk.press("ann", f"{table}/decide", seat=0, ply=0, do="bet 50"))
    walk.decide("bo", table, "bet 60", 1)
    walk.see("ann", table)
    walk.see("bo", table, "/")
    return table


def comings_and_goings(walk: Walk, table: str) -> None:
    """Seats that change hands, and the end."""
    for who, what in (("bo", "link"), ("cy", "link"), ("ann", "relieve_bot"), ("ann", "free")):
        answer = walk.press(who, f"{table}/{what}", seat=1)
        if found := re.search(r"/t/[\w-]+/claim/[\w-]+", answer.text):
            walk.keep("seat-link", answer)
            walk.page("claim", "cy", found[0])
            walk.see("cy", f"{found[0]}x")
            walk.press("cy", found[0])
            walk.press("cy", found[0])
            walk.see("cy", table)
            walk.see("bo", table)
            walk.press("bo", f"{table}/return_seat", seat=1)
    walk.press("ann", f"{table}/take_back", seat=0, ply=1)
    walk.press("ann", f"{table}/hook", url="http://127.0.0.1/")
    walk.press("ann", f"{table}/give_to_bot", seat=0)
    walk.press("ann", f"{table}/hand_over", seat=0)
    walk.see("ann", table)
    walk.press("ann", f"{table}/relieve_bot", seat=0)
    walk.press("ann", f"{table}/leave", seat=0)
    walk.press("bo", f"{table}/resign", seat=1)
    walk.press("ann", f"{table}/resign", seat=0)
    walk.page("table-resigned", "ann", table)
    walk.page("middle-over", "cy", f"{table}/screen")
    walk.see("ann", f"{table}/replay", f"{table}/match.jsonl", "/")
    walk.page("games", "ann", "/games")
    walk.press("bo", f"{table}/rematch")
    walk.see("ann", table)
    walk.press("cy", f"{table}/delete_table")
    linked = walk.press("ann", "/games/link")
    walk.keep("games-link", linked)
    if found := re.search(r"/device/[\w-]+", linked.text):
        walk.page("device", "cy", found[0])
        walk.press("cy", found[0])
        walk.see("cy", "/games")
    walk.press("ann", f"{table}/delete_table")
    walk.see("ann", table, "/games")
    walk.press("bo", "/forget")
    walk.see("bo", "/")


def one_screen(walk: Walk) -> None:
    """Two at one device, who must not see each other's stake; a plan of many moves."""
    opened = walk.call("cy", "/tables", game="coals", here=2, names="Dee,Eve", bots=1)
    table = str(opened.json()["url"])
    walk.page("screen-covered", "cy", table)
    walk.page("screen-first", "cy", f"{table}?as=0")
    walk.see("cy", f"{table}?as=1", f"{table}?as=2")
    walk.decide("cy", table, "bet 0", 0, **{"as": 0})
    walk.see("cy", table, f"{table}?as=1")
    opened = walk.call("cy", "/tables", game="underworld", here=3, names="Dee,Eve,Flo")
    table = str(opened.json()["url"])
    walk.see("cy", table, f"{table}?as=0&draft=nonsense")
    walk.ask("cy", f"{table}.json?as=0")


def golden(walk: Walk) -> None:
    """Kept matches, once in the middle and once over, as a player and a watcher see them."""
    for game, seats in CASES:
        file = GOLDEN / game / "golden" / f"{game}-{seats}.jsonl"
        for over in (False, True):
            table = laid_out(walk, file, over)
            if not over or game == "coals":
                walk.page(f"{table[3:]}-seat-0", "ann", table)
                walk.page(f"{table[3:]}-watcher", "bo", table)
            else:
                walk.see("ann", table)
                walk.see("bo", table)
            walk.see("bo", f"{table}/log", f"{table}/match.jsonl")
            walk.ask("ann", f"{table}/frame", f"{table}.json")
            walk.see("ann", f"{table}/replay", f"{table}/replay?step=99999")
            walk.press("bo", f"{table}/resign", seat=0)
            walk.press("ann", f"{table}/take_back", seat=0, ply=walk.authority.live(table[3:]).ply)
            if game == "coals" and not over:
                walk.page(f"{table[3:]}-de", "ann", table, **{"accept-language": "de"})
                walk.see("ann", table, **{"accept-language": "fr"})
                walk.see("ann", table, **{"accept-language": "ro"})
            if game == "coals" and over:
                walk.page("replay", "ann", f"{table}/replay?step=20")
                walk.see("ann", f"{table}/replay?step=7&eyes=1")
                walk.see("bo", "/embed/rules/coals")
                walk.page("embedded-replay", "bo", f"/embed/replay/{table[3:]}?step=20")
                walk.press("bo", "/words", words="on", back=f"{table}/replay?step=20")
                walk.see("bo", f"{table}/replay?step=20")
        walk.press("ann", f"{table}/explore", step=5, seat=0, bot="imp")
        walk.press("ann", f"{table}/explore", step=5, seat=0, bot="nobody")
        walk.press("ann", f"{table}/rematch")
    walk.see("ann", "/games", "/games?page=2", "/")


def laid_out(walk: Walk, file: Path, over: bool) -> str:
    """A table with a golden match, whole or half; Ann has the first seat. Its address."""
    match = diablerie.load(file)
    shown = match if over else match.at(match.ply // 2)
    table = f"{file.stem}-{'over' if over else 'half'}"
    ann = visitor_of(walk.people["ann"].cookies["diablerie"])
    infos = (
        TableSeat(0, PERSON, "Ann", ann),
        *(TableSeat(i, BOT, "", None, "imp") for i in range(1, match.seats)),
    )
    fair = DiceStream.seeded(1)
    status = FINISHED_TABLE if over else RUNNING
    live = TableState(
        table, match.game, match.options, status, True, ann, fair.commitment, NOW, infos
    )
    live = settled(live, fair.key)
    walk.store.commit(*rows.created(live, fair.key))
    walk.store.commit(*rows.difference(live, replace(live, match=shown)))
    return f"/t/{table}"


def programs(walk: Walk) -> None:
    """What programs may ask, and what they are refused."""
    walk.press("ann", "/programs", name="Robot", **{"scope-fly": "1"})
    every = {f"scope-{scope}": "1" for scope in SCOPES}
    made = walk.press("ann", "/programs", name="Robot", **every)
    found = re.search(TOKEN_PREFIX + r"[\w-]+", made.text)
    assert found
    token = found[0]
    walk.keep("programs-new-token", made)
    walk.program("GET", "/openapi.json")
    walk.program("GET", "/games")
    for given in ("", "nonsense", token):
        for path in ("/me", "/me/tables", "/tables?game=coals", "/tables/coals-3-over"):
            walk.program("GET", path, given)
    for plan in (["me", "me", "imp"], ["me"], ["me", "emperor"], ["me", "open"]):
        table = walk.program(
            "POST", "/tables", token, game="coals", plan=plan, options={"goal": "300"}
        )
    at = f"/tables/{table['id']}"
    walk.program("POST", f"{at}/sit", token)
    walk.program("POST", f"{at}/fill", token, bot="devil")
    walk.program("POST", f"{at}/fill", token)
    for body in (
        {"ply": 0, "do": "bet 50"},
        {"ply": 0, "do": "fly"},
        {"ply": 9, "do": "bet 1"},
        {},
    ):
        walk.program("POST", f"{at}/decide", token, **body)
    walk.program("GET", at, token)
    for path, body in (
        ("share", {}), ("begin", {}), ("leave", {}), ("chat", {"text": "Beep."}), ("chat", {}),
        ("relieve_bot", {}), ("relieve_bot", {"seat": 1}), ("rematch", {}), ("resign", {"seat": 1}),
        ("resign", {}), ("rematch", {}), ("nothing", {}),
    ):  # fmt: skip
        walk.program("POST", f"{at}/{path}", token, **body)
    walk.program("GET", f"{at}/match.jsonl", token)
    walk.program("DELETE", at, token)
    walk.press("ann", "/programs/revoke", token="nothing")


def walked() -> Walk:
    """The whole of it."""
    with tempfile.TemporaryDirectory() as folder, same_secrets():
        walk = Walk(Path(folder))
        house(walk)
        daily(walk)
        table = invitation(walk)
        comings_and_goings(walk, table)
        one_screen(walk)
        golden(walk)
        programs(walk)
        walk.store.close()
    return walk
