"""The page: server-rendered HTML, frames down by server-sent events, forms up by POST."""
