"""Further programs on the plugin, written down before the plugin was looked at for them. Run as `smoke.py` is, by the same test."""

import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from smoke import CPU, near, raises, same_on_cpu

TESTS = []


def test(function):
    TESTS.append(function)
    return function


@test
def rules_of_users():
    @jax.custom_vjp
    def clip(x):
        return jnp.clip(x, -1, 1)

    clip.defvjp(lambda x: (clip(x), x), lambda x, g: (jnp.where(jnp.abs(x) < 1, g, 0.1 * g),))
    same_on_cpu(jax.grad(lambda x: jnp.sum(clip(x) ** 2)), jnp.linspace(-2, 2, 9))
    same_on_cpu(jax.grad(jax.checkpoint(lambda x: jnp.sum(jnp.sin(jnp.cos(x) @ x.T)))), jnp.ones((4, 4)) * 0.3)


@test
def complex_derivatives_and_transforms():
    x = jnp.asarray(np.random.RandomState(0).randn(16) + 1j, jnp.complex64)
    same_on_cpu(jax.grad(lambda x: jnp.sum(jnp.abs(jnp.fft.fft(x * 2)) ** 2)), x, tolerance=1e-4)
    same_on_cpu(lambda x: jnp.linalg.lstsq(x, x[:, :1])[0], jnp.eye(5)[:, :3] + 0.1, tolerance=1e-4)


@test
def other_generators():
    key = jax.random.key(3, impl="rbg")
    assert abs(float(jax.random.normal(key, (5000,)).mean())) < 0.06
    choice = jax.random.permutation(jax.random.key(1), 20)
    assert sorted(np.asarray(choice).tolist()) == list(range(20))


@test
def exported_programs():
    from jax import export

    f = jax.jit(lambda x: jnp.sin(x) * 2)
    exported = export.export(f, platforms=["cpu", "wengert"])(jax.ShapeDtypeStruct((4,), jnp.float32))
    near(jax.jit(exported.call)(jnp.ones(4)), np.sin(np.ones(4)) * 2)


@test
def other_memories():
    (device,) = jax.devices()
    host = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
    x = jax.device_put(jnp.arange(4.0), host)
    assert x.sharding.memory_kind == "pinned_host"
    near(jax.device_put(x, jax.sharding.SingleDeviceSharding(device)) + 1, [1, 2, 3, 4])
    f = jax.jit(lambda x: (x * 2, x + 1), out_shardings=(host, None))
    for _ in range(2):
        y, z = f(jnp.arange(4.0))
        assert (y.sharding.memory_kind, z.sharding.memory_kind) == ("pinned_host", "device")
        near(y, [0, 2, 4, 6])
    z = jax.jit(lambda x: x + 1, out_shardings=jax.sharding.SingleDeviceSharding(device))(y)
    assert z.sharding.memory_kind == "device"
    near(z, [1, 3, 5, 7])


@test
def sparse_rows():
    from jax.experimental import sparse
    from jax.experimental.sparse.linalg import spsolve

    a = sparse.BCSR.fromdense(jnp.array([[2.0, 1, 0], [0, 4, 0], [1, 0, 8]]))
    near(a @ jnp.ones(3), [3, 4, 9])
    near(jax.jit(lambda a, x: a @ x)(a, jnp.ones((3, 2))), [[3, 3], [4, 4], [9, 9]])
    near(jax.grad(lambda x: (a @ x).sum())(jnp.ones(3)), [3, 5, 8])
    near(spsolve(a.data, a.indices, a.indptr, jnp.array([3.0, 4, 9])), [1, 1, 1])


@test
def the_largest_of_many():
    x = np.random.default_rng(0).normal(size=(3, 1000)).astype(np.float32)
    x[1, 5] = np.nan
    found, places = jax.jit(lambda x: jax.lax.top_k(x, 4))(x)
    order = np.argsort(np.where(np.isnan(x), -np.inf, -x), axis=1, kind="stable")[:, :4]
    assert np.array_equal(places, order) and np.array_equal(found, np.take_along_axis(x, order, 1), equal_nan=True)


