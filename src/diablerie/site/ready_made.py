"""What of the site is there before Python runs: the landing page, the rules and first boards.

They are the pages that the server would send; a board stands still until Python runs. The landing
page in English is the site's own page, `index.html`; all of them lie in `pages/LANGUAGE`. The rules
can be read without any script, too; the others are compressed, whatever a host does.

What a link to a page shows where it is sent (title, sentence and picture) has absolute addresses, so a
site has it only if it is told its own. `enter.js` leads from such a page into the site.
"""

import asyncio
import gzip
import json
import re
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode

from diablerie.art import devil
from diablerie.art.svg import Svg
from diablerie.engine.game import Game
from diablerie.engine.text import Line, say
from diablerie.engine.verbs import WATCHER
from diablerie.games import ALL, OURS
from diablerie.site.packages import DEFLATED
from diablerie.site.pages import Pages
from diablerie.web.html import assets, previews, templates
from diablerie.web.html.previews import Card
from diablerie.web.html.speech import speech_for
from diablerie.web.people.language import available, texts
from diablerie.web.routes.landing import REEL_GAME
from diablerie.web.routes.notifications import web_app

# -- what a link to a page shows -------------------------------------------------------------------

CARD_LETTERS = 24  # of a line of the sentence beside a picture
CARD_LINES = 7  # of that sentence


class Link(NamedTuple):
    """A page to be sent: its file in a language's folder, its address in the site, what it shows."""

    language: str
    file: str
    route: str
    title: Line
    sentence: Line
    game: Game
    picture: Svg | None = None


def house_link(language: str) -> Link:
    """The landing page."""
    sentence = say(
        "Devil games, most of them long out of print. Play them on one screen, with friends or "
        "against devils."
    )
    return Link(language, "", "/", Line("diablerie", {}), sentence, OURS[0])


def linked_pages(games: Sequence[Game], language: str) -> Iterator[Link]:
    """The pages that have previews beside the landing page."""
    for game in games:
        name = game.name
        title = game.title
        view = game.ui.look(game.start(game.seats[-1]), WATCHER)
        board = Svg(game.ui.draw(view, [], speech_for(language).plain))
        rules = say("Rules of {game}", game=title)
        file = f"rules-{name}.html"
        yield Link(language, file, f"/rules/{name}", rules, game.tagline, game, board)
        if game.lesson:
            learn = say("Learn {game}", game=title)
            sentence = say("Learn it by playing, step by step.")
            file = f"learn-{name}.html"
            poster = devil.poster(game.poster)
            yield Link(language, file, f"/learn/{name}", learn, sentence, game, poster)
    sentence = say("One position every day, for everybody. What would you do?")
    yield Link(language, "daily.html", "/daily", say("Daily challenge"), sentence, games[0])


def with_card(folder: Path, address: str, link: Link, page: str) -> str:
    """The page with its preview, whose picture is written. address: the site's."""
    language = link.language
    plain = speech_for(link.language).plain
    title = plain(link.title)
    sentence = plain(link.sentence)
    file = f"previews/{language}-{Path(link.file).stem or 'index'}.png"
    lines = textwrap.wrap(sentence, CARD_LETTERS)[:CARD_LINES]
    (folder / "previews").mkdir(parents=True, exist_ok=True)
    picture = previews.house_preview(link.game, title, lines, link.picture)
    (folder / file).write_bytes(picture)
    place = f"pages/{language}/{link.file}" if link.file else ""
    card = Card(title, sentence, address + place, address + file, title)
    template = templates.environment(language).get_template("parts/card.html")
    return page.replace("</head>", f"{template.render(card=card)}\n</head>", 1)


# -- the pages -------------------------------------------------------------------------------------

