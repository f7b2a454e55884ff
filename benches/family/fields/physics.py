"""Physics: ODE and PDE integrators, quantum propagation, spin models, inverse problems."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.experimental.ode import odeint

from registry import dense, key, program, randn, randn64, unif, unif64


@program(lambda s, r: (randn64(r, s[0], 3), np.array([10.0, 28.0, 8 / 3]), np.zeros(s[1])), [(2, 3), (128, 80), (4096, 150)],
         diff=(0, 1), x64=True)
def lorenz_rk4_ensemble(x0, params, steps):
    """An ensemble of Lorenz-63 states integrated by RK4 in a scan; mean and spread of the trajectory as objective."""

    def rhs(s):
        x, y, z = s[..., 0], s[..., 1], s[..., 2]
        sigma, rho, beta = params
        return jnp.stack([sigma * (y - x), x * (rho - z) - y, x * y - beta * z], axis=-1)

    def rk4(s, _):
        h = 0.01
        k1 = rhs(s)
        k2 = rhs(s + 0.5 * h * k1)
        k3 = rhs(s + 0.5 * h * k2)
        k4 = rhs(s + h * k3)
        s = s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return s, jnp.mean(s[..., 2])

    s, z = lax.scan(rk4, x0, steps)
    return z.mean() + 0.1 * jnp.var(s)


@program(lambda s, r: (randn64(r, s[0]), unif64(r, s[0], lo=0.5, hi=2), np.zeros(s[1])), [(12, 1), (300, 15), (3000, 100)],
         diff=(0, 1), x64=True)
def crank_nicolson_thomas(u0, kappa, steps):
    """Heat equation with variable conductivity by Crank-Nicolson; the Thomas algorithm written as two scans."""
    n = u0.shape[0]
    lam = 0.5 * kappa

    def thomas(d):
        def fwd(c, t):
            cp, dp = c
            a, b, cc, dd = t
            m = b - a * cp
            new = (cc / m, (dd - a * dp) / m)
            return new, new

        a = -lam * (jnp.arange(n) > 0)
        c = -lam * (jnp.arange(n) < n - 1)
        _, (cp, dp) = lax.scan(fwd, (0.0, 0.0), (a, 1 + 2 * lam, c, d))
        _, x = lax.scan(lambda x, t: (t[1] - t[0] * x,) * 2, 0.0, (cp, dp), reverse=True)
        return x

    def step(u, _):
        up = jnp.pad(u, 1)
        return thomas(u + lam * (up[2:] - 2 * u + up[:-2])), None

    u, _ = lax.scan(step, u0, steps)
    return jnp.sum(u**2)


def _wave(s, r):
    n, t = s
    return unif(r, n, n, lo=0.2, hi=0.45), randn(r, t, n), np.sin(np.linspace(0, 12, t)).astype(np.float32)


@program(_wave, [(8, 6), (56, 30), (160, 150)], diff=(0,))
def seismic_waveform_inversion(courant, observed, source):
    """Full-waveform inversion in miniature: 2-D acoustic wave equation, receivers in one row, misfit of seismograms."""
    n = courant.shape[0]
    damp = 1.0 - 0.05 * (jnp.arange(n) < 4)[:, None]

    def step(carry, s):
        p, q = carry
        lap = -4 * p
        for ax in (0, 1):
            lap = lap + jnp.roll(p, 1, ax) + jnp.roll(p, -1, ax)
        new = (2 * p - q + courant**2 * lap) * damp
        new = new.at[n // 2, n // 2].add(s)
        return (new, p * damp), new[n // 4]

    zero = jnp.zeros_like(courant)
    _, rec = lax.scan(step, (zero, zero), source)
    return jnp.mean((rec - observed) ** 2)


def _schr(s, r):
    x = np.linspace(-6, 6, s[0])
    psi = np.exp(-((x + 2) ** 2) + 2j * x) + 0.01 * (r.standard_normal(s[0]) + 1j * r.standard_normal(s[0]))
    return psi.astype(np.complex64), (0.5 * x**2 + 0.2 * r.standard_normal(s[0])).astype(np.float32), np.zeros(s[1])


@program(_schr, [(16, 1), (512, 20), (8192, 100)], diff=(0, 1))
def schrodinger_split_operator(psi, potential, steps):
    """Time-dependent Schrödinger equation by the split-operator method; expected position of the final packet."""
    n, dx, dt = psi.shape[0], 12.0 / psi.shape[0], 0.01
    k = 2 * jnp.pi * jnp.fft.fftfreq(n, dx)
    expv = jnp.exp(-0.5j * dt * potential)
    expk = jnp.exp(-0.5j * dt * k**2)
    psi = psi / jnp.sqrt(jnp.sum(jnp.abs(psi) ** 2) * dx)
    psi, _ = lax.scan(lambda p, _: (expv * jnp.fft.ifft(expk * jnp.fft.fft(expv * p)), None), psi, steps)
    x = jnp.linspace(-6, 6, n)
    return jnp.sum(x * jnp.abs(psi) ** 2) * dx


@program(lambda s, r: (key(r), r.choice(np.array([-1, 1], np.int8), (s[0], s[0])), np.float32(0.44), np.zeros(s[1])),
         [(8, 1), (48, 8), (200, 25)], diff=())
def ising_checkerboard_metropolis(rng_key, spins, beta, sweeps):
    """2-D Ising model: Metropolis sweeps on the two colours of a checkerboard, magnetisation and energy per sweep."""
    n = spins.shape[0]
    colour = (jnp.arange(n)[:, None] + jnp.arange(n)[None, :]) % 2

    def nb(s):
        return jnp.roll(s, 1, 0) + jnp.roll(s, -1, 0) + jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1)

    def half(s, k, c):
        de = 2.0 * (s * nb(s)).astype(jnp.float32)
        flip = (random.uniform(k, s.shape) < jnp.exp(-beta * de)) & (colour == c)
        return jnp.where(flip, -s, s)

    def sweep(carry, _):
        k, s = carry
        k, k0, k1 = random.split(k, 3)
        s = half(half(s, k0, 0), k1, 1)
        return (k, s), (s.astype(jnp.float32).mean(), -0.5 * (s * nb(s)).astype(jnp.float32).mean())

    (_, s), (mag, energy) = lax.scan(sweep, (rng_key, spins), sweeps)
    return s, mag, energy


@program(lambda s, r: ({"l1": dense(r, s[1], s[2]), "l2": dense(r, s[2], s[1])}, randn(r, s[0], s[1]), np.linspace(0, s[3], 3).astype(np.float32)),
         [(1, 2, 4, 0.02), (64, 4, 32, 1.5), (512, 8, 128, 3.0)], diff=(0, 1))
def neural_ode_adjoint(params, y0, ts):
    """A neural ODE with jax.experimental.ode's adaptive Dormand-Prince solver and its adjoint gradient."""

    def dynamics(y, t, p):
        h = jnp.tanh(y @ p["l1"]["w"] + p["l1"]["b"] + t)
        return h @ p["l2"]["w"] + p["l2"]["b"] - 0.1 * y

    ys = odeint(dynamics, y0, ts, params, rtol=1e-4, atol=1e-5)
    return jnp.mean(ys[-1] ** 2) + jnp.mean(ys[1] ** 2)


