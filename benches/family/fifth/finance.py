"""Quantitative finance."""
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


@fixed(tol=1e-3)
def autocallable_basket():
    """Worst-of autocallable on three correlated stocks, weekly steps, smoothed barriers, memory coupon; Greeks by reverse mode."""
    def price(p, z):
        W, n, _ = z.shape
        dt = 1 / 52
        L = jnp.linalg.cholesky(p["corr"] * 0.5 + 0.5 * p["corr"].T)
        obs = (jnp.arange(1, W + 1) % 13) == 0
        sig = lambda x: jax.nn.sigmoid(x / 0.01)
        def step(c, x):
            lx, alive, pv, miss, lo = c
            zt, is_obs, k = x
            lx = lx + (p["r"] - p["q"] - 0.5 * p["vol"] ** 2) * dt + p["vol"] * jnp.sqrt(dt) * (zt @ L.T)
            worst = jnp.min(jnp.exp(lx), 1)
            lo = jnp.minimum(lo, worst)
            df = jnp.exp(-p["r"] * (k + 1) * dt)
            call = sig(worst - 1.0) * is_obs
            cpn = sig(worst - 0.7) * is_obs
            pay = alive * df * (cpn * 0.025 * (1 + miss) + call)
            miss = jnp.where(is_obs, (miss + 1) * (1 - cpn), miss)
            return (lx, alive * (1 - call), pv + pay, miss, lo), None
        lx0 = jnp.log(p["spot"] / p["ref"]) + jnp.zeros((n, 3))
        o = jnp.zeros(n)
        (lx, alive, pv, miss, lo), _ = jax.lax.scan(step, (lx0, o + 1, o, o, o + 9.0), (z, obs, jnp.arange(W)))
        worst = jnp.min(jnp.exp(lx), 1)
        knocked = sig(0.6 - lo)
        red = 1.0 - knocked * jnp.maximum(1.0 - worst, 0.0)
        return jnp.mean(pv + alive * jnp.exp(-p["r"] * W * dt) * red)
    r = np.random.default_rng(28)
    p = dict(spot=f32([98, 51, 203]), ref=f32([100, 50, 200]), vol=f32([.25, .3, .22]), q=f32([.02, .01, .03]), r=f32(.02), corr=f32([[1, .5, .4], [.5, 1, .6], [.4, .6, 1]]))
    return both(price), (p, f32(r.normal(0, 1, (104, 1000, 3))))


@fixed(x64=True)
def curve_bootstrap():
    """Yield curve from 12 par swaps: sequential bootstrap by scan with Newton in each step, then prices a book of bonds and sums."""
    n = 12
    def bootstrap(par):
        def step(c, x):
            lnD, i = c
            s, = x
            known = jnp.exp(lnD)
            ann = jnp.sum(jnp.where(jnp.arange(n) < i, known, 0.0))
            def newton(_, ld):
                f = s * (ann + jnp.exp(ld)) + jnp.exp(ld) - 1.0
                return ld - f / ((1 + s) * jnp.exp(ld))
            ld = jax.lax.fori_loop(0, 6, newton, -s * (i + 1.0))
            return (lnD.at[i].set(ld), i + 1), ld
        (lnD, _), _ = jax.lax.scan(step, (jnp.zeros(n), 0), (par,))
        return lnD
    def value(par, times, flows, spread):
        lnD = jnp.concatenate([jnp.zeros(1), bootstrap(par)])
        k = jnp.clip(jnp.searchsorted(jnp.arange(n + 1.0), times, side="right") - 1, 0, n - 1)
        w = times - k
        ln = (1 - w) * lnD[k] + w * lnD[k + 1]
        P = jnp.sum(flows * jnp.exp(ln - spread[:, None] * times), 1)
        return jnp.sum(P), P
    def total(par, times, flows, spread):
        return value(par, times, flows, spread)[0]
    r = np.random.default_rng(23)
    B, C = 64, 20
    times = np.arange(1, C + 1) * .5 + r.uniform(0, .45, (B, 1))
    mat = r.integers(4, C + 1, B)
    cp = r.uniform(.01, .05, B)
    flows = np.where(np.arange(C) < mat[:, None], cp[:, None] / 2, 0) + (np.arange(C) == mat[:, None] - 1)
    args = (f64(np.linspace(.02, .035, n)), f64(times), f64(flows), f64(r.uniform(0, .02, B)))
    return {"value": value, "grad": lambda p, t, f, s: (jax.jvp(lambda q: value(q, t, f, s)[1], (p,), (jnp.ones(n) * 1e-4,)), jax.jacfwd(total)(p, t, f, s))}, args


