"""The words by which pages call people, chance and colours, in every language of the pages.

Nobody may be called so: "You begins" would be told to everybody. The catalogues say the same words
to readers; here they are kept again because a catalogue takes long to read, and a name is checked on
every page. `tests/table/test_names.py` compares them.
"""

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
