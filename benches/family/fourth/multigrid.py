"""Multigrid solvers."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import ints, program, randn64, unif64


def _poisson(s, r):
    n, cycles, sensors = s
    return (randn64(r, n, n, scale=0.3), randn64(r, n, n), unif64(r, cycles, lo=0.9, hi=1.1), ints(r, n, sensors, 2), randn64(r, sensors, scale=0.05))


@program(_poisson, [(4, 2, 3), (16, 3, 20), (64, 6, 200)], diff=(0, 1, 2), x64=True)
def diffusion_vcycle_misfit(log_coefficient, source, relaxation, sensors, observed):
    """Cell-centred diffusion solved by V-cycles (red-black smoothing, averaging, bilinear prolongation), with the misfit at sensors and a prior."""

    def faces(k, n):
        """Conductances to the four sides; Dirichlet walls at half a cell."""
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
        red = (jnp.arange(n)[:, None] + jnp.arange(n)[None, :]) % 2 == 0
        diag = c[0] + c[1] + c[2] + c[3]

        def sweep(_, u):
            for colour in (red, ~red):
                u = jnp.where(colour, u + omega * ((around(u, c) + h * h * f) / diag - u), u)
            return u

        return lax.fori_loop(0, sweeps, sweep, u)

    def residual(u, f, c, h):
        return f - ((c[0] + c[1] + c[2] + c[3]) * u - around(u, c)) / (h * h)

    def coarsen(a):
        n = a.shape[0] // 2
        return a.reshape(n, 2, n, 2).mean(axis=(1, 3))

    def vcycle(u, f, levels, h, omega):
        k, rest = levels[0], levels[1:]
        c = faces(k, k.shape[0])
        if not rest:
            return smooth(u, f, c, h, omega, 8)
        u = smooth(u, f, c, h, omega, 2)
        below = coarsen(residual(u, f, c, h))
        fix = vcycle(jnp.zeros_like(below), below, rest, 2 * h, omega)
        u = u + jax.image.resize(fix, u.shape, "bilinear")
        return smooth(u, f, c, h, omega, 2)

    n = source.shape[0]
    levels = [jnp.exp(log_coefficient)]
    while levels[-1].shape[0] > 2:
        levels.append(jnp.exp(coarsen(jnp.log(levels[-1]))))

    def cycle(u, omega):
        u = vcycle(u, source, levels, 1.0 / n, omega)
        return u, jnp.mean(residual(u, source, faces(levels[0], n), 1.0 / n) ** 2)

    u, history = lax.scan(cycle, jnp.zeros_like(source), relaxation)
    rough = jnp.sum(jnp.diff(log_coefficient, axis=0) ** 2) + jnp.sum(jnp.diff(log_coefficient, axis=1) ** 2)
    misfit = jnp.mean((u[sensors[:, 0], sensors[:, 1]] - observed) ** 2)
    return 100.0 * misfit + 1e-3 * rough / n + 1e-3 * jnp.log(jnp.mean(history) + 1e-6)
