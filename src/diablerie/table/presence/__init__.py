"""Who is there: subscriptions to news, attendance, rate limits."""
