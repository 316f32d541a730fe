"""Every law of diablerie, on COASTERS."""

from diablerie.testing.contract import *

GAMES = ["coasters"]
