"""Wengert's own options and tools for functions that JAX can trace.

Programs of JAX run on Wengert with ``JAX_PLATFORMS=wengert,cpu`` and nothing of this module. What is here runs one function on
Wengert whatever JAX's default is, and gives what JAX has no word for: a C object, a page that explains a program, what
its gradient takes.
"""

import ctypes
import dataclasses
import functools
import pathlib
import types
from collections.abc import Callable
from typing import Any, Literal

import jax
import numpy as np

__all__ = ["GradMemory", "device", "explain", "export", "grad_memory", "jit", "kernels", "optimized", "save"]

FloatMode = Literal["exact", "default", "relaxed"]


def device() -> jax.Device:
    """The device of Wengert.

    Returns
    -------
    jax.Device

    Raises
    ------
    RuntimeError
        If ``JAX_PLATFORMS`` leaves it out.
    """
    return jax.devices("wengert")[0]


def jit(
    fun: Callable | None = None,
    *,
    float_mode: FloatMode | None = None,
    max_memory: int | None = None,
    threads: int | None = None,
    **options: Any,
) -> Callable:
    """``jax.jit`` on Wengert, whatever JAX's default device is and wherever arguments are.

    Without ``fun`` it is a decorator with these options: ``@wengert.jit(float_mode="exact")``.

    Arrays that are committed to another device are copied to Wengert's, so with ``donate_argnums`` it is the copy that is given
    away.

    Parameters
    ----------
    fun : callable, optional
        A function that JAX can trace.
    float_mode : {"exact", "default", "relaxed"}, optional
        Which changes of rounding are allowed; what ``WENGERT_FLOAT_MODE`` says if not given.
    max_memory : int, optional
        Bytes that a program may need; one that needs more is refused when it is compiled. What ``WENGERT_MAX_MEMORY`` says if not
        given.
    threads : int, optional
        How many threads a call may use; results are the same for any number. What ``WENGERT_THREADS`` says if not given.
    **options
        Those of ``jax.jit``.

    Returns
    -------
    callable
        The function, with the methods ``lower`` and ``trace`` of ``jax.jit``: ``lower(*args).compile()`` compiles it ahead of
        time. Its attribute ``jitted`` is what ``jax.jit`` gave.
    """
    if fun is None:
        return functools.partial(jit, float_mode=float_mode, max_memory=max_memory, threads=threads, **options)
    compiler_options = dict(options.pop("compiler_options", None) or {})
    if float_mode is not None:
        compiler_options["wengert_float_mode"] = float_mode
    if max_memory is not None:
        compiler_options["wengert_max_memory"] = str(max_memory)
    if threads is not None:
        compiler_options["wengert_threads"] = str(threads)
    jitted = jax.jit(fun, compiler_options=compiler_options or None, **options)

    return _Jitted(fun, jitted)