@fixed()
def cva_netting():
    """CVA of a netting set of 24 swaps: Hull-White short rate paths 512 x 30, netted exposure, collateral threshold, hazard curve."""
    def cva(market, swaps, z):
        a, s = market["a"], market["sigma"]
        tgrid = jnp.arange(1, 31) * 0.25
        dt = 0.25
        def zero(t):
            return jnp.interp(t, market["tenors"], market["rates"])
        def evolve(x, zt):
            x = x * jnp.exp(-a * dt) + s * jnp.sqrt((1 - jnp.exp(-2 * a * dt)) / (2 * a)) * zt
            return x, x
        _, xs = jax.lax.scan(evolve, jnp.zeros(z.shape[1]), z)
        def bond(t, T, x):
            tau = jnp.maximum(T - t, 0.0)
            B = (1 - jnp.exp(-a * tau)) / a
            V = s ** 2 / (4 * a) * (1 - jnp.exp(-2 * a * t)) * B ** 2
            return jnp.exp(-zero(T) * T + zero(t) * t - B * x - V)
        def exposure(t, x):
            def swap(sw):
                pay = sw["start"] + 0.5 * jnp.arange(1, 13)
                alive = (pay > t) & (pay <= sw["end"] + 1e-4)
                P = jax.vmap(lambda T: bond(t, T, x))(pay)
                fixed = sw["rate"] * 0.5 * jnp.sum(jnp.where(alive[:, None], P, 0.0), 0)
                first = bond(t, jnp.maximum(sw["start"], t), x)
                last = bond(t, sw["end"], x)
                return jnp.where(t < sw["end"], sw["notional"] * (first - last - fixed), 0.0)
            v = jnp.sum(jax.vmap(swap)(swaps), 0)
            return jnp.mean(jnp.maximum(v - market["threshold"], 0.0))
        ee = jax.lax.map(lambda tx: exposure(*tx), (tgrid, xs))
        surv = jnp.exp(-jnp.cumsum(jnp.interp(tgrid, market["tenors"], market["hazard"]) * dt))
        pd = jnp.concatenate([jnp.ones(1), surv[:-1]]) - surv
        return 0.6 * jnp.sum(ee * pd * jnp.exp(-zero(tgrid) * tgrid))
    r = np.random.default_rng(22)
    n = 24
    start = r.choice([0., .5, 1., 2.], n)
    market = dict(a=f32(.1), sigma=f32(.012), tenors=f32([0, .5, 1, 2, 3, 5, 7, 10]), rates=f32([.02, .021, .022, .024, .026, .03, .031, .032]),
                  hazard=f32([.01, .011, .012, .014, .016, .02, .02, .02]), threshold=f32(.5))
    swaps = dict(start=f32(start), end=f32(start + r.integers(2, 13, n) * .5), rate=f32(r.uniform(.02, .035, n)), notional=f32(r.choice([-10., 10., 20.], n)))
    return both(cva), (market, swaps, f32(r.normal(0, 1, (30, 512))))


