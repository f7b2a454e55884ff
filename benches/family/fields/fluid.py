"""Fluids: incompressible flow, lattice Boltzmann, shallow water, gas dynamics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.ndimage import map_coordinates

from registry import program, randn, randn64, unif, unif64


def _smooth(r, n, k=3):
    y, x = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(n) * 2 * np.pi / n, indexing="ij")
    return sum(r.normal() * np.sin(i * x + j * y + r.uniform(0, 6)) for i in range(k) for j in range(k)) / k


@program(lambda s, r: (np.stack([_smooth(r, s), _smooth(r, s)]).astype(np.float32), unif(r, s, s), unif(r, s, s)),
         [8, 48, 224], diff=(0, 1))
def stable_fluids_step(vel, dye, goal):
    """Stam's stable fluids: semi-Lagrangian advection by map_coordinates and a Jacobi pressure projection."""
    n = dye.shape[0]
    grid = jnp.stack(jnp.meshgrid(jnp.arange(n), jnp.arange(n), indexing="ij")).astype(jnp.float32)

    def advect(f, vel):
        return map_coordinates(f, grid - vel, order=1, mode="wrap")

    def project(v):
        div = 0.5 * (jnp.roll(v[0], -1, 0) - jnp.roll(v[0], 1, 0) + jnp.roll(v[1], -1, 1) - jnp.roll(v[1], 1, 1))
        jac = lambda _, p: (jnp.roll(p, 1, 0) + jnp.roll(p, -1, 0) + jnp.roll(p, 1, 1) + jnp.roll(p, -1, 1) - div) / 4
        p = lax.fori_loop(0, 15, jac, jnp.zeros_like(div))
        gx, gy = 0.5 * (jnp.roll(p, -1, 0) - jnp.roll(p, 1, 0)), 0.5 * (jnp.roll(p, -1, 1) - jnp.roll(p, 1, 1))
        return v - jnp.stack([gx, gy])

    for _ in range(2):
        vel = project(jnp.stack([advect(vel[0], vel), advect(vel[1], vel)]))
        dye = advect(dye, vel)
    return jnp.mean((dye - goal) ** 2)


C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, np.float32)


def _lbm(s, r):
    nx, ny, t = s
    f = W[:, None, None] * (1 + 0.05 * r.standard_normal((9, nx, ny)))
    yy, xx = np.meshgrid(np.arange(ny), np.arange(nx))
    return f.astype(np.float32), np.float32(1.2), (xx - nx / 4) ** 2 + (yy - ny / 2) ** 2 < (ny / 8) ** 2, np.zeros(t)


@program(_lbm, [(10, 8, 1), (48, 32, 8), (200, 100, 16)], diff=(0, 1))
def lattice_boltzmann_cylinder(f, omega, obstacle, steps):
    """D2Q9 lattice Boltzmann past a cylinder: BGK collision, bounce-back and streaming by jnp.roll."""

    def step(f, _):
        rho = f.sum(0)
        u = jnp.einsum("qd,qxy->dxy", C.astype(f.dtype), f) / rho
        u = u.at[0, 0, :].set(0.05)
        cu = jnp.einsum("qd,dxy->qxy", C.astype(f.dtype), u)
        feq = W[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (u**2).sum(0))
        out = f - omega * (f - feq)
        out = jnp.where(obstacle, f[jnp.array([0, 3, 4, 1, 2, 7, 8, 5, 6])], out)
        out = jnp.stack([jnp.roll(out[q], C[q], (0, 1)) for q in range(9)])
        return out, None

    f, _ = lax.scan(step, f, steps)
    ux = (f * C[:, 0, None, None]).sum(0) / f.sum(0)
    return jnp.mean(ux**2)


@program(lambda s, r: (1.0 + 0.1 * _smooth(r, s[0]), 0.1 * _smooth(r, s[0]), 0.1 * _smooth(r, s[0]), np.zeros(s[1])),
         [(8, 1), (48, 8), (160, 25)], diff=(0, 1, 2), x64=True)
def shallow_water_lax_friedrichs(h, u, v, steps):
    """Shallow-water equations in conservative form on a periodic square, Lax-Friedrichs fluxes, energy at the end."""
    g, dx = 9.81, 1.0 / h.shape[0]
    dt = 0.1 * dx
    ave = lambda q, ax: 0.5 * (jnp.roll(q, 1, ax) + jnp.roll(q, -1, ax))
    d = lambda q, ax: (jnp.roll(q, -1, ax) - jnp.roll(q, 1, ax)) / (2 * dx)

    def step(state, _):
        h, hu, hv = state
        u, v = hu / h, hv / h
        p = 0.5 * g * h**2
        flux_x = (hu, hu * u + p, hu * v)
        flux_y = (hv, hv * u, hv * v + p)
        mean = lambda q: 0.5 * (ave(q, 0) + ave(q, 1))
        return tuple(mean(q) - dt * (d(fx, 0) + d(fy, 1)) for q, fx, fy in zip(state, flux_x, flux_y)), None

    (h, hu, hv), _ = lax.scan(step, (h, h * u, h * v), steps)
    return jnp.mean(0.5 * (hu**2 + hv**2) / h + 0.5 * g * (h - 1.0) ** 2)


