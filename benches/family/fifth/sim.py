"""Simulation."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import both, fixed


def f32(x):
    return np.asarray(x, np.float32)


def f64(x):
    return np.asarray(x, np.float64)


def i32(x):
    return np.asarray(x, np.int32)


@fixed()
def cloth_springs():
    """Hanging cloth of 18 x 18 particles with structural, shear and bend springs over 30 semi-implicit steps, sphere contact; stiffness gradient."""
    n, dt = 18, 0.004
    def simulate(stiff, x0, edges, rest, kind, ball):
        i, j = edges[:, 0], edges[:, 1]
        k = jnp.exp(stiff)[kind]
        pinned = (jnp.arange(n * n) == 0) | (jnp.arange(n * n) == n - 1)
        def step(s, _):
            x, v = s
            d = x[j] - x[i]
            L = jnp.sqrt(jnp.sum(d ** 2, 1) + 1e-9)
            dirn = d / L[:, None]
            rel = jnp.sum((v[j] - v[i]) * dirn, 1)
            f = (k * (L - rest) + 0.05 * rel)[:, None] * dirn
            F = jnp.zeros_like(x).at[i].add(f).at[j].add(-f)
            c = x - ball[:3]
            dist = jnp.sqrt(jnp.sum(c ** 2, 1) + 1e-9)
            pen = jax.nn.relu(ball[3] - dist)
            F = F + 200.0 * pen[:, None] * c / dist[:, None]
            v = (v + dt * (F / 0.02 + jnp.array([0.0, 0.0, -9.81]))) * 0.998
            v = jnp.where(pinned[:, None], 0.0, v)
            return (x + dt * v, v), None
        (x, v), _ = jax.lax.scan(step, (x0, jnp.zeros_like(x0)), None, length=30)
        return x, v
    def loss(stiff, x0, edges, rest, kind, ball):
        x, v = simulate(stiff, x0, edges, rest, kind, ball)
        return jnp.mean((x[:, 2] + 0.1) ** 2) + 1e-3 * jnp.mean(v ** 2)
    g = np.arange(n * n).reshape(n, n)
    E = [(g[:, :-1], g[:, 1:], 0), (g[:-1], g[1:], 0), (g[:-1, :-1], g[1:, 1:], 1), (g[1:, :-1], g[:-1, 1:], 1), (g[:, :-2], g[:, 2:], 2), (g[:-2], g[2:], 2)]
    edges = np.concatenate([np.stack([a.ravel(), b.ravel()], 1) for a, b, _ in E])
    kind = np.concatenate([np.full(a.size, t) for a, _, t in E])
    r = np.random.default_rng(76)
    X = np.stack([*np.meshgrid(np.arange(n) * .05, np.arange(n) * .05, indexing="ij"), np.zeros((n, n))], -1).reshape(-1, 3)
    rest = np.linalg.norm(X[edges[:, 0]] - X[edges[:, 1]], axis=1)
    return {"value": simulate, "grad": jax.value_and_grad(loss)}, (f32([4., 3., 1.]), f32(X + r.normal(0, .001, X.shape)), i32(edges), f32(rest), i32(kind), f32([.45, .45, -.2, .19]))


@fixed()
def fem_elasticity_cg():
    """Plane-stress elasticity on 600 triangles, matrix-free with gathers and segment sums, Jacobi-preconditioned CG in a while loop."""
    def element(X, E):
        d1, d2 = X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]
        det = d1[:, 0] * d2[:, 1] - d1[:, 1] * d2[:, 0]
        b = jnp.stack([X[:, 1, 1] - X[:, 2, 1], X[:, 2, 1] - X[:, 0, 1], X[:, 0, 1] - X[:, 1, 1]], 1) / det[:, None]
        c = jnp.stack([X[:, 2, 0] - X[:, 1, 0], X[:, 0, 0] - X[:, 2, 0], X[:, 1, 0] - X[:, 0, 0]], 1) / det[:, None]
        z = jnp.zeros_like(b)
        B = jnp.stack([jnp.stack([b, z], 2).reshape(-1, 6), jnp.stack([z, c], 2).reshape(-1, 6), jnp.stack([c, b], 2).reshape(-1, 6)], 1)
        nu = 0.3
        D = jnp.array([[1, nu, 0], [nu, 1, 0], [0, 0, (1 - nu) / 2]]) / (1 - nu ** 2)
        return jnp.einsum("eki,kl,elj->eij", B, D, B) * (0.5 * det * E)[:, None, None]
    def solve(E, nodes, tri, fixed, load):
        N = nodes.shape[0]
        K = element(nodes[tri], E)
        dof = (2 * tri[:, :, None] + jnp.arange(2)).reshape(tri.shape[0], 6)
        free = ~jnp.repeat(fixed, 2)
        def A(u):
            u = jnp.where(free, u, 0.0)
            out = jax.ops.segment_sum(jnp.einsum("eij,ej->ei", K, u[dof]).ravel(), dof.ravel(), 2 * N)
            return jnp.where(free, out, 0.0)
        diag = jnp.zeros(2 * N).at[dof].add(jnp.diagonal(K, axis1=1, axis2=2))
        M = jnp.where(free, 1.0 / diag, 0.0)
        b = jnp.where(free, load, 0.0)
        def body(s):
            x, r, p, rz, i = s
            Ap = A(p)
            a = rz / (p @ Ap)
            x, r = x + a * p, r - a * Ap
            z = M * r
            rzn = r @ z
            return x, r, z + rzn / rz * p, rzn, i + 1
        z = M * b
        x, r, _, _, i = jax.lax.while_loop(lambda s: (s[4] < 60) & (s[1] @ s[1] > 1e-10 * (b @ b)), body, (jnp.zeros(2 * N), b, z, b @ z, 0))
        u = x[dof]
        energy = 0.5 * jnp.einsum("ei,eij,ej->e", u, K, u)
        return x, energy, i
    nx, ny = 31, 11
    X = np.stack(np.meshgrid(np.linspace(0, 3, nx), np.linspace(0, 1, ny), indexing="ij"), -1).reshape(-1, 2)
    i, j = np.meshgrid(np.arange(nx - 1), np.arange(ny - 1), indexing="ij")
    a = (i * ny + j).ravel()
    tri = np.concatenate([np.stack([a, a + ny, a + 1], 1), np.stack([a + ny, a + ny + 1, a + 1], 1)])
    load = np.zeros((nx * ny, 2))
    load[-ny:, 1] = -.01
    r = np.random.default_rng(75)
    def compliance(E, nodes, tri, fixed, load):
        K = element(nodes[tri], E)
        return jnp.sum(K ** 2)
    return {"value": solve}, (f32(r.uniform(.5, 1.5, len(tri))), f32(X), i32(tri), X[:, 0] == 0, f32(load.ravel()))


@fixed()
def gillespie_toggle():
    """Gillespie's exact simulation of a genetic toggle switch for 48 cells: while loop under vmap, reaction choice by cumsum, time grid output."""
    S = np.array([[1, 0], [-1, 0], [0, 1], [0, -1], [0, 0]], np.int32)
    def propensity(x, th):
        u, v = x[0].astype(jnp.float32), x[1].astype(jnp.float32)
        return jnp.stack([th[0] / (1 + (v / th[2]) ** 2), th[1] * u, th[0] / (1 + (u / th[2]) ** 2), th[1] * v])
    def cell(key, x0, th, tend):
        def cond(s):
            return (s[0] < tend) & (s[3] < 300)
        def body(s):
            t, x, key, n, out = s
            key, k1, k2 = jax.random.split(key, 3)
            a = propensity(x, th)
            c = jnp.cumsum(a)
            dt = -jnp.log1p(-jax.random.uniform(k1)) / c[3]
            r = jnp.sum(c < jax.random.uniform(k2) * c[3])
            grid = jnp.linspace(0.0, tend, 16)
            hit = (grid > t) & (grid <= t + dt)
            out = jnp.where(hit[:, None], x, out)
            return t + dt, x + jnp.asarray(S)[r], key, n + 1, out
        t, x, _, n, out = jax.lax.while_loop(cond, body, (jnp.float32(0.0), x0, key, 0, jnp.tile(x0, (16, 1))))
        return x, n, out
    def run(key, x0, th, tend):
        keys = jax.random.split(key, x0.shape[0])
        x, n, out = jax.vmap(lambda k, x: cell(k, x, th, tend))(keys, x0)
        win = jnp.sum(out[..., 0] > out[..., 1], 0)
        hist = jnp.zeros(40, jnp.int32).at[jnp.clip(x[:, 0], 0, 39)].add(1)
        return x, n, win, hist
    r = np.random.default_rng(81)
    return {"value": run}, (np.array([0, 99], np.uint32), i32(r.integers(0, 12, (48, 2))), f32([12., .8, 5.]), f32(6.))


