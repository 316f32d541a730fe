"""Visitors, and the names they give themselves.

A browser has a random secret in a cookie, and the server keeps only its hash. A personal link works
the same way: whoever has its secret may take the seat. A name must be visible, and not a bot's.
"""

import hashlib
import re
import secrets
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import product
from typing import NewType

from diablerie.bots.spec import KINDS
from diablerie.engine.text import say
from diablerie.table.errors import BadInput

Visitor = NewType("Visitor", str)  # the hash of a browser's secret: what the table knows of it

LONGEST_NAME = 24
MOST_COMBINING_MARKS = 5  # combining marks on a letter: Burmese has so many, Vietnamese two
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # controls and bidi overrides deceive readers

DEVIL_NAMES = (  # what a bot on each seat is called
    say("Ash"),
    say("Soot"),
    say("Flint"),
    say("Ember"),
    say("Pitch"),
    say("Cinder"),
)
# Letters that are drawn as nothing, though Unicode counts them as letters and symbols.
BLANK = dict.fromkeys(map(ord, "\u115f\u1160\u2800\u3164\uffa0\u034f"))
# Joiners change letters that are written joined or stacked (Arabic to Sinhala, Tibetan to Lepcha, …)
# and make one emoji of several; tags after a black flag make it England's, Scotland's or Wales'.
STACKED = (
    "\u0600-\u0dff\u0f00-\u109f\u1700-\u1cff\ua800-\ua95f\ua980-\uaaff\uabc0-\uabff"
    "\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
EMOJI = "\u2190-\u21ff\u2300-\u27bf\u2900-\u297f\u2b00-\u2bff\U0001f000-\U0001faff"
JOINERS = "\u200c\u200d"
TAGS = "\U000e0020-\U000e007f"
AS_TAGS = {code: 0xE0000 + code for code in range(0x80)}  # letters as those tags
FLAGS = "|".join(f"{land}\x7f".translate(AS_TAGS) for land in ("gbeng", "gbsct", "gbwls"))
JOINED = re.compile(
    f"((?<=[{STACKED}])\u200c(?=[{JOINERS}]*[{STACKED}])"
    f"|(?<=[{STACKED}])\u200d(?=[{JOINERS}]*[^\\s{JOINERS}])"
    "|(?<=[\u09cd\u0d4d])\u200d"  # in Bengali and Malayalam also at the end of a word
    f"|(?:(?<=[{EMOJI}])|(?<=[{EMOJI}]\ufe0f))\u200d(?=[{JOINERS}]*[{EMOJI}])"
    f"|(?<=\U0001f3f4)(?:{FLAGS}))"
    f"|[{JOINERS}{TAGS}]"
)
JOINING = re.compile(f"[{JOINERS}{TAGS}]")
# What may stand in a name and is not seen: joiners, vowels that are understood, variation selectors.
UNSEEN = re.compile(f"[{JOINERS}\u034f\u17b4\u17b5\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
FLAG_LETTERS = re.compile("[\U0001f1e6-\U0001f1ff]*\\Z")  # two of these letters make a flag
# Cyrillic, Greek, Cherokee and Lisu letters, and small capitals, that look like Latin letters.
LATIN_LOOKALIKES = str.maketrans(
    "аеорсухіјѕԁһмтвнкαορτνιεАВЕКМНОРСТУХЅІЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"
    "ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ"
    "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "aeopcyxijsdhmtbhkaoptvieABEKMHOPCTYXSIJABEZHIKMNOPTYX"
    "ABCDEGHIJKLMPRSTVWYZABCDEFGHIJKLMNOPRSTUVWXYZ"
    "abcdefghijklmnoprstuvwyz",
)
# The words by which pages call people, chance and colours, in every language of the pages. Nobody may
# be called so: "You begins" would be told to everybody. The catalogues say the same words to readers;
# here they are kept again because a catalogue takes long to read, and a name is checked on every page.
# `tests/table/test_names.py` compares them.
PEOPLE_WORDS = (
    *("you", "player", "open seat", "nobody", "no one", "somebody", "everybody", "everyone"),
    *("du", "person", "freier platz", "niemand", "jemand", "alle"),
    *("toi", "vous", "place", "place libre", "personne", "quelqu’un", "tous"),
    *("tu", "voi", "jucătorul", "scaun liber", "nimeni", "cineva", "toți"),
)
CHANCE_WORDS = (
    "chance",
    "dice",
    "zufall",
    "würfel",
    "hasard",
    "dés",
    "hazard",
    "întâmplarea",
    "zaruri",
)
COLOUR_WORDS = (
    *("yellow", "violet", "blue", "green", "red", "ring", "the ring", "gold"),
    *("gelb", "violett", "blau", "grün", "rot", "der ring"),
    *("jaune", "bleu", "vert", "rouge", "anneau", "l’anneau"),
    *("galben", "albastru", "verde", "roșu", "inel", "inelul"),
)
DEVIL_WORDS = (  # what bots are called, but in English
    *("teufel", "teufelchen", "erzteufel", "teufelskerl"),
    *("vorsichtiger teufel", "vernünftiger teufel", "denkender teufel"),
    *("gelernter teufel", "fehlbarer teufel", "wilder teufel"),
    *("diable", "diablotin", "archidiable", "grand diable", "casse-cou"),
    *("diable prudent", "diable sensé", "diable penseur"),
    *("diable instruit", "diable faillible", "diable fou"),
    *("diavol", "drăcușor", "arhidiavol", "scaraoschi", "diavol îndrăzneț"),
    *("diavol prudent", "diavol chibzuit", "diavol gânditor"),
    *("diavol instruit", "diavol care greșește", "diavol sălbatic"),
)
DEVILS_NAMES = (
    *("asche", "ruß", "flint", "glut", "pech", "schlacke"),
    *("cendre", "suie", "silex", "braise", "poix", "scorie"),
    *("scrum", "fum", "amnar", "jar", "catran", "tăciune"),
)


def fresh_secret() -> str:
    """A new secret, for a cookie or a personal link."""
    return secrets.token_urlsafe(32)


def fresh_id() -> str:
    """A new table's id. Nobody can guess it, because private tables are only unlisted."""
    return secrets.token_urlsafe(9)


def visitor_of(secret: str) -> Visitor:
    """The visitor who has this secret."""
    return Visitor(hashed("visitor", secret))


def program_of(token: str) -> Visitor:
    """The visitor who has this token; no browser can be that visitor."""
    return Visitor(hashed("token", token))


def hashed(kind: str, text: str) -> str:
    """The hash by which the table knows a secret of this kind, in hex."""
    return hashlib.sha256(f"{kind} {text}".encode("utf-8", "replace")).hexdigest()


def clean(text: str, length: int = LONGEST_NAME) -> str:
    """Text by a person as one line of at most `length` characters that can be seen.

    Joiners stay where a script or emoji needs them; see JOINED.
    """
    kept = "".join(
        c for c in text if c.isspace() or JOINING.match(c) or unicodedata.category(c) not in HIDDEN
    )
    line = " ".join(_few_marks(JOINED.sub(lambda found: found[1] or "", kept)).split())
    return line[: _end(line, length)].rstrip()


def _few_marks(text: str) -> str:
    """The text without the combining marks that are too many on a letter."""
    kept = list[str]()
    marks = 0
    for c in text:
        if c not in JOINERS:
            marks = marks + 1 if unicodedata.category(c)[0] == "M" else 0
        if marks <= MOST_COMBINING_MARKS:
            kept.append(c)
    return "".join(kept)


def _end(line: str, length: int) -> int:
    """Where a line is cut: not within what is drawn as one character."""
    end = length
    while 0 < end < len(line) and _within(line, end):
        end -= 1
    return end or length


def _within(line: str, position: int) -> bool:
    before = line[position - 1]
    after = line[position]
    if unicodedata.category(after)[0] == "M" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    half = len(FLAG_LETTERS.findall(line[:position])[0]) % 2 and FLAG_LETTERS.fullmatch(after)
    return bool(before == "\u200d" or JOINING.match(after) or half)


def visible_name(text: str) -> str:
    """A name as it is shown, "" if none was given. Raises BadInput for one that cannot be seen."""
    name = visible_text(text, LONGEST_NAME)
    if text.strip() and not name:
        raise BadInput(say("This name is invisible: choose another one."))
    return name


def visible_text(text: str, length: int) -> str:
    """Text by a person as one line of at most `length` characters, "" if nothing of it can be seen."""
    line = clean(text.translate(BLANK), length)
    return line if any(unicodedata.category(c)[0] in "LNPS" for c in line) else ""


def chosen_name(text: str) -> str:
    """A person's name as it is shown, "" if none was given.

    Raises BadInput for one that cannot be seen, that is a bot's, or by which pages call others.
    """
    name = visible_name(text)
    folded = _folded(name)
    if folded in _taken():
        raise BadInput(say("A devil has this name here: choose another one."))
    if folded.rstrip("0123456789") in _own_words():
        raise BadInput(say("The pages call somebody or something so: choose another name."))
    return name


def numbered(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if one of the others has it."""
    taken = {*others}
    number = 1
    called = name
    while called and called in taken:
        number += 1
        called = f"{clean(name, LONGEST_NAME - len(f' {number}'))} {number}"
    return called


def skeleton(name: str) -> str:
    """What is seen of a name: equal for names that only differ in what nobody sees."""
    return unicodedata.normalize("NFKC", UNSEEN.sub("", name)).translate(LATIN_LOOKALIKES)


def _folded(name: str) -> str:
    """A name without case, accents, spaces and marks, as readers compare names."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(LATIN_LOOKALIKES)
    return "".join(c for c in plain if c.isalnum())


@cache
def _own_words() -> frozenset[str]:
    words = (*PEOPLE_WORDS, *CHANCE_WORDS, *COLOUR_WORDS)
    return frozenset(map(_folded, words))


@cache
def _taken() -> frozenset[str]:
    titles = [_folded(str(kind.title)) for kind in KINDS.values()]
    titles += map(_folded, DEVIL_WORDS)
    devils = [_folded(str(name)) for name in DEVIL_NAMES]
    devils += map(_folded, DEVILS_NAMES)
    both = map("".join, product(titles, devils))
    return frozenset((*titles, *devils, *both, "bot"))
