"""Unmodified JAX on the plugin: what users do, in a minute. Every result is compared with numpy or with JAX's CPU device."""

import contextlib
import gc
import io
import logging
import os
import subprocess
import sys
import tempfile
import threading
import warnings

import jax
import jax.numpy as jnp
import numpy as np

import wengert

CPU = jax.devices("cpu")[0]
TESTS = []
IN_PROCESSES = []


def test(function):
    TESTS.append(function)
    return function


def in_processes(function):
    """A test that does next to nothing but wait for processes of its own."""
    IN_PROCESSES.append(function)
    return test(function)


def near(found, expected, tolerance=2e-5):
    jax.tree.map(lambda f, e: np.testing.assert_allclose(np.asarray(f), np.asarray(e), tolerance, tolerance), found, expected)


def same_on_cpu(function, *args, tolerance=2e-5):
    """Runs a function on both devices."""
    found = jax.jit(function)(*args)
    with jax.default_device(CPU):
        expected = jax.jit(function)(*jax.device_put(args, CPU))
    near(found, expected, tolerance)
    return found


def python(program, **environment):
    """Runs a program in a process of its own and gives what it has said."""
    start = "import jax, numpy as np\nimport jax.numpy as jnp\n"
    done = subprocess.run(
        [sys.executable, "-c", start + program],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done
    return done.stdout


def unnamed(program, **environment):
    """Runs a program in a process in which nobody names a platform, and gives what came of it."""
    environment = {**os.environ, **environment}
    environment.pop("JAX_PLATFORMS", None)
    start = "import jax, numpy as np\nimport jax.numpy as jnp\n"
    done = subprocess.run([sys.executable, "-c", start + program], capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done
    return done


def raises(kind, text, function):
    try:
        jax.block_until_ready(function())
    except kind as e:
        assert text in str(e), f"{text!r} is not in {e}"
        return
    raise AssertionError(f"no {kind}")


@test
def devices():
    (device,) = jax.devices()
    assert device.platform == "wengert" and jax.default_backend() == "wengert"
    assert [m.kind for m in device.addressable_memories()] == ["device", "pinned_host", "unpinned_host"]
    assert device.default_memory().kind == "device"
    assert device.memory_stats()["bytes_in_use"] >= 0


@test
def eager():
    x = jnp.arange(12.0).reshape(3, 4)
    near(x @ x.T + 1, np.arange(12.0).reshape(3, 4) @ np.arange(12.0).reshape(3, 4).T + 1)
    near(jnp.sort(-x, axis=1)[:, ::2], -np.arange(12.0).reshape(3, 4)[:, ::-1][:, ::2])
    assert int(jnp.argmax(x)) == 11 and (x > 5).sum() == 6
    near(jnp.fft.fft(x[0]), np.fft.fft(np.arange(4.0)))


@test
def element_types():
    for dtype in ("int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "float32", "bool", "complex64"):
        x = np.array([0, 1, 1, 0, 1], dtype=jnp.dtype(dtype))
        assert np.array_equal(np.asarray(jnp.asarray(x)[::-1]), x[::-1]), dtype
    for dtype in ("int4", "uint4"):
        x = np.array([-3 % 8 if dtype == "uint4" else -3, 2, 7], dtype=jnp.dtype(dtype))
        y = jnp.asarray(x)
        assert np.array_equal(np.asarray(y), x) and int(y.astype(jnp.int32).sum()) == int(x.astype(np.int32).sum()), dtype
    with jax.enable_x64(True) if hasattr(jax, "enable_x64") else jax.experimental.enable_x64():
        assert jnp.asarray(np.array([1 / 3])).dtype == np.float64
        near(jax.jit(jnp.sin)(np.array([1 / 3])), np.sin(1 / 3), 1e-15)


@test
def derivatives():
    f = lambda x: jnp.sum(jnp.tanh(x) ** 2 * jnp.cumsum(x))
    x = jnp.linspace(-1, 1, 7)
    same_on_cpu(jax.value_and_grad(f), x)
    same_on_cpu(jax.hessian(f), x, tolerance=1e-4)
    same_on_cpu(jax.vmap(jax.grad(f)), jnp.stack([x, 2 * x]))


@test
def control_flow():
    same_on_cpu(lambda x: jax.lax.scan(lambda c, v: (c * 0.9 + v, c), 0.0, x), jnp.arange(10.0))
    same_on_cpu(lambda x: jax.lax.while_loop(lambda c: c < 100, lambda c: c * 2, x), 1.5)
    for k in (-1.0, 1.0):
        same_on_cpu(lambda x: jax.lax.cond(x > 0, jnp.sin, jnp.exp, x), k)
    same_on_cpu(lambda i, x: jax.lax.switch(i, [jnp.sin, jnp.cos, jnp.exp], x), 1, 0.5)
    grad = jax.grad(lambda x: jax.lax.scan(lambda c, _: (jnp.sin(c) + x, None), x, None, length=50)[0])
    same_on_cpu(grad, 0.3)


@test
def training():
    def init(key):
        a, b = jax.random.split(key)
        return {"w": jax.random.normal(a, (20, 8)) * 0.3, "v": jax.random.normal(b, (8, 1)) * 0.3, "b": jnp.zeros(8)}

    def loss(p, x, y):
        return jnp.mean((jax.nn.gelu(x @ p["w"] + p["b"]) @ p["v"] - y) ** 2)

    def step(p, x, y):
        value, grad = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda p, g: p - 0.1 * g, p, grad), value

    x = np.random.RandomState(0).randn(64, 20).astype(np.float32)
    y = np.sin(x.sum(1, keepdims=True))
    p = init(jax.random.key(0))
    same_on_cpu(step, p, x, y)
    donating = jax.jit(step, donate_argnums=0)
    values = []
    for _ in range(30):
        before = p
        p, value = donating(p, x, y)
        values.append(float(value))
        assert before["w"].is_deleted()
    assert values[-1] < 0.7 * values[0], values


@test
def linear_algebra():
    a = np.random.RandomState(1).randn(6, 6).astype(np.float32)
    spd = a @ a.T + 6 * np.eye(6, dtype=np.float32)
    near(jnp.linalg.solve(a, a), np.eye(6), 1e-3)
    near(jnp.linalg.cholesky(spd), np.linalg.cholesky(spd), 1e-4)
    near(jnp.linalg.eigh(spd)[0], np.linalg.eigvalsh(spd), 1e-4)
    near(jnp.linalg.svd(a, compute_uv=False), np.linalg.svd(a, compute_uv=False), 1e-4)
    q, r = jnp.linalg.qr(a)
    near(q @ r, a, 1e-4)
    near(jnp.sort(jnp.abs(jnp.linalg.eigvals(a))), np.sort(np.abs(np.linalg.eigvals(a))), 1e-3)


@test
def randomness():
    key = jax.random.key(7)
    with jax.default_device(CPU):
        expected = np.asarray(jax.random.normal(jax.random.key(7), (100,)))
    near(jax.random.normal(key, (100,)), expected)
    assert abs(float(jax.random.uniform(key, (10000,)).mean()) - 0.5) < 0.02


@test
def no_copies():
    x = np.random.RandomState(2).randn(1 << 20).astype(np.float32)
    on_device = jax.device_put(x)
    # numpy's memory has 16 bytes of alignment at least, as JAX asks for.
    assert on_device.unsafe_buffer_pointer() == x.ctypes.data
    assert np.asarray(on_device).ctypes.data == x.ctypes.data
    y = jax.jit(lambda x: x + 1)(on_device)
    assert np.asarray(y).ctypes.data == y.unsafe_buffer_pointer()
    seen = np.asarray(y)
    y.delete()
    del y
    gc.collect()
    near(seen, x + 1)


@test
def donation_takes_memory_over():
    step = jax.jit(lambda x: x * 2 + 1, donate_argnums=0)
    x = step(jnp.ones(1 << 16))
    at = x.unsafe_buffer_pointer()
    y = step(x)
    assert x.is_deleted() and y.unsafe_buffer_pointer() == at
    # What numpy looks at is not written.
    seen = np.asarray(y)
    z = step(y)
    assert y.is_deleted() and (seen == 7).all() and (np.asarray(z) == 15).all()


@test
def dimensions_lie_in_any_order():
    from jax.experimental.layout import Format, Layout

    lies = lambda *outermost_first: Format(Layout(outermost_first), jax.sharding.SingleDeviceSharding(jax.devices()[0]))
    order = lambda x: x.format.layout.major_to_minor
    x = np.random.RandomState(5).randn(6, 40, 50).astype(np.float32)
    # Element types, orders, and both ways to numpy.
    for dtype in ("float32", "bfloat16", "int4", "bool", "complex64"):
        given = jnp.asarray(x * 2).astype(dtype)
        for outermost_first in ((2, 0, 1), (1, 2, 0), (0, 1, 2)):
            y = jax.device_put(given, lies(*outermost_first))
            assert order(y) == outermost_first and np.array_equal(np.asarray(y), np.asarray(given)), (dtype, outermost_first)
            assert np.array_equal(np.asarray(y[2, 3:5]), np.asarray(given)[2, 3:5])
            assert np.array_equal(np.asarray(jax.device_put(y, lies(0, 1, 2))), np.asarray(given))
    # Programs take what lies otherwise than they say, or JAX refuses it.
    y = jax.device_put(x, lies(2, 0, 1))
    f = lambda x: jnp.sin(x).sum(0) @ x[0].T
    near(jax.jit(f)(y), f(x), 1e-4)
    near(jax.jit(f, in_shardings=lies(2, 0, 1))(x), f(x), 1e-4)
    near(jax.grad(lambda x: f(x).sum())(y), jax.grad(lambda x: f(x).sum())(x), 1e-4)
    near(jax.vmap(jnp.cumsum)(y), np.asarray(x).reshape(6, -1).cumsum(1), 1e-3)
    raises(ValueError, "does not match the layout", lambda: jax.jit(f, in_shardings=lies(1, 0, 2))(y))
    # A result whose order is left open is not moved; memory is given away in any.
    compiled = jax.jit(lambda x: x.T, in_shardings=Format(Layout.AUTO), out_shardings=Format(Layout.AUTO)).lower(x).compile()
    z = compiled(x)
    assert order(z) == (2, 1, 0) and np.array_equal(np.asarray(z), x.T) and compiled.output_formats == z.format
    update = jax.jit(lambda x: x + 1, in_shardings=lies(2, 0, 1), out_shardings=lies(2, 0, 1), donate_argnums=0)
    y = update(y)
    at = y.unsafe_buffer_pointer()
    z = update(y)
    assert y.is_deleted() and z.unsafe_buffer_pointer() == at and order(z) == (2, 0, 1)
    near(z, x + 2)
    constrained = jax.jit(lambda x: jax.experimental.layout.with_layout_constraint(x * 2, Layout((1, 2, 0))))(x)
    # Older versions of JAX say that such a result is row-major.
    assert jax.version.__version_info__ < (0, 10) or order(constrained) == (1, 2, 0)
    assert np.array_equal(np.asarray(constrained), x * 2)
    raises(Exception, "not tiles", lambda: jax.jit(f, out_shardings=Format(Layout((0, 1), ((8, 128),)), lies(0, 1).sharding))(x))


@test
def buffers_of_callbacks():
    from jax.experimental.buffer_callback import buffer_callback

    seen = []

    def scaled(context, out, x, *, by):
        seen.append((context.stage.name, x.shape, x.dtype, x.writeable, out[0].writeable, np.asarray(x).flags.writeable))
        np.asarray(out[0])[...] = np.asarray(x) * np.asarray(by)
        np.asarray(out[1])[...] = np.from_dlpack(x).sum()

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    made = [jax.ShapeDtypeStruct((2, 3), np.float32), jax.ShapeDtypeStruct((), np.float32)]
    f = buffer_callback(scaled, made)
    found = jax.jit(lambda x: f(x + 1, by=2 * x))(x)
    near(found, [(x + 1) * 2 * x, (x + 1).sum()])
    assert seen == [("EXECUTE", (2, 3), np.float32, False, True, False)], seen
    # Batches, memory that is shared, what Python says.
    each = buffer_callback(lambda _, out, x: np.asarray(out).fill(np.asarray(x).max()), made[1], vmap_method="sequential")
    near(jax.vmap(each)(x), x.max(1))
    places = []

    def in_place(_, out, x):
        places.append(np.asarray(out).ctypes.data == np.asarray(x).ctypes.data)
        np.asarray(out)[...] += 1

    shared = buffer_callback(in_place, made[0], input_output_aliases={0: 0})
    given = jnp.asarray(x)
    near(jax.jit(lambda x: [shared(x), x])(given), [x + 1, x])
    assert places == [True] and np.array_equal(np.asarray(given), x)
    for wrong, text in (lambda *_: 1, "must not return"), (lambda context, *_: context.stream, "context is not available"):
        raises(Exception, text, lambda: jax.jit(buffer_callback(wrong, made[0]))(x))
    # What runs on another platform is JAX's own.
    near(jax.jit(f)(jax.device_put(x, CPU), by=np.float32(3)), [x * 3, x.sum()])


@test
def callbacks():
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)
    twice = jax.jit(lambda x: jax.pure_callback(lambda v: np.asarray(v) * 2, shape, x) + 1)
    near(twice(jnp.arange(3.0)), [1, 3, 5])
    seen = []

    def body(i, x):
        jax.experimental.io_callback(lambda i: seen.append(int(i)), None, i, ordered=True)
        return x + i

    assert int(jax.jit(lambda x: jax.lax.fori_loop(0, 5, body, x))(1)) == 11
    jax.effects_barrier()
    assert seen == [0, 1, 2, 3, 4], seen
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        jax.jit(lambda x: jax.debug.print("x = {x}", x=x))(3.0)
        jax.effects_barrier()
    assert out.getvalue() == "x = 3.0\n", out.getvalue()

    def bad(_):
        raise ValueError("no luck today")

    raises(Exception, "no luck today", lambda: jax.jit(lambda x: jax.pure_callback(bad, shape, x))(jnp.ones(3)))
    # A callback that runs JAX, while the program that called it waits.
    def inner(x):
        return np.asarray(jnp.sin(jnp.asarray(x)) @ jnp.ones((300, 300)))

    wide = jax.ShapeDtypeStruct((300,), jnp.float32)
    y = jax.jit(lambda x: jax.pure_callback(inner, wide, x @ jnp.eye(300)))(jnp.zeros(300))
    near(y, np.zeros(300))


@test
def programs_are_asked():
    compiled = jax.jit(lambda x: jnp.sin(x) @ x).lower(jnp.ones((8, 8))).compile()
    assert "ENTRY" in compiled.as_text()
    assert compiled.cost_analysis()["flops"] > 1000
    assert compiled.memory_analysis().argument_size_in_bytes == 256


@test
def programs_are_kept():
    from jax.experimental import serialize_executable

    compiled = jax.jit(lambda x: jnp.sin(x) * 2).lower(jnp.ones(4)).compile()
    loaded = serialize_executable.deserialize_and_load(*serialize_executable.serialize(compiled))
    near(loaded(jnp.ones(4)), np.sin(np.ones(4)) * 2)


@test
def errors():
    raises(Exception, "No such compile option: 'speed'", lambda: jax.jit(jnp.sin).lower(1.0).compile({"speed": "1"}))
    exact = jax.jit(jnp.sin).lower(1.0).compile({"wengert_float_mode": "exact"})
    near(exact(1.0), np.sin(1.0))
    raises(Exception, '"0" is no number of threads', lambda: jax.jit(jnp.sin).lower(1.0).compile({"wengert_threads": "0"}))
    alone = jax.jit(lambda x: jnp.cumsum(jnp.sin(x @ x.T))).lower(jnp.ones((300, 300))).compile({"wengert_threads": "1"})
    large = np.random.RandomState(0).randn(300, 300).astype(np.float32)
    assert np.array_equal(alone(large), jax.jit(lambda x: jnp.cumsum(jnp.sin(x @ x.T)))(large))
    unknown = lambda x: jax.ffi.ffi_call("nobody_has_this", jax.ShapeDtypeStruct((3,), jnp.float32))(x)
    raises(Exception, "@nobody_has_this", lambda: jax.jit(unknown)(jnp.ones(3)))
    x = jnp.ones(3)
    x.delete()
    raises(Exception, "deleted", lambda: x + 1)
    # The process goes on, and so does JAX's own device.
    assert float(jnp.ones(3).sum()) == 3 and float(jnp.sum(jax.device_put(np.ones(3), CPU))) == 3


@in_processes
def settings_are_checked():
    """What a variable cannot be is said by its name, and JAX's own device is still there."""
    wrong = {
        "WENGERT_THREADS": "many",
        "WENGERT_FLOAT_MODE": "quick",
        "WENGERT_MAX_MEMORY": "lots",
        "WENGERT_JAX_DEVICES": "0",
        "WENGERT_JAX_SYNCHRONOUS": "maybe",
        "WENGERT_JAX_PLATFORM": "tpu",
    }
    program = (
        "try:\n    jax.devices('wengert')\nexcept RuntimeError as e:\n    print(e)\n"
        "jax.config.update('jax_platforms', 'cpu')\nprint(float(jnp.ones(3).sum()))"
    )
    for variable, value in wrong.items():
        said = python(program, **{variable: value})
        assert f"{variable}: " in said and value in said and said.endswith("3.0\n"), said


@test
def rules_that_come_later():
    """A library that is imported after the platform was started says how its operations are lowered for "cpu"."""
    from jax.extend import core
    from jax.interpreters import mlir

    jax.devices("wengert")
    twice = core.Primitive("twice_that_came_later")
    twice.def_abstract_eval(lambda x: x)
    twice.def_impl(lambda x: jax.jit(twice.bind)(x))
    mlir.register_lowering(twice, mlir.lower_fun(lambda x: x + x, multiple_results=False), platform="cpu")
    near(jax.jit(twice.bind)(jnp.ones(3)), [2.0, 2.0, 2.0])


@in_processes
def nobody_is_disturbed():
    """Where nobody names the platform JAX is as it was: its default, not a word, and no failure if a setting of ours is wrong."""
    program = (
        "print(jax.devices()[0].platform, float(jnp.ones(3).sum()))\n"
        "import sys\n"
        "try:\n    print(jax.devices('wengert')[0].platform)\nexcept RuntimeError as e:\n    print('not there')\n"
    )
    for setting, there in (({}, "wengert"), ({"WENGERT_THREADS": "many"}, "not there")):
        done = unnamed(program, **setting)
        assert done.stdout == f"cpu 3.0\n{there}\n", done
        assert "wengert" not in done.stderr, done.stderr


@test
def eight_threads():
    failed = []

    def work(k):
        try:
            f = jax.jit(lambda x: jnp.sum(x**2) + k)
            for n in range(1, 20):
                assert float(f(np.full(n, 2.0, np.float32))) == 4.0 * n + k
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not failed, failed


@test
def many_compilations():
    def once(k):
        compiled = jax.jit(lambda x: x * k + 1).lower(1.0).compile()
        assert float(compiled(2.0)) == 2.0 * k + 1

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def many(numbers):
        for k in numbers:
            once(k)
            if k % 100 == 99:
                jax.clear_caches()
        gc.collect()

    many(range(100))
    before = resident()
    # Numbers that 32-bit floats have.
    many(range(100, int(os.environ.get("WENGERT_COMPILATIONS", "200"))))
    grown = resident() - before
    assert grown < 32e6, f"{grown / 1e6:.0f} MB more"
    assert float(jax.jit(lambda x: x + 1)(1.0)) == 2.0


@test
def callbacks_say_what_they_are_for():
    shape = jax.ShapeDtypeStruct((3,), jnp.float32)

    class Odd(Exception):
        def __str__(self):
            raise ValueError("no text")

    def fails(error):
        def bad(_):
            raise error

        return lambda: jax.jit(lambda x: jax.pure_callback(bad, shape, x))(jnp.ones(3))

    # JAX writes down what it is about to raise.
    logging.disable(logging.CRITICAL)
    # What cannot be encoded, what has a zero, what is no text: an error all the same, never a value.
    raises(Exception, "lone \\udc80 surrogate", fails(ValueError("lone \udc80 surrogate")))
    raises(Exception, "before\\0after", fails(ValueError("before\0after")))
    raises(Exception, "Odd", fails(Odd()))
    raises(Exception, "Error", fails(RuntimeError("x" * 20000)))
    raises(Exception, "KeyboardInterrupt", fails(KeyboardInterrupt()))
    logging.disable(logging.NOTSET)
    # Memory that is not what the function is for is not touched.
    from jax_plugins.wengert import _callbacks

    numbers = jax.jit(lambda x: jax.pure_callback(lambda v: v, shape, x))
    text = numbers.lower(jnp.ones(3)).as_text()
    assert str(_callbacks._process) in text
    operand, result = (_callbacks._Piece * 1)((0, 12)), (_callbacks._Piece * 1)((0, 8))
    living = max(_callbacks._living)
    raises(RuntimeError, "results of [8] bytes", lambda: _callbacks._run(living, operand, 1, result, 1))
    raises(RuntimeError, "operands of [] bytes", lambda: _callbacks._run(living, operand, 0, result, 1))


@in_processes
def callbacks_wait_for_programs():
    # What the callback waits for comes behind programs that wait for the callback.
    program = (
        "long = jax.jit(lambda x: jax.lax.fori_loop(0, 3000, lambda _, c: jnp.sin(c) + 1, x))\n"
        "x = jnp.ones(10000)\n"
        "def g(v):\n"
        "    return np.asarray(long(jnp.asarray(v)))\n"
        "f = jax.jit(lambda x: jax.pure_callback(g, jax.ShapeDtypeStruct(x.shape, x.dtype), x))\n"
        "h = jax.jit(lambda y: y * 2)\n"
        "y = f(long(x))\n"
        "z = [h(y) for _ in range(8)]\n"
        "print(np.allclose(z[7], np.asarray(long(long(x))) * 2))\n"
    )
    assert python(program) == "True\n"
    # Whoever asks where a result lies that a callback has still to make, on another thread: what it reads takes some time.
    program = (
        "import time\n"
        "def g(v):\n"
        "    time.sleep(0.2)\n"
        "    return v\n"
        "f = jax.jit(lambda x: jax.lax.fori_loop(0, 300, lambda _, c: jnp.sin(c) + 1, x))\n"
        "h = jax.jit(lambda x: jax.pure_callback(g, jax.ShapeDtypeStruct(x.shape, x.dtype), x))\n"
        "y = h(f(jnp.ones(10000))).block_until_ready()\n"
        "for k in range(100):\n"
        "    y = f(y)\n"
        "y = h(y)\n"
        "print(y.unsafe_buffer_pointer() > 0)\n"
    )
    assert python(program) == "True\n"


@in_processes
def ends_while_it_runs():
    program = (
        "f = jax.jit(lambda x: jax.lax.fori_loop(0, 2000, lambda _, c: jnp.sin(c), x))\n"
        "f(jnp.ones(100000))\n"
        "print('started', flush=True)\n"
    )
    assert python(program) == "started\n"
    # With functions of Python to come: what is to be printed is, and nobody enters Python after its end.
    program = (
        "x = jnp.ones(100000)\n"
        "f = jax.jit(lambda x: jax.lax.fori_loop(0, 300, lambda _, c: jnp.sin(c), x))\n"
        "g = jax.jit(lambda x: jax.pure_callback(lambda v: np.sort(v), jax.ShapeDtypeStruct(x.shape, x.dtype), x))\n"
        "@jax.jit\n"
        "def show(x):\n"
        "    jax.debug.print('shown')\n"
        "    return x\n"
        "x = show(f(x))\n"
        "for _ in range(20):\n"
        "    x = g(f(x))\n"
    )
    for _ in range(3):
        assert python(program) == "shown\n"


@in_processes
def callbacks_are_of_their_process():
    # The plugin refuses programs of other processes by this number.
    program = (
        "f = jax.jit(lambda x: jax.pure_callback(lambda v: v, jax.ShapeDtypeStruct((3,), jnp.float32), x))\n"
        "print(f.lower(jnp.ones(3)).as_text())\n"
    )
    first, second = (python(program).split('backend_config = "')[1].split('"')[0] for _ in range(2))
    assert first != second and first.split(":")[1] == second.split(":")[1] == "1", (first, second)


@in_processes
def callbacks_under_the_name_of_cpu():
    program = (
        "print(jax.devices()[0].platform)\n"
        "f = jax.jit(lambda x: jax.pure_callback(lambda v: v * 2, jax.ShapeDtypeStruct((3,), jnp.float32), x))\n"
        "print(np.asarray(f(jnp.ones(3))))\n"
        "jax.jit(lambda x: jax.debug.print('x = {}', x))(1.0)\n"
        "jax.effects_barrier()\n"
    )
    found = python(program, WENGERT_JAX_PLATFORM="cpu")
    assert found == "cpu\n[2. 2. 2.]\nx = 1.0\n", found


@in_processes
def callbacks_without_cpu():
    """Where this platform is the only one."""
    program = (
        "from jax.experimental import io_callback\n"
        "three = jax.ShapeDtypeStruct((3,), jnp.float32)\n"
        "f = jax.jit(lambda x: jax.pure_callback(lambda v: jnp.sin(v) * 0 + v * 2, three, x))\n"
        "print(np.asarray(f(jnp.ones(3))), np.asarray(jax.pure_callback(lambda v: v * 3, three, jnp.ones(3))))\n"
        "jax.jit(lambda x: io_callback(lambda v: print(v.sum()), None, x, ordered=True))(jnp.ones(3))\n"
        "jax.jit(lambda x: jax.debug.print('x = {}', x))(1.0)\n"
        "jax.effects_barrier()\n"
    )
    found = python(program, JAX_PLATFORMS="wengert")
    assert found == "[2. 2. 2.] [3. 3. 3.]\n3.0\nx = 1.0\n", found


@in_processes
def who_asks_is_told_why_it_cannot_start():
    """The reason is the exception's where the platform is named; nobody else hears of it."""
    old = "jax.version.__version_info__ = (0, 6, 2)\n"
    run = "try:\n    print(float(jnp.ones(3).sum()))\nexcept RuntimeError as e:\n    print('told:', e)\n"
    for program, setting, reason in (
        (old + run, {}, "jax-wengert needs jax 0.7.0 or newer"),
        (run, {"WENGERT_JAX_LIBRARY": "/nowhere/libwengert_pjrt.so"}, "/nowhere/libwengert_pjrt.so"),
    ):
        said = python(program, JAX_PLATFORMS="wengert", **setting)
        assert "told:" in said and reason in said, said
        done = unnamed(program, **setting)
        assert done.stdout == "3.0\n" and done.stderr == "", done


@test
def what_is_written_for_cpu():
    """Branches and exported programs for "cpu" are taken where none are for this platform."""
    from jax import export

    chosen = lambda x: jax.lax.platform_dependent(x, cpu=lambda x: x + 1, cuda=lambda x: x + 2)
    near(jax.jit(chosen)(jnp.ones(3)), [2.0, 2.0, 2.0])
    other = lambda x: jax.lax.platform_dependent(x, cuda=lambda x: x + 2, default=lambda x: x + 3)
    near(jax.jit(jax.grad(lambda x: other(x * x).sum()))(jnp.ones(3)), [2.0, 2.0, 2.0])
    near(jax.jit(other)(jnp.ones(3)), [4.0, 4.0, 4.0])
    for platforms in (["cpu"], ["cuda", "cpu"]):
        written = export.export(jax.jit(jnp.sin), platforms=platforms)(jax.ShapeDtypeStruct((3,), jnp.float32))
        near(written.call(jnp.ones(3)), [np.sin(1.0)] * 3)
    only = export.export(jax.jit(jnp.sin), platforms=["cuda"])(jax.ShapeDtypeStruct((3,), jnp.float32))
    raises(ValueError, "cuda", lambda: only.call(jnp.ones(3)))


@in_processes
def functions_of_wengert():
    program = (
        "import wengert\n"
        "from jax._src import xla_bridge\n"
        "f = wengert.jit(lambda x, y, k=1: (x + y) * k, static_argnames='k')\n"
        "assert not xla_bridge._backends, 'nothing starts before it is called'\n"
        "assert jax.default_backend() == 'cpu'\n"
        "cpu = jax.devices('cpu')[0]\n"
        "x = jnp.ones(3)\n"
        "for a in (x, jax.device_put(x, cpu), np.ones(3), 1.0, jax.device_put(x, wengert.device())):\n"
        "    for b in (x, jax.device_put(x, cpu), 2):\n"
        "        (at,) = f(a, b).devices()\n"
        "        assert at == wengert.device(), at\n"
        "assert f(x, y=x, k=3).devices() == {wengert.device()}\n"
        "assert float(f(1, 2)) == 3 and float(jax.grad(lambda x: f(x, x))(1.0)) == 2\n"
        "class Model:\n"
        "    @wengert.jit\n"
        "    def twice(self, x):\n"
        "        return 2 * x\n"
        "jax.tree_util.register_pytree_node(Model, lambda m: ((), None), lambda *_: Model())\n"
        "assert float(Model().twice(2.0)) == 4 and Model().twice(2.0).devices() == {wengert.device()}\n"
        "@wengert.jit(float_mode='exact', max_memory=1 << 20, threads=1, static_argnums=1)\n"
        "def times(x, k):\n"
        "    return k * x\n"
        "assert float(times(2.0, 3)) == 6 and times.__name__ == 'times'\n"
        "try:\n"
        "    wengert.jit(lambda: jnp.arange(1 << 20) * 2, max_memory=1 << 20)()\n"
        "    raise AssertionError('more than it may need')\n"
        "except Exception as e:\n"
        "    assert '1048576' in str(e) and 'bytes' in str(e), e\n"
        "print(f.lower(jax.device_put(x, cpu), x).compile()(x, x))\n"
    )
    assert python(program, JAX_PLATFORMS="cpu,wengert") == "[2. 2. 2.]\n"
    x, unused, y = np.ones(3, np.float32), np.ones((2, 2), np.float32), np.full(3, 2, np.float32)

    def f(x, unused, y):
        return x - y

    for function in (f, jax.jit(f), wengert.jit(f)):
        with tempfile.TemporaryDirectory() as folder:
            wengert.save(function, (x, {"unused": unused}, y), folder)
            names = sorted(os.listdir(folder))
            assert names == ["in0.npy", "in1.npy", "in2.npy", "program.mlir"], names
            with open(os.path.join(folder, "program.mlir")) as file:
                text = file.read()
            inputs = text.split("@main(")[1].split("->")[0]
            types = ["tensor<3xf32>", "tensor<2x2xf32>", "tensor<3xf32>"]
            assert [part.split(":")[1].split(">")[0].strip() + ">" for part in inputs.split("%arg")[1:]] == types, inputs
            object_file, header, module = (os.path.join(folder, name) for name in ("f.o", "f.h", "f.rs"))
            wengert.export(function, (x, unused, y), object_file, header=header, rust=module)
            for name in (header, module):
                with open(name) as file:
                    assert "2x2" in file.read()
    with tempfile.TemporaryDirectory() as folder:
        wengert.save(lambda key, x: jax.random.normal(key, (3,)) + x, (jax.random.key(3), x), folder)
        key = np.load(os.path.join(folder, "in0.npy"))
        assert key.dtype == np.uint32 and key.shape == (2,)
    static = jax.jit(lambda x, k: x * k, static_argnums=1)
    assert "stablehlo" in wengert.optimized(static, x, 3)
    raises(ValueError, "static arguments", lambda: wengert.export(static, (x, 3), os.devnull))


@test
def survives_a_fork():
    if not hasattr(os, "fork"):
        return
    f = jax.jit(lambda x: jax.lax.fori_loop(0, 1000, lambda _, c: jnp.sin(c) + 1, x))
    expected = np.asarray(f(jnp.ones(1000)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        # JAX's own locks are not ours to mend: the child uses what is compiled.
        os._exit(0 if np.array_equal(np.asarray(f(jnp.ones(1000))), expected) else 1)
    _, status = os.waitpid(child, 0)
    assert status == 0, status


def main(part=None):
    """Runs all tests, or those of one part: `processes` those in processes of their own, `here` the others."""
    parts = {None: TESTS, "processes": IN_PROCESSES, "here": [f for f in TESTS if f not in IN_PROCESSES]}
    for function in parts[part]:
        function()
        print(function.__name__, "ok", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