@fixed()
def garch_likelihood():
    """Negative log-likelihood of GJR-GARCH(1,1) with Student-t innovations over 1000 days, parameters transformed."""
    def nll(th, ret):
        mu = th["mu"]
        omega = jax.nn.softplus(th["omega"])
        alpha, gamma, beta = jax.nn.softmax(jnp.concatenate([th["weights"], jnp.zeros(1)]))[:3]
        nu = 2.05 + jnp.exp(th["nu"])
        e = ret - mu
        def step(h, x):
            h = omega + (alpha + gamma * (x < 0)) * x ** 2 + beta * h
            return h, h
        h0 = jnp.var(ret)
        _, h = jax.lax.scan(step, h0, e[:-1])
        h = jnp.concatenate([h0[None], h])
        z2 = e ** 2 / h
        ll = jax.scipy.special.gammaln((nu + 1) / 2) - jax.scipy.special.gammaln(nu / 2) - 0.5 * jnp.log(jnp.pi * (nu - 2)) - 0.5 * jnp.log(h) - (nu + 1) / 2 * jnp.log1p(z2 / (nu - 2))
        return -jnp.mean(ll)
    r = np.random.default_rng(24)
    th = dict(mu=f32(.03), omega=f32(-3.), weights=f32([-.5, -.3, 2.]), nu=f32(1.5))
    vol = np.exp(.3 * np.sin(np.arange(1000) / 40))
    return both(nll), (th, f32(vol * r.standard_t(6, 1000)))


@fixed(tol=1e-3)
def heston_mc():
    """Heston model, full-truncation Euler with antithetic paths, 4096 x 50; prices of calls at five strikes with pathwise Greeks."""
    N, M = 2048, 50
    def price(p, key, strikes):
        dt = p["T"] / M
        def step(c, k):
            x, v = c
            z = jax.random.normal(k, (2, N))
            z = jnp.concatenate([z, -z], 1)
            zv = z[0]
            zs = p["rho"] * zv + jnp.sqrt(1 - p["rho"] ** 2) * z[1]
            vp = jnp.maximum(v, 0.0)
            sq = jnp.sqrt(vp * dt + 1e-12)
            x = x + (p["r"] - 0.5 * vp) * dt + sq * zs
            v = v + p["kappa"] * (p["theta"] - vp) * dt + p["xi"] * sq * zv
            return (x, v), None
        x0 = jnp.full(2 * N, jnp.log(p["s0"]))
        (x, v), _ = jax.lax.scan(step, (x0, jnp.full(2 * N, p["v0"])), jax.random.split(key, M))
        pay = jnp.maximum(jnp.exp(x)[None] - strikes[:, None], 0.0)
        return jnp.exp(-p["r"] * p["T"]) * jnp.mean(pay)
    p = {k: f32(v) for k, v in dict(s0=100, v0=.04, kappa=1.5, theta=.05, xi=.5, rho=-.7, r=.02, T=1.).items()}
    return both(price), (p, np.array([0, 42], np.uint32), f32([80, 90, 100, 110, 120]))


@fixed(x64=True)
def local_vol_pde():
    """Local-volatility call by Crank-Nicolson: 120 x 60 grid in log-spot, tridiagonal solves by Thomas sweeps, parametric vol surface."""
    n, m = 120, 60
    def thomas(a, b, c, d):
        def fwd(s, x):
            cp, dp = s
            ai, bi, ci, di = x
            den = bi - ai * cp
            out = (ci / den, (di - ai * dp) / den)
            return out, out
        _, (cp, dp) = jax.lax.scan(fwd, (jnp.array(0.0), jnp.array(0.0)), (a, b, c, d))
        def bwd(x, y):
            x = y[1] - y[0] * x
            return x, x
        _, x = jax.lax.scan(bwd, jnp.array(0.0), (cp, dp), reverse=True)
        return x
    def price(surf, spot, K, r, T):
        x = jnp.linspace(-2.0, 2.0, n) + jnp.log(K)
        dx, dt = x[1] - x[0], T / m
        S = jnp.exp(x)
        def lv(t):
            k = jnp.log(S / spot)
            return jnp.clip(surf[0] + surf[1] * jnp.tanh(k) + surf[2] * k ** 2 + surf[3] * jnp.exp(-t), 0.05, 0.9)
        v0 = jnp.maximum(S - K, 0.0)
        def step(v, i):
            tau = i * dt
            s2 = lv(T - tau) ** 2
            lo = 0.5 * s2 / dx ** 2 - (r - 0.5 * s2) / (2 * dx)
            hi = 0.5 * s2 / dx ** 2 + (r - 0.5 * s2) / (2 * dx)
            di = -s2 / dx ** 2 - r
            vm, vp = jnp.roll(v, 1), jnp.roll(v, -1)
            rhs = v + 0.5 * dt * (lo * vm + di * v + hi * vp)
            a, b, c = -0.5 * dt * lo, 1 - 0.5 * dt * di, -0.5 * dt * hi
            top = S[-1] - K * jnp.exp(-r * (tau + dt))
            rhs = rhs.at[0].set(0.0).at[-1].set(top)
            a = a.at[0].set(0.0).at[-1].set(0.0)
            b = b.at[0].set(1.0).at[-1].set(1.0)
            c = c.at[0].set(0.0).at[-1].set(0.0)
            return thomas(a, b, c, rhs), None
        v, _ = jax.lax.scan(step, v0, jnp.arange(m))
        return jnp.interp(jnp.log(spot), x, v)
    return both(price, (0, 1)), (f64([.2, -.05, .1, .03]), f64(100.), f64(105.), f64(.03), f64(1.))