class _Jitted:
    """A jitted function on Wengert. A class, so that what wraps it does not take its methods for its own."""

    def __init__(self, fun: Callable, jitted: Any):
        functools.update_wrapper(self, fun, updated=())
        self.jitted = jitted

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(self.jitted, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Callable:
        return self if instance is None else types.MethodType(self, instance)

    def lower(self, *args: Any, **kwargs: Any) -> Any:
        """What ``jax.jit`` has of this name."""
        return self._call(self.jitted.lower, args, kwargs)

    def trace(self, *args: Any, **kwargs: Any) -> Any:
        """What ``jax.jit`` has of this name."""
        return self._call(self.jitted.trace, args, kwargs)

    def _call(self, method: Callable, args: tuple, kwargs: dict) -> Any:
        args, kwargs = _here((args, kwargs))
        with jax.default_device(device()):
            return method(*args, **kwargs)


def _moved(wengert: jax.Device, leaf: Any) -> Any:
    """What is committed to another device, here. All else goes where the default device is."""
    if not isinstance(leaf, jax.Array) or isinstance(leaf, jax.core.Tracer):
        return leaf
    if not leaf.committed or leaf.devices() == {wengert}:
        return leaf
    return jax.device_put(leaf, wengert)


def _here(args: Any) -> Any:
    """Arguments, none of which is committed to another device."""
    return jax.tree.map(functools.partial(_moved, device()), args)


def _text(fun: Callable, args: tuple, kwargs: dict) -> bytes:
    """The StableHLO of a function for these arguments."""
    args, kwargs = _here((args, kwargs))
    jitted = fun if hasattr(fun, "lower") else jax.jit(fun)
    with jax.default_device(device()):
        return jitted.lower(*args, **kwargs).as_text().encode()


def _text_of_all(fun: Callable, args: tuple) -> bytes:
    """The same, with all arguments: those too that the function does not use."""
    args = _here(args)
    with jax.default_device(device()):
        if hasattr(fun, "lower") and len(jax.tree.leaves(fun.lower(*args).args_info)) != len(jax.tree.leaves(args)):
            raise ValueError(
                "a jitted function with static arguments: give a function of the others alone, such as "
                "functools.partial(fun, static=value) of one that is not jitted"
            )

        # What is jitted already leaves out what it does not use, unless something around it keeps that.
        @functools.wraps(fun, updated=())
        def kept(*args):
            return fun(*args)

        return jax.jit(kept, keep_unused=True).lower(*args).as_text().encode()


@functools.cache
def _library() -> ctypes.CDLL:
    from jax_plugins.wengert import library_path

    library = ctypes.CDLL(library_path())
    text = [ctypes.c_char_p, ctypes.c_size_t]
    library.wengert_make.argtypes = text * 4 + [ctypes.c_void_p] * 3
    library.wengert_make.restype = ctypes.c_int32
    library.wengert_free.argtypes = [ctypes.c_void_p]
    library.wengert_free.restype = None
    return library


def _make(what: str, program: bytes, name: str = "", mode: str | None = None) -> bytes:
    out, size, backing = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    texts = [what.encode(), program, name.encode(), (mode or "").encode()]
    pairs = [part for text in texts for part in (text, len(text))]
    status = _library().wengert_make(*pairs, ctypes.byref(out), ctypes.byref(size), ctypes.byref(backing))
    given = ctypes.string_at(out, size.value) if out.value else b""
    _library().wengert_free(backing)
    if status:
        raise ValueError(given.decode())
    return given


def explain(
    fun: Callable, *args: Any, path: str | pathlib.Path | None = None, float_mode: FloatMode | None = None, **kwargs: Any
) -> str:
    """What the compiler made of a function, as one HTML page: the program beside the optimized one, and why.

    Parameters
    ----------
    fun : callable
        A function that JAX can trace.
    *args, **kwargs
        Arguments that it is to be compiled for; ``jax.ShapeDtypeStruct`` will do.
    path : path, optional
        A file to write the page to.
    float_mode : {"exact", "default", "relaxed"}, optional

    Returns
    -------
    str
        The page.
    """
    title = getattr(fun, "__name__", "function")
    page = _make("explain", _text(fun, args, kwargs), title, float_mode).decode()
    if path is not None:
        pathlib.Path(path).write_text(page)
    return page


def optimized(fun: Callable, *args: Any, float_mode: FloatMode | None = None, **kwargs: Any) -> str:
    """The program after all rewriting, as StableHLO text. Parameters are those of `explain`."""
    return _make("optimized", _text(fun, args, kwargs), "", float_mode).decode()


def kernels(fun: Callable, *args: Any, float_mode: FloatMode | None = None, **kwargs: Any) -> str:
    """The program as loops over memory, as text. Parameters are those of `explain`."""
    return _make("kernels", _text(fun, args, kwargs), "", float_mode).decode()


def export(
    fun: Callable,
    args: tuple,
    path: str | pathlib.Path,
    *,
    header: str | pathlib.Path | None = None,
    rust: str | pathlib.Path | None = None,
    symbol: str | None = None,
    float_mode: FloatMode | None = None,
) -> None:
    """Compiles a function ahead of time into an object file that C and Rust can call, without this library, JAX or Python.

    Parameters
    ----------
    fun : callable
        A function that JAX can trace.
    args : tuple
        Arguments that it is compiled for; ``jax.ShapeDtypeStruct`` will do.
    path : path
        The object file to write.
    header : path, optional
        A C header to write, which declares the function and says in which order arguments and results come.
    rust : path, optional
        A Rust module to write, with a safe function that calls the object's.
    symbol : str, optional
        The name of the C function; that of `fun` if not given.
    float_mode : {"exact", "default", "relaxed"}, optional

    Raises
    ------
    ValueError
        If the program has an operation that needs the runtime library, such as a factorization; if `fun` is a jitted function with
        static arguments.
    """
    symbol = symbol or getattr(fun, "__name__", "function")
    program = _text_of_all(fun, tuple(args))
    pathlib.Path(path).write_bytes(_make("object", program, symbol, float_mode))
    for what, file in (("header", header), ("rust", rust)):
        if file is not None:
            pathlib.Path(file).write_bytes(_make(what, program, symbol, float_mode))


def save(fun: Callable, args: tuple, folder: str | pathlib.Path) -> None:
    """Writes a program and its arguments, for a report of something slow or wrong.

    Parameters
    ----------
    fun : callable
        A function that JAX can trace.
    args : tuple
        Its arguments.
    folder : path
        Where ``program.mlir`` and ``in0.npy``, ``in1.npy``.. are written. ``wengert run`` runs them.

    Raises
    ------
    ValueError
        If `fun` is a jitted function with static arguments.
    """
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    text = _text_of_all(fun, tuple(args))
    arrays = [np.asarray(_data(leaf)) for leaf in jax.tree.leaves(args)]
    (folder / "program.mlir").write_bytes(text)
    for k, array in enumerate(arrays):
        np.save(folder / f"in{k}.npy", array)


def _data(leaf):
    """Of a typed random key the numbers that it is made of, which are what the program takes; anything else as it is."""
    dtype = getattr(leaf, "dtype", None)
    is_key = dtype is not None and jax.dtypes.issubdtype(dtype, jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf


@dataclasses.dataclass(frozen=True)
class GradMemory:
    """Bytes that the value and gradient of a function take.

    Attributes
    ----------
    arguments, results : int
        Of what goes in and comes out.
    temporary : int
        Of what is kept meanwhile: residuals of the reverse pass, mostly.
    """

    arguments: int
    results: int
    temporary: int

    @property
    def total(self) -> int:
        """The sum."""
        return self.arguments + self.results + self.temporary


def grad_memory(fun: Callable, *args: Any, argnums: int | tuple[int, ...] = 0, **kwargs: Any) -> GradMemory:
    """What ``jax.value_and_grad(fun, argnums)`` takes for these arguments, without running it.

    Parameters
    ----------
    fun : callable
        A function to a scalar.
    *args, **kwargs
        Its arguments; ``jax.ShapeDtypeStruct`` will do.
    argnums : int or tuple of int
        With respect to which arguments.

    Returns
    -------
    GradMemory
    """
    args, kwargs = _here((args, kwargs))
    with jax.default_device(device()):
        compiled = jax.jit(jax.value_and_grad(fun, argnums)).lower(*args, **kwargs).compile()
    stats = compiled.memory_analysis()
    return GradMemory(stats.argument_size_in_bytes, stats.output_size_in_bytes, stats.temp_size_in_bytes)
