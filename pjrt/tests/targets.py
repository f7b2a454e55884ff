"""Functions that users register for XLA on the plugin, beside JAX's CPU platform. Run as `smoke.py` is, by the same test.

The argument is the library that `targets.cc` makes; without it the compiler is asked to make it.
"""

import ctypes
import os
import subprocess
import sys
import tempfile

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

TESTS = []
CPU, WENGERT = jax.devices("cpu")[0], jax.devices("wengert")[0]
X = np.arange(12, dtype=np.float32).reshape(3, 4) - 5


def test(function):
    """A function that gives arrays, which must be equal on both platforms."""
    TESTS.append(function)
    return function


def built():
    """The library of targets."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    folder = tempfile.mkdtemp()
    out = os.path.join(folder, "libtargets.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "targets.cc")
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, "-std=c++17", "-O1", "-fPIC", "-shared", f"-I{jax.ffi.include_dir()}", source, "-o", out], check=True)
    return out


LIBRARY = ctypes.CDLL(built())
LIBRARY.state_type.restype = LIBRARY.state_info.restype = ctypes.c_void_p
COUNTER = {"instantiate": "counter_make", "execute": "counter_run"}


def capsule(name):
    return jax.ffi.pycapsule(getattr(LIBRARY, name))


def register():
    """Most for both platforms, under names that say which; `shared_*` for JAX's CPU platform alone."""
    for platform in ("cpu", "wengert"):
        if hasattr(jax.ffi, "register_ffi_type"):
            types = {"type_id": pointer(LIBRARY.state_type()), "type_info": pointer(LIBRARY.state_info())}
            jax.ffi.register_ffi_type("targets.State", types, platform=platform)
        else:
            jax.ffi.register_ffi_type_id("targets.State", pointer(LIBRARY.state_type()), platform=platform)
        names = ["rms_norm", "attributes", "bytes", "increment", "fail", "later", "many", "reverse", "scratch", "effect"]
        for name in names:
            jax.ffi.register_ffi_target(name, capsule(name), platform=platform)
        jax.ffi.register_ffi_target("counter", {k: capsule(v) for k, v in COUNTER.items()}, platform=platform)
    jax.ffi.register_ffi_target("shared_rms_norm", capsule("rms_norm"), platform="cpu")
    jax.ffi.register_ffi_target("shared_counter", {k: capsule(v) for k, v in COUNTER.items()}, platform="cpu")


def pointer(address):
    """A capsule of an address."""
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(address, None, None)


def of(shape, dtype=np.float32):
    return jax.ShapeDtypeStruct(shape, dtype)


def rms_norm(x, name="rms_norm", **options):
    options.setdefault("vmap_method", "broadcast_all")
    return jax.ffi.ffi_call(name, of(x.shape), **options)(x, eps=np.float32(1e-3))


@test
def called_by_itself_and_in_programs():
    f = jax.jit(lambda x: rms_norm(jnp.sin(x)) * 2)
    return rms_norm(X), f(X), f(X[0]), jax.jit(lambda x: rms_norm(rms_norm(x) + 1))(X)


@test
def targets_of_the_cpu_platform():
    return rms_norm(X, "shared_rms_norm"), jax.jit(lambda x: rms_norm(x, "shared_rms_norm") + x)(X)


@test
def under_vmap():
    each = jax.jit(jax.vmap(lambda x: rms_norm(x, vmap_method="sequential")))
    return jax.vmap(rms_norm)(X), each(X), jax.vmap(rms_norm, in_axes=1, out_axes=1)(X.T)


@test
def in_loops_and_branches():
    def step(x, _):
        y = jax.lax.cond(x.sum() > 0, rms_norm, lambda x: x + 1, x)
        return y, y.sum()

    return jax.lax.scan(step, jnp.asarray(X), None, length=5), jax.lax.map(rms_norm, X)


@test
def with_a_derivative_of_the_users():
    @jax.custom_vjp
    def f(x):
        return rms_norm(x)

    def backward(x, t):
        return (t * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-3),)

    f.defvjp(lambda x: (rms_norm(x), x), backward)
    return jax.jit(jax.grad(lambda x: (f(x) ** 2).sum()))(X)


