"""Bots: found by their spec, checked, compiled or wrapped, and ready to be called by the engine."""
