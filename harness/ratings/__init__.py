"""Ratings from results: how strong each bot is, and how sure that is.

`bradley_terry` rates any results; `Tally` collects those of a run in constant memory. Importing this package
costs NumPy only: pandas and SciPy are loaded when they are first used.
"""

from __future__ import annotations

# Imported here and not on demand: the function has the name of its module, and whoever imports the module
# first would otherwise put it in the function's place.
from harness.ratings.bradley_terry import BradleyTerry, fit
from harness.ratings.bradley_terry import rate as bradley_terry
from harness.ratings.tally import Tally

__all__ = ["BradleyTerry", "Tally", "bradley_terry", "fit"]
