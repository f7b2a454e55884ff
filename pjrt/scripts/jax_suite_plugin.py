"""What `jax_suite.py` has pytest load: writes each outcome as it is known, and keeps to a sample."""

import hashlib
import json
import os

_log = open(os.environ["JAX_SUITE_LOG"], "a", buffering=1)
_sample = int(os.environ["JAX_SUITE_SAMPLE"])
_done = set(json.loads(os.environ["JAX_SUITE_DONE"]))


def _write(name, outcome, said=""):
    _log.write(json.dumps({"name": name, "outcome": outcome, "said": said[-4000:]}) + "\n")


def pytest_collection_modifyitems(items):
    """Keeps the sample, and of that what has not been run."""
    if _sample and len(items) > _sample:
        chosen = sorted(items, key=lambda item: hashlib.sha256(item.nodeid.encode()).digest())[:_sample]
        chosen = {item.nodeid for item in chosen}
        items[:] = [item for item in items if item.nodeid in chosen]
    items[:] = [item for item in items if item.nodeid not in _done]


def pytest_runtest_logstart(nodeid):
    """Says which test would be to blame if the process ended now."""
    _write(nodeid, "began")


def pytest_runtest_logreport(report):
    """Writes the outcome of a test's body, or of what went wrong around it."""
    if report.when == "call" or report.outcome != "passed":
        _write(report.nodeid, report.outcome, report.longreprtext)
