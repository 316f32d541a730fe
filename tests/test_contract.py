"""The laws of the engine, on every game × every player count × every option."""

from diablerie.testing.contract import *
