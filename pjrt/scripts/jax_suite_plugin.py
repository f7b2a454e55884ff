"""What `jax_suite.py` has pytest load: writes each outcome as it is known, and keeps to a sample and to a time for each test."""

import hashlib
import json
import os
import signal
import sys

import pytest

_log = open(os.environ["JAX_SUITE_LOG"], "a", buffering=1)
_sample = int(os.environ["JAX_SUITE_SAMPLE"])
_done = set(json.loads(os.environ["JAX_SUITE_DONE"]))
#: Whether the sample is run in the order of the hashes, so that what a time limit leaves is a sample too.
_shuffle = os.environ.get("JAX_SUITE_SHUFFLE") == "1"
#: Seconds for a test; no limit if 0.
_limit = float(os.environ.get("JAX_SUITE_LIMIT", 0))
_late = set()


def _write(name, outcome, said=""):
    _log.write(json.dumps({"name": name, "outcome": outcome, "said": said[-4000:]}) + "\n")


def _hash(item):
    return hashlib.sha256(item.nodeid.encode()).digest()


def pytest_sessionstart():
    """Undoes what a `conftest.py` has said of the platform, which is JAX_PLATFORMS's to say."""
    jax = sys.modules.get("jax")
    if jax:
        jax.config.update("jax_platform_name", "")


def pytest_collection_modifyitems(items):
    """Keeps the sample, and of that what has not been run."""
    if _sample and len(items) > _sample:
        chosen = {item.nodeid for item in sorted(items, key=_hash)[:_sample]}
        items[:] = [item for item in items if item.nodeid in chosen]
    if _shuffle:
        items.sort(key=_hash)
    items[:] = [item for item in items if item.nodeid not in _done]


def pytest_unconfigure():
    """Closes the log, of which a library that turns warnings into errors would complain."""
    _log.close()


def pytest_runtest_logstart(nodeid):
    """Says which test would be to blame if the process ended now."""
    _write(nodeid, "began")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item):
    """Ends a test's body that takes too long, once it is back in Python."""

    def end(*_):
        _late.add(item.nodeid)
        pytest.fail(f"took more than {_limit:g} s")

    if _limit:
        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, _limit)
    yield
    if _limit:
        signal.setitimer(signal.ITIMER_REAL, 0)


def pytest_collectreport(report):
    """Writes that a file cannot be read, as if it were a test."""
    if report.failed:
        _write(report.nodeid, "unread", report.longreprtext)


def pytest_runtest_logreport(report):
    """Writes the outcome of a test's body, or of what went wrong around it."""
    if report.when == "call" or report.outcome != "passed":
        late = report.nodeid in _late and report.outcome == "failed"
        _write(report.nodeid, "late" if late else report.outcome, report.longreprtext)
