"""The run folder: what a run leaves on disk, written so that a kill at any moment loses nothing whole.

Rows come in *parts*, each of whole groups and in match order: ``matches/part-00000.parquet`` and
``hands/part-00000.parquet``, and so on. Both are written under temporary names; the hands are renamed
first and the matches last, so that a part is complete exactly when its matches file is there.

`batch` has the rows as arrays, `parts` the files they are kept in, `folder` the folder around them, `run`
what people read.
"""

from .batch import Batch
from .folder import RunFolder
from .run import Run

__all__ = ["Batch", "Run", "RunFolder"]
