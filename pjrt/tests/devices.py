"""Programs for several devices on the plugin, as eight devices, beside JAX's CPU platform as eight. Run as `smoke.py` is, by the same test."""

import os
import sys
from functools import partial

os.environ["WENGERT_JAX_DEVICES"] = "8"
os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental.layout import Format, Layout
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

TESTS = []
X = np.arange(64, dtype=np.float32).reshape(8, 8) / 7 - 3


def test(function):
    """A function of a mesh of two by four devices that gives arrays, which must be near on both platforms."""
    TESTS.append(function)
    return function


def put(x, mesh, *spec):
    return jax.device_put(x, NamedSharding(mesh, P(*spec)))


def shard_map(f, mesh, in_specs, out_specs, **options):
    return jax.shard_map(f, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options)


@test
def arrays_in_parts(mesh):
    x = put(X, mesh, "x", "y")
    assert len(x.addressable_shards) == 8 and x.addressable_shards[5].data.shape == (4, 2)
    assert all((np.asarray(s.data) == X[s.index]).all() for s in x.addressable_shards)
    y = jax.jit(lambda x: jnp.sin(x) @ x.T, out_shardings=NamedSharding(mesh, P("y", None)))(x)
    assert y.sharding.shard_shape(y.shape) == (2, 8)
    return x, y, x.sum(0), (x * 2)[3], put(y, mesh, None, ("y", "x")), jax.device_put(y, mesh.devices.flat[6])


@test
def results_lie_as_what_they_are_computed_from(mesh):
    x = put(X, mesh, "x", "y")
    f = jax.jit(lambda x: (jnp.cos(x) * 2, x.T, x.sum(0), x @ x, x[None], x.reshape(4, 2, 8), x.sum()))
    specs = ["P('x', 'y')", "P('y', 'x')", "P('y',)", "P('x', 'y')", "P(None, 'x', 'y')", "P('x', None, 'y')", "P()"]
    found = f(x)
    mine = mesh.devices.flat[0].platform == "wengert"
    normal = lambda spec: P(*(spec[: max((k + 1 for k, s in enumerate(spec) if s), default=0)]))
    for y, spec in zip(found, specs):
        assert not mine or normal(y.sharding.spec) == normal(eval(spec)), (y.sharding.spec, spec)
    return found


@test
def dimensions_lie_in_any_order(mesh):
    lies = lambda outermost_first, *spec: Format(Layout(outermost_first), NamedSharding(mesh, P(*spec)))
    order = lambda x: x.format.layout.major_to_minor
    columns, rows = jax.device_put(X, lies((1, 0), "x", "y")), put(X, mesh, "x", "y")
    assert order(columns) == (1, 0) == order(columns.addressable_shards[3].data)
    assert all((np.asarray(s.data) == X[s.index]).all() for s in columns.addressable_shards)
    f = jax.jit(lambda x: jnp.sin(x) @ x.T, out_shardings=lies((1, 0), "y", None))
    y = f(columns)
    assert order(y) == (1, 0) and y.sharding.shard_shape(y.shape) == (2, 8)
    auto = jax.jit(lambda x: x.T, in_shardings=Format(Layout.AUTO), out_shardings=Format(Layout.AUTO)).lower(jax.ShapeDtypeStruct(X.shape, X.dtype, sharding=rows.sharding)).compile()
    step = jax.jit(lambda x: x * 2, in_shardings=lies((1, 0), "x"), out_shardings=lies((1, 0), "x"), donate_argnums=0)
    given = jax.device_put(X, lies((1, 0), "x"))
    doubled = step(given)
    assert given.is_deleted() and order(doubled) == (1, 0)
    return columns, f(rows), y, y[3], auto(rows), doubled, jax.device_put(y, lies((0, 1), None, "x"))


