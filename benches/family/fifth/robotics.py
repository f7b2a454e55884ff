"""Robotics and control."""
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
def arm_rnea_rollout():
    """Seven-joint arm: recursive Newton-Euler in spatial vectors, mass matrix column by column, semi-implicit rollout, tracking cost."""
    nq, T, dt = 7, 40, 0.02
    def rot(axis_z, q):
        c, s = jnp.cos(q), jnp.sin(q)
        Rz = jnp.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return axis_z @ Rz
    def skew(v):
        return jnp.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    def rnea(model, q, qd, qdd, gravity):
        R = jax.vmap(rot)(model["R0"], q)
        z = jnp.array([0.0, 0.0, 1.0])
        def out(carry, x):
            w, wd, a = carry
            Ri, p, m, c, I, qdi, qddi = x
            w_in, wd_in = Ri.T @ w, Ri.T @ wd
            a_n = Ri.T @ (a + jnp.cross(wd, p) + jnp.cross(w, jnp.cross(w, p)))
            w_n = w_in + z * qdi
            wd_n = wd_in + jnp.cross(w_in, z * qdi) + z * qddi
            ac = a_n + jnp.cross(wd_n, c) + jnp.cross(w_n, jnp.cross(w_n, c))
            F = m * ac
            N = I @ wd_n + jnp.cross(w_n, I @ w_n)
            return (w_n, wd_n, a_n), (F, N)
        zero = jnp.zeros(3)
        _, (F, N) = jax.lax.scan(out, (zero, zero, -gravity), (R, model["p"], model["m"], model["c"], model["I"], qd, qdd))
        Rn = jnp.concatenate([R[1:], jnp.eye(3)[None]])
        pn = jnp.concatenate([model["p"][1:], jnp.zeros((1, 3))])
        def back(carry, x):
            f, n = carry
            Ri, p, c, Fi, Ni = x
            f_p = Ri @ f
            f_n = f_p + Fi
            n_n = Ni + Ri @ n + jnp.cross(c, Fi) + jnp.cross(p, f_p)
            return (f_n, n_n), n_n[2]
        _, tau = jax.lax.scan(back, (zero, zero), (Rn, pn, model["c"], F, N), reverse=True)
        return tau
    def forward_dynamics(model, q, qd, tau):
        g = jnp.array([0.0, 0.0, -9.81])
        bias = rnea(model, q, qd, jnp.zeros(nq), g)
        M = jax.vmap(lambda e: rnea(model, q, jnp.zeros(nq), e, jnp.zeros(3)))(jnp.eye(nq))
        return jnp.linalg.solve(M + 0.05 * jnp.eye(nq), tau - bias - 0.3 * qd)
    def cost(taus, model, q0, goal):
        def step(s, tau):
            q, qd = s
            qdd = forward_dynamics(model, q, qd, tau)
            qd = qd + dt * qdd
            q = q + dt * qd
            return (q, qd), jnp.sum((q - goal) ** 2) + 1e-3 * jnp.sum(tau ** 2)
        (q, qd), c = jax.lax.scan(step, (q0, jnp.zeros(nq)), taus)
        return dt * jnp.sum(c) + 10.0 * jnp.sum((q - goal) ** 2) + jnp.sum(qd ** 2)
    r = np.random.default_rng(1)
    rx = lambda a: np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    model = dict(R0=f32(np.stack([rx(a) for a in [0, -1.57, 1.57, 1.57, -1.57, 1.57, 1.57]])),
                 p=f32(np.stack([[0, 0, .33], [0, 0, 0], [0, -.316, 0], [.0825, 0, 0], [-.0825, .384, 0], [0, 0, 0], [.088, 0, 0]])),
                 m=f32(np.linspace(4, .7, 7)), c=f32(r.normal(0, .05, (7, 3))), I=f32(np.stack([np.diag(x) for x in r.uniform(.02, .08, (7, 3))])))
    return both(cost), (f32(r.normal(0, 2, (T, nq))), model, f32(r.normal(0, .4, nq)), f32(r.normal(0, .4, nq)))


