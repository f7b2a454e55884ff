"""What JAX knows how to lower for "cpu" only is lowered so for "wengert" too: Wengert has what these rules call.

JAX keeps its rules in private tables. Where a version of JAX has them elsewhere, what needs them fails with JAX's own message
that there is no rule for the platform, and all else works.
"""

import ctypes
import warnings

PLATFORM = "wengert"

#: Operations whose rule for "cpu" calls what Wengert does not have, and that have a rule for all platforms.
_ELSEWHERE = frozenset({"bcsr_dot_general", "coo_matmat", "coo_matvec", "csr_matmat", "csr_matvec"})


def register():
    """Takes over the rules of "cpu", says that arguments may be given away, and takes Python callbacks and users' targets."""
    from jax._src.interpreters import mlir

    taken = _take_rules(mlir)
    donated = _allow_donation(mlir)
    from . import _callbacks, _targets, library_path

    called = _callbacks.register()
    targeted = _targets.register(ctypes.CDLL(library_path()))
    if not (taken and donated and called and targeted):
        warnings.warn(
            "jax-wengert does not know all of this version of JAX: some operations may be missing. "
            "JAX_PLATFORMS=cpu runs them on JAX's own CPU platform.",
            RuntimeWarning,
            stacklevel=2,
        )


def _take_rules(mlir):
    rules = getattr(mlir, "_platform_specific_lowerings", None)
    if rules is None or "cpu" not in rules:
        return False
    rules[PLATFORM] = _RulesBesideOthers(rules[PLATFORM], rules["cpu"])
    return True


class _RulesBesideOthers(dict):
    """Rules of our own, and where there is none those of another platform: of libraries that are imported later, too."""

    def __init__(self, own, others):
        super().__init__(own)
        self._others = others

    def __contains__(self, primitive):
        theirs = primitive in self._others and getattr(primitive, "name", None) not in _ELSEWHERE
        return super().__contains__(primitive) or theirs

    def __missing__(self, primitive):
        return self._others[primitive]

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default


def _allow_donation(mlir):
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is None:
        return False
    if PLATFORM not in platforms:
        platforms.append(PLATFORM)
    return True
