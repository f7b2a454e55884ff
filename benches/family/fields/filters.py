"""State estimation: hidden Markov models, Kalman and particle filters, smoothers."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.scipy.special import logsumexp

from registry import ints, key, program, randn, randn64, unif


@program(lambda s, r: (randn(r, s[1]), randn(r, s[1], s[1]), randn(r, s[1], s[2]), ints(r, s[2], s[0])),
         [(6, 3, 4), (200, 24, 32), (1500, 96, 64)], diff=(0, 1, 2))
def hmm_log_likelihood(init_logits, trans_logits, emit_logits, obs):
    """Negative log-likelihood of a discrete HMM: the forward algorithm in log space with softmax parameters."""
    log_pi, log_a, log_b = map(jax.nn.log_softmax, (init_logits, trans_logits, emit_logits))

    def step(alpha, o):
        alpha = logsumexp(alpha[:, None] + log_a, axis=0) + log_b[:, o]
        return alpha, None

    alpha, _ = lax.scan(step, log_pi + log_b[:, obs[0]], obs[1:])
    return -logsumexp(alpha) / obs.shape[0]


def _kal(s, r):
    t, n, m = s
    a = 0.9 * np.linalg.qr(r.standard_normal((n, n)))[0]
    return a, randn64(r, m, n), randn64(r, n, scale=0.3), randn64(r, m, scale=0.3), randn64(r, t, m)


@program(_kal, [(2, 2, 1), (80, 6, 3), (800, 16, 8)], diff=(0, 1, 2, 3), x64=True)
def kalman_log_likelihood(F, H, log_q, log_r, ys):
    """Log-likelihood of a linear Gaussian state-space model by a Kalman filter with Cholesky-factored innovations."""
    n, m = F.shape[0], H.shape[0]
    Q, R = jnp.diag(jnp.exp(log_q)), jnp.diag(jnp.exp(log_r))

    def step(carry, y):
        mean, cov, ll = carry
        mean, cov = F @ mean, F @ cov @ F.T + Q
        S = H @ cov @ H.T + R
        L = jnp.linalg.cholesky(S)
        innov = y - H @ mean
        w = jax.scipy.linalg.solve_triangular(L, innov, lower=True)
        K = jax.scipy.linalg.cho_solve((L, True), H @ cov).T
        mean = mean + K @ innov
        cov = (jnp.eye(n) - K @ H) @ cov
        ll += -0.5 * (w @ w + m * jnp.log(2 * jnp.pi)) - jnp.log(jnp.diag(L)).sum()
        return (mean, cov, ll), None

    (_, _, ll), _ = lax.scan(step, (jnp.zeros(n), jnp.eye(n), 0.0), ys)
    return -ll


@program(lambda s, r: (randn(r, s[0], s[1], 2), unif(r, 1, lo=0.05, hi=0.2)[0], unif(r, 1, lo=0.3, hi=0.6)[0]),
         [(1, 4), (32, 80), (512, 500)], diff=(0, 1, 2))
def rts_smoother_tracks(zs, q, r):
    """Constant-velocity Kalman filter and Rauch-Tung-Striebel smoother for many 2-D tracks, 2x2 inverses by hand."""
    F = jnp.array([[1.0, 1.0], [0.0, 1.0]])
    Q = q**2 * jnp.array([[1 / 3, 1 / 2], [1 / 2, 1.0]])

    def forward(c, z):
        m, P = c
        mp, Pp = F @ m, F @ P @ F.T + Q
        k = Pp[:, 0] / (Pp[0, 0] + r**2)
        m = mp + k[:, None] * (z - mp[0])[None, :]
        P = Pp - jnp.outer(k, Pp[0])
        return (m, P), (m, P, mp, Pp)

    def inv2(a):
        det = a[0, 0] * a[1, 1] - a[0, 1] * a[1, 0]
        return jnp.array([[a[1, 1], -a[0, 1]], [-a[1, 0], a[0, 0]]]) / det

    def backward(ms, inp):
        m, P, mp_next, Pp_next = inp
        G = P @ F.T @ inv2(Pp_next)
        ms = m + G @ (ms - mp_next)
        return ms, ms[0]

    def track(z):
        (last, _), (m, P, mp, Pp) = lax.scan(forward, (jnp.zeros((2, 2)), 10.0 * jnp.eye(2)), z)
        _, sm = lax.scan(backward, last, (m[:-1], P[:-1], mp[1:], Pp[1:]), reverse=True)
        return jnp.mean((sm - z[:-1]) ** 2) + 0.1 * jnp.mean(jnp.diff(sm, 2, axis=0) ** 2)

    return jax.vmap(track)(zs).mean()


@program(lambda s, r: (key(r), randn64(r, s[0]), np.zeros(s[1])), [(3, 32), (15, 500), (50, 10000)], diff=(), x64=True)
def bootstrap_particle_filter(rng_key, ys, particles):
    """Bootstrap filter for a stochastic volatility model with systematic resampling by searchsorted."""
    n = particles.shape[0]

    def step(carry, inp):
        x, ll = carry
        k, y = inp
        k1, k2 = random.split(k)
        x = 0.95 * x + 0.3 * random.normal(k1, (n,))
        logw = -0.5 * (y**2 * jnp.exp(-x) + x)
        ll = ll + logsumexp(logw) - jnp.log(n)
        w = jax.nn.softmax(logw)
        ess = 1.0 / jnp.sum(w**2)
        mean = jnp.sum(w * x)
        u = (jnp.arange(n) + random.uniform(k2)) / n
        idx = jnp.clip(jnp.searchsorted(jnp.cumsum(w), u), 0, n - 1)
        return (x[idx], ll), (mean, ess)

    (_, ll), (means, ess) = lax.scan(step, (particles, 0.0), (random.split(rng_key, ys.shape[0]), ys))
    return ll, means, ess


def _tracked(n, r):
    a = 0.1 + 0.01 * np.arange(n)
    x = 1.0 + 0.03 * np.stack([np.cumsum(np.cos(a)), np.cumsum(np.sin(a))]) + [[4.0], [4.0]]
    z = np.stack([np.hypot(*x), np.arctan2(x[1], x[0])], 1) + r.normal(0, [0.2, 0.05], (n, 2))
    return z, np.array([-4.0, -2.0]), np.array([5.0, 5.0, 0.3, 0.1])


@program(_tracked, [2, 100, 2500], diff=(1, 2), x64=True)
def ekf_range_bearing(zs, log_noise, x0):
    """Extended Kalman filter of a moving robot seen in range and bearing, Jacobians by jax.jacfwd."""
    dt = 0.1
    f = lambda x: jnp.array([x[0] + dt * x[2] * jnp.cos(x[3]), x[1] + dt * x[2] * jnp.sin(x[3]), x[2], x[3] + 0.01])
    h = lambda x: jnp.array([jnp.hypot(x[0], x[1]), jnp.arctan2(x[1], x[0])])
    Q, R = jnp.exp(log_noise[0]) * jnp.eye(4), jnp.exp(log_noise[1]) * jnp.eye(2)

    def step(carry, z):
        x, P = carry
        F = jax.jacfwd(f)(x)
        x, P = f(x), F @ P @ F.T + Q
        H = jax.jacfwd(h)(x)
        S = H @ P @ H.T + R
        v = z - h(x)
        v = v.at[1].set(jnp.arctan2(jnp.sin(v[1]), jnp.cos(v[1])))
        K = jnp.linalg.solve(S, H @ P).T
        nll = 0.5 * v @ jnp.linalg.solve(S, v) + 0.5 * jnp.log(jnp.linalg.det(S))
        return (x + K @ v, P - K @ S @ K.T), nll

    _, nll = lax.scan(step, (x0, jnp.eye(4)), zs)
    return nll.mean()


def _bw(s, r):
    b, t, k, v = s
    return r.dirichlet(np.ones(k), k).astype(np.float32), r.dirichlet(np.ones(v), k).astype(np.float32), ints(r, v, b, t)


@program(_bw, [(1, 4, 3, 4), (16, 50, 8, 12), (64, 400, 32, 32)], diff=())
def baum_welch_update(A, B, seqs):
    """One Baum-Welch step over many sequences: scaled forward and backward passes, expected counts, new parameters."""
    K = A.shape[0]
    pi = jnp.ones(K) / K

    def counts(obs):
        def fwd(a, o):
            a = (a @ A) * B[:, o]
            c = a.sum()
            return a / c, (a / c, c)

        a0 = pi * B[:, obs[0]]
        c0 = a0.sum()
        _, (al, cs) = lax.scan(fwd, a0 / c0, obs[1:])
        al = jnp.concatenate([(a0 / c0)[None], al])

        def bwd(b, inp):
            o, c = inp
            new = A @ (B[:, o] * b) / c
            return new, b

        b0, be = lax.scan(bwd, jnp.ones(K), (obs[1:], cs), reverse=True)
        be = jnp.concatenate([b0[None], be])
        gamma = al * be
        xi = jnp.einsum("ti,ij,tj->ij", al[:-1], A, B[:, obs[1:]].T * be[1:] / cs[:, None])
        emit = jnp.zeros_like(B).at[:, obs].add(gamma.T)
        return xi, emit, jnp.log(cs).sum() + jnp.log(c0)

    xi, emit, ll = jax.tree.map(lambda x: x.sum(0), jax.vmap(counts)(seqs))
    return xi / xi.sum(1, keepdims=True), emit / emit.sum(1, keepdims=True), ll
