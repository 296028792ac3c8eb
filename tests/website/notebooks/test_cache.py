"""The cache of executed notebooks (website/notebooks/cache.py)."""

import multiprocessing

import nbformat

from website.notebooks import cache
from website.places import ROOT


def keep_one(folder, number, barrier):
    """Put a notebook with one cell into the cache in this folder, at the same moment as the other processes."""
    cache.CACHE = folder
    cell = nbformat.v4.new_code_cell(f"{number}")
    nb = cache.keyed(nbformat.writes(nbformat.v4.new_notebook(cells=[cell])))
    barrier.wait()
    cache.keep_executed(nb, ROOT / f"{number}.ipynb", 1)
    assert cache.is_cached(nb)


def test_processes_may_fill_an_empty_cache_at_once(tmp_path):
    # Not a fork of this process: other tests' threads may hold locks, which nobody would release in a copy.
    started = multiprocessing.get_context("forkserver")
    started.set_forkserver_preload([cache.__name__])
    barrier = started.Barrier(6)
    processes = [started.Process(target=keep_one, args=(tmp_path / "executed", i, barrier)) for i in range(6)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * 6
