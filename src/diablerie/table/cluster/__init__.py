"""Several processes on one PostgreSQL, each of which serves any table.

    company     this process as one of them: a sign of life, and the sweep behind the news
    news        that something has changed, by LISTEN/NOTIFY
    looks       who looks at which table, in any of them
    budgets     what clients have had of what is bounded, in all of them together
    turns       bots that are due; written with the change that makes them so
    bots        a process that claims them, one after the other
    hours       house time, which one of them counts
    chores      what one of them does for all, and another one once it is gone

A file of SQLite has one process, which needs none of this.
"""
