"""Benchmarks: `make bench`, or `python -m bench [NAME …]`. Each prints its rows as it goes."""
