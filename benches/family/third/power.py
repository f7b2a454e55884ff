"""Electric power systems."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn64, unif64


def _grid(s, r):
    n, extra = s
    src = np.concatenate([np.arange(n), r.integers(0, n, extra)])
    dst = np.concatenate([(np.arange(n) + 1) % n, (src[n:] + r.integers(2, max(n - 1, 3), extra)) % n])
    lines = len(src)
    return (unif64(r, n, lo=0.2, hi=1.0) * 1.2 / n, unif64(r, n, hi=0.5) / n, unif64(r, lines, lo=0.01, hi=0.03), unif64(r, lines, lo=0.04, hi=0.12),
            src.astype(np.int32), dst.astype(np.int32))


@program(_grid, [(4, 1), (10, 4), (110, 60)], diff=(0, 1, 2, 3), x64=True)
def newton_load_flow(p_load, q_load, r, x, src, dst):
    """AC load flow by Newton's method: complex bus admittance by scatter, Jacobian by jacfwd, dense solves; losses and voltage sag."""
    n = p_load.shape[0]
    y = 1.0 / (r + 1j * x)
    ybus = jnp.zeros((n, n), y.dtype).at[src, dst].add(-y).at[dst, src].add(-y).at[src, src].add(y).at[dst, dst].add(y)

    def voltages(state):
        angle = jnp.concatenate([jnp.zeros(1), state[: n - 1]])
        mag = jnp.concatenate([jnp.ones(1), state[n - 1 :]])
        return mag * jnp.exp(1j * angle)

    def mismatch(state):
        v = voltages(state)
        power = v * jnp.conj(ybus @ v)
        return jnp.concatenate([(power.real + p_load)[1:], (power.imag + q_load)[1:]])

    def newton(_, state):
        return state - jnp.linalg.solve(jax.jacfwd(mismatch)(state), mismatch(state))

    flat_start = jnp.concatenate([jnp.zeros(n - 1), jnp.ones(n - 1)])
    v = voltages(lax.fori_loop(0, 4, newton, flat_start))
    current = (v[src] - v[dst]) * y
    losses = jnp.sum(r * jnp.abs(current) ** 2)
    sag = jnp.sum(jax.nn.relu(0.99 - jnp.abs(v)) ** 2)
    return losses + 10.0 * sag + 1e-3 * jnp.sum(p_load[:1] ** 2 + q_load[:1] ** 2)
