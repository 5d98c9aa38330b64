"""Where worker processes come from: joblib's own (loky), or a Dask or Ray cluster, of one machine or many.

The last two are extras (``pip install 'presi-harness[dask]'``, ``[ray]``). A cluster that runs already is
used where their own settings name one (``DASK_SCHEDULER_ADDRESS``, ``RAY_ADDRESS``): it needs the same
harness, and bots that are files at the same paths. Else one of this machine is begun, and ended with the run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec

from .errors import PresiError

BACKENDS = {"loky": "joblib", "dask": "distributed", "ray": "ray"}
"""Name of each backend and the package that it needs."""

LISTING = {"ray"}
"""Backends that give the results of many units at once, not one by one."""


def check_backend(backend: str) -> str:
    """Make sure that a backend can be used here.

    Raises
    ------
    PresiError
        If its package is not installed.
    """
    package = BACKENDS[backend]
    if find_spec(package) is None:
        raise PresiError(
            f"backend {backend}: needs the package {package}; pip install 'presi-harness[{backend}]'"
        )
    return backend


@contextmanager
def cluster(backend: str, jobs: int) -> Iterator[None]:
    """Hold what a backend works on, and have joblib use it, while a run is played.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int
        Worker processes, where a cluster of this machine is begun.
    """
    from joblib import parallel_config

    with ExitStack() as stack:
        if backend in _CLUSTERS:
            stack.enter_context(_CLUSTERS[backend](jobs))
        stack.enter_context(parallel_config(backend=backend, n_jobs=jobs))
        yield


@contextmanager
def _dask(jobs: int) -> Iterator[None]:
    import dask
    from distributed import Client

    address = dask.config.get("scheduler-address", None)
    own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    with Client(address, **({} if address else own)):
        yield


@contextmanager
def _ray(jobs: int) -> Iterator[None]:
    import logging

    import ray
    from ray.util.joblib import register_ray

    register_ray()
    begun = not ray.is_initialized()
    if begun and "RAY_ADDRESS" in os.environ:
        ray.init(logging_level=logging.ERROR)
    elif begun:
        ray.init(num_cpus=jobs, include_dashboard=False, logging_level=logging.ERROR, log_to_driver=False)
    try:
        yield
    finally:
        if begun:
            ray.shutdown()


_CLUSTERS = {"dask": _dask, "ray": _ray}
