"""Functions that users register for XLA: ``jax.ffi.register_ffi_target``, for the platform "wengert" or for "cpu".

A target is an address of machine code. Those for this platform are told to the plugin when JAX has them; of those for "cpu",
whose memory is ours too, the plugin asks when a program calls what it does not know. XLA itself tells of these only how they are
executed, and that once there is a CPU client: what is registered is remembered with all its stages as it comes.
"""

import atexit
import contextlib
import ctypes
import functools

PLATFORM = "wengert"

#: The stages of a target, in the order of the plugin.
_STAGES = ("instantiate", "prepare", "initialize", "execute")

#: A further one, for GPUs alone.
_RECORD = "record"

#: Targets of XLA itself, which look into its own structures.
_OF_XLA = ("xla_",)

_MESSAGE = 4096

_Finder = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)


def _address(capsule):
    """The address that a capsule holds, whatever its name; 0 of nothing."""
    if capsule is None:
        return 0
    api = ctypes.pythonapi
    name, pointer = api.PyCapsule_GetName, api.PyCapsule_GetPointer
    name.argtypes, name.restype = [ctypes.py_object], ctypes.c_char_p
    pointer.argtypes, pointer.restype = [ctypes.py_object, ctypes.c_char_p], ctypes.c_void_p
    return pointer(capsule, name(capsule)) or 0


def _text(name):
    return name if isinstance(name, bytes) else name.encode()


class _Plugin:
    """The plugin's functions for targets."""

    def __init__(self, library, xla_client):
        self.library, self.xla_client = library, xla_client
        #: What was registered for "cpu", by name.
        self.of_cpu = {}
        for name, target, api_version, *_ in list(getattr(xla_client, "_custom_callback", {}).get("Host", ())):
            self._remember(name, target, api_version)
        #: Types of states that were, so that these are freed.
        self.types_of_cpu = list(getattr(xla_client, "_custom_type_id", {}).get("Host", ()))
        register, register_type = xla_client.register_custom_call_target, getattr(xla_client, "register_custom_type", None)

        def register_custom_call_target(name, fn, platform="cpu", api_version=0, *args, **options):
            if platform == "cpu":
                self._remember(name, fn, api_version)
            return register(name, fn, platform, api_version, *args, **options)

        def register_custom_type(name, registration, platform="cpu", *args, **options):
            if platform == "cpu":
                self.types_of_cpu.append((name, registration))
            return register_type(name, registration, platform, *args, **options)

        xla_client.register_custom_call_target = functools.wraps(register)(register_custom_call_target)
        if register_type is not None:
            xla_client.register_custom_type = functools.wraps(register_type)(register_custom_type)
        size, text = ctypes.c_size_t, ctypes.c_char_p
        library.wengert_register_target.argtypes = [text, size, ctypes.POINTER(ctypes.c_void_p), text, size]
        library.wengert_register_target_type.argtypes = [text, size, ctypes.c_void_p, ctypes.c_void_p, text, size]
        library.wengert_set_target_finder.argtypes = [_Finder]
        library.wengert_set_target_finder.restype = None
        self.finder = _Finder(self._find)
        library.wengert_set_target_finder(self.finder)
        atexit.register(library.wengert_set_target_finder, _Finder())

    def _call(self, function, name, *args):
        message = ctypes.create_string_buffer(_MESSAGE)
        name = _text(name)
        if function(name, len(name), *args, message, _MESSAGE):
            raise ValueError(message.value.decode("utf-8", "replace"))

    def register(self, name, target, platform=PLATFORM, api_version=1, traits=None):
        """What JAX calls for a target: a capsule, or one for each stage."""
        del platform, traits
        if api_version < 1:
            raise ValueError(f"{name}: Wengert, as XLA's CPU, runs functions of XLA's typed interface (api_version=1)")
        stages = target if isinstance(target, dict) else {"execute": target}
        unknown = set(stages) - set(_STAGES) - {_RECORD}
        if unknown:
            raise ValueError(f"the stages of a target are {', '.join(_STAGES)}, and not {', '.join(sorted(unknown))}")
        addresses = (ctypes.c_void_p * 4)(*(_address(stages.get(stage)) for stage in _STAGES))
        self._call(self.library.wengert_register_target, name, addresses)

    def register_type(self, name, registration, platform=PLATFORM):
        """What JAX calls for a type of states."""
        del platform
        given = registration if isinstance(registration, dict) else {"type_id": registration}
        addresses = _address(given["type_id"]), _address(given.get("type_info")) or None
        self._call(self.library.wengert_register_target_type, name, *addresses)

    def _remember(self, name, target, api_version):
        if api_version >= 1:
            self.of_cpu[_text(name).decode()] = target if isinstance(target, dict) else {"execute": target}

    def _find(self, name, size):
        """Registers the target of a name that JAX's own CPU platform has, if it has one. Never raises: nobody listens."""
        try:
            name = ctypes.string_at(name, size).decode()
            if name.startswith(_OF_XLA):
                return
            target = self.of_cpu.get(name) or self.xla_client.custom_call_targets("Host").get(name)
            # What is no dictionary of stages is of the older interfaces.
            if isinstance(target, dict):
                for known, registration in self.types_of_cpu:
                    # A type that cannot be had is one whose states are not freed.
                    with contextlib.suppress(ValueError):
                        self.register_type(known, registration)
                self.register(name, target)
        except Exception:
            return


def register(library):
    """Tells JAX whom targets and types are for; whether it could be told."""
    from jaxlib import xla_client

    takes = getattr(xla_client, "register_custom_call_handler", None)
    if takes is None:
        return False
    plugin = _Plugin(library, xla_client)
    takes(PLATFORM, plugin.register)
    for name in ("register_custom_type_handler", "register_custom_type_id_handler"):
        if hasattr(xla_client, name):
            getattr(xla_client, name)(PLATFORM, plugin.register_type)
            break
    return True
