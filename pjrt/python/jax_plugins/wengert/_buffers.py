"""``jax.experimental.buffer_callback``: Python functions that read and write the memory of a program in place.

JAX's rule calls a function of XLA itself, which makes the buffers that the Python function gets. Here they are views of the memory
that the plugin gives to every callback (`_callbacks`), with the interface of JAX's own, whose type Python cannot make.
"""

import ctypes
import dataclasses

import numpy as np

from . import _callbacks


class Buffer:
    """An operand or a result in the memory of a program: valid until the function that is given it has ended."""

    def __init__(self, memory, dtype, writeable):
        self._memory, self._dtype, self._writeable = memory, np.dtype(dtype), writeable

    @property
    def shape(self):
        """The sizes of its dimensions."""
        return self._memory.shape

    @property
    def ndim(self):
        """How many dimensions it has."""
        return self._memory.ndim

    @property
    def dtype(self):
        """The type of its elements."""
        return self._dtype

    @property
    def writeable(self):
        """Whether it is a result."""
        return self._writeable

    def _view(self, writeable):
        view = self._memory.view()
        view.flags.writeable = writeable
        return view

    def __array__(self, dtype=None, copy=None):
        """The memory itself, read-only if it is an operand; another type of elements is a copy."""
        view = self._view(self._writeable)
        if dtype is not None and np.dtype(dtype) != view.dtype:
            if copy is False:
                raise ValueError(f"a buffer of {view.dtype} is no array of {np.dtype(dtype)} without a copy")
            return view.astype(dtype)
        return view.copy() if copy else view

    def __dlpack__(self, **options):
        """The memory itself. Where the protocol of the consumer has no word for it, that an operand is not written is its part."""
        try:
            return self._view(self._writeable).__dlpack__(**options)
        except BufferError:
            return self._view(True).__dlpack__(**options)

    def __dlpack_device__(self):
        return self._memory.__dlpack_device__()


class ExecutionContext:
    """What a function is told beside its buffers."""

    @property
    def stage(self):
        """When it runs: it is called to execute, and for nothing else."""
        from jax.experimental.buffer_callback import ExecutionStage

        return ExecutionStage.EXECUTE

    @property
    def stream(self):
        """There is none."""
        from jax.errors import JaxRuntimeError

        raise JaxRuntimeError("UNIMPLEMENTED: XLA FFI GPU context is not available: the program runs on the processor")


def _memory(piece, aval):
    """The elements where they lie."""
    dtype = np.dtype(aval.dtype)
    if not piece.bytes:
        return np.empty(aval.shape, dtype)
    return np.ndarray(aval.shape, dtype, (ctypes.c_char * piece.bytes).from_address(piece.start))


@dataclasses.dataclass(eq=False)
class InPlace(_callbacks.Callback):
    """A function of buffers. Pairs of an operand and a result that are to be one memory are `aliases`."""

    aliases: tuple = ()

    def run(self, operands, results):
        """Runs it on the memory of a program."""
        given = [_memory(operands[k], aval) for k, aval in enumerate(self.operands)]
        made = [_memory(results[k], aval) for k, aval in enumerate(self.results)]
        for operand, result in self.aliases:
            made[result][...] = given[operand]
            given[operand] = made[result]
        buffers = [Buffer(memory, memory.dtype, False) for memory in given]
        buffers += [Buffer(memory, memory.dtype, True) for memory in made]
        self(ExecutionContext(), *buffers)


def of_buffer_callback(rule):
    """JAX's rule, for programs of other platforms, and ours."""

    def lower(ctx, *args, callback, in_tree, out_tree, has_side_effect, input_output_aliases, **params):
        if not _callbacks.is_ours(ctx):
            params.update(callback=callback, in_tree=in_tree, out_tree=out_tree)
            params.update(has_side_effect=has_side_effect, input_output_aliases=input_output_aliases)
            return rule(ctx, *args, **params)
        from jax import tree_util

        def function(context, *buffers):
            count = in_tree.num_leaves
            given, options = tree_util.tree_unflatten(in_tree, buffers[:count])
            made = tree_util.tree_unflatten(out_tree, buffers[count:])
            if callback(context, made, *given, **options) is not None:
                raise ValueError("buffer_callback callback must not return any values.")

        held = InPlace(function, list(ctx.avals_in), list(ctx.avals_out), aliases=tuple(input_output_aliases))
        return list(_callbacks.call(ctx, held, args, has_side_effect).results)

    return lower


def register(mlir):
    """Puts our rule before JAX's; whether JAX has one that is known."""
    try:
        from jax._src.buffer_callback import buffer_callback_p
    except ImportError:
        return False
    entry = mlir._lowerings.get(buffer_callback_p)
    if entry is None:
        return False
    # Some versions of JAX keep more than the rule.
    new = of_buffer_callback(entry) if callable(entry) else dataclasses.replace(entry, rule=of_buffer_callback(entry.rule))
    mlir._lowerings[buffer_callback_p] = new
    return True