@test
def everything_that_a_call_can_say():
    call = jax.ffi.ffi_call("attributes", of((13,), np.float64))
    more = {"inner": np.int32(-7), "name": "seven"}
    said = dict(flag=True, small=np.int8(-3), word=np.int32(70000), large=np.int64(-(2**40)), natural=np.uint32(2**32 - 1))
    return jax.jit(
        lambda: call(
            **said,
            real=np.float64(0.1),
            single=np.float32(0.3),
            text='a "text", with\nmarks',
            list=np.array([1, -2, 2**33], np.int64),
            reals=np.array([1.5, -2, 4], np.float32),
            naturals=np.array([2**64 - 1, 2**63], np.uint64),
            more=more,
        )
    )()


@test
def every_type_of_elements():
    out = []
    names = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "bfloat16"]
    names += ["float32", "float64", "complex64", "complex128", "int4", "uint4", "float8_e4m3fn", "float8_e5m2"]
    for name in names:
        x = jnp.asarray([[0, 1, 2], [1, 0, 3]]).astype(name)
        size = x.size * x.dtype.itemsize
        bytes, about = jax.jit(jax.ffi.ffi_call("bytes", (of((size,), np.uint8), of((2,), np.int32))))(x)
        # Those of four bits lie two in a byte; nobody says what is in the rest.
        out.append((bytes[: 3 if name.endswith("int4") else size], about))
    empty = jax.ffi.ffi_call("bytes", (of((0,), np.uint8), of((2,), np.int32)))
    return out, empty(jnp.zeros((3, 0), jnp.float32)), empty(jnp.zeros((0,), jnp.int8))


@test
def layouts():
    call = jax.ffi.ffi_call(
        "bytes", (of((48,), np.uint8), of((2,), np.int32)), input_layouts=[(1, 0)], output_layouts=[(0,), (0,)]
    )
    back = jax.ffi.ffi_call("reverse", of(X.shape), input_layouts=[(0, 1)], output_layouts=(1, 0))
    swapped = jax.ffi.ffi_call("reverse", of((2, 3, 2)), input_layouts=[(2, 0, 1)], output_layouts=(1, 2, 0))
    return jax.jit(call)(X), jax.jit(back)(X), jax.jit(swapped)(X.reshape(2, 3, 2))


@test
def results_in_the_place_of_operands():
    call = jax.ffi.ffi_call("increment", of(X.shape), input_output_aliases={0: 0})
    x = jnp.asarray(X)
    y = jax.jit(lambda x: (call(x), x * 2))(x)
    return y, x, call(call(x))


@test
def states_are_of_their_place():
    call = jax.ffi.ffi_call("counter", of((2,), np.int32), has_side_effect=True)
    f = jax.jit(lambda: (call(first=np.int32(0))[0], call(first=np.int32(10))[0]))
    shared = jax.jit(lambda: jax.ffi.ffi_call("shared_counter", of((2,), np.int32), has_side_effect=True)(first=np.int32(5))[0])
    return [f() for _ in range(4)], jax.jit(lambda: call(first=np.int32(0))[0])(), [shared() for _ in range(3)]


@test
def results_that_come_later():
    call = lambda x, fails: jax.ffi.ffi_call("later", of(()))(x, fails=fails)
    x = np.arange(1000, dtype=np.float32)
    return jax.jit(lambda x: call(x, False) + call(x + 1, False))(x), [call(x[:k], False) for k in (0, 3, 8, 100)]


@test
def any_number_of_operands_and_results():
    def call(args, results):
        return jax.ffi.ffi_call("many", [of((k + 1,)) for k in range(results)])(*args)

    xs = [np.full(k + 1, k, np.float32) for k in range(6)]
    return jax.jit(lambda *xs: call(xs, 4))(*xs), call([], 2), call(xs[:1], 1)


@test
def effects_happen():
    call = jax.ffi.ffi_call("effect", (), has_side_effect=True)
    before = LIBRARY.effect_count()
    f = jax.jit(lambda x: (call(x), x + 1)[1])
    jax.block_until_ready([f(X), f(X)])
    jax.effects_barrier()
    return np.int32(LIBRARY.effect_count() - before)


@test
def large_arrays():
    x = np.linspace(-1, 1, 1 << 20, dtype=np.float32).reshape(1024, 1024)
    return jax.jit(lambda x: rms_norm(x) * 2)(x)


