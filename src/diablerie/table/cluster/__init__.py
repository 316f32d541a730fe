"""Several processes on one PostgreSQL, each of which serves any table.

    cluster_node     this process as one of them: its heartbeat, and the sweep for lost messages
    process_news     messages that something has changed, by LISTEN/NOTIFY
    presence_store   which pages are open in any of the processes
    shared_memory    tables in memory that other processes change, too
    shared_counts    the rate limits of clients, counted by all processes together
    bot_jobs         turns of bots, written with the change that makes them due
    claimed_turns    the turns that a process claims for its bots, one after the other
    leader           the one process that does what is done once for all

A SQLite file has one process, which needs none of this and leads. The seam is
`table/node.py`: whatever others ask a process about the others, its `Node` answers.
"""
