"""Deterministic simulation of the whole system from one seed: see `tests.storm.simulation`.

make storm SEED=7                 # one seed; the same seed gives the same history, byte for byte
make storm SEEDS=200              # the seeds 0 to 199

shared_file     several nodes on one SQLite file, as if it were a PostgreSQL server
simulated       time, clocks and disks of the nodes, and their faults
house           a node: what a server process has, without its sockets
clients         browsers that play, over a network that loses, delays and repeats
invariants      what must hold after each step, and at the end
simulation      all of that together, from one seed
"""
