"""Bots that come with the harness: one file for each family, each bot with its idea and source."""
