"""JAX's own cases of its primitives on the plugin, beside JAX's CPU platform: those that its wheel brings, for its tests are not in it.

Of each primitive some cases, the same on every machine: those whose names have the least hashes. Run as `smoke.py` is, by the same
test. A number says how many cases of each, 0 that all; with ``JAX_ENABLE_X64=1`` they have 64 bits too. ::

    python pjrt/tests/harnesses.py 0
"""

import hashlib
import os
import sys
import warnings

import jax
import numpy as np
from jax._src import test_util
from jax._src.internal_test_util import test_harnesses

#: Cases of a primitive that are run where no number is given.
OF_EACH = 4

#: XLA's logarithm of 1 + x in 64 bits is off by 2e-14.
LOG1P = {np.float64: 1e-13}
#: What adds up what it has computed.
FACTORS = {np.float32: 1e-4, np.complex64: 1e-4, np.float64: 1e-11, np.complex128: 1e-11}

#: Tolerances where they are not those that JAX has for the type, which are for the rounding of one operation.
TOLERANCES = {
    "atanh": LOG1P,
    "cholesky": FACTORS,
    "conv_general_dilated": FACTORS,
    "log1p": LOG1P,
    "lu": FACTORS,
    "qr": FACTORS,
    "triangular_solve": FACTORS,
}

#: What has several right results: vectors of any phase (JAX's own test that compares platforms leaves out eigenvectors), and orders
#: of what sorting takes for equal.
AMBIGUOUS = ("eig_", "eigh_", "svd_", "isstable_False_num_keys")


def sample(of_each):
    """The cases: so many of each primitive, of those that are for the CPU."""
    groups = {}
    for case in test_harnesses.all_harnesses:
        if case.filter("cpu") and not any(part in case.fullname for part in AMBIGUOUS):
            groups.setdefault(case.group_name, []).append(case)
    least = lambda case: hashlib.sha256(case.fullname.encode()).digest()
    return [case for group in groups.values() for case in sorted(group, key=least)[: of_each or None]]


def arguments(case):
    """Arguments that depend on the name alone."""
    seed = int.from_bytes(hashlib.sha256(case.fullname.encode()).digest()[:4], "little")
    return case.dyn_args_maker(np.random.RandomState(seed))


def near(found, expected, tolerance):
    """Compares results as JAX's tests do, but that what is added up may be as far off as its largest element may."""
    found, expected = (jax.tree.map(np.asarray, jax.tree.leaves(given)) for given in (found, expected))
    for a, b in zip(found, expected, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype), f"{a.dtype}{a.shape} for {b.dtype}{b.shape}"
        near = test_util.tolerance(a.dtype, tolerance)
        finite = np.abs(b[np.isfinite(b)]) if np.issubdtype(b.dtype, np.inexact) else ()
        test_util._assert_numpy_allclose(a, b, atol=near * max(1.0, np.max(finite, initial=0)), rtol=near)


def run(case):
    """Runs a case on both platforms. Fails if JAX's runs it, and ours does not or gives something else."""
    results = {}
    for platform in ("cpu", "wengert"):
        device = jax.devices(platform)[0]
        with jax.default_device(device):
            args = jax.tree.map(lambda x: jax.device_put(x, device), arguments(case))
            found = jax.jit(case.dyn_fun)(*args)
            # Keys are compared by what they hold.
            is_key = lambda x: jax.dtypes.issubdtype(x.dtype, jax.dtypes.prng_key)
            results[platform] = jax.tree.map(lambda x: jax.random.key_data(x) if is_key(x) else x, found)
    near(results["wengert"], results["cpu"], TOLERANCES.get(case.group_name))


def main(of_each=OF_EACH):
    """Runs the sample and says what failed."""
    cases, failed = sample(int(of_each)), []
    for case in cases:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                run(case)
        except Exception as e:
            failed.append(case.fullname)
            print(case.fullname, "FAILED", type(e).__name__, str(e)[-600:], flush=True)
        jax.clear_caches()
    print(f"{len(cases) - len(failed)} of {len(cases)} cases passed")
    # Without waiting for what XLA keeps.
    sys.stdout.flush()
    os._exit(bool(failed))


if __name__ == "__main__":
    main(*sys.argv[1:])