@program(lambda s, r: (_smooth(r, s[0]).astype(np.float32), _smooth(r, s[0]).astype(np.float32), np.zeros(s[1])),
         [(8, 1), (32, 5), (192, 10)], diff=(0,))
def vorticity_pseudospectral(w0, forcing, steps):
    """2-D Navier-Stokes in vorticity form, pseudospectral with 2/3 dealiasing and a semi-implicit step (FNO data)."""
    n = w0.shape[0]
    k = jnp.fft.fftfreq(n, 1.0 / n)
    kx, ky = jnp.meshgrid(k, k[: n // 2 + 1].at[-1].set(n // 2), indexing="ij")
    lap = kx**2 + ky**2
    inv_lap = jnp.where(lap > 0, 1.0 / jnp.where(lap > 0, lap, 1.0), 0.0)
    dealias = (jnp.abs(kx) < n / 3) & (jnp.abs(ky) < n / 3)
    nu, dt = 1e-2, 1e-2
    fh = jnp.fft.rfft2(forcing)

    def step(wh, _):
        psi = wh * inv_lap
        u, v = jnp.fft.irfft2(1j * ky * psi), jnp.fft.irfft2(-1j * kx * psi)
        wx, wy = jnp.fft.irfft2(1j * kx * wh), jnp.fft.irfft2(1j * ky * wh)
        nl = jnp.fft.rfft2(u * wx + v * wy) * dealias
        wh = (wh - dt * nl + dt * 0.1 * fh - 0.5 * dt * nu * lap * wh) / (1 + 0.5 * dt * nu * lap)
        return wh, None

    wh, _ = lax.scan(step, jnp.fft.rfft2(w0), steps)
    return jnp.mean(jnp.fft.irfft2(wh) ** 2)


@program(lambda s, r: (1.0 + 0.3 * np.sin(np.linspace(0, 6.28, s[0])).astype(np.float32) + randn(r, s[0], scale=0.02),
                       np.float32(0.01), np.zeros(s[1])), [(32, 2), (512, 30), (8192, 100)], diff=(0, 1))
def burgers_muscl_minmod(u0, nu, steps):
    """Viscous Burgers by MUSCL reconstruction with the minmod limiter and two-stage Runge-Kutta."""
    dx = 1.0 / u0.shape[0]
    minmod = lambda a, b: jnp.where(a * b > 0, jnp.where(jnp.abs(a) < jnp.abs(b), a, b), 0.0)

    def rhs(u):
        s = minmod(u - jnp.roll(u, 1), jnp.roll(u, -1) - u)
        left, right = u + 0.5 * s, jnp.roll(u - 0.5 * s, -1)
        speed = jnp.maximum(jnp.abs(left), jnp.abs(right))
        flux = 0.25 * (left**2 + right**2) - 0.5 * speed * (right - left)
        flux = flux - nu * dx * (jnp.roll(u, -1) - u) / dx
        return -(flux - jnp.roll(flux, 1)) / dx

    def step(u, _):
        dt = 0.3 * dx
        u1 = u + dt * rhs(u)
        return 0.5 * (u + u1 + dt * rhs(u1)), None

    u, _ = lax.scan(step, u0, steps)
    return jnp.mean(u**2) + dx * jnp.abs(jnp.diff(u)).sum()


def _sod(s, r):
    left = np.arange(s[0]) < s[0] // 2
    rho = np.where(left, 1.0, 0.125) + 0.01 * unif64(r, s[0])
    return rho, 0.01 * randn64(r, s[0]), np.where(left, 1.0, 0.1), np.zeros(s[1])


@program(_sod, [(16, 2), (400, 60), (4000, 300)], diff=(0, 2), x64=True)
def euler_sod_hll(rho, u, p, steps):
    """Compressible Euler equations in one dimension with the HLL Riemann solver, started from a noisy Sod tube."""
    gam = 1.4
    cons = lambda rho, u, p: jnp.stack([rho, rho * u, p / (gam - 1) + 0.5 * rho * u**2])

    def prim(q):
        rho, u = q[0], q[1] / q[0]
        return rho, u, (gam - 1) * (q[2] - 0.5 * rho * u**2)

    def flux(q):
        rho, u, p = prim(q)
        return jnp.stack([rho * u, rho * u**2 + p, u * (q[2] + p)]), u, jnp.sqrt(gam * p / rho)

    def step(q, _):
        ql, qr = jnp.pad(q, ((0, 0), (1, 0)), mode="edge"), jnp.pad(q, ((0, 0), (0, 1)), mode="edge")
        (fl, ul, cl), (fr, ur, cr) = flux(ql), flux(qr)
        sl, sr = jnp.minimum(ul - cl, ur - cr), jnp.maximum(ul + cl, ur + cr)
        hll = (sr * fl - sl * fr + sl * sr * (qr - ql)) / (sr - sl)
        f = jnp.where(sl > 0, fl, jnp.where(sr < 0, fr, hll))
        return q - 0.2 * jnp.diff(f, axis=1), None

    q, _ = lax.scan(step, cons(rho, u, p), steps)
    rho, u, p = prim(q)
    return jnp.mean(rho * jnp.log(p / rho**gam)) + jnp.mean(u**2)