SITE_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'"
)
SITE_SENTENCES = {  # what the site may say, by its name in `shell.js`
    "waiting": say("The devils are waking up: in a moment you can play, here in your browser."),
    "later": say("Just a moment: what you chose opens as soon as the devils are awake."),
    "unable": say("This browser lacks WebAssembly, so it cannot play here; the rules can be read."),
    "failed": say("The games could not be started. Reload the page to try again."),
    "damaged": say(
        "The file {file} is damaged, or of another version. Reload the page; if that does not help,"
        " the whole folder has to be copied to its host again.",
        file="{file}",
    ),
    "loaded": say("{done} of {whole} MB", done="{done}", whole="{whole}"),
    "elsewhere": say("The games are open in another window of this browser."),
    "here": say("Play here"),
    "stopped": say("The devils have stopped. Reload the page to go on; your decisions are kept."),
    "reload": say("Reload"),
    "offline": say("From now on the games open without a network, too."),
    "close": say("Close"),
    "install": say("The site can be installed like an app, and then opens from the home screen."),
    "installation": say("Install"),
    "aside": say(
        "Some of what is stored here cannot be read: it is damaged, or of another version. It was set"
        " aside, not deleted."
    ),
    "invitation": say("Invite a friend"),
    "newer": say(
        "There is a newer version of the games. Reload this page first: else friends who come cannot"
        " join."
    ),
    "everybody": say("Everybody you want to play with opens this link, or scans the code."),
    "somebody": say("Somebody"),
    "coming": say("{name} is coming …", name="{name}"),
    "present": say("{name} is here.", name="{name}"),
    "away": say("Send away"),
    "renew": say("Another link"),
    "renewed": say("From now on only this link lets anybody in; whoever is here stays."),
    "unmet": say("The meeting point does not answer now, so each friend gets a link of their own."),
    "insecure": say("Over plain http there is no link for all: each friend gets one of their own."),
    "local": say(
        "If this device asks whether it may look for others in the local network, allow it: else the"
        " phones do not find each other."
    ),
    "first": say("Your friend opens this link, or scans the code with the camera."),
    "second": say(
        "Your friend's device then shows a code: scan it with this phone's camera. Or your friend sends"
        " you the answer: open its link here, or paste it."
    ),
    "open": say(
        "Keep this page open: this phone is the server. Play in one Wi-Fi, or over a phone's hotspot."
    ),
    "send": say("Send"),
    "copy": say("Copy"),
    "copied": say("Copied"),
    "connecting": say("Connecting …"),
    "used": say("This invitation has been used, or is of another evening: invite again."),
    "own": say(
        "This is an invitation, not an answer: your friend opens it and sends you the answer."
    ),
    "unlinked": say("The connection could not be begun: invite again."),
    "unconnected": say("This browser lets no devices join directly (WebRTC is missing)."),
    "hosting": say("Friends are playing here. Open that invitation in another window."),
    "marked": say("It is marked: copy it now."),
    "unreadable": say("This link is not complete: ask for it again."),
    "nobody": say("The page that has invited is not open in this browser: paste this link there."),
    "handed": say("Your friend comes to the other window. You can close this one."),
    "invited": say("You are invited"),
    "invites": say("{name} invites you to {game}", name="{name}", game="{game}"),
    "plays": say("You are invited to {game}", game="{game}"),
    "learns": say(
        "Whoever has invited you learns this device’s network address. Nothing is sent before you join."
    ),
    "join": say("Join"),
    "differs": say(
        "The two phones have different versions of the games. Reload this page; if that does not help,"
        " the one that invites is reloaded and invites again."
    ),
    "name": say("Your name (if you like)"),
    "calling": say("Looking for the phone that has invited you …"),
    "unheard": say(
        "The meeting point does not answer; trying again. If that lasts, one friend at a time can be"
        " invited without it."
    ),
    "unreached": say(
        "The phones do not find each other; trying again. Join one Wi-Fi, or a phone's hotspot."
    ),
    "unmeetable": say(
        "This link needs https and a site with a meeting point. Ask for an invitation for you alone."
    ),
    "sentAway": say("Whoever has invited you lets this device in no more."),
    "third": say(
        "The phone that has invited you scans this code with its camera, or you send it this answer:"
        " then you are let in."
    ),
    "awaited": say("Waiting to be let in …"),
    "apart": say(
        "No connection yet. If the answer is there, the phones do not find each other: join one Wi-Fi,"
        " or a phone's hotspot, and begin with a new invitation."
    ),
    "lost": say("The phone with the games does not answer; trying again."),
    "missed": say(
        "The phone with the games has not answered for a while. This page goes on trying; or ask for"
        " a new invitation: your seat is kept."
    ),
    "parted": say(
        "The connection to the games has ended. Ask for a new invitation: your seat is kept."
    ),
    "alone": say("Play alone"),
    "refused": say("That could not be done just now; try again."),
    "framed": say(
        "Another site shows these games among its own pages. Play in a window of their own."
    ),
    "window": say("Open the window"),
    "unkept": say("This browser could not store the last changes; trying again."),
    "forgetful": say("This browser stores nothing for this site: a game lasts until you leave."),
}
CONNECTS = "connect-src 'self'"  # to a meeting point, too, from the site's own page
UNSCRIPTED = say("Without scripts nobody can play here, but the rules can be read:")
NOTICE_HTML = """<div class="notice" id="site-notice" hidden data-broken="{broken}"
data-missing="{missing}"><p role="status"></p>
<label hidden><progress></progress><span class="small"></span></label>
<button class="btn small" type="button" hidden></button></div>"""
SITE_FILE_ADDRESS = re.compile(r'="/(static/|contents\.html)')  # of the site, in a page's addresses
BODY = re.compile(r"(<body[^>]*>)")
SCRIPT_TAG = re.compile(r"<script\b[^>]*></script>\n?")
ENTER = '<script src="../../enter.js"></script>'  # leads into the site, where scripts run
UP = "../.."  # from a ready-made page to the site's folder


