"""Control of linear systems: Riccati recursions and model predictive control with bounds on the inputs."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _plant(r, n, m):
    a = r.standard_normal((n, n))
    a = (a / np.max(np.abs(np.linalg.eigvals(a)))).astype(np.float32)
    return a, randn(r, n, m, scale=n**-0.5)


def _lqr(s, r):
    n, m, t = s
    return (randn(r, n, scale=0.3), randn(r, m, scale=0.3), *_plant(r, n, m), randn(r, n), randn(r, t, n, scale=0.1))


@program(_lqr, [(2, 1, 4), (4, 2, 24), (12, 4, 300)], diff=(0, 1))
def lqr_finite_horizon_cost(log_q, log_r, A, B, x0, disturbance):
    """Finite-horizon LQR: backward Riccati recursion for the gains, then the true cost of a disturbed roll-out."""
    Q, R = jnp.diag(jnp.exp(log_q)), jnp.diag(jnp.exp(log_r))

    def riccati(P, _):
        BtP = B.T @ P
        K = jnp.linalg.solve(R + BtP @ B, BtP @ A)
        P = Q + A.T @ P @ (A - B @ K)
        return 0.5 * (P + P.T), K

    _, gains = lax.scan(riccati, Q, None, length=disturbance.shape[0], reverse=True)

    def step(x, kw):
        K, w = kw
        u = -K @ x
        cost = x @ x + 0.1 * u @ u
        return A @ x + B @ u + w, cost

    xT, costs = lax.scan(step, x0, (gains, disturbance))
    return costs.sum() + xT @ xT


def _mpc(s, r):
    n, m, t, batch = s
    return (randn(r, batch, n), *_plant(r, n, m), randn(r, t, n, scale=0.5), unif(r, m, lo=0.2, hi=0.8))


@program(_mpc, [(2, 1, 4, 1), (4, 2, 12, 4), (8, 3, 40, 64)], diff=())
def mpc_condensed_fista(x0, A, B, reference, u_max):
    """Condensed linear MPC: prediction matrices from powers of A, then accelerated projected gradient with box limits."""
    T, n = reference.shape
    m = B.shape[1]
    _, powers = lax.scan(lambda P, _: (A @ P, P), jnp.eye(n), None, length=T + 1)
    lag = jnp.arange(T)[:, None] - jnp.arange(T)[None, :]
    blocks = jnp.einsum("kab,bm->kam", powers[:-1], B)[jnp.maximum(lag, 0)]
    G = jnp.where((lag >= 0)[:, :, None, None], blocks, 0.0).transpose(0, 2, 1, 3).reshape(T * n, T * m)
    F = powers[1:].reshape(T * n, n)
    H = G.T @ G + 0.1 * jnp.eye(T * m)
    L = jnp.max(jnp.sum(jnp.abs(H), axis=1))
    bound = jnp.tile(u_max, T)

    def solve(x):
        g = G.T @ (F @ x - reference.ravel())

        def it(_, c):
            u, y, t = c
            u1 = jnp.clip(y - (H @ y + g) / L, -bound, bound)
            t1 = 0.5 * (1 + jnp.sqrt(1 + 4 * t * t))
            return u1, u1 + (t - 1) / t1 * (u1 - u), t1

        u = jnp.zeros(T * m)
        u, _, _ = lax.fori_loop(0, 30, it, (u, u, 1.0))
        return u.reshape(T, m), 0.5 * u @ H @ u + g @ u

    u, cost = jax.vmap(solve)(x0)
    first = x0 @ A.T + u[:, 0] @ B.T
    return u, cost, first
