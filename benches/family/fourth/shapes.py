"""Computational geometry on the integer lattice."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program


def _clouds(s, r):
    batch, n, queries = s
    cloud = np.clip(600 * r.standard_normal((batch, n, 2)), -2000, 2000).astype(np.int32)
    return cloud, ints(r, 2000, batch, queries, 2, lo=-2000)


@program(_clouds, [(1, 8, 4), (4, 60, 50), (10, 700, 400)], diff=())
def convex_hull_monotone_chain(points, queries):
    """Andrew's monotone chain with a stack that pops in a while loop, exactly in integers; area, perimeter, diameter, and which queries lie inside."""

    def cross(o, a, b):
        return (a[..., 0] - o[..., 0]) * (b[..., 1] - o[..., 1]) - (a[..., 1] - o[..., 1]) * (b[..., 0] - o[..., 0])

    def chain(sorted_):
        def push(state, p):
            def bad(s):
                stack, top = s
                return (top >= 2) & (cross(stack[top - 2], stack[top - 1], p) <= 0)

            stack, top = lax.while_loop(bad, lambda s: (s[0], s[1] - 1), state)
            return (stack.at[top].set(p), top + 1), None

        (stack, top), _ = lax.scan(push, (jnp.zeros_like(sorted_), jnp.int32(0)), sorted_)
        return stack, top - 1  # the last one begins the other chain

    def one(cloud, query):
        n = cloud.shape[0]
        cloud = cloud[jnp.lexsort((cloud[:, 1], cloud[:, 0]))]
        low, a = chain(cloud)
        high, b = chain(cloud[::-1])
        i = jnp.arange(2 * n)
        hull = jnp.where((i < a)[:, None], low[jnp.minimum(i, n - 1)], high[jnp.clip(i - a, 0, n - 1)])
        count = a + b
        hull = jnp.where((i < count)[:, None], hull, hull[0])
        hull = hull[:n]
        following = jnp.roll(hull, -1, axis=0)
        # Twice the area; the filler is the first corner, so it adds nothing.
        area = jnp.sum(cross(hull[0], hull, following))
        perimeter = jnp.sum(jnp.sqrt(jnp.sum((following - hull) ** 2, axis=1).astype(jnp.float32)))
        centre = cloud[n // 2]
        wide = jnp.max(jnp.sum((hull[:, None] - hull[None]) ** 2, axis=-1))
        inside = jnp.all(cross(hull[None], following[None], query[:, None]) >= 0, axis=1)
        near = jnp.argmin(jnp.sum((query - centre) ** 2, axis=1))
        return count, area, perimeter, wide, inside, near

    return jax.vmap(one)(points, queries)
