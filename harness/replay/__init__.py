"""One match to look at: as events, as text, as a page."""