@fixed()
def ising_checkerboard():
    """Ising model of 8 temperatures on 48 x 48 lattices: ten checkerboard Metropolis sweeps in int8, replica exchange, energies."""
    L = 48
    def sweep(c, k):
        s, beta = c
        mask = (jnp.arange(L)[:, None] + jnp.arange(L)[None]) % 2
        k0, k1, k2 = jax.random.split(k, 3)
        for par, kk in ((0, k0), (1, k1)):
            nn = jnp.roll(s, 1, 1) + jnp.roll(s, -1, 1) + jnp.roll(s, 1, 2) + jnp.roll(s, -1, 2)
            dE = (2 * s * nn).astype(jnp.int32)
            table = jnp.exp(-beta[:, None] * jnp.arange(-8, 9))
            acc = jnp.take_along_axis(table, (dE + 8).reshape(s.shape[0], -1), 1).reshape(s.shape)
            u = jax.random.uniform(kk, s.shape)
            s = jnp.where((u < acc) & (mask == par), -s, s).astype(jnp.int8)
        si = s.astype(jnp.int32)
        E = -jnp.sum(si * (jnp.roll(si, 1, 1) + jnp.roll(si, 1, 2)), (1, 2))
        d = (beta[1:] - beta[:-1]) * (E[1:] - E[:-1])
        swap = (jnp.log(jax.random.uniform(k2, d.shape)) < d) & (jnp.arange(d.shape[0]) % 2 == 0)
        idx = jnp.arange(s.shape[0])
        idx = idx.at[:-1].set(jnp.where(swap, idx[:-1] + 1, idx[:-1]))
        idx = idx.at[1:].set(jnp.where(swap, jnp.arange(d.shape[0]), idx[1:]))
        return (s[idx], beta), (E[idx], jnp.mean(si, (1, 2))[idx])
    def run(s, beta, key):
        (s, _), (E, m) = jax.lax.scan(sweep, (s, beta), jax.random.split(key, 10))
        return s, E, jnp.mean(jnp.abs(m), 0)
    r = np.random.default_rng(79)
    return {"value": run}, (r.choice(np.array([-1, 1], np.int8), (8, L, L)), f32(1 / np.linspace(1.6, 3.2, 8)), np.array([0, 12], np.uint32))