@fixed()
def bundle_adjustment():
    """Robust reprojection error of 12 cameras with radial distortion over 2000 observations."""
    def rodrigues(w, x):
        th = jnp.sqrt(jnp.sum(w * w, -1, keepdims=True) + 1e-12)
        k = w / th
        c, s = jnp.cos(th), jnp.sin(th)
        return x * c + jnp.cross(k, x) * s + k * jnp.sum(k * x, -1, keepdims=True) * (1 - c)
    def loss(params, cam_idx, pt_idx, uv):
        cam = params["cams"][cam_idx]
        X = params["points"][pt_idx]
        P = rodrigues(cam[:, :3], X) + cam[:, 3:6]
        p = -P[:, :2] / P[:, 2:3]
        n = jnp.sum(p * p, -1)
        d = 1.0 + n * (cam[:, 7] + cam[:, 8] * n)
        res = cam[:, 6:7] * d[:, None] * p - uv
        r2 = jnp.sum(res ** 2, -1)
        delta = 2.0
        huber = jnp.where(r2 < delta ** 2, 0.5 * r2, delta * (jnp.sqrt(r2 + 1e-9) - 0.5 * delta))
        prior = 1e-2 * jnp.sum((params["cams"][:, 7:]) ** 2)
        return jnp.mean(huber) + prior
    r = np.random.default_rng(2)
    nc, npt, no = 12, 300, 2000
    cams = np.concatenate([r.normal(0, .1, (nc, 3)), r.normal(0, .3, (nc, 2)), r.uniform(-9, -7, (nc, 1)), r.uniform(480, 520, (nc, 1)), r.normal(0, .01, (nc, 2))], 1)
    params = dict(cams=f32(cams), points=f32(r.normal(0, 1, (npt, 3))))
    return both(loss), (params, i32(r.integers(0, nc, no)), i32(r.integers(0, npt, no)), f32(r.normal(0, 60, (no, 2))))


@fixed()
def contact_hopper():
    """Planar two-link hopper with spring-damper contacts and smooth friction at four points, 200 steps; distance by policy weights."""
    dt = 0.005
    def policy(th, o):
        h = jnp.tanh(th["w1"] @ o + th["b1"])
        return 4.0 * jnp.tanh(th["w2"] @ h + th["b2"])
    def points(q):
        x, z, p, k = q[0], q[1], q[2], q[3]
        hip = jnp.array([x, z])
        knee = hip + 0.4 * jnp.array([jnp.sin(p), -jnp.cos(p)])
        foot = knee + 0.4 * jnp.array([jnp.sin(p + k), -jnp.cos(p + k)])
        mid = 0.5 * (knee + foot)
        return jnp.stack([hip, knee, mid, foot])
    def step(th, s, t):
        q, v = s
        P, Pd = jax.jvp(points, (q,), (v,))
        depth = jax.nn.relu(-P[:, 1])
        normal = jnp.where(depth > 0, 3000.0 * depth - 20.0 * depth / 0.01 * jnp.minimum(Pd[:, 1], 0.0), 0.0)
        fric = -0.8 * normal * jnp.tanh(Pd[:, 0] / 0.05)
        F = jnp.stack([fric, normal], 1)
        _, vjp = jax.vjp(points, q)
        (gen,) = vjp(F)
        o = jnp.concatenate([q[1:], v, jnp.sin(8 * t)[None], jnp.cos(8 * t)[None]])
        u = policy(th, o)
        M = jnp.array([5.0, 5.0, 0.6, 0.25])
        spring = jnp.array([0.0, 0.0, -8.0, -10.0]) * (q - jnp.array([0.0, 0.0, 0.3, -0.6])) - jnp.array([0.0, 0.0, 0.6, 0.5]) * v
        acc = (gen + spring + jnp.concatenate([jnp.zeros(2), u])) / M + jnp.array([0.0, -9.81, 0.0, 0.0])
        v = v + dt * acc
        return (q + dt * v, v), u @ u
    def loss(th, q0):
        (q, v), c = jax.lax.scan(lambda s, t: step(th, s, t), (q0, jnp.zeros(4)), jnp.arange(200) * dt)
        return -q[0] + 0.5 * (q[1] - 0.7) ** 2 + 1e-3 * jnp.mean(c)
    r = np.random.default_rng(12)
    th = dict(w1=f32(r.normal(0, .2, (16, 9))), b1=f32(np.zeros(16)), w2=f32(r.normal(0, .2, (2, 16))), b2=f32(np.zeros(2)))
    return both(loss), (th, f32([0, .78, .3, -.6]))