@fixed(tol=2e-3)
def lsm_american():
    """Longstaff-Schwartz American put, 4096 paths and 25 exercise dates, Laguerre basis and ridge normal equations, backwards scan."""
    def price(s0, sigma, r, K, z):
        n, m = z.shape
        dt = 1.0 / m
        paths = s0 * jnp.exp(jnp.cumsum((r - 0.5 * sigma ** 2) * dt + sigma * jnp.sqrt(dt) * z, axis=1))
        disc = jnp.exp(-r * dt)
        def basis(s):
            x = s / K
            e = jnp.exp(-x / 2)
            return jnp.stack([jnp.ones_like(x), e, e * (1 - x), e * (1 - 2 * x + x * x / 2)], 1)
        def back(cash, s):
            cash = cash * disc
            ex = jnp.maximum(K - s, 0.0)
            itm = ex > 0
            B = basis(s) * itm[:, None]
            beta = jnp.linalg.solve(B.T @ B + 1e-2 * jnp.eye(4), B.T @ (cash * itm))
            cont = basis(s) @ beta
            now = itm & (ex > jax.lax.stop_gradient(cont))
            return jnp.where(now, ex, cash), jnp.mean(now.astype(jnp.float32))
        cash, frac = jax.lax.scan(back, jnp.maximum(K - paths[:, -1], 0.0), paths[:, :-1].T, reverse=True)
        return jnp.maximum(disc * jnp.mean(cash), K - s0)
    r = np.random.default_rng(21)
    return both(price, (0, 1)), (f32(36.), f32(.2), f32(.06), f32(40.), f32(r.normal(0, 1, (4096, 25))))


@fixed()
def nelson_siegel_kalman():
    """Dynamic Nelson-Siegel: Kalman log-likelihood of ten yields over 150 months with missing values, three factors."""
    def nll(th, y, mask, tau):
        lam = jnp.exp(th["lam"])
        x = lam * tau
        l1 = (1 - jnp.exp(-x)) / x
        H = jnp.stack([jnp.ones_like(tau), l1, l1 - jnp.exp(-x)], 1)
        phi = jnp.diag(jnp.tanh(th["phi"]))
        Lq = jnp.tril(th["Lq"])
        Q = Lq @ Lq.T + 1e-5 * jnp.eye(3)
        R = jnp.exp(th["logr"])
        def step(c, t):
            m, P, ll = c
            yt, ok = t
            m = th["mu"] + phi @ (m - th["mu"])
            P = phi @ P @ phi.T + Q
            Hm = jnp.where(ok[:, None], H, 0.0)
            r = jnp.where(ok, yt - H @ m, 0.0)
            S = Hm @ P @ Hm.T + jnp.diag(jnp.where(ok, R, 1.0))
            C = jnp.linalg.cholesky(S)
            w = jax.scipy.linalg.solve_triangular(C, jnp.concatenate([r[:, None], Hm @ P], 1), lower=True)
            m = m + w[:, 1:].T @ w[:, 0]
            P = P - w[:, 1:].T @ w[:, 1:]
            ll = ll - 0.5 * w[:, 0] @ w[:, 0] - jnp.sum(jnp.log(jnp.diag(C))) - 0.5 * jnp.sum(ok) * jnp.log(2 * jnp.pi)
            return (m, 0.5 * (P + P.T), ll), m
        (_, _, ll), path = jax.lax.scan(step, (th["mu"], jnp.eye(3), 0.0), (y, mask))
        return -ll / y.shape[0]
    r = np.random.default_rng(29)
    tau = np.array([.25, .5, 1, 2, 3, 5, 7, 10, 20, 30])
    x = .5 * tau
    H = np.stack([np.ones(10), (1 - np.exp(-x)) / x, (1 - np.exp(-x)) / x - np.exp(-x)], 1)
    fac = np.array([4, -1.5, .5]) + np.cumsum(r.normal(0, .1, (150, 3)), 0)
    th = dict(lam=f32(-.7), phi=f32([2., 1.5, 1.2]), Lq=f32(.2 * np.eye(3)), mu=f32([4, -1.5, .5]), logr=f32(np.full(10, -4.)))
    return both(nll), (th, f32(fac @ H.T + r.normal(0, .1, (150, 10))), r.random((150, 10)) < .9, f32(tau))