@test
def memory_is_given_away(mesh):
    x, w = put(X, mesh, "x"), put(np.ones(8, np.float32), mesh)
    step = jax.jit(lambda w, x: (w - 0.1 * jnp.tanh(x @ w) @ x, x), donate_argnums=(0, 1))
    for _ in range(3):
        (w, x), old = step(w, x), (w, x)
    assert all(a.is_deleted() for a in old)
    return w, x


@test
def sums_and_extrema(mesh):
    @partial(shard_map, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x"))
    def f(x):
        rest = lax.pmax(x, ("x", "y")) - lax.pmin(x, "y") + lax.pmean(x, "x")
        return lax.psum(x, "y") * (1 + lax.axis_index("x")) + lax.psum(rest, "y")

    @partial(shard_map, mesh=mesh, in_specs=P("x", "y"), out_specs=P("x"))
    def g(x):
        return lax.psum(jnp.sin(x) * lax.pmean(x, "x"), "y")

    return jax.jit(f)(X), f(X), jax.grad(lambda x: jnp.sum(g(x) ** 2))(X)


@test
def rows_are_gathered_and_scattered(mesh):
    @partial(shard_map, mesh=mesh, in_specs=P(("y", "x")), out_specs=P("y"), check_vma=False)
    def f(x):
        whole = lax.all_gather(x, ("y", "x"), tiled=True)
        rows = lax.all_gather(x, "y", axis=1)
        return lax.psum_scatter(whole, "y", tiled=True) + lax.psum(rows.sum(), ("x", "y"))

    return jax.jit(f)(X), jax.jit(jax.grad(lambda x: jnp.sum(jnp.sin(f(x) / 100))))(X)


@test
def parts_are_exchanged(mesh):
    @partial(shard_map, mesh=mesh, in_specs=P("y", "x"), out_specs=P(("x", "y")))
    def f(x):
        return lax.all_to_all(lax.all_to_all(x, "x", 0, 1, tiled=True), "y", 1, 0, tiled=True)

    @partial(shard_map, mesh=mesh, in_specs=P(("x", "y")), out_specs=P(("x", "y")))
    def g(x):
        ring = [(i, (i + 3) % 8) for i in range(8)]
        return lax.ppermute(x, ("x", "y"), ring) + lax.ppermute(x, "y", [(0, 1), (2, 0)])

    return jax.jit(f)(X), jax.jit(g)(X), jax.grad(lambda x: (g(x) * X).sum())(X)


@test
def control_flow_with_communication(mesh):
    @partial(shard_map, mesh=mesh, in_specs=P("y"), out_specs=P(), check_vma=False)
    def f(x):
        shift = [(i, (i + 1) % 4) for i in range(4)]
        _, x = lax.while_loop(
            lambda s: lax.psum(jnp.abs(s[1]).sum(), "y") < 1e4,
            lambda s: (s[0] + 1, lax.ppermute(s[1], "y", shift) * 0.5 + s[1]),
            (0, x),
        )
        total, rows = lax.scan(lambda c, row: (c + lax.pmean(row, "y"), c), jnp.zeros(8), x)
        here = lax.cond(lax.axis_index("y") > 1, jnp.sin, lambda x: x * 2, x)
        return lax.psum(rows.sum() + here.sum(), "y") + total

    return jax.jit(f)(X)


@test
def partly_manual(mesh):
    @partial(jax.shard_map, mesh=mesh, in_specs=P("x"), out_specs=P("x"), axis_names={"x"}, check_vma=False)
    def f(x):
        @partial(jax.shard_map, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"}, check_vma=False)
        def inner(z):
            return z / lax.psum(jnp.abs(z), "y") + lax.psum(z, "x") * lax.axis_index("y")

        return inner(x * 2 + lax.axis_index("x"))

    return jax.jit(f)(X)


@test
def another_order_of_devices(mesh):
    other = Mesh(mesh.devices[::-1, ::-1], ("x", "y"))

    @partial(shard_map, mesh=other, in_specs=P("x", "y"), out_specs=P("x", "y"))
    def f(x):
        return x + 10 * lax.axis_index(("x", "y"))

    half = Mesh(mesh.devices[1], "z")
    return jax.jit(f)(X), jax.jit(lambda x: x * 2)(put(X, half, "z")), put(X, other, "y", "x") + 1


@test
def maps_over_devices(mesh):
    devices = list(mesh.devices.flat)
    f = jax.pmap(lambda x: x / lax.psum(jnp.abs(x), "i"), axis_name="i", devices=devices)
    g = jax.pmap(jax.grad(lambda w, x: jnp.sum(jnp.tanh(w * x))), in_axes=(None, 0), devices=devices)
    return f(X), g(2.0, X)


@test
def numbers_drawn_and_types(mesh):
    @partial(shard_map, mesh=mesh, in_specs=(P("x"), P("y")), out_specs=(P("x"), P("y"), P("y"), P()), check_vma=False)
    def f(x, n):
        noise = jax.random.uniform(jax.random.fold_in(jax.random.key(3), lax.axis_index("x")), x.shape)
        return (
            lax.psum(x.astype(jnp.bfloat16), "y").astype(jnp.float32) + noise,
            lax.psum(n, "y") + lax.pmax(n, "x"),
            lax.all_gather(n % 2 == 1, "y", tiled=True)[:2],
            lax.psum(x.astype(jnp.complex64) * 1j, ("x", "y")).imag.sum(),
        )

    return jax.jit(f)(X, np.arange(64, dtype=np.int32).reshape(8, 8) * 37 % 101)


@test
def explicit_shardings_and_sums_in_terms(mesh):
    explicit = Mesh(mesh.devices, ("x", "y"), axis_types=(AxisType.Explicit,) * 2)
    x = put(X, explicit, "x", "y")
    with jax.set_mesh(explicit):

        @partial(jax.shard_map, in_specs=P("x", "y"), out_specs=P("x", None, unreduced={"y"}))
        def f(x):
            return lax.pcast(jnp.sin(x), "y", to="unreduced")

        terms = jax.jit(f)(x)
        product = jax.jit(lambda x: jnp.einsum("ab,bc->ac", x, x.T * 2, out_sharding=P("x", None)))(x)
        return jax.reshard(terms, P("x")), jax.jit(lambda x: jax.reshard(f(x), P("y", None)) + 1)(x), product


@test
def some_devices_communicate(mesh):
    @partial(shard_map, mesh=mesh, in_specs=P(("x", "y")), out_specs=P(("x", "y")), check_vma=False)
    def f(x):
        alone = lax.ppermute(x, ("x", "y"), [(0, 1), (6, 2)]) + lax.ppermute(x, "y", [(0, 0)]) + lax.ppermute(x, "x", [])
        return alone + lax.psum(x, "y", axis_index_groups=[[0, 1, 2], [3]]) + lax.pmax(x, "x")

    return jax.jit(f)(X)


@test
def said_of_compiled_programs(mesh):
    step = jax.jit(lambda x: x * 2, in_shardings=NamedSharding(mesh, P("x")), out_shardings=NamedSharding(mesh, P("y")))
    compiled = step.lower(X).compile()
    (given,), _ = compiled.input_shardings
    assert given.spec[0] == "x" and compiled.output_shardings.spec[0] == "y"
    return compiled(put(X, mesh, "x"))


def main():
    platforms = {name: np.array(jax.devices(name)).reshape(2, 4) for name in ("wengert", "cpu")}
    failed = []
    for function in TESTS:
        try:
            found = {}
            for name, devices in platforms.items():
                with jax.default_device(devices.flat[0]):
                    found[name] = [np.asarray(a) for a in jax.tree.leaves(function(Mesh(devices, ("x", "y"))))]
            for a, b in zip(found["wengert"], found["cpu"], strict=True):
                np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-4)
            print(function.__name__, "ok", flush=True)
        except Exception as e:
            failed.append(function.__name__)
            print(function.__name__, "FAILED", type(e).__name__, str(e)[-600:], flush=True)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
