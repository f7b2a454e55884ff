"""Python functions that programs call: ``jax.pure_callback``, ``jax.experimental.io_callback``, ``jax.debug.print``.

JAX refuses platforms that it does not know here, in one function: that function is asked first whether the program is for
Wengert. A callback gets a number, which stands in the program behind a random number of this process; when the program
runs, the plugin calls `_call` with it.
"""

import atexit
import contextlib
import ctypes
import dataclasses
import inspect
import itertools
import secrets
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

    def run(self, operands, results):
        """Runs it on copies of operands, and copies what it gives to where results are to lie."""
        args = [_array(operands[k], aval) for k, aval in enumerate(self.operands)]
        given = self(*args)
        for k, (value, aval) in enumerate(zip(given, self.results, strict=True)):
            value = np.ascontiguousarray(value, dtype=aval.dtype)
            if value.nbytes != results[k].bytes:
                raise RuntimeError(f"the Python function gave {value.nbytes} bytes for {results[k].bytes}")
            if value.nbytes:
                ctypes.memmove(results[k].start, value.ctypes.data, value.nbytes)


#: Callbacks by number, as long as a program holds them.
_living = weakref.WeakValueDictionary()
_numbers = itertools.count(1)
_lock = threading.Lock()

#: Tells the numbers of this process from those of others. Children that are forked have the same functions under the same numbers.
_process = secrets.randbits(63)

#: What says that a function has run. When Python fails where nobody listens, ctypes gives 0, or anything.
_SUCCESS = 0x57656E67


class _Piece(ctypes.Structure):
    """Where elements lie, and how many bytes they are."""

    _fields_ = [("start", ctypes.c_void_p), ("bytes", ctypes.c_size_t)]


_Pieces = ctypes.POINTER(_Piece)
_Trampoline = ctypes.CFUNCTYPE(
    ctypes.c_int32,
    ctypes.c_uint64,
    _Pieces,
    ctypes.c_size_t,
    _Pieces,
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_char),
    ctypes.c_size_t,
)


def _check(what, pieces, count, avals):
    """Fails if memory is not what the function was written for: nothing is read or written beyond it."""
    found = [pieces[k].bytes for k in range(count)]
    wanted = [np.dtype(aval.dtype).itemsize * int(np.prod(aval.shape, dtype=np.int64)) for aval in avals]
    if found != wanted:
        raise RuntimeError(f"the program has {what} of {found} bytes, and the Python function is for {wanted}")


def _array(piece, aval):
    """A copy of elements: the function may keep what it is given."""
    out = np.empty(aval.shape, aval.dtype)
    if out.nbytes:
        ctypes.memmove(out.ctypes.data, piece.start, out.nbytes)
    return out


def _run(number, operands, operand_count, results, result_count):
    callback = _living.get(number)
    if callback is None:
        raise RuntimeError("the Python function of this callback is gone: no program that JAX has lowered holds it")
    _check("operands", operands, operand_count, callback.operands)
    _check("results", results, result_count, callback.results)
    callback.run(operands, results)


def _text(error):
    """What is said of an error, whatever its texts hold and its methods do."""
    try:
        return traceback.format_exc()
    except BaseException:
        return f"{type(error).__name__}, whose text cannot be had"


def _call(number, operands, operand_count, results, result_count, message, room):
    try:
        _run(number, operands, operand_count, results, result_count)
        return _SUCCESS
    except BaseException as error:
        text = _text(error).encode("utf-8", "backslashreplace").replace(b"\0", b"\\0")[: room - 1]
        ctypes.memmove(message, text + b"\0", len(text) + 1)
        return 1


_trampoline = _Trampoline(_call)


class _Lock(ctypes.Structure):
    """Python's lock: functions that say whether this thread has it, let it go and take it again."""

    _fields_ = [("is_held", ctypes.c_void_p), ("release", ctypes.c_void_p), ("acquire", ctypes.c_void_p)]

    @classmethod
    def of_python(cls):
        """That of this interpreter."""
        address = lambda function: ctypes.cast(function, ctypes.c_void_p)
        python = ctypes.pythonapi
        return cls(*map(address, (python.PyGILState_Check, python.PyEval_SaveThread, python.PyEval_RestoreThread)))