@fixed()
def order_book_features():
    """Features of 1500 limit-order-book snapshots of ten levels: imbalance, OFI, microprice, EMAs by associative scan, rolling z-scores."""
    def ema(x, half):
        a = 0.5 ** (1.0 / half)
        def comb(l, r):
            return l[0] * r[0], l[1] * r[0] + r[1]
        A = jnp.full_like(x, a)
        return jax.lax.associative_scan(comb, (A, (1 - a) * x))[1]
    def rolling(x, w):
        c = jnp.cumsum(jnp.concatenate([jnp.zeros((w,) + x.shape[1:]), x]), 0)
        return (c[w:] - c[:-w]) / jnp.minimum(jnp.arange(1, x.shape[0] + 1), w)
    def features(bp, bq, ap, aq, side, size, seg):
        mid = 0.5 * (bp[:, 0] + ap[:, 0]) * 0.01
        imb = (bq[:, 0] - aq[:, 0]) / (bq[:, 0] + aq[:, 0])
        w = jnp.exp(-0.5 * jnp.arange(10))
        deep = ((bq - aq) @ w) / ((bq + aq) @ w)
        micro = (bp[:, 0] * aq[:, 0] + ap[:, 0] * bq[:, 0]) / (bq[:, 0] + aq[:, 0]) * 0.01
        e_b = jnp.where(bp[1:] >= bp[:-1], bq[1:], 0.0) - jnp.where(bp[1:] <= bp[:-1], bq[:-1], 0.0)
        e_a = jnp.where(ap[1:] <= ap[:-1], aq[1:], 0.0) - jnp.where(ap[1:] >= ap[:-1], aq[:-1], 0.0)
        ofi = jnp.pad(jnp.sum((e_b - e_a)[:, :5], 1), (1, 0))
        signed = jnp.where(side, size, -size)
        vwap = jax.ops.segment_sum(size * mid, seg, 50) / jnp.maximum(jax.ops.segment_sum(size, seg, 50), 1.0)
        r = jnp.diff(mid, prepend=mid[:1]) * 100
        vol = jnp.sqrt(jnp.maximum(rolling(r ** 2, 50), 1e-6))
        feats = jnp.stack([imb, deep, (micro - mid) * 100, ema(ofi, 10.0), ema(ofi, 100.0), ema(signed, 20.0), vol, ap[:, 0] * 1.0 - bp[:, 0], (mid - vwap[seg]) * 100], 1)
        m = jnp.mean(feats, 0)
        z = jnp.clip((feats - m) / (jnp.std(feats, 0) + 1e-3), -5, 5)
        q = jnp.sum(z[:, :, None] > jnp.array([-1.0, -0.3, 0.3, 1.0]), -1).astype(jnp.int32)
        bucket = q[:, 0] * 5 + q[:, 3]
        hist = jnp.zeros(25, jnp.int32).at[bucket].add(1)
        return z, hist, vwap
    r = np.random.default_rng(27)
    T = 1500
    mid = 10000 + np.cumsum(r.integers(-1, 2, T))
    lv = np.arange(10)
    args = (i32(mid[:, None] - 1 - lv), f32(r.integers(1, 200, (T, 10))), i32(mid[:, None] + 1 + lv), f32(r.integers(1, 200, (T, 10))), r.random(T) < .5, f32(r.integers(0, 20, T)), i32(np.arange(T) // 30))
    return {"value": features}, args


@fixed()
def portfolio_simplex():
    """Mean-variance portfolio with turnover cost: shrunk covariance of returns, accelerated projected gradient on the simplex by sort."""
    def project(v):
        u = jnp.sort(v)[::-1]
        css = jnp.cumsum(u) - 1.0
        k = jnp.arange(1, v.shape[0] + 1)
        rho = jnp.sum(u - css / k > 0)
        return jnp.maximum(v - css[rho - 1] / rho, 0.0)
    def solve(ret, w_prev, gamma):
        n, d = ret.shape
        mu = jnp.mean(ret, 0)
        X = ret - mu
        S = X.T @ X / (n - 1)
        tr = jnp.trace(S) / d
        delta = jnp.clip(jnp.sum((X ** 2).T @ (X ** 2) / n - S ** 2) / n / jnp.sum((S - tr * jnp.eye(d)) ** 2), 0.0, 1.0)
        S = (1 - delta) * S + delta * tr * jnp.eye(d)
        def power(_, v):
            v = S @ v
            return v / jnp.linalg.norm(v)
        v = jax.lax.fori_loop(0, 15, power, jnp.ones(d) / jnp.sqrt(d))
        Lc = gamma * (v @ S @ v) + 0.02
        def obj_grad(w):
            return gamma * S @ w - mu + 0.02 * (w - w_prev) / jnp.sqrt((w - w_prev) ** 2 + 1e-2)
        def it(c, _):
            w, y, t = c
            wn = project(y - obj_grad(y) / (4 * Lc))
            tn = 0.5 * (1 + jnp.sqrt(1 + 4 * t * t))
            return (wn, wn + (t - 1) / tn * (wn - w), tn), None
        (w, _, _), _ = jax.lax.scan(it, (w_prev, w_prev, jnp.float32(1.0)), None, length=60)
        return w, w @ mu, jnp.sqrt(w @ S @ w), jnp.sum(w > 1e-4)
    r = np.random.default_rng(26)
    F = r.normal(0, 1, (250, 4)) @ r.normal(0, .5, (4, 50)) + r.normal(0, 1, (250, 50))
    return {"value": solve}, (f32(F * .8 + r.normal(.05, .05, 50)), f32(np.full(50, .02)), f32(3.))


@fixed(x64=True)
def sabr_calibration():
    """Hagan's lognormal SABR fitted by Levenberg-Marquardt to nine strikes at ten expiries at once."""
    beta = 0.5
    def vol(raw, F, K, T):
        alpha, rho, nu = jnp.exp(raw[0]), jnp.tanh(raw[1]), jnp.exp(raw[2])
        lfk = jnp.log(F / K)
        fkb = (F * K) ** ((1 - beta) / 2)
        z = nu / alpha * fkb * lfk
        small = jnp.abs(z) < 1e-6
        zs = jnp.where(small, 1e-3, z)
        xz = jnp.log((jnp.sqrt(1 - 2 * rho * zs + zs ** 2) + zs - rho) / (1 - rho))
        ratio = jnp.where(small, 1.0 - 0.5 * rho * z, zs / xz)
        b1 = (1 - beta) ** 2
        den = fkb * (1 + b1 / 24 * lfk ** 2 + b1 ** 2 / 1920 * lfk ** 4)
        cor = 1 + T * (b1 / 24 * alpha ** 2 / fkb ** 2 + 0.25 * rho * beta * nu * alpha / fkb + (2 - 3 * rho ** 2) / 24 * nu ** 2)
        return alpha / den * ratio * cor
    def fit_one(raw0, F, Ks, T, mkt, w):
        res = lambda raw: w * (vol(raw, F, Ks, T) - mkt)
        def body(s):
            raw, lam, cost, it = s
            r, J = res(raw), jax.jacfwd(res)(raw)
            A = J.T @ J
            step = jnp.linalg.solve(A + lam * jnp.diag(jnp.diag(A)) + 1e-12 * jnp.eye(3), -J.T @ r)
            new = raw + step
            c = jnp.sum(res(new) ** 2)
            ok = c < cost
            return jnp.where(ok, new, raw), jnp.where(ok, lam * 0.3, lam * 5.0), jnp.where(ok, c, cost), it + 1
        raw, _, c, _ = jax.lax.while_loop(lambda s: (s[3] < 10) & (s[2] > 1e-14), body, (raw0, jnp.array(1e-2), jnp.sum(res(raw0) ** 2), 0))
        return raw, c
    def calibrate(raw0, F, Ks, T, mkt, w):
        raw, c = jax.vmap(fit_one)(raw0, F, Ks, T, mkt, w)
        return jnp.exp(raw[:, 0]), jnp.tanh(raw[:, 1]), jnp.exp(raw[:, 2]), c
    r = np.random.default_rng(20)
    E = 10
    F = r.uniform(.02, .04, E)
    Ks = F[:, None] * np.linspace(.6, 1.6, 9)
    mkt = .25 + .15 * np.log(Ks / F[:, None]) ** 2 - .06 * np.log(Ks / F[:, None]) + r.normal(0, .001, Ks.shape)
    raw0 = np.tile([np.log(.04), -.2, np.log(.4)], (E, 1))
    return {"value": calibrate}, (f64(raw0), f64(F), f64(Ks), f64(np.linspace(.5, 10, E)), f64(mkt), f64(np.ones_like(Ks)))


@fixed()
def var_es_historical():
    """Historical VaR and expected shortfall of 60 options by full revaluation over 750 scenarios; marginal contributions, worst days."""
    def bs(S, K, T, vol, r, cp):
        sq = vol * jnp.sqrt(T)
        d1 = (jnp.log(S / K) + (r + 0.5 * vol ** 2) * T) / sq
        N = jax.scipy.stats.norm.cdf
        return cp * (S * N(cp * d1) - K * jnp.exp(-r * T) * N(cp * (d1 - sq)))
    def risk(spots, vols, pos, scen):
        und = pos["und"]
        base = bs(spots[und], pos["K"], pos["T"], vols[und], 0.02, pos["cp"])
        S = spots[und] * jnp.exp(scen["ret"][:, und])
        V = jnp.clip(vols[und] + scen["dvol"][:, und], 0.05, 2.0)
        pv = bs(S, pos["K"], pos["T"] - 1 / 252, V, 0.02, pos["cp"])
        pnl_pos = (pv - base) * pos["qty"]
        pnl = jnp.sum(pnl_pos, 1)
        order = jnp.argsort(pnl)
        w = 0.995 ** jnp.arange(pnl.shape[0] - 1, -1, -1.0)
        w = (w / jnp.sum(w))[order]
        cum = jnp.cumsum(w)
        i = jnp.searchsorted(cum, 0.01)
        var = -pnl[order[i]]
        tail = jnp.where(cum <= 0.025, w, 0.0)
        tail = tail / jnp.sum(tail)
        es = -jnp.sum(tail * pnl[order])
        contrib = -jnp.sum(tail[:, None] * pnl_pos[order], 0)
        by_und = jax.ops.segment_sum(contrib, und, num_segments=spots.shape[0])
        worst, days = jax.lax.top_k(-pnl, 10)
        return var, es, by_und, days, jnp.percentile(pnl, jnp.array([5.0, 50.0, 95.0]))
    r = np.random.default_rng(25)
    U, P, D = 8, 60, 750
    spots = r.uniform(50, 200, U)
    und = r.integers(0, U, P)
    pos = dict(und=i32(und), K=f32(spots[und] * r.uniform(.8, 1.2, P)), T=f32(r.uniform(.1, 2, P)), cp=f32(r.choice([-1, 1], P)), qty=f32(r.integers(-20, 20, P)))
    return {"value": risk}, (f32(spots), f32(r.uniform(.15, .4, U)), pos, dict(ret=f32(r.standard_t(4, (D, U)) * .01), dvol=f32(r.normal(0, .01, (D, U)))))