@fixed()
def lbm_cylinder():
    """Lattice Boltzmann D2Q9 past a cylinder, 96 x 40 cells, 20 steps: Zou-He-like inflow, outflow, bounce-back, drag."""
    c = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    wts = f32([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    opp = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
    C = f32(c)
    def macro(f):
        rho = jnp.sum(f, 0)
        return rho, jnp.einsum("qxy,qd->dxy", f, C) / rho
    def feq(rho, u):
        cu = jnp.einsum("qd,dxy->qxy", C, u)
        return wts[:, None, None] * rho * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * jnp.sum(u ** 2, 0))
    def run(f, solid, inflow, tau):
        def step(f, _):
            f = f.at[jnp.array([3, 6, 7]), -1].set(f[jnp.array([3, 6, 7]), -2])
            rho, u = macro(f)
            u = u.at[:, 0].set(inflow)
            left = (jnp.sum(f[jnp.array([0, 2, 4]), 0], 0) + 2 * jnp.sum(f[jnp.array([3, 6, 7]), 0], 0)) / (1 - inflow[0])
            rho = rho.at[0].set(left)
            eq = feq(rho, u)
            f = f.at[jnp.array([1, 5, 8]), 0].set(eq[jnp.array([1, 5, 8]), 0])
            out = f - (f - eq) / tau
            bounce = f[opp]
            out = jnp.where(solid, bounce, out)
            drag = jnp.sum(jnp.where(solid, (f - bounce) * C[:, 0][:, None, None], 0.0))
            out = jnp.stack([jnp.roll(out[i], (int(c[i, 0]), int(c[i, 1])), (0, 1)) for i in range(9)])
            return out, drag
        f, drag = jax.lax.scan(step, f, None, length=20)
        rho, u = macro(f)
        vort = jnp.roll(u[1], -1, 0) - jnp.roll(u[1], 1, 0) - jnp.roll(u[0], -1, 1) + jnp.roll(u[0], 1, 1)
        return f, drag, vort
    X, Y = np.meshgrid(np.arange(96), np.arange(40), indexing="ij")
    solid = (X - 24) ** 2 + (Y - 20.3) ** 2 < 25
    u0 = np.stack([.08 * (1 + 1e-3 * np.sin(Y / 39 * 2 * np.pi)), np.zeros_like(X)])
    cu = np.einsum("qd,dxy->qxy", c, u0)
    f0 = np.asarray(wts)[:, None, None] * (1 + 3 * cu + 4.5 * cu ** 2 - 1.5 * (u0 ** 2).sum(0))
    return {"value": run}, (f32(f0), solid, f32(u0[:, 0]), f32(.56))


@fixed(tol=1e-3)
def lj_neighbour_list():
    """Lennard-Jones fluid, 216 atoms, periodic: neighbour lists by top_k rebuilt when atoms moved far (cond), velocity Verlet with Langevin noise, 12 steps."""
    K, rc, skin = 96, 2.5, 0.4
    def run(x, v, box, key):
        def disp(d):
            return d - box * jnp.round(d / box)
        def build(x):
            r2 = jnp.sum(disp(x[:, None] - x[None]) ** 2, -1) + 1e6 * jnp.eye(x.shape[0])
            d, idx = jax.lax.top_k(-r2, K)
            return jnp.where(-d < (rc + skin) ** 2, idx, -1)
        def force(x, nb):
            ok = nb >= 0
            d = disp(x[:, None] - x[jnp.maximum(nb, 0)])
            r2 = jnp.where(ok, jnp.sum(d ** 2, -1), 1e3)
            s6 = jnp.where(r2 < rc * rc, 1.0 / r2 ** 3, 0.0)
            f = 24.0 * (2 * s6 * s6 - s6) / r2
            return jnp.sum(f[..., None] * d, 1), 2.0 * jnp.sum(s6 * s6 - s6)
        dt, gam, T = 0.004, 1.0, 0.9
        def step(c, k):
            x, v, f, nb, ref, n = c
            v = v + 0.5 * dt * f
            x = jnp.mod(x + dt * v, box)
            moved = jnp.max(jnp.sum(disp(x - ref) ** 2, -1))
            nb, ref, n = jax.lax.cond(moved > (0.1 * skin) ** 2, lambda: (build(x), x, n + 1), lambda: (nb, ref, n))
            f, e = force(x, nb)
            v = v + 0.5 * dt * f
            a = jnp.exp(-gam * dt)
            v = a * v + jnp.sqrt((1 - a * a) * T) * jax.random.normal(k, v.shape)
            return (x, v, f, nb, ref, n), (e, 0.5 * jnp.sum(v ** 2))
        nb = build(x)
        f, _ = force(x, nb)
        (x, v, _, _, _, n), (e, kin) = jax.lax.scan(step, (x, v, f, nb, x, 0), jax.random.split(key, 12))
        return x, v, e, kin, n
    r = np.random.default_rng(77)
    g = np.stack(np.meshgrid(*[np.arange(6) * 1.1] * 3, indexing="ij"), -1).reshape(-1, 3)
    return {"value": run}, (f32(g + .3 + r.normal(0, .03, g.shape)), f32(r.normal(0, 1, g.shape)), f32(6.6), np.array([0, 33], np.uint32))


@fixed()
def nbody_leapfrog():
    """160 softened bodies by kick-drift-kick over ten steps; energy drift and, by gradient, sensitivity of a probe's end to velocities."""
    eps = 0.05
    def acc(x, m):
        d = x[None] - x[:, None]
        r2 = jnp.sum(d ** 2, -1) + eps ** 2
        return jnp.sum(d * (m / (r2 * jnp.sqrt(r2)))[..., None], 1)
    def energy(x, v, m):
        d = x[None] - x[:, None]
        r = jnp.sqrt(jnp.sum(d ** 2, -1) + eps ** 2)
        pot = -0.5 * jnp.sum(jnp.where(jnp.eye(x.shape[0], dtype=bool), 0.0, m[:, None] * m / r))
        return 0.5 * jnp.sum(m * jnp.sum(v ** 2, 1)) + pot
    def simulate(v, x, m, dt):
        def step(_, s):
            x, v, a = s
            v = v + 0.5 * dt * a
            x = x + dt * v
            a = acc(x, m)
            return x, v + 0.5 * dt * a, a
        return jax.lax.fori_loop(0, 10, step, (x, v, acc(x, m)))
    def drift(v, x, m, dt):
        e0 = energy(x, v, m)
        x, v, _ = simulate(v, x, m, dt)
        return x, (energy(x, v, m) - e0) / jnp.abs(e0)
    def probe(v, x, m, dt):
        x, v, _ = simulate(v, x, m, dt)
        return jnp.sum((x[0] - jnp.array([1.0, 0.0, 0.0])) ** 2) + 0.1 * jnp.mean(v ** 2)
    r = np.random.default_rng(71)
    N = 160
    return {"value": lambda *a: drift(*a)[0], "grad": jax.value_and_grad(probe)}, (f32(r.normal(0, .3, (N, 3))), f32(r.normal(0, 1, (N, 3))), f32(r.uniform(.5, 1.5, N) / N), f32(.01))


@fixed(tol=1e-3)
def ns2d_spectral():
    """2D Navier-Stokes in vorticity, pseudospectral 64 x 64 with 2/3 dealiasing, forced, four steps of RK4 with integrating factor."""
    n = 64
    k = np.fft.fftfreq(n, 1 / n)
    kx, ky = f32(k[:, None] * np.ones((1, n // 2 + 1))), f32(np.arange(n // 2 + 1)[None] * np.ones((n, 1)))
    k2 = kx ** 2 + ky ** 2
    inv = np.where(k2 == 0, 0, 1 / np.where(k2 == 0, 1, k2)).astype(np.float32)
    keep = (np.abs(kx) < n / 3) & (ky < n / 3)
    def rhs(w, force, drag):
        psi = w * inv
        u, v = jnp.fft.irfft2(1j * ky * psi), jnp.fft.irfft2(-1j * kx * psi)
        wx, wy = jnp.fft.irfft2(1j * kx * w), jnp.fft.irfft2(1j * ky * w)
        adv = jnp.fft.rfft2(u * wx + v * wy)
        return jnp.where(keep, -adv, 0) + force - drag * w
    def run(w0, forcing, nu, dt):
        w, F = jnp.fft.rfft2(w0), jnp.fft.rfft2(forcing)
        E, E2 = jnp.exp(-nu * k2 * dt), jnp.exp(-nu * k2 * dt / 2)
        def step(w, _):
            k1 = rhs(w, F, 0.1)
            k2_ = rhs(E2 * (w + dt / 2 * k1), F, 0.1)
            k3 = rhs(E2 * w + dt / 2 * k2_, F, 0.1)
            k4 = rhs(E * w + dt * E2 * k3, F, 0.1)
            w = E * w + dt / 6 * (E * k1 + 2 * E2 * (k2_ + k3) + k4)
            return w, jnp.sum(jnp.abs(w) ** 2 * inv) / n ** 4
        w, en = jax.lax.scan(step, w, None, length=4)
        return jnp.fft.irfft2(w), en
    def match(w0, forcing, nu, dt):
        w, en = run(w0, forcing, nu, dt)
        return jnp.mean((w - 0.5) ** 2)
    r = np.random.default_rng(74)
    g = np.arange(n) * 2 * np.pi / n
    w0 = sum(r.normal() * np.cos(a * g[:, None] + b * g[None] + r.uniform(0, 6)) for a in range(-4, 5) for b in range(5))
    return {"value": run, "grad": jax.value_and_grad(match)}, (f32(w0), f32(np.cos(4 * g)[None] * np.ones((n, 1))), f32(.002), f32(.005))


@fixed(tol=1e-3)
def raymarch_shading():
    """Sphere tracing of a scene of spheres, a torus and a floor with smooth unions: 48 x 48 pixels, normals by gradient, soft shadows."""
    def smin(a, b, k):
        h = jnp.clip(0.5 + 0.5 * (b - a) / k, 0.0, 1.0)
        return b + (a - b) * h - k * h * (1 - h)
    def scene(p, balls):
        d = jnp.linalg.norm(p - balls[:, :3], axis=-1) - balls[:, 3]
        s = d[0]
        for i in range(1, 4):
            s = smin(s, d[i], 0.3)
        q = jnp.array([jnp.sqrt(p[0] ** 2 + p[2] ** 2 + 1e-9) - 1.6, p[1] + 0.2])
        return jnp.minimum(jnp.minimum(s, jnp.sqrt(q @ q + 1e-9) - 0.2), p[1] + 1.0)
    def render(balls, origin, light, uv):
        def pixel(u):
            rd = jnp.array([u[0], u[1], 1.6])
            rd = rd / jnp.linalg.norm(rd)
            def march(_, t):
                return jnp.minimum(t + scene(origin + t * rd, balls), 20.0)
            t = jax.lax.fori_loop(0, 32, march, 0.0)
            p = origin + t * rd
            nrm = jax.grad(scene)(p, balls)
            nrm = nrm / (jnp.linalg.norm(nrm) + 1e-6)
            l = light - p
            dist = jnp.linalg.norm(l)
            l = l / dist
            def shadow(c, _):
                s, r = c
                h = scene(p + 0.02 * nrm + s * l, balls)
                r = jnp.where(s < dist, jnp.minimum(r, 8.0 * jnp.maximum(h, 0.0) / s), r)
                return (s + jnp.clip(h, 0.03, 0.4), r), None
            (_, sh), _ = jax.lax.scan(shadow, (0.05, 1.0), None, length=12)
            dif = jnp.maximum(nrm @ l, 0.0) * sh
            check = (jnp.floor(p[0]) + jnp.floor(p[2])).astype(jnp.int32) & 1
            alb = jnp.where(p[1] < -0.99, jnp.where(check == 1, 0.3, 0.8), 0.6)
            return jnp.where(t < 19.0, jnp.sqrt(alb * (0.1 + 0.9 * dif)), 0.1)
        return jax.vmap(jax.vmap(pixel))(uv)
    r = np.random.default_rng(80)
    balls = np.concatenate([r.uniform([-1, -.5, -.5], [1, .8, .5], (4, 3)), r.uniform(.35, .6, (4, 1))], 1)
    g = np.linspace(-1, 1, 48)
    return {"value": render, "grad": lambda b, o, l, uv: jax.value_and_grad(lambda b: jnp.mean(render(b, o, l, uv[::4, ::4])))(b)}, (f32(balls), f32([0, .6, -4.]), f32([2, 4, -3.]), f32(np.stack(np.meshgrid(g, -g), -1)))


@fixed(x64=True)
def robertson_ros2():
    """Robertson's stiff kinetics for 16 rate constants at once by an adaptive Rosenbrock method in a while loop."""
    def rhs(y, k):
        a, b, c = k[0] * y[0], k[1] * y[1] * y[2], k[2] * y[1] ** 2
        return jnp.array([-a + b, a - b - c, c])
    def integrate(y0, k, tend):
        g = 1.0 + 1.0 / jnp.sqrt(2.0)
        def body(s):
            t, h, y, n, rej = s
            h = jnp.minimum(h, tend - t)
            J = jax.jacfwd(rhs)(y, k)
            W = jnp.eye(3) - g * h * J
            lu = jax.scipy.linalg.lu_factor(W)
            k1 = jax.scipy.linalg.lu_solve(lu, rhs(y, k))
            k2 = jax.scipy.linalg.lu_solve(lu, rhs(y + h * k1, k) - 2 * k1)
            new = y + 1.5 * h * k1 + 0.5 * h * k2
            err = jnp.max(jnp.abs(new - (y + h * k1)) / (1e-7 + 1e-3 * jnp.maximum(jnp.abs(y), jnp.abs(new))))
            ok = err <= 1.0
            fac = jnp.clip(0.9 / jnp.sqrt(err + 1e-12), 0.2, 5.0)
            return jnp.where(ok, t + h, t), h * fac, jnp.where(ok, new, y), n + 1, rej + ~ok
        t, h, y, n, rej = jax.lax.while_loop(lambda s: (s[0] < tend * (1 - 1e-12)) & (s[3] < 400), body, (0.0, 1e-4, y0, 0, 0))
        return y, n, rej
    def run(y0, ks, tend):
        return jax.vmap(lambda k: integrate(y0, k, tend))(ks)
    r = np.random.default_rng(70)
    ks = np.array([.04, 1e4, 3e7]) * np.exp(r.normal(0, .2, (16, 3)))
    return {"value": run}, (f64([1., 0, 0]), f64(ks), f64(40.))


@fixed(tol=1e-3)
def sph_dambreak():
    """Weakly compressible SPH of 300 particles in a box: poly6 density, spiky pressure, viscosity, walls; five steps of all pairs with masks."""
    h = 0.06
    def step(s, _):
        x, v = s
        d = x[:, None] - x[None]
        r2 = jnp.sum(d ** 2, -1)
        near = r2 < h * h
        W = jnp.where(near, (h * h - r2) ** 3, 0.0) * (4.0 / (jnp.pi * h ** 8))
        mass = 1000.0 * 0.03 ** 2
        rho = mass * jnp.sum(W, 1)
        P = 50.0 * jnp.maximum((rho / 1000.0) ** 7 - 1.0, 0.0)
        r = jnp.sqrt(r2 + 1e-9)
        grad = jnp.where(near, -30.0 / (jnp.pi * h ** 5) * (h - r) ** 2, 0.0) / r
        fp = -mass * (P[:, None] + P[None]) / (2 * rho[None]) * grad
        lap = jnp.where(near, 20.0 / (3 * jnp.pi * h ** 5) * (h - r), 0.0)
        fv = 0.5 * mass / rho[None] * lap
        f = jnp.sum(fp[..., None] * d, 1) + jnp.einsum("ij,ijk->ik", fv, v[None] - v[:, None])
        a = f / rho[:, None] + jnp.array([0.0, -9.81])
        v = v + 5e-4 * a
        x = x + 5e-4 * v
        lo, hi = jnp.array([0.0, 0.0]), jnp.array([1.2, 0.8])
        v = jnp.where((x < lo) | (x > hi), -0.4 * v, v)
        return (jnp.clip(x, lo, hi), v), jnp.max(rho)
    def run(x, v):
        (x, v), top = jax.lax.scan(step, (x, v), None, length=5)
        return x, v, top
    r = np.random.default_rng(72)
    g = np.stack(np.meshgrid(np.arange(15) * .03 + .01, np.arange(20) * .03 + .01), -1).reshape(-1, 2)
    return {"value": run}, (f32(g + r.normal(0, .001, g.shape)), f32(r.normal(0, .05, g.shape)))


@fixed()
def wave_fwi():
    """2D acoustic wave with sponge boundary, 64 x 64, 60 steps, fourth-order Laplacian, Ricker source; misfit at 16 receivers by velocity."""
    n = 64
    def forward(vel, src, wavelet, rec, sponge):
        c2 = (vel * 0.0008 / 5.0) ** 2
        def lap(p):
            q = jnp.pad(p, 2)
            c = q[2:-2, 2:-2]
            ax = -(q[4:, 2:-2] + q[:-4, 2:-2]) / 12 + 4 / 3 * (q[3:-1, 2:-2] + q[1:-3, 2:-2]) - 2.5 * c
            ay = -(q[2:-2, 4:] + q[2:-2, :-4]) / 12 + 4 / 3 * (q[2:-2, 3:-1] + q[2:-2, 1:-3]) - 2.5 * c
            return ax + ay
        def step(s, w):
            p, old = s
            new = (2 * p - sponge * old + c2 * lap(p)) * sponge
            new = new.at[src[0], src[1]].add(w)
            return (new, p * sponge), new[rec[:, 0], rec[:, 1]]
        z = jnp.zeros((n, n))
        _, tr = jax.lax.scan(step, (z, z), wavelet)
        return tr
    def misfit(vel, src, wavelet, rec, sponge, data):
        tv = jnp.sum(jnp.sqrt(jnp.diff(vel, axis=0) ** 2 + 1.0)) * 1e-6
        return 0.5 * jnp.sum((forward(vel, src, wavelet, rec, sponge) - data) ** 2) + tv
    r = np.random.default_rng(78)
    t = np.arange(60) * .0008 - .012
    a = (np.pi * 60 * t) ** 2
    vel = 2000 + 500 * (np.arange(n)[:, None] > 30) + 30 * r.normal(0, 1, (n, n))
    e = np.minimum(np.minimum(np.arange(n), n - 1 - np.arange(n)), 10)
    sp = np.exp(-(.02 * (10 - np.minimum(e[:, None], e[None]))) ** 2)
    rec = np.stack([np.full(16, 8), np.arange(2, 62, 60 // 16 + 1)[:16] if len(np.arange(2, 62, 4)) >= 16 else np.linspace(2, 61, 16)], 1)
    return both(misfit), (f32(vel), i32([10, 32]), f32((1 - 2 * a) * np.exp(-a)), i32(rec), f32(sp), f32(r.normal(0, .01, (60, 16))))