def raises(f, *texts):
    """What a failure says."""
    try:
        jax.block_until_ready(f())
    except Exception as error:
        said = str(error)
        assert all(text in said for text in texts), said
        return
    raise AssertionError(f"no failure with {texts}")


def failures():
    """Errors are exceptions, and the process goes on."""
    with jax.default_device(WENGERT):
        fail = lambda text: jax.jit(lambda: jax.ffi.ffi_call("fail", of(()))(text=text))()
        raises(lambda: fail("it is too late"), "fail", "FAILED_PRECONDITION: it is too late")
        raises(lambda: rms_norm(jnp.float32(3)), "INVALID_ARGUMENT", "at least one dimension")
        raises(lambda: jax.ffi.ffi_call("later", of(()))(X, fails=True), "no sum today")
        raises(lambda: jax.ffi.ffi_call("nobody_has_this", of(()))(X), "does not know the custom call @nobody_has_this", "JAX_PLATFORMS=cpu")
        raises(lambda: jax.ffi.ffi_call("rms_norm", of(X.shape))(X), "Wrong number of attributes", "targets.py")
        raises(lambda: jax.ffi.ffi_call("rms_norm", of(X.shape))(X, eps=np.float64(1)), "expected F32 but got F64")
        raises(lambda: jax.ffi.ffi_call("rms_norm", of((3, 4)))(X, X, eps=np.float32(1)), "arguments")
        raises(lambda: jax.ffi.ffi_call("rms_norm", of((3, 4)))(X.astype(np.float64), eps=np.float32(1)), "Wrong buffer dtype")
        raises(lambda: jax.ffi.ffi_call("rms_norm", of(X.shape), custom_call_api_version=1)(X), "rms_norm", "typed interface")
        raises(lambda: jax.ffi.register_ffi_target("old", capsule("later"), platform="wengert", api_version=0), "old", "typed interface")
        raises(lambda: jax.ffi.ffi_call("counter", of((2,), np.int32))(first=np.int32(-1)), "begins at 0")
        raises(lambda: jax.grad(lambda x: rms_norm(x).sum())(X), "cannot be differentiated")
        raises(lambda: jax.ffi.register_ffi_target("rms_norm", capsule("later"), platform="wengert"), "another function")
        jax.ffi.register_ffi_target("rms_norm", capsule("rms_norm"), platform="wengert")
        raises(lambda: jax.ffi.register_ffi_target("odd", {"prepares": capsule("later")}, platform="wengert"), "stages")
        assert np.asarray(rms_norm(X)).shape == X.shape
        # One of this platform's own, after that of "cpu" was used.
        jax.ffi.register_ffi_target("shared_rms_norm", capsule("many"), platform="wengert")


def memory_for_a_call():
    """XLA's CPU has none."""
    with jax.default_device(WENGERT):
        y = jax.jit(jax.ffi.ffi_call("scratch", of(X.shape)))(X)
        assert (np.asarray(y) == X.ravel()[::-1].reshape(X.shape)).all()


def states_are_freed():
    """States go with their programs."""
    import gc

    call = jax.ffi.ffi_call("counter", of((2,), np.int32), has_side_effect=True)
    with jax.default_device(WENGERT):
        f = jax.jit(lambda: call(first=np.int32(3)))
        before = LIBRARY.states_living()
        jax.block_until_ready(f())
        assert LIBRARY.states_living() == before + 1
        del f
        jax.clear_caches()
        gc.collect()
        assert LIBRARY.states_living() <= before, (LIBRARY.states_living(), before)


def main():
    register()
    wrong = 0
    for function in TESTS:
        found = []
        for device in (CPU, WENGERT):
            with jax.default_device(device):
                found.append(jax.tree.map(np.asarray, function()))
        theirs, ours = map(jax.tree.leaves, found)
        assert len(theirs) == len(ours)
        same = all(a.dtype == b.dtype and a.shape == b.shape and np.allclose(*(np.asarray(v, np.complex128) for v in (a, b)), rtol=1e-5) for a, b in zip(theirs, ours))
        if not same:
            wrong += 1
            print(f"{function.__name__}: {theirs} and {ours}")
    failures()
    memory_for_a_call()
    if hasattr(jax.ffi, "register_ffi_type"):
        states_are_freed()
    print(f"{len(TESTS)} programs, {wrong} differ")
    sys.exit(wrong > 0)


main()
