"""Several processes on one PostgreSQL, each of which serves any table.

    cluster_node     this process as one of them: heartbeat, and the sweep that finds missed news
    process_news     news that something has changed, by LISTEN/NOTIFY
    presence_store   who looks at which table, in any of the processes
    shared_limits    the rate limits of clients, counted by all processes together
    bot_jobs         turns of bots; written with the change that makes them due
    bot_worker       a process that claims such turns, one after the other
    shared_uptime    the uptime of the site, which one process counts
    leader           what one process does for all, and another one once it is gone

A SQLite file has one process, which needs none of this (`table/node.py`: `AloneNode`).
"""
