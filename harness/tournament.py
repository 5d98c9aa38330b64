"""A tournament from request to finished folder: what `presi run` and `presi resume` do, without printing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .errors import PresiError

DEALS = "deals.jsonl"
"""A run's own copy of the deals it plays, in its folder."""

if TYPE_CHECKING:
    from .analysis import Analysis
    from .request import Request
    from .store import RunFolder


def begin_run(folder: RunFolder, request: Request) -> None:
    """Write what is known before the first match: run.json and lineups.csv."""
    import platform

    import numba
    import numpy as np

    from . import __version__
    from .bots.spec import build, parameters_of, source_digest
    from .compiling import engine_digest

    bots = []
    for spec in request.bots:
        instance = build(spec)
        parameters = {name: getattr(instance, name) for name in parameters_of(type(instance))}
        bots.append(
            {"label": spec.label, "spec": spec.spec, "parameters": parameters, "digest": source_digest(spec)}
        )
    schedule = request.schedule
    folder.begin(
        request=request.to_json(),
        bots=bots,
        versions={
            "presi": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "engine": engine_digest(),
        },
        seed=request.seed,
        counts={
            "lineups": len(schedule.lineups),
            "groups": schedule.total_groups,
            "matches": schedule.total_matches,
            "groups_done": 0,
            "matches_done": 0,
        },
    )
    folder.write_lineups(request.labels, schedule.lineups)
    if request.deals is not None:
        request.deals.write(folder.path / DEALS)


def play_run(
    folder: RunFolder,
    request: Request,
    jobs: int,
    backend: str,
    on_progress: Callable[[int], None],
) -> Analysis:
    """Play what a run still lacks; however it ends, run.json says how far it is.

    Parameters
    ----------
    folder : RunFolder
        Open for writing.
    request : Request
    jobs : int
        Worker processes.
    backend : str
        One of `harness.backends.BACKENDS`.
    on_progress : callable
        Called with the number of matches just played.

    Returns
    -------
    Analysis
        Of all its rows, those of earlier sessions included.

    Raises
    ------
    BotFault
        If a bot failed and faults stop the run.
    KeyboardInterrupt
    """
    from .analysis import Analysis, analyse
    from .runner import Runner

    analysis = analyse(folder, request) if folder.groups_done else Analysis(request)
    finished = False
    try:
        Runner(request, folder, jobs, backend, analysis.add, on_progress).play()
        finished = True
    finally:
        folder.update(
            state="running" if finished else "interrupted",
            counts={
                **folder.info["counts"],
                "groups_done": folder.groups_done,
                "matches_done": folder.matches_done,
            },
            faults=analysis.faults_per_bot(),
        )
    return analysis


def check_bots_unchanged(folder: RunFolder, request: Request, then: str = "start a new run") -> None:
    """Refuse to go on with a run whose bots are no longer those it was begun with.

    Parameters
    ----------
    folder : RunFolder
    request : Request
        Of the run.
    then : str
        What follows from it, for the message.

    Raises
    ------
    PresiError
    """
    from .bots.spec import source_digest

    for bot, spec in zip(folder.info["bots"], request.bots, strict=True):
        if source_digest(spec) != bot["digest"]:
            raise PresiError(f"bot {bot['label']!r} has changed since {folder.path} was begun: {then}")


def engine_changed(folder: RunFolder) -> bool:
    """Say whether the rules engine is another than the one a run was begun with."""
    from .compiling import engine_digest

    return bool(folder.info["versions"]["engine"] != engine_digest())


def request_of(folder: RunFolder) -> Request:
    """Read the request out of a run folder's run.json.

    Raises
    ------
    PresiError
        If it is damaged or asks for something impossible.
    """
    from .request import Request

    try:
        data = dict(folder.info["request"])
        if "deals" in data:
            data["deals"] = {**data["deals"], "path": str(folder.path / DEALS)}
        request = Request.from_json(data)
        if [bot["label"] for bot in folder.info["bots"]] != request.labels:
            raise KeyError("bots")
        return request
    except PresiError:
        raise
    except Exception as error:
        raise PresiError(f"{folder.path / 'run.json'} is damaged: {type(error).__name__}: {error}") from None
