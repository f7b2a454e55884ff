"""Registers Wengert as a platform of JAX: ``JAX_PLATFORMS=wengert,cpu`` runs programs on it.

JAX imports every module of the namespace package ``jax_plugins`` and calls ``initialize``. Installing this package changes
nobody's default: its priority is below that of JAX's own CPU platform.
"""

import dataclasses
import os
import pathlib

#: The lowest version of JAX that is known to work.
MINIMUM_JAX = (0, 7, 0)

#: Below 0, the priority of "cpu".
PRIORITY = -1


def library_path():
    """Where the plugin's library is.

    Returns
    -------
    str
        ``WENGERT_JAX_LIBRARY``, or the library beside this file.
    """
    given = os.environ.get("WENGERT_JAX_LIBRARY")
    if given:
        return given
    folder = pathlib.Path(__file__).resolve().parent
    for name in ("libwengert_pjrt.so", "libwengert_pjrt.dylib"):
        if (folder / name).exists():
            return str(folder / name)
    raise ImportError(f"jax-wengert is not complete: no libwengert_pjrt in {folder}: install it anew")


def initialize():
    """Registers the platform. JAX calls this once.

    Where that fails the reason is what JAX says to those who name the platform; nobody else hears of it.
    """
    try:
        _register()
    except Exception as error:
        _register_refusal(error)


def _register():
    import jax
    from jax._src import xla_bridge

    if jax.version.__version_info__ < MINIMUM_JAX:
        wanted = ".".join(map(str, MINIMUM_JAX))
        raise ImportError(f"jax-wengert needs jax {wanted} or newer; this is {jax.__version__}")
    if "wengert" in xla_bridge._backend_factories:
        return
    xla_bridge.register_plugin("wengert", priority=PRIORITY, library_path=library_path())
    _keep_quiet(xla_bridge._backend_factories)
    from . import _rules

    _rules.register()


def _register_refusal(error):
    """A platform that cannot be started, for this reason."""
    from jax._src import xla_bridge

    def refuse():
        raise RuntimeError(f"{error}. JAX_PLATFORMS=cpu runs programs on JAX's own CPU platform.") from error

    xla_bridge._backend_factories.pop("wengert", None)
    xla_bridge.register_backend_factory("wengert", refuse, priority=PRIORITY, fail_quietly=True)


def _keep_quiet(factories):
    """Where nobody names this platform JAX starts it beside its own: then it must neither warn nor stop JAX's CPU platform.

    In ``JAX_PLATFORMS`` it fails as any other: JAX asks for quiet only where it looks around by itself.
    """
    registration = factories.get("wengert")
    wanted = {"fail_quietly": True, "experimental": False}
    known = {name: value for name, value in wanted.items() if hasattr(registration, name)}
    if dataclasses.is_dataclass(registration) and known:
        factories["wengert"] = dataclasses.replace(registration, **known)
