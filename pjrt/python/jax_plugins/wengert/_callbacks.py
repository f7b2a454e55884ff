"""Python functions that programs call: ``jax.pure_callback``, ``jax.experimental.io_callback``, ``jax.debug.print``.

JAX refuses platforms that it does not know here, in one function: that function is asked first whether the program is for
Wengert. A callback gets a number, which stands in the program; when the program runs, the plugin calls `_call` with it.
"""

import ctypes
import dataclasses
import inspect
import itertools
import threading
import traceback
import weakref

import numpy as np

#: What the plugin looks for.
TARGET = "wengert_python_callback"


@dataclasses.dataclass(eq=False)
class Callback:
    """A function with the shapes and dtypes of what it takes and gives."""

    function: object
    operands: list
    results: list
    number: int = 0

    def __call__(self, *args):
        return self.function(*args)


#: Callbacks by number, as long as a program holds them.
_living = weakref.WeakValueDictionary()
_numbers = itertools.count(1)
_lock = threading.Lock()

_Trampoline = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_uint64,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_char),
    ctypes.c_size_t,
)


def _array(address, aval):
    """A copy of the elements at an address: the function may keep what it is given."""
    out = np.empty(aval.shape, aval.dtype)
    if out.nbytes:
        ctypes.memmove(out.ctypes.data, address, out.nbytes)
    return out


def _run(number, operands, results):
    callback = _living.get(number)
    if callback is None:
        raise RuntimeError("the Python function of this callback is gone: it belongs to a program of another process")
    args = [_array(operands[k], aval) for k, aval in enumerate(callback.operands)]
    given = callback(*args)
    for k, (value, aval) in enumerate(zip(given, callback.results, strict=True)):
        value = np.ascontiguousarray(value, dtype=aval.dtype)
        if value.nbytes:
            ctypes.memmove(results[k], value.ctypes.data, value.nbytes)


def _call(number, operands, results, message, room):
    try:
        _run(number, operands, results)
        return 0
    except BaseException:
        text = traceback.format_exc().encode()[: room - 1]
        ctypes.memmove(message, text + b"\0", len(text) + 1)
        return 1


_trampoline = _Trampoline(_call)


def register():
    """Tells the plugin whom to call, and JAX whom to ask."""
    from jax._src import callback as jax_callback

    from . import library_path

    original = getattr(jax_callback, "emit_python_callback", None)
    if original is None:
        return False
    library = ctypes.CDLL(library_path())
    library.wengert_set_python_callback.argtypes = [_Trampoline]
    library.wengert_set_python_callback.restype = None
    library.wengert_set_python_callback(_trampoline)

    def emit_python_callback(ctx, callback, token, operands, operand_avals, result_avals, **options):
        if not _is_ours(ctx):
            return original(ctx, callback, token, operands, operand_avals, result_avals, **options)
        return _emit(ctx, callback, token, operands, operand_avals, result_avals, **options)

    jax_callback.emit_python_callback = emit_python_callback
    return True


def _is_ours(ctx):
    """Whether a program is for Wengert, which may call itself "cpu"."""
    platforms = tuple(ctx.module_context.platforms)
    if platforms != ("cpu",):
        return platforms == ("wengert",)
    backend = ctx.module_context.get_backend()
    return "Wengert" in getattr(backend, "platform_version", "")


def _ir_type(mlir, ctx, aval):
    if "ctx" in inspect.signature(mlir.aval_to_ir_type).parameters:
        return mlir.aval_to_ir_type(ctx.module_context, aval)
    return mlir.aval_to_ir_type(aval)


def _emit(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect, partitioned=False, **_):
    from jax._src import dtypes
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import hlo

    if partitioned:
        raise NotImplementedError("callbacks of parts of an array are not implemented on wengert")

    def checked(*args):
        given = tuple(callback(*args))
        if len(given) != len(result_avals):
            raise RuntimeError(
                "Mismatched number of outputs from callback. "
                f"Expected: {len(result_avals)}, Actual: {len(given)}"
            )
        canonical = getattr(dtypes, "canonicalize_value", np.asarray)
        given = tuple(canonical(np.asarray(value)) for value in given)
        for k, (value, aval) in enumerate(zip(given, result_avals)):
            if value.shape != aval.shape:
                raise RuntimeError(
                    f"Incorrect output shape for return value #{k}: Expected: {aval.shape}, Actual: {value.shape}"
                )
            if value.dtype != aval.dtype:
                raise RuntimeError(
                    f"Incorrect output dtype for return value #{k}: Expected: {aval.dtype}, Actual: {value.dtype}"
                )
        return given

    held = Callback(checked, list(operand_avals), list(result_avals))
    with _lock:
        held.number = next(_numbers)
        _living[held.number] = held
    # The program holds it as long as it lives, and JAX does not keep a program with callbacks for other processes.
    ctx.module_context.add_host_callback(held)
    call = hlo.CustomCallOp(
        [_ir_type(mlir, ctx, aval) for aval in result_avals],
        list(operands),
        call_target_name=ir.StringAttr.get(TARGET),
        has_side_effect=ir.BoolAttr.get(has_side_effect),
        backend_config=ir.StringAttr.get(str(held.number)),
        api_version=mlir.i32_attr(2),
        called_computations=ir.ArrayAttr.get([]),
    )
    # What has effects happens in the order of the program: no token has to say so.
    return list(call.results), token, held