def _gs(s, r):
    n, t = s
    v = np.zeros((n, n), np.float32)
    v[n // 3 : 2 * n // 3, n // 3 : 2 * n // 3] = 0.25
    return np.float32([0.04, 0.06]), 1 - 2 * v + randn(r, n, n, scale=0.01), v + unif(r, n, n, hi=0.01), np.zeros(t)


@program(_gs, [(8, 1), (64, 20), (192, 120)], diff=(0, 1, 2))
def gray_scott_reaction_diffusion(rates, u, v, steps):
    """Gray-Scott reaction-diffusion with a nine-point Laplacian by convolution; pattern contrast as objective."""
    k = jnp.array([[0.05, 0.2, 0.05], [0.2, -1.0, 0.2], [0.05, 0.2, 0.05]])
    feed, kill = rates

    def lap(x):
        return lax.conv(jnp.pad(x, 1, mode="wrap")[None, None], k[None, None], (1, 1), "VALID")[0, 0]

    def step(uv, _):
        u, v = uv
        r = u * v * v
        return (u + 1.0 * lap(u) - r + feed * (1 - u), v + 0.5 * lap(v) + r - (feed + kill) * v), None

    (u, v), _ = lax.scan(step, (u, v), steps)
    return jnp.var(v) + jnp.mean(u * v)
