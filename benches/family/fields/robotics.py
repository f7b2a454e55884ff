"""Robotics and control: kinematics, trajectory optimisation, rigid bodies, SLAM."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, randn64, unif, unif64


@program(lambda s, r: (randn(r, s[0], s[1]), unif(r, s[1], 3, lo=-0.5, hi=0.5), randn(r, s[0], 3)),
         [(2, 3), (200, 6), (8000, 7)], diff=(0, 1))
def arm_inverse_kinematics_loss(q, dh, goals):
    """Reaching error of a serial arm: Denavit-Hartenberg transforms chained in a scan, batched over joint angles."""

    def link(theta, p):
        a, d, alpha = p
        ct, st, ca, sa = jnp.cos(theta), jnp.sin(theta), jnp.cos(alpha), jnp.sin(alpha)
        return jnp.array([[ct, -st * ca, st * sa, a * ct], [st, ct * ca, -ct * sa, a * st],
                          [0.0, sa, ca, d], [0.0, 0.0, 0.0, 1.0]])

    def fk(theta):
        T, _ = lax.scan(lambda T, x: (T @ link(*x), None), jnp.eye(4), (theta, dh))
        return T[:3, 3]

    err = jax.vmap(fk)(q) - goals
    limits = jnp.maximum(jnp.abs(q) - 2.5, 0.0)
    return jnp.mean(jnp.sum(err**2, -1)) + 0.1 * jnp.mean(limits**2)


@program(lambda s, r: (np.array([2.5, 0.0]), randn64(r, s, 1, scale=0.1)), [3, 60, 4000], diff=(), x64=True)
def ilqr_pendulum_iteration(x0, us):
    """One iLQR iteration on a pendulum: rollout, linearise and quadratise with vmap, Riccati scan, line search."""
    f = lambda x, u: x + 0.05 * jnp.array([x[1], jnp.sin(x[0]) - 0.1 * x[1] + u[0]])
    cost = lambda x, u: 0.05 * (1 - jnp.cos(x[0] - jnp.pi)) + 0.01 * x[1] ** 2 + 0.01 * u @ u

    def rollout(x0, us):
        return lax.scan(lambda x, u: (f(x, u), x), x0, us)

    xT, xs = rollout(x0, us)
    fx, fu = jax.vmap(jax.jacfwd(f, (0, 1)))(xs, us)
    cx, cu = jax.vmap(jax.grad(cost, (0, 1)))(xs, us)
    (cxx, cxu), (_, cuu) = jax.vmap(jax.hessian(cost, (0, 1)))(xs, us)
    term = lambda x: 5.0 * x @ x

    def back(carry, t):
        V, v = carry
        A, B, lx, lu, lxx, lxu, luu = t
        Qx, Qu = lx + A.T @ v, lu + B.T @ v
        Qxx, Quu, Qux = lxx + A.T @ V @ A, luu + B.T @ V @ B + 1e-3 * jnp.eye(1), lxu.T + B.T @ V @ A
        K, k = -jnp.linalg.solve(Quu, Qux), -jnp.linalg.solve(Quu, Qu)
        return (Qxx + Qux.T @ K, Qx + Qux.T @ k), (K, k)

    _, (Ks, ks) = lax.scan(back, (jax.hessian(term)(xT), jax.grad(term)(xT)), (fx, fu, cx, cu, cxx, cxu, cuu), reverse=True)

    def forward(alpha):
        def step(x, t):
            xr, u, K, k = t
            u = u + alpha * k + K @ (x - xr)
            return f(x, u), (u, cost(x, u))

        xT, (u, c) = lax.scan(step, x0, (xs, us, Ks, ks))
        return u, c.sum() + term(xT)

    u_all, costs = jax.vmap(forward)(0.5 ** jnp.arange(5.0))
    best = jnp.argmin(costs)
    return u_all[best], costs[best]


@program(lambda s, r: (randn(r, s[0], s[1], scale=0.5), randn(r, s[0], 4, scale=0.1)), [(1, 4), (32, 60), (1024, 150)],
         diff=(0, 1))
def cartpole_shooting(us, x0):
    """Direct shooting for cart-pole swing-up: RK4 rollouts of a batch of control sequences and their mean cost."""
    mc, mp, l, g, dt = 1.0, 0.1, 0.5, 9.81, 0.02

    def dyn(s, u):
        x, th, dx, dth = s
        sn, cs = jnp.sin(th), jnp.cos(th)
        tmp = (u + mp * l * dth**2 * sn) / (mc + mp)
        ddth = (g * sn - cs * tmp) / (l * (4 / 3 - mp * cs**2 / (mc + mp)))
        return jnp.stack([dx, dth, tmp - mp * l * ddth * cs / (mc + mp), ddth])

    def rk4(s, u):
        k1 = dyn(s, u)
        k2 = dyn(s + dt / 2 * k1, u)
        k3 = dyn(s + dt / 2 * k2, u)
        k4 = dyn(s + dt * k3, u)
        s = s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return s, s[0] ** 2 + 2 * (1 - jnp.cos(s[1])) + 1e-3 * u**2

    def total(u, s):
        _, c = lax.scan(rk4, s, u)
        return c.mean()

    return jax.vmap(total)(us, x0).mean()


@program(lambda s, r: (randn(r, s[0], 4), randn(r, s[0], 3), unif(r, 3, lo=0.5, hi=2.0), randn(r, s[1], 3, scale=0.2)),
         [(2, 2), (256, 40), (8192, 80)], diff=(0, 1, 2))
def quaternion_rigid_bodies(quat, omega, inertia, torque):
    """Tumbling rigid bodies: Euler's equations in the body frame and normalised quaternion integration."""

    def mul(a, b):
        w1, v1, w2, v2 = a[0], a[1:], b[0], b[1:]
        return jnp.concatenate([(w1 * w2 - v1 @ v2)[None], w1 * v2 + w2 * v1 + jnp.cross(v1, v2)])

    def simulate(q, w):
        def step(state, tau):
            q, w = state
            w = w + 0.02 * (tau - jnp.cross(w, inertia * w)) / inertia
            q = q + 0.01 * mul(q, jnp.concatenate([jnp.zeros(1), w]))
            return (q / jnp.linalg.norm(q), w), None

        (q, w), _ = lax.scan(step, (q / jnp.linalg.norm(q), w), torque)
        up = mul(mul(q, jnp.array([0.0, 0.0, 0.0, 1.0])), q * jnp.array([1.0, -1.0, -1.0, -1.0]))[1:]
        return 1.0 - up[2] + 0.1 * inertia @ w**2

    return jax.vmap(simulate)(quat, omega).mean()


