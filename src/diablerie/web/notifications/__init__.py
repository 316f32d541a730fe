"""Calling people whose turn it is: browsers by web push, tables by a webhook."""
