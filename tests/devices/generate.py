"""Writes the programs of this folder with what they give: `python generate.py` with JAX 0.10 (on its CPU platform, as eight devices)."""
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ["JAX_PLATFORMS"] = "cpu"
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

MESH = jax.make_mesh((2, 4), ("x", "y"), axis_types=(AxisType.Auto,) * 2)
REVERSED = Mesh(np.array(jax.devices())[::-1].reshape(2, 4), ("x", "y"))
X = np.arange(64, dtype=np.float32).reshape(8, 8) / 7 - 3
N = np.arange(64, dtype=np.int32).reshape(8, 8) * 37 % 101


def mapped(in_specs, out_specs, mesh=MESH, **options):
    return partial(jax.shard_map, mesh=mesh, in_specs=in_specs, out_specs=out_specs, **options)


@mapped(P("x", "y"), P("x", None))
def sums(x):
    return lax.psum(x, "y") * (1 + lax.axis_index("x")) + lax.pmax(x, ("x", "y")) - lax.pmin(x, "y")


@mapped(P(("y", "x")), P(None), check_vma=False)
def gathers(x):
    whole = lax.all_gather(x, ("y", "x"), tiled=True)
    rows = lax.all_gather(x, "y")
    return whole + lax.psum(rows.sum(0), ("x", "y"))


@mapped(P(None, "y"), P("y", None))
def scattered(x):
    return lax.psum_scatter(jnp.sin(x), "y", scatter_dimension=0, tiled=True)


@mapped(P("y", "x"), P(("x", "y")))
def exchanges(x):
    return lax.all_to_all(lax.all_to_all(x, "x", 0, 1, tiled=True), "y", 1, 0, tiled=True)


@mapped(P(("x", "y")), P(("x", "y")))
def rings(x):
    ring = [(i, (i + 3) % 8) for i in range(8)]
    return lax.ppermute(x, ("x", "y"), ring) + lax.ppermute(x, "y", [(0, 1), (2, 0)]) - lax.ppermute(x, "x", [(1, 0)])


@mapped(P("x"), P("x"), axis_names={"x"}, check_vma=False)
def partly(x):
    y = lax.with_sharding_constraint(x * 2, P(None, "y")) + lax.axis_index("x")

    @partial(jax.shard_map, in_specs=P(None, "y"), out_specs=P(None, "y"), axis_names={"y"}, check_vma=False)
    def inner(z):
        return z / lax.psum(z, "y") + lax.psum(z, "x") * lax.axis_index("y")

    return inner(y)


@mapped(P("y"), P("y"), check_vma=False)
def grouped(x):
    groups = [[0, 2], [1, 3]]
    return lax.all_gather(x, "y", axis_index_groups=groups, tiled=True)[:2] * lax.psum(x, "y", axis_index_groups=groups)


@mapped(P("y"), P(), check_vma=False)
def loops(x):
    def trip(state):
        k, x = state
        return k + 1, lax.ppermute(x, "y", [(i, (i + 1) % 4) for i in range(4)]) * 0.5 + x

    k, x = lax.while_loop(lambda s: lax.psum(jnp.abs(s[1]).sum(), "y") < 1e4, trip, (0, x))
    total, rows = lax.scan(lambda c, row: (c + lax.pmean(row, "y"), c), jnp.zeros(8), x)
    here = lax.cond(lax.axis_index("y") > 1, jnp.sin, lambda x: x * 2, x)
    return k + lax.psum(rows.sum() + here.sum(), "y") + total


@mapped(P("x", "y"), P("x", "y"), mesh=REVERSED)
def backwards(x):
    return x + 10 * lax.axis_index(("x", "y")) + lax.ppermute(x, "y", [(i, (i + 1) % 4) for i in range(4)])


def gradient(w, x):
    @mapped((P(None, "y"), P("x", None)), P())
    def loss(w, x):
        return lax.psum(jnp.sum(jnp.tanh(x @ w) ** 2), ("x", "y"))

    return jax.value_and_grad(loss, (0, 1))(w, x)


def spread(x):
    y = lax.with_sharding_constraint(jnp.cos(x), NamedSharding(MESH, P("y", None)))
    return y @ x.T, jax.pmap(lambda x: x / lax.psum(abs(x), "i"), axis_name="i")(y)


def complete(x, n):
    @mapped((P("x"), P("y")), (P("x"), P("y"), P("y"), P()), check_vma=False)
    def f(x, n):
        odd = n % 2 == 1
        return (
            lax.psum(x.astype(jnp.bfloat16), "x").astype(jnp.float32),
            lax.psum(n, "y") + lax.pmax(n, "x"),
            lax.all_gather(odd, "y", tiled=True)[:2],
            lax.psum(x.astype(jnp.complex64) * 1j, ("x", "y")).imag.sum(),
        )

    return f(x, n)


@mapped(P(("x", "y")), P(("x", "y")), check_vma=False)
def some(x):
    alone = lax.ppermute(x, ("x", "y"), [(0, 1), (6, 2)]) + lax.ppermute(x, "y", [(0, 0)])
    return alone + lax.psum(x, "y", axis_index_groups=[[0, 1, 2], [3]]) + lax.pmax(x, "x")


EXPLICIT = Mesh(MESH.devices, ("x", "y"), axis_types=(AxisType.Explicit,) * 2)


@mapped(P("x", "y"), P("x", None, unreduced={"y"}), mesh=EXPLICIT)
def term(x):
    return lax.pcast(jnp.sin(x), "y", to="unreduced")


def terms(x):
    @mapped(P("x", None, unreduced={"y"}), P("x", "y"), mesh=EXPLICIT)
    def scatter(x):
        return lax.psum_scatter(x, "y", scatter_dimension=1, tiled=True)

    x = jax.reshard(x, NamedSharding(EXPLICIT, P("x", "y")))
    return jax.reshard(term(x), NamedSharding(EXPLICIT, P("x"))), scatter(term(jnp.concatenate([x] * 4, 1)))


PROGRAMS = [
    (sums, X), (gathers, X), (scattered, X), (exchanges, X), (rings, X), (partly, X), (grouped, X), (loops, X), (backwards, X),
    (gradient, X[:4].T, X), (spread, X), (complete, X, N), (some, X), (terms, X),
]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    for f, *args in PROGRAMS:
        name = getattr(f, "__name__", "f")
        if f is terms:
            jax.set_mesh(EXPLICIT)
        lowered = jax.jit(f).lower(*args)
        with open(os.path.join(here, f"{name}.mlir"), "w") as file:
            file.write(lowered.as_text())
        for k, x in enumerate(args):
            np.save(os.path.join(here, f"{name}.in{k}.npy"), x)
        for k, x in enumerate(jax.tree.leaves(jax.jit(f)(*args))):
            np.save(os.path.join(here, f"{name}.out{k}.npy"), np.asarray(x))


if __name__ == "__main__":
    main()
