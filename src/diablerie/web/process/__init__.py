"""The server as processes: binding, serving, worker processes, thread pools, background jobs."""
