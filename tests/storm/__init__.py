"""Deterministic simulation of the whole system from one seed.

make storm SEED=7                 # one seed; the same seed gives the same history, byte for byte
make storm SEEDS=200              # the seeds 0 to 199, in as many processes as there are cores
make storm SEED=7 SIZE=small      # two tables, as in `make test`; or short, as in `make nightly`
make storm SEED=7 WITHOUT="…"     # without some tables, browsers and faults, as a report says

The product's code runs as two nodes on one database, in one thread. Beside it stands a plain model:

simulation      two nodes, people, faults, and then quiet
shared_file     several nodes on one SQLite file, as if it were a PostgreSQL server
simulated       time, clocks and disks of the nodes, and their faults
troubles        faults that last for a while
house           a node: what a server process has, without its sockets
network         browsers that send requests over a bad network, and have streams
people, habits  what people do at tables, and away from them
variety         what has been done so far, so that people mostly do what is rare
ledger          the database after each transaction, and whether the model explains what has changed
seats_model     plain tables and seats
table_model     with lobby_model and play_model: what each command does to a table
groups_model    groups and series
calls_model     notifications and webhooks
secrets_model   secrets of browsers, links to devices, tokens
answers         what nodes answer and show, compared with the model
invariants      what must hold every few steps, and at the end
shorten         the shortest history of a failing seed
test_steps      commands in any order that Hypothesis draws, without faults
"""
