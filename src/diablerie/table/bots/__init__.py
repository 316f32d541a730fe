"""What plays at tables by itself: the bot driver, deadlines, analysis, rule compilation."""