@fixed()
def ekf_slam():
    """EKF SLAM with ten landmarks: prediction, then an update with the one landmark seen, over 50 steps."""
    L, T = 10, 50
    N = 3 + 2 * L
    wrap = lambda a: jnp.mod(a + jnp.pi, 2 * jnp.pi) - jnp.pi
    def step(carry, x):
        mu, S = carry
        u, z, j, valid = x
        th = mu[2]
        v, w = u[0], u[1]
        mu = mu.at[:3].add(jnp.array([v * jnp.cos(th), v * jnp.sin(th), w]))
        mu = mu.at[2].set(wrap(mu[2]))
        G = jnp.eye(N).at[0, 2].set(-v * jnp.sin(th)).at[1, 2].set(v * jnp.cos(th))
        Q = jnp.zeros((N, N)).at[jnp.arange(3), jnp.arange(3)].set(jnp.array([0.01, 0.01, 0.003]))
        S = G @ S @ G.T + Q
        k = 3 + 2 * j
        lm = jax.lax.dynamic_slice(mu, (k,), (2,))
        d = lm - mu[:2]
        q = d @ d + 1e-6
        rng = jnp.sqrt(q)
        zh = jnp.array([rng, wrap(jnp.arctan2(d[1], d[0]) - mu[2])])
        Hx = jnp.array([[-d[0] / rng, -d[1] / rng, 0.0], [d[1] / q, -d[0] / q, -1.0]])
        Hl = jnp.array([[d[0] / rng, d[1] / rng], [-d[1] / q, d[0] / q]])
        H = jnp.zeros((2, N)).at[:, :3].set(Hx)
        H = jax.lax.dynamic_update_slice(H, Hl, (0, k))
        R = jnp.diag(jnp.array([0.05, 0.01]))
        K = jnp.linalg.solve(H @ S @ H.T + R, H @ S).T
        inn = z - zh
        inn = inn.at[1].set(wrap(inn[1]))
        def update(ms):
            m, P = ms
            A = jnp.eye(N) - K @ H
            return m + K @ inn, A @ P @ A.T + K @ R @ K.T
        mu, S = jax.lax.cond(valid, update, lambda ms: ms, (mu, S))
        return (mu, S), mu[:3]
    def run(mu0, S0, us, zs, ids, valid):
        (mu, S), path = jax.lax.scan(step, (mu0, S0), (us, zs, ids, valid))
        return mu, jnp.diag(S), path
    r = np.random.default_rng(3)
    lms = r.uniform(-5, 5, (L, 2))
    us = np.stack([np.full(T, .2), r.normal(.1, .02, T)], 1)
    pose, zs, ids = np.zeros(3), [], r.integers(0, L, T)
    for t in range(T):
        pose = pose + [us[t, 0] * np.cos(pose[2]), us[t, 0] * np.sin(pose[2]), us[t, 1]]
        d = lms[ids[t]] - pose[:2]
        b = np.arctan2(d[1], d[0]) - pose[2]
        zs.append([np.hypot(*d) + r.normal(0, .05), (b + np.pi) % (2 * np.pi) - np.pi + r.normal(0, .02)])
    mu0 = np.concatenate([np.zeros(3), (lms + r.normal(0, .3, lms.shape)).ravel()])
    S0 = np.diag(np.r_[np.full(3, 1e-3), np.full(2 * L, .3)])
    return {"value": run}, (f32(mu0), f32(S0), f32(us), f32(zs), i32(ids), np.array(r.random(T) < .85))


@fixed(tol=1e-3)
def icp_kabsch():
    """Point-cloud registration: nearest neighbours by brute force, trimmed matches by top_k, rotation by SVD, eight iterations."""
    def icp(src, dst, R0, t0):
        d2 = jnp.sum(dst ** 2, 1)
        def iteration(c, _):
            R, t = c
            p = src @ R.T + t
            D = jnp.sum(p ** 2, 1)[:, None] + d2 - 2 * p @ dst.T
            j = jnp.argmin(D, 1)
            dist = jnp.maximum(jnp.take_along_axis(D, j[:, None], 1)[:, 0], 0.0)
            _, keep = jax.lax.top_k(-dist, 200)
            a, b = src[keep], dst[j[keep]]
            w = 1.0 / (1.0 + dist[keep] / 0.05)
            w = w / jnp.sum(w)
            ma, mb = w @ a, w @ b
            H = (a - ma).T @ ((b - mb) * w[:, None])
            U, _, Vt = jnp.linalg.svd(H)
            s = jnp.sign(jnp.linalg.det(Vt.T @ U.T))
            Rn = Vt.T @ jnp.diag(jnp.array([1.0, 1.0, s])) @ U.T
            return (Rn, mb - Rn @ ma), jnp.mean(dist)
        (R, t), errs = jax.lax.scan(iteration, (R0, t0), None, length=8)
        return R, t, errs
    r = np.random.default_rng(11)
    dst = r.uniform(-1, 1, (300, 3)) * [1, .6, .3]
    a = .15
    R = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    src = dst[r.permutation(300)[:250]] @ R + [.03, -.02, .04] + r.normal(0, .005, (250, 3))
    return {"value": icp}, (f32(src), f32(dst), f32(np.eye(3)), f32(np.zeros(3)))