def _slam(s, r):
    n, loops = s
    i = np.concatenate([np.arange(n - 1), r.integers(0, n, loops)]).astype(np.int32)
    j = np.concatenate([np.arange(1, n), r.integers(0, n, loops)]).astype(np.int32)
    return np.cumsum(r.normal(0.1, 0.3, (n, 3)), 0), i, j, r.normal(0, 1, (len(i), 3)), unif64(r, 3, lo=0.5, hi=5)


@program(_slam, [(8, 3), (3000, 600), (40000, 20000)], diff=(0, 4), x64=True)
def pose_graph_se2_residuals(poses, i, j, meas, info):
    """Robust cost of an SE(2) pose graph: relative poses of odometry and loop closures, wrapped angles, Huber."""
    xi, xj = poses[i], poses[j]
    c, s = jnp.cos(xi[:, 2]), jnp.sin(xi[:, 2])
    d = xj[:, :2] - xi[:, :2]
    rel = jnp.stack([c * d[:, 0] + s * d[:, 1], -s * d[:, 0] + c * d[:, 1], xj[:, 2] - xi[:, 2]], axis=1)
    e = rel - meas
    e = e.at[:, 2].set(jnp.arctan2(jnp.sin(e[:, 2]), jnp.cos(e[:, 2])))
    chi2 = jnp.sum(info * e**2, axis=1)
    huber = jnp.where(chi2 < 1.0, chi2, 2 * jnp.sqrt(jnp.maximum(chi2, 1.0)) - 1.0)
    return 0.5 * jnp.mean(huber) + 1e-3 * jnp.sum(poses[0] ** 2)


@program(lambda s, r: (np.zeros((s[0], s[0])), unif64(r, s[1], 2, lo=0.3 * s[0], hi=0.7 * s[0]),
                       unif64(r, s[1], s[2], lo=2.0, hi=0.3 * s[0])), [(16, 1, 8), (100, 4, 180), (400, 20, 720)], diff=(),
         x64=True)
def occupancy_grid_update(grid, robot, ranges):
    """Lidar occupancy mapping: march along every beam, add free and occupied log-odds by scatter, clamp, count."""
    n, beams = grid.shape[0], ranges.shape[1]
    ang = jnp.linspace(0, 2 * jnp.pi, beams, endpoint=False)
    dirs = jnp.stack([jnp.cos(ang), jnp.sin(ang)], -1)
    t = jnp.arange(0, n // 3, dtype=grid.dtype)

    def scan_update(grid, inp):
        pos, rng = inp
        pts = pos + t[:, None, None] * dirs[None]
        cell = jnp.floor(pts).astype(jnp.int32)
        free = (t[:, None] < rng[None, :] - 0.5).astype(grid.dtype)
        grid = grid.at[cell[..., 0], cell[..., 1]].add(-0.4 * free, mode="drop")
        hit = jnp.floor(pos + rng[:, None] * dirs).astype(jnp.int32)
        grid = grid.at[hit[:, 0], hit[:, 1]].add(0.85, mode="drop")
        return jnp.clip(grid, -5.0, 5.0), None

    grid, _ = lax.scan(scan_update, grid, (robot, ranges))
    prob = 1.0 / (1.0 + jnp.exp(-grid))
    return prob, jnp.sum(prob > 0.65), jnp.sum(prob < 0.2)