def _stop(library):
    """Before the interpreter ends: no thread of the plugin enters Python any more."""
    from jax._src import dispatch

    # What was to be printed is. If that fails JAX says so: it does the same after this.
    with contextlib.suppress(Exception):
        dispatch.wait_for_tokens()
    # Others may run Python while this waits for their functions to end.
    library.wengert_set_python_callback(_Trampoline(), 0)
    library.wengert_set_python_lock(None)


def register():
    """Tells the plugin whom to call, and JAX whom to ask."""
    from jax._src import callback as jax_callback
    from jax._src import debugging
    from jax._src.lax.control_flow import loops

    from . import library_path

    original = getattr(jax_callback, "emit_python_callback", None)
    if original is None:
        return False
    library = ctypes.CDLL(library_path())
    library.wengert_set_python_callback.argtypes = [_Trampoline, ctypes.c_uint64]
    library.wengert_set_python_callback.restype = None
    library.wengert_set_python_callback(_trampoline, _process)
    library.wengert_set_python_lock.argtypes = [ctypes.POINTER(_Lock)]
    library.wengert_set_python_lock.restype = None
    library.wengert_set_python_lock(ctypes.byref(_Lock.of_python()))
    atexit.register(_stop, library)

    def emit_python_callback(ctx, callback, token, operands, operand_avals, result_avals, **options):
        if not is_ours(ctx):
            return original(ctx, callback, token, operands, operand_avals, result_avals, **options)
        return _emit(ctx, callback, token, operands, operand_avals, result_avals, **options)

    jax_callback.emit_python_callback = emit_python_callback
    for module, name in ((jax_callback, "xb"), (debugging, "xla_bridge"), (loops, "xb")):
        if hasattr(module, name):
            setattr(module, name, _Bridge(getattr(module, name)))
    # What other libraries know it by.
    from jax.interpreters import mlir as exported

    if getattr(exported, "emit_python_callback", None) is original:
        exported.emit_python_callback = emit_python_callback
    return True


class _Bridge:
    """``xla_bridge`` as callbacks and loops see it, which want arrays of "cpu": without that platform they are Wengert's."""

    def __init__(self, bridge):
        self._bridge = bridge

    def __getattr__(self, name):
        return getattr(self._bridge, name)

    def local_devices(self, *args, **options):
        try:
            return self._bridge.local_devices(*args, **options)
        except RuntimeError:
            if options.get("backend") != "cpu":
                raise
            return self._bridge.local_devices(*args, **{**options, "backend": "wengert"})


def is_ours(ctx):
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


def _set_sharding(mlir, ctx, call, sharding):
    """Says where the callback runs: one device makes no use of it, and who reads the program may."""
    if len(inspect.signature(mlir.set_sharding).parameters) == 3:
        mlir.set_sharding(ctx.module_context, call, sharding)
    else:
        mlir.set_sharding(call, sharding)


def _emit(ctx, callback, token, operands, operand_avals, result_avals, *, has_side_effect, partitioned=False, sharding=None, **_):
    from jax._src import dtypes
    from jax._src.interpreters import mlir

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
    made = call(ctx, held, operands, has_side_effect)
    if sharding is not None:
        _set_sharding(mlir, ctx, made, sharding)
    # What has effects happens in the order of the program: no token has to say so.
    return list(made.results), token, held


def call(ctx, held, operands, has_side_effect):
    """The operation that calls a `Callback`, which lives as long as the program."""
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    from jax._src.lib.mlir.dialects import hlo

    with _lock:
        held.number = next(_numbers)
        _living[held.number] = held
    # The program holds it as long as it lives, and JAX does not keep a program with callbacks for other processes.
    ctx.module_context.add_host_callback(held)
    return hlo.CustomCallOp(
        [_ir_type(mlir, ctx, aval) for aval in held.results],
        list(operands),
        call_target_name=ir.StringAttr.get(TARGET),
        has_side_effect=ir.BoolAttr.get(has_side_effect),
        backend_config=ir.StringAttr.get(f"{_process}:{held.number}"),
        api_version=mlir.i32_attr(2),
        called_computations=ir.ArrayAttr.get([]),
    )