@fixed(tol=1e-3)
def ilqr_cartpole():
    """iLQR for the swing-up of a cart-pole: linearise by jacfwd, Riccati backwards, line search over eight steps at once."""
    T, dt = 60, 0.05
    def dyn(x, u):
        p, th, v, w = x
        s, c = jnp.sin(th), jnp.cos(th)
        mp, mc, l, g = 0.2, 1.0, 0.5, 9.81
        f = u[0]
        acc = (f + mp * s * (l * w ** 2 + g * c)) / (mc + mp * s ** 2)
        al = (-f * c - mp * l * w ** 2 * c * s - (mc + mp) * g * s) / (l * (mc + mp * s ** 2))
        return x + dt * jnp.array([v, w, acc, al])
    def stage(x, u):
        return 0.5 * (0.1 * x[0] ** 2 + 1.0 * (1 + jnp.cos(x[1])) ** 2 + 0.05 * (x[2] ** 2 + x[3] ** 2) + 0.05 * u[0] ** 2)
    def final(x):
        return 25.0 * (x[0] ** 2 + (1 + jnp.cos(x[1])) ** 2 + 0.2 * x[2] ** 2 + 0.2 * x[3] ** 2)
    def rollout(x0, us):
        def f(x, u):
            n = dyn(x, u)
            return n, n
        _, xs = jax.lax.scan(f, x0, us)
        return jnp.concatenate([x0[None], xs])
    def total(xs, us):
        return jnp.sum(jax.vmap(stage)(xs[:-1], us)) + final(xs[-1])
    def iteration(carry, _):
        xs, us, mu = carry
        A, B = jax.vmap(jax.jacfwd(dyn, (0, 1)))(xs[:-1], us)
        lx, lu = jax.vmap(jax.grad(stage, (0, 1)))(xs[:-1], us)
        (lxx, _), (lux, luu) = jax.vmap(jax.hessian(stage, (0, 1)))(xs[:-1], us)
        def back(V, t):
            Vx, Vxx = V
            A, B, lx, lu, lxx, lux, luu = t
            Qx, Qu = lx + A.T @ Vx, lu + B.T @ Vx
            Qxx, Qux = lxx + A.T @ Vxx @ A, lux + B.T @ Vxx @ A
            Quu = luu + B.T @ Vxx @ B + mu * jnp.eye(1)
            k = -jnp.linalg.solve(Quu, Qu)
            K = -jnp.linalg.solve(Quu, Qux)
            Vx = Qx + K.T @ Quu @ k + K.T @ Qu + Qux.T @ k
            Vxx = Qxx + K.T @ Quu @ K + K.T @ Qux + Qux.T @ K
            return (Vx, 0.5 * (Vxx + Vxx.T)), (k, K)
        _, (k, K) = jax.lax.scan(back, (jax.grad(final)(xs[-1]), jax.hessian(final)(xs[-1])), (A, B, lx, lu, lxx, lux, luu), reverse=True)
        def forward(alpha):
            def f(x, t):
                xr, u, k, K = t
                un = jnp.clip(u + alpha * k + K @ (x - xr), -15.0, 15.0)
                return dyn(x, un), (x, un)
            xT, (xn, un) = jax.lax.scan(f, xs[0], (xs[:-1], us, k, K))
            xn = jnp.concatenate([xn, xT[None]])
            return xn, un, total(xn, un)
        X, U, J = jax.vmap(forward)(0.5 ** jnp.arange(8.0))
        J = jnp.where(jnp.isfinite(J), J, 1e9)
        b = jnp.argmin(J)
        old = total(xs, us)
        better = J[b] < old
        xs, us = jnp.where(better, X[b], xs), jnp.where(better, U[b], us)
        mu = jnp.where(better, mu * 0.5, mu * 4.0)
        return (xs, us, mu), jnp.minimum(J[b], old)
    def run(x0, us):
        (xs, us, mu), costs = jax.lax.scan(iteration, (rollout(x0, us), us, jnp.float32(1.0)), None, length=4)
        return us, costs
    r = np.random.default_rng(6)
    return {"value": run}, (f32([0, .3, 0, 0]), f32(r.normal(0, .5, (T, 1))))


