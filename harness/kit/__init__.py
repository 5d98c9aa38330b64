"""The bot author's kit: a first bot to start from, and the conformance check."""
