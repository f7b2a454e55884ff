"""Multigrid solvers."""
import jax.numpy as jnp
from jax import lax

from registry import ints, program, randn64, unif64


def _poisson(s, r):
    n, cycles, sensors = s
    return (randn64(r, n, n, scale=0.3), randn64(r, n, n), unif64(r, cycles, lo=0.9, hi=1.1), ints(r, n, sensors, 2), randn64(r, sensors, scale=0.05))


@program(_poisson, [(4, 3, 3), (16, 5, 20), (64, 20, 200)], diff=(0, 1), x64=True)
def diffusion_vcycle_misfit(log_coefficient, source, relaxation, sensors, observed):
    """Cell-centred diffusion solved by V-cycles, with red-black smoothing; differentiated by an adjoint solve; misfit at sensors."""

    def faces(k):
        """Conductances to the four sides; Dirichlet walls at half a cell."""
        n = k.shape[0]
        wide = jnp.pad(k, 1, mode="edge")
        mean = lambda a: 2 * k * a / (k + a)
        north, south, west, east = (mean(wide[i : i + n, j : j + n]) for i, j in ((0, 1), (2, 1), (1, 0), (1, 2)))
        return (north.at[0].multiply(2.0), south.at[-1].multiply(2.0), west.at[:, 0].multiply(2.0), east.at[:, -1].multiply(2.0))

    def around(u, c):
        wide = jnp.pad(u, 1)
        north, south, west, east = c
        return north * wide[:-2, 1:-1] + south * wide[2:, 1:-1] + west * wide[1:-1, :-2] + east * wide[1:-1, 2:]

    def smooth(u, f, c, h, omega, sweeps):
        n = u.shape[0]
        colour = (jnp.arange(n)[:, None] + jnp.arange(n)[None, :]) % 2
        diag = sum(c)

        def half_sweep(u, which):
            return jnp.where(colour == which, u + omega * ((around(u, c) + h * h * f) / diag - u), u), None

        return lax.scan(half_sweep, u, jnp.tile(jnp.arange(2), sweeps))[0]

    def residual(u, f, c, h):
        return f - (sum(c) * u - around(u, c)) / (h * h)

    def coarsen(a):
        n = a.shape[0] // 2
        return a.reshape(n, 2, n, 2).mean(axis=(1, 3))

    def refine(a):
        """Linear interpolation between the cells' centres, along both axes."""
        for _ in range(2):
            wide = jnp.pad(a, ((1, 1), (0, 0)), mode="edge")
            pairs = jnp.stack([0.75 * a + 0.25 * wide[:-2], 0.75 * a + 0.25 * wide[2:]], axis=1)
            a = pairs.reshape(-1, a.shape[1]).T
        return a

    def vcycle(u, f, levels, h, omega):
        c, rest = levels[0], levels[1:]
        if not rest:
            return smooth(u, f, c, h, omega, 8)
        u = smooth(u, f, c, h, omega, 2)
        below = coarsen(residual(u, f, c, h))
        fix = vcycle(jnp.zeros_like(below), below, rest, 2 * h, omega)
        u = u + refine(fix)
        return smooth(u, f, c, h, omega, 2)

    n = source.shape[0]
    levels, log_k = [faces(jnp.exp(log_coefficient))], log_coefficient
    while log_k.shape[0] > 4:
        log_k = coarsen(log_k)
        levels.append(faces(jnp.exp(log_k)))

    def operator(u):
        return (sum(levels[0]) * u - around(u, levels[0])) * n * n

    def solve(_, f):
        def cycle(u, omega):
            return vcycle(u, f, levels, 1.0 / n, omega), None

        return lax.scan(cycle, jnp.zeros_like(f), relaxation)[0]

    u = lax.custom_linear_solve(operator, source, solve, symmetric=True)
    rough = jnp.sum(jnp.diff(log_coefficient, axis=0) ** 2) + jnp.sum(jnp.diff(log_coefficient, axis=1) ** 2)
    misfit = jnp.mean((u[sensors[:, 0], sensors[:, 1]] - observed) ** 2)
    return 100.0 * misfit + 1e-3 * rough / n