@fixed()
def imu_preintegration():
    """Preintegrated IMU factor with covariance and bias Jacobians over 200 samples, and its squared error against two states."""
    def hat(v):
        z = jnp.zeros_like(v[0])
        return jnp.array([[z, -v[2], v[1]], [v[2], z, -v[0]], [-v[1], v[0], z]])
    def exp(v):
        t2 = v @ v
        t = jnp.sqrt(jnp.where(t2 < 1e-8, 1e-8, t2))
        K = hat(v)
        return jnp.eye(3) + jnp.sin(t) / t * K + (1 - jnp.cos(t)) / t ** 2 * K @ K
    def right_jac(v):
        t2 = v @ v
        t = jnp.sqrt(jnp.where(t2 < 1e-8, 1e-8, t2))
        K = hat(v)
        return jnp.eye(3) - (1 - jnp.cos(t)) / t ** 2 * K + (t - jnp.sin(t)) / t ** 3 * K @ K
    def log(R):
        c = jnp.clip((jnp.trace(R) - 1) / 2, -0.9999, 0.9999)
        t = jnp.arccos(c)
        return t / (2 * jnp.sin(t)) * jnp.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    def factor(bias, gyro, acc, si, sj, dt):
        def step(c, x):
            R, v, p, P = c
            w, a = x[0] - bias[:3], x[1] - bias[3:]
            dR, Jr = exp(w * dt), right_jac(w * dt)
            A = jnp.zeros((9, 9)).at[:3, :3].set(dR.T).at[3:6, :3].set(-R @ hat(a) * dt).at[3:6, 3:6].set(jnp.eye(3))
            A = A.at[6:, :3].set(-0.5 * R @ hat(a) * dt ** 2).at[6:, 3:6].set(dt * jnp.eye(3)).at[6:, 6:].set(jnp.eye(3))
            B = jnp.zeros((9, 6)).at[:3, :3].set(Jr * dt).at[3:6, 3:].set(R * dt).at[6:, 3:].set(0.5 * R * dt ** 2)
            P = A @ P @ A.T + B @ (jnp.diag(jnp.array([1e-2, 1e-2, 1e-2, 5e-2, 5e-2, 5e-2]))) @ B.T
            return (R @ dR, v + R @ a * dt, p + v * dt + 0.5 * R @ a * dt ** 2, P), None
        (R, v, p, P), _ = jax.lax.scan(step, (jnp.eye(3), jnp.zeros(3), jnp.zeros(3), 1e-6 * jnp.eye(9)), (gyro, acc))
        Tt = dt * gyro.shape[0]
        g = jnp.array([0.0, 0.0, -9.81])
        Ri, Rj = exp(si["rot"]), exp(sj["rot"])
        rR = log(R.T @ Ri.T @ Rj)
        rv = Ri.T @ (sj["vel"] - si["vel"] - g * Tt) - v
        rp = Ri.T @ (sj["pos"] - si["pos"] - si["vel"] * Tt - 0.5 * g * Tt ** 2) - p
        e = jnp.concatenate([rR, rv, rp])
        Lc = jnp.linalg.cholesky(P + 1e-6 * jnp.eye(9))
        y = jax.scipy.linalg.solve_triangular(Lc, e, lower=True)
        return 0.5 * y @ y + 10.0 * bias @ bias
    r = np.random.default_rng(8)
    n = 200
    st = lambda: dict(rot=f32(r.normal(0, .2, 3)), vel=f32(r.normal(0, .3, 3)), pos=f32(r.normal(0, .3, 3)))
    return both(factor, (0, 3, 4)), (f32(r.normal(0, .01, 6)), f32(r.normal(0, .3, (n, 3))), f32([0, 0, 9.81] + r.normal(0, .4, (n, 3))), st(), st(), f32(.005))


