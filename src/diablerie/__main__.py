"""`python -m diablerie`."""

from diablerie.cli import main

main()
