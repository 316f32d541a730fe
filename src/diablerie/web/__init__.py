"""The page: server-rendered HTML, frames down by server-sent events, forms up by POST."""

import diablerie.table  # noqa: F401 (it says what is missing)