@fixed()
def mppi_car():
    """Sampling MPC of a kinematic bicycle around round obstacles: 256 rollouts of 30 steps, softmax weights, a smoothed plan."""
    K, T, dt = 256, 30, 0.1
    def control(key, state, plan, obstacles, path):
        eps = jax.random.normal(key, (K, T, 2)) * jnp.array([0.6, 0.15])
        u = jnp.clip(plan + eps, jnp.array([-3.0, -0.5]), jnp.array([3.0, 0.5]))
        def step(s, ut):
            x, y, th, v = s[:, 0], s[:, 1], s[:, 2], s[:, 3]
            v2 = jnp.clip(v + dt * ut[:, 0], 0.0, 8.0)
            s = jnp.stack([x + dt * v2 * jnp.cos(th), y + dt * v2 * jnp.sin(th), th + dt * v2 / 2.7 * jnp.tan(ut[:, 1]), v2], 1)
            d = jnp.linalg.norm(s[:, None, :2] - obstacles[None, :, :2], axis=-1) - obstacles[:, 2]
            hit = jnp.any(d < 0.3, 1)
            dp = jnp.min(jnp.sum((s[:, None, :2] - path) ** 2, -1), 1)
            return s, dp + 0.2 * (s[:, 3] - 5.0) ** 2 + 100.0 * hit + jnp.sum(jnp.exp(-2.0 * d), 1)
        s0 = jnp.broadcast_to(state, (K, 4))
        _, c = jax.lax.scan(step, s0, jnp.swapaxes(u, 0, 1))
        S = jnp.sum(c, 0) + 0.1 * jnp.sum(jnp.diff(u, axis=1) ** 2, (1, 2))
        w = jax.nn.softmax(-S / 5.0)
        new = plan + jnp.einsum("k,ktu->tu", w, u - plan)
        kernel = jnp.array([0.1, 0.2, 0.4, 0.2, 0.1])
        new = jax.vmap(lambda col: jnp.convolve(jnp.pad(col, 2, mode="edge"), kernel, mode="valid"), 1, 1)(new)
        return new[0], jnp.roll(new, -1, 0).at[-1].set(new[-1]), 1.0 / jnp.sum(w ** 2)
    r = np.random.default_rng(7)
    t = np.linspace(0, 20, 40)
    path = np.stack([t, np.sin(t / 3)], 1)
    obs = np.concatenate([r.uniform([2, -2], [18, 2], (8, 2)), r.uniform(.3, .8, (8, 1))], 1)
    return {"value": control}, (np.array([0, 7], np.uint32), f32([0, 0, 0, 3]), f32(np.zeros((T, 2))), f32(obs), f32(path))


@fixed(x64=True)
def pose_graph_se2():
    """Gauss-Newton on a planar pose graph: 50 poses, odometry and loop closures, dense normal equations filled by scatter-add."""
    def residual(a, b, z):
        c, s = jnp.cos(a[2]), jnp.sin(a[2])
        d = b[:2] - a[:2]
        local = jnp.array([c * d[0] + s * d[1], -s * d[0] + c * d[1]])
        e = local - z[:2]
        th = b[2] - a[2] - z[2]
        return jnp.concatenate([e, jnp.arctan2(jnp.sin(th), jnp.cos(th))[None]])
    def solve(poses, src, dst, meas, info):
        n = poses.shape[0]
        def iteration(_, x):
            a, b = x[src], x[dst]
            r = jax.vmap(residual)(a, b, meas)
            A, B = jax.vmap(jax.jacfwd(residual, (0, 1)))(a, b, meas)
            chi = jnp.einsum("ei,eij,ej->e", r, info, r)
            w = 1.0 / (1.0 + chi / 4.0)
            W = info * w[:, None, None]
            H = jnp.zeros((n, n, 3, 3))
            H = H.at[src, src].add(jnp.einsum("eki,ekl,elj->eij", A, W, A))
            H = H.at[src, dst].add(jnp.einsum("eki,ekl,elj->eij", A, W, B))
            H = H.at[dst, src].add(jnp.einsum("eki,ekl,elj->eij", B, W, A))
            H = H.at[dst, dst].add(jnp.einsum("eki,ekl,elj->eij", B, W, B))
            g = jnp.zeros((n, 3)).at[src].add(jnp.einsum("eki,ekl,el->ei", A, W, r)).at[dst].add(jnp.einsum("eki,ekl,el->ei", B, W, r))
            H = H.at[0, 0].add(1e6 * jnp.eye(3))
            Hd = H.transpose(0, 2, 1, 3).reshape(3 * n, 3 * n)
            dx = jax.scipy.linalg.cho_solve(jax.scipy.linalg.cho_factor(Hd + 1e-6 * jnp.eye(3 * n)), -g.ravel())
            return x + dx.reshape(n, 3)
        x = jax.lax.fori_loop(0, 5, iteration, poses)
        r = jax.vmap(residual)(x[src], x[dst], meas)
        return x, jnp.einsum("ei,eij,ej->", r, info, r)
    r = np.random.default_rng(5)
    n = 50
    t = np.linspace(0, 4 * np.pi, n)
    gt = np.stack([4 * np.cos(t), 4 * np.sin(t), t + np.pi / 2], 1)
    src = np.r_[np.arange(n - 1), np.arange(0, 25)]
    dst = np.r_[np.arange(1, n), np.arange(0, 25) + 24]
    d = gt[dst] - gt[src]
    c, s = np.cos(gt[src, 2]), np.sin(gt[src, 2])
    z = np.stack([c * d[:, 0] + s * d[:, 1], -s * d[:, 0] + c * d[:, 1], d[:, 2]], 1) + r.normal(0, .02, (len(src), 3))
    info = np.tile(np.diag([50., 50., 200.]), (len(src), 1, 1))
    return {"value": solve}, (f64(gt + r.normal(0, .1, gt.shape)), i32(src), i32(dst), f64(z), f64(info))


