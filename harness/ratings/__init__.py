"""Ratings from results: how strong each bot is, and how sure that is.

`bradley_terry`, `plackett_luce` and `elo` rate any results; `Tally` collects those of a run in constant
memory; `llr` is what a duel watches. Importing this package costs NumPy only: pandas and SciPy are loaded
when they are first used.
"""

from __future__ import annotations

# Imported here and not on demand: some functions have the names of their modules, and whoever imports the
# module first would otherwise put it in the function's place.
from harness.ratings.bradley_terry import fit
from harness.ratings.bradley_terry import rate as bradley_terry
from harness.ratings.elo import elo
from harness.ratings.plackett_luce import rate as plackett_luce
from harness.ratings.rating import Rating
from harness.ratings.sequential import llr
from harness.ratings.tally import Tally

__all__ = ["Rating", "Tally", "bradley_terry", "elo", "fit", "llr", "plackett_luce"]