@test
def transforms_of_nothing():
    assert jnp.fft.irfft(jnp.ones(1)).shape == (0,)


@test
def small_floats():
    x = np.array([1, -2, 0.3, 500, -0.01, 1e-4, np.nan, 7.7, 448, 464, 465], np.float32)
    for name in ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3b11fnuz", "float8_e4m3", "float8_e3m4"):
        dtype = jnp.dtype(name)
        found = np.asarray(jax.jit(lambda x: x.astype(dtype).astype(jnp.float32))(x))
        assert np.array_equal(found, x.astype(dtype).astype(np.float32), equal_nan=True), (name, found)
    powers = jnp.array([1, 4, 0.25, 2, 8, 0.5, 3, 12, 0.75], jnp.float32).astype(jnp.float8_e8m0fnu)
    assert np.asarray(powers.astype(jnp.float32)).tolist() == [1, 4, 0.25, 2, 8, 0.5, 4, 16, 1]
    assert np.asarray(jnp.sort(powers).astype(jnp.float32)).tolist() == [0.25, 0.5, 1, 1, 2, 4, 4, 8, 16]
    mixed = jnp.sort(jnp.array([1, np.nan, -1, 0, 0.5, -3]).astype(jnp.float8_e4m3fnuz)).astype(jnp.float32)
    numbers = [v for v in np.asarray(mixed).tolist() if v == v]
    assert numbers == sorted(numbers) and len(numbers) == 5, mixed


@test
def unordered_callbacks_in_batches():
    seen = []
    f = lambda x: jax.experimental.io_callback(
        lambda v: (seen.append(float(v)), np.float32(v * 2))[1], jax.ShapeDtypeStruct((), jnp.float32), x
    )
    near(jax.jit(jax.vmap(f))(jnp.arange(3.0)), [0, 2, 4])
    assert sorted(seen) == [0, 1, 2]


@test
def late_errors():
    def fail(_):
        raise RuntimeError("too late")

    shape = jax.ShapeDtypeStruct((1000,), jnp.float32)
    f = jax.jit(lambda x: jax.pure_callback(fail, shape, jax.lax.fori_loop(0, 3000, lambda _, c: jnp.sin(c), x)) * 2)
    g = jax.jit(lambda x: x + 1)
    for _ in range(2):
        raises(Exception, "too late", lambda: g(f(jnp.ones(1000))))
    near(g(jnp.ones(3)), [2, 2, 2])


@test
def nans_are_found():
    with jax.debug_nans(True):
        raises(FloatingPointError, "nan", lambda: jax.jit(lambda x: jnp.log(x) - jnp.log(x))(jnp.zeros(3)))


@test
def several_devices():
    program = (
        "import jax, jax.numpy as jnp\n"
        "a, b = jax.devices()\n"
        "x = jax.device_put(jnp.ones(3), b)\n"
        "y = jax.jit(lambda x: x * 2)(x)\n"
        "assert y.devices() == {b} and (y == 2).all() and jax.device_put(y, a).devices() == {a}\n"
    )
    environment = dict(os.environ, WENGERT_JAX_DEVICES="2")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr


@test
def the_name_of_cpu():
    program = (
        "import jax, jax.numpy as jnp, numpy as np\n"
        "x = jnp.arange(2000.0)\n"
        "assert x.devices().pop().client.platform_version.find('Wengert') >= 0\n"
        "assert (np.from_dlpack(x) == np.arange(2000.0)).all()\n"
        "f = lambda v: np.asarray(v) + 1\n"
        "y = jax.jit(lambda x: jax.pure_callback(f, jax.ShapeDtypeStruct((2000,), jnp.float32), x))(x)\n"
        "assert y[0] == 1\n"
    )
    environment = dict(os.environ, WENGERT_JAX_PLATFORM="cpu")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr


def main():
    failed = []
    for function in TESTS:
        try:
            function()
            print(function.__name__, "ok", flush=True)
        except Exception as e:
            failed.append(function.__name__)
            print(function.__name__, "FAILED", type(e).__name__, str(e)[-600:], flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