@fixed()
def quadrotor_rk4():
    """Quadrotor with quaternion attitude and rotor mixing: RK4 over 80 steps, tracking cost by rotor thrusts."""
    dt = 0.02
    J = jnp.array([0.0023, 0.0023, 0.004])
    def deriv(x, u):
        q, v, w = x[3:7], x[7:10], x[10:13]
        qw, qv = q[0], q[1:]
        thrust = jnp.sum(u)
        tau = jnp.array([0.12 * (u[1] - u[3]), 0.12 * (u[2] - u[0]), 0.016 * (u[0] - u[1] + u[2] - u[3])])
        zb = jnp.array([2 * (qv[0] * qv[2] + qw * qv[1]), 2 * (qv[1] * qv[2] - qw * qv[0]), 1 - 2 * (qv[0] ** 2 + qv[1] ** 2)])
        acc = jnp.array([0.0, 0.0, -9.81]) + zb * thrust / 0.5 - 0.1 * v
        dq = 0.5 * jnp.concatenate([-(qv @ w)[None], qw * w + jnp.cross(qv, w)])
        dw = (tau - jnp.cross(w, J * w)) / J
        return jnp.concatenate([v, dq, acc, dw])
    def rk4(x, u):
        k1 = deriv(x, u)
        k2 = deriv(x + 0.5 * dt * k1, u)
        k3 = deriv(x + 0.5 * dt * k2, u)
        k4 = deriv(x + dt * k3, u)
        x = x + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return x.at[3:7].set(x[3:7] / jnp.linalg.norm(x[3:7]))
    def cost(us, x0, ref):
        def step(x, t):
            u, r = t
            x = rk4(x, jnp.clip(u, 0.0, 4.0))
            e = x[:3] - r
            return x, e @ e + 0.01 * x[10:] @ x[10:] + 1e-3 * jnp.sum((u - 1.23) ** 2)
        xT, c = jax.lax.scan(step, x0, (us, ref))
        return jnp.mean(c) + xT[7:10] @ xT[7:10]
    r = np.random.default_rng(10)
    T = 80
    t = np.linspace(0, 1.6, T)
    return both(cost), (f32(1.23 + r.normal(0, .02, (T, 4))), f32(np.r_[np.zeros(3), 1, np.zeros(9)]), f32(np.stack([np.sin(t), 1 - np.cos(t), t / 2], 1)))


@fixed()
def sdf_trajopt():
    """CHOMP-like optimisation of a path of a five-sphere robot in a 3D distance grid: trilinear lookup, smoothness metric solve, 10 steps."""
    G, T = 24, 32
    def lookup(grid, p):
        q = jnp.clip(p, 0.0, G - 1.001)
        i = jnp.floor(q).astype(jnp.int32)
        f = q - i
        out = 0.0
        for dx in (0, 1):
            for dy in (0, 1):
                for dz in (0, 1):
                    w = (f[..., 0] if dx else 1 - f[..., 0]) * (f[..., 1] if dy else 1 - f[..., 1]) * (f[..., 2] if dz else 1 - f[..., 2])
                    out = out + w * grid[i[..., 0] + dx, i[..., 1] + dy, i[..., 2] + dz]
        return out
    def cost(path, grid, offsets, radius):
        pts = path[:, None, :] + offsets
        d = lookup(grid, pts) - radius
        eps = 1.5
        obs = jnp.where(d < 0, -d + eps / 2, jnp.where(d < eps, (d - eps) ** 2 / (2 * eps), 0.0))
        vel = jnp.diff(path, axis=0)
        speed = jnp.sqrt(jnp.sum(vel ** 2, -1) + 1e-6)
        smooth = jnp.sum(jnp.diff(path, n=2, axis=0) ** 2)
        return jnp.sum(jnp.sum(obs[1:], 1) * speed) + 2.0 * smooth
    def optimise(path, grid, offsets, radius, Kinv):
        def body(i, p):
            g = jax.grad(cost)(p, grid, offsets, radius)
            return p.at[1:-1].add(-0.02 * Kinv @ g[1:-1])
        p = jax.lax.fori_loop(0, 10, body, path)
        return p, cost(p, grid, offsets, radius)
    r = np.random.default_rng(9)
    c = r.uniform(4, 20, (6, 3))
    idx = np.stack(np.meshgrid(*[np.arange(G)] * 3, indexing="ij"), -1)
    grid = np.min(np.linalg.norm(idx[..., None, :] - c, axis=-1) - 3.0, -1)
    D = np.diff(np.eye(T), n=2, axis=0)
    A = (D.T @ D)[1:-1, 1:-1]
    Kinv = np.linalg.inv(A + 1e-3 * np.eye(T - 2)) / 50
    path = np.linspace([2, 2, 2], [21, 21, 21], T) + r.normal(0, .05, (T, 3))
    args = (f32(path), f32(grid), f32(r.normal(0, 1, (5, 3))), f32([.6, .5, .5, .4, .4]), f32(Kinv))
    return {"value": optimise, "grad": lambda p, g, o, ra, K: (jax.value_and_grad(cost)(p, g, o, ra), K @ p[1:-1])}, args


