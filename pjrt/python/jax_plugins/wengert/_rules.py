"""What JAX knows how to lower for "cpu" only is lowered so for "wengert" too: Wengert has what these rules call.

JAX keeps its rules in private tables. Where a version of JAX has them elsewhere, what needs them fails with JAX's own message
that there is no rule for the platform, and all else works.
"""

import ctypes
import dataclasses
import warnings

PLATFORM = "wengert"

#: Operations whose rule for "cpu" calls what Wengert does not have, and that have a rule for all platforms.
_ELSEWHERE = frozenset({"bcsr_dot_general", "coo_matmat", "coo_matvec", "csr_matmat", "csr_matvec"})


def register():
    """Takes over the rules of "cpu", says that arguments may be given away, and takes Python callbacks and users' targets."""
    from jax._src.interpreters import mlir

    taken = _take_rules(mlir)
    donated = _allow_donation(mlir)
    from . import _buffers, _callbacks, _targets, library_path

    # Where it is not known JAX says that it is not supported on the platform.
    _buffers.register(mlir)
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
    general = getattr(mlir, "_lowerings", None)
    if rules is None or general is None or "cpu" not in rules:
        return False
    rules[PLATFORM] = _RulesBesideOthers(rules[PLATFORM], rules["cpu"], general)
    return True


def _with_ours(platforms):
    """Branches by their platforms: those for "cpu" are for Wengert too, where none is for it or for all others."""
    if any(names is None or PLATFORM in names for names in platforms):
        return platforms
    return tuple((*names, PLATFORM) if "cpu" in names else names for names in platforms)


def _of_index(rule):
    """``jax.lax.platform_dependent``: which of the branches is taken."""

    def lower(ctx, *args, platforms, **params):
        return rule(ctx, *args, platforms=_with_ours(platforms), **params)

    return lower


def _of_branches(rule):
    """``jax.lax.platform_dependent``: the branches."""

    def lower(ctx, *args, branches_platforms=None, **params):
        if branches_platforms is not None:
            params["branches_platforms"] = _with_ours(branches_platforms)
        return rule(ctx, *args, **params)

    return lower


def _of_exported(rule):
    """What ``jax.export`` wrote for "cpu"."""

    def lower(ctx, *args, exported, **params):
        if PLATFORM not in exported.platforms:
            platforms = tuple(PLATFORM if name == "cpu" else name for name in exported.platforms)
            exported = dataclasses.replace(exported, platforms=platforms)
        return rule(ctx, *args, exported=exported, **params)

    return lower


#: Operations whose rule for all platforms asks for the platform's name: what becomes of the rule.
_BY_NAME = {"platform_index": _of_index, "cond": _of_branches, "call_exported": _of_exported}


class _RulesBesideOthers(dict):
    """Rules of our own, and where there is none those of another platform, or for all: of libraries that are imported later, too."""

    def __init__(self, own, others, general):
        super().__init__(own)
        self._others = others
        self._general = general

    def __contains__(self, primitive):
        name = getattr(primitive, "name", None)
        theirs = primitive in self._others and name not in _ELSEWHERE
        return super().__contains__(primitive) or theirs or (name in _BY_NAME and primitive in self._general)

    def __missing__(self, primitive):
        if primitive in self._others:
            return self._others[primitive]
        entry = self._general[primitive]
        adapted = _BY_NAME[primitive.name]
        # Some versions of JAX keep more than the rule.
        self[primitive] = adapted(entry) if callable(entry) else dataclasses.replace(entry, rule=adapted(entry.rule))
        return self[primitive]

    def get(self, primitive, default=None):
        return self[primitive] if primitive in self else default


def _allow_donation(mlir):
    platforms = getattr(mlir, "_platforms_with_donation", None)
    if platforms is None:
        return False
    if PLATFORM not in platforms:
        platforms.append(PLATFORM)
    return True