def write_pages(folder: Path, games: Sequence[Game], address: str = "") -> None:
    """Write the ready-made pages, the static files, and the manifest that makes the site an app.

    address: the site's, which ends with a slash: then pages have previews, and there are more.
    """
    for name in assets.requested():
        _write(folder / assets.address(name)[1:], assets.contents()[name])
    with TemporaryDirectory() as work, closing(Pages(f"{work}/tables.db")) as pages:

        def readable(url: str, language: str) -> str:
            return _readable(_asked(pages, url, language), games, language)

        landing = readable("/", available()[0])  # before there are tables to list
        for language in available():
            for path, url in _addresses(games):
                _write_page(folder / "pages" / language / path, readable(url, language))
            for link in linked_pages(games, language) if address else ():
                page = with_card(folder, address, link, readable(link.route, language))
                _write_page(folder / "pages" / language / link.file, page)
        boards = [(game, n, _opened(pages, game, n)) for game in games for n in game.seats]
        for language in available():
            for game, seats, url in boards:
                file = folder / "pages" / language / _board_file(game, seats)
                page = SCRIPT_TAG.sub("", readable(url, language))
                _write_page(file, page.replace("<body", "<body inert", 1))
        if address:
            landing = with_card(folder, address, house_link(available()[0]), landing)
    shell = _shell(landing)
    _write(folder / "index.html", shell.encode())
    for game in games:
        _write(folder / f"join-{game.name}.html", _entry(shell, game).encode())
    _write(folder / "manifest.webmanifest", json.dumps(web_app("./"), ensure_ascii=False).encode())


def admit(folder: Path, meet: str) -> None:
    """Let the page around all others ask a meeting point at this address."""
    for page in (folder / "index.html", *folder.glob("join-*.html")):
        text = page.read_text("utf-8")
        page.write_text(text.replace(CONNECTS, f"{CONNECTS} {meet}/", 1), "utf-8")


def _addresses(games: Sequence[Game]) -> Iterator[tuple[str, str]]:
    yield f"index.html{DEFLATED}", "/"
    yield from ((f"rules-{game.name}.html", f"/rules/{game.name}") for game in games)


def _board_file(game: Game, seats: int) -> str:
    return f"board-{game.name}-{seats}.html{DEFLATED}"