@fixed()
def ukf_attitude():
    """Unscented filter of attitude and gyro bias with quaternions, 40 steps of gyro, accelerometer and magnetometer."""
    n = 6
    def qmul(a, b):
        w1, x1, y1, z1 = a
        w2, x2, y2, z2 = b
        return jnp.array([w1*w2-x1*x2-y1*y2-z1*z2, w1*x2+x1*w2+y1*z2-z1*y2, w1*y2-x1*z2+y1*w2+z1*x2, w1*z2+x1*y2-y1*x2+z1*w2])
    conj = lambda q: q * jnp.array([1.0, -1.0, -1.0, -1.0])
    def qexp(v):
        t = jnp.sqrt(v @ v + 1e-12)
        return jnp.concatenate([jnp.cos(t / 2)[None], jnp.sin(t / 2) / t * v])
    def qlog(q):
        q = jnp.where(q[0] < 0, -q, q)
        s = jnp.sqrt(q[1:] @ q[1:] + 1e-12)
        return 2 * jnp.arctan2(s, q[0]) / s * q[1:]
    def rotate(q, v):
        return qmul(qmul(q, jnp.concatenate([jnp.zeros(1), v])), conj(q))[1:]
    def run(q0, b0, P0, gyro, acc, mag, noise):
        lam = 1.0
        Wm = jnp.full(2 * n + 1, 1 / (2 * (n + lam))).at[0].set(lam / (n + lam))
        g, m = jnp.array([0.0, 0.0, 1.0]), jnp.array([0.8, 0.0, 0.6])
        Q = jnp.diag(jnp.concatenate([jnp.full(3, noise[0]), jnp.full(3, noise[1])]))
        def step(c, x):
            q, b, P = c
            w, a, h = x
            S = jnp.linalg.cholesky((n + lam) * (P + Q))
            d = jnp.concatenate([jnp.zeros((1, n)), S.T, -S.T])
            qs = jax.vmap(lambda e: qmul(q, qexp(e[:3])))(d)
            bs = b + d[:, 3:]
            qs = jax.vmap(lambda qq, bb: qmul(qq, qexp((w - bb) * 0.02)))(qs, bs)
            def mean(qm, _):
                e = jax.vmap(lambda s: qlog(qmul(conj(qm), s)))(qs)
                return qmul(qm, qexp(Wm @ e)), None
            qm, _ = jax.lax.scan(mean, qs[0], None, length=3)
            bm = Wm @ bs
            E = jnp.concatenate([jax.vmap(lambda s: qlog(qmul(conj(qm), s)))(qs), bs - bm], 1)
            Pp = (E * Wm[:, None]).T @ E
            Z = jax.vmap(lambda s: jnp.concatenate([rotate(conj(s), g), rotate(conj(s), m)]))(qs)
            zm = Wm @ Z
            dZ = Z - zm
            Pzz = (dZ * Wm[:, None]).T @ dZ + noise[2] * jnp.eye(6)
            Pxz = (E * Wm[:, None]).T @ dZ
            K = jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(Pzz), True), Pxz.T).T
            r = jnp.concatenate([a, h]) - zm
            dx = K @ r
            q2 = qmul(qm, qexp(dx[:3]))
            P2 = Pp - K @ Pzz @ K.T
            return (q2 / jnp.linalg.norm(q2), bm + dx[3:], 0.5 * (P2 + P2.T)), (q2, jnp.sum(r ** 2))
        (q, b, P), (path, nis) = jax.lax.scan(step, (q0, b0, P0), (gyro, acc, mag))
        return path, b, P, jnp.mean(nis)
    r = np.random.default_rng(4)
    T = 40
    return {"value": run}, (f32([1, 0, 0, 0]), f32(np.zeros(3)), f32(np.eye(6) * .05), f32(r.normal(0, .3, (T, 3))),
        f32([0, 0, 1] + r.normal(0, .05, (T, 3))), f32([.8, 0, .6] + r.normal(0, .05, (T, 3))), f32([1e-3, 1e-5, 1e-2]))