def _write_page(file: Path, page: str) -> None:
    compressed = file.name.endswith(DEFLATED)
    _write(file, gzip.compress(page.encode(), 9, mtime=0) if compressed else page.encode())


def _asked(pages: Pages, url: str, language: str) -> str:
    headers = {"accept": "text/html", "accept-language": language}
    answer = asyncio.run(pages.answer("GET", url, headers))
    assert answer.status == 200, (url, answer.status)
    return answer.body.decode()


def _opened(pages: Pages, game: Game, seats: int) -> str:
    """The address of a new table for one person and devils."""
    fields = {"game": game.name, "here": 1, "bots": seats - 1, "hints": 1}
    headers = {"accept": "text/html", "content-type": "application/x-www-form-urlencoded"}
    answer = asyncio.run(pages.answer("POST", "/tables", headers, urlencode(fields).encode()))
    assert answer.status == 303, (game.name, answer.status)
    return answer.headers["location"].partition("?")[0]  # without the mark of a new browser


def _write(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


def _readable(page: str, games: Sequence[Game], language: str) -> str:
    """A page whose files are found from where it lies, whatever the site's address is.

    Without scripts it says so, and leads to the rules.
    """
    policy = f'<meta http-equiv="content-security-policy" content="{SITE_POLICY}">'
    rules = [
        f'<a href="{UP}/pages/{language}/rules-{one.name}.html">{one.title}</a>' for one in games
    ]
    notice = f'<p class="notice">{_template(language, UNSCRIPTED)} {" · ".join(rules)}</p>'
    sheet = f'<link rel="stylesheet" href="{UP}/unscripted.css">'
    page = page.replace("<head>", f"<head>\n{policy}", 1)
    page = page.replace("</head>", f"<noscript>{sheet}</noscript>\n{ENTER}\n</head>", 1)
    page = BODY.sub(rf"\1\n<noscript>{notice}</noscript>", page, count=1)
    return SITE_FILE_ADDRESS.sub(rf'="{UP}/\1', page)


def _shell(landing: str) -> str:
    """The landing page as the page around all others."""
    broken = SITE_SENTENCES["damaged"].text.replace("{file}", "site.json")
    notice = NOTICE_HTML.format(broken=broken, missing=SITE_SENTENCES["failed"].text)
    head = (
        '<link rel="manifest" href="manifest.webmanifest">\n'
        '<link rel="stylesheet" href="shell.css">\n<script type="module" src="shell.js"></script>'
    )
    page = SCRIPT_TAG.sub("", landing).replace(f'="{UP}/', '="')
    page = page.replace("</head>", f"{head}\n</head>", 1)
    return BODY.sub(rf"\1\n{notice}", page, count=1)


def _entry(shell: str, game: Game) -> str:
    """That page as a guest of this game opens it: no landing page, and the sheet of a table's pages."""
    start, notice, after = shell.partition('<div class="notice" id="site-notice"')
    reel = assets.address(assets.game_stylesheet(ALL[REEL_GAME]))[1:]
    page = start.replace(reel, assets.address(assets.game_stylesheet(game))[1:], 1)
    return f"{page}{notice}{after.partition('</div>')[0]}</div>\n</body>\n</html>\n"


def site_data(games: Sequence[Game]) -> dict[str, object]:
    """The languages, the source first, the site's sentences in each, and the ready-made pages."""
    sentences = {}
    titles = {}
    for language in available():
        sentences[language] = {n: _template(language, line) for n, line in SITE_SENTENCES.items()}
        titles[language] = {game.name: _template(language, game.title) for game in games}
    names = [path for path, _ in _addresses(games)]
    names += [_board_file(game, seats) for game in games for seats in game.seats]
    ready = [f"pages/{locale}/{name}" for locale in available() for name in names]
    companies = {game.name: {"bots": game.quick, "here": game.seats[0]} for game in games}
    return {
        "languages": available(),
        "sentences": sentences,
        "titles": titles,
        "ready": ready,
        "companies": companies,
    }


def _template(language: str, line: Line) -> str:
    return texts(language).gettext(line.text)
