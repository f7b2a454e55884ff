"""Probabilistic programs and statistics."""
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
def advi_negbin():
    """Mean-field ADVI step with Adam for a negative binomial regression with group effects, eight Monte Carlo samples."""
    def unpack(z):
        return dict(beta=z[:8], group=z[8:28], ltau=z[28], lphi=z[29])
    def logjoint(z, X, g, y):
        p = unpack(z)
        eta = jnp.clip(X @ p["beta"] + jnp.exp(p["ltau"]) * p["group"][g], -6, 6)
        phi = jnp.exp(p["lphi"])
        lg = jax.scipy.special.gammaln
        ll = lg(y + phi) - lg(phi) - lg(y + 1) + phi * (p["lphi"] - jnp.logaddexp(p["lphi"], eta)) + y * (eta - jnp.logaddexp(p["lphi"], eta))
        return jnp.sum(ll) - 0.5 * jnp.sum(z[:28] ** 2) - 0.5 * (p["ltau"] + 1) ** 2 - 0.5 * p["lphi"] ** 2
    def neg_elbo(q, key, X, g, y):
        eps = jax.random.normal(key, (8, 30))
        zs = q["m"] + jnp.exp(q["s"]) * eps
        lp = jax.vmap(lambda z: logjoint(z, X, g, y))(zs)
        return -(jnp.mean(lp) + jnp.sum(q["s"]))
    def train(q, opt, key, X, g, y):
        loss, gr = jax.value_and_grad(neg_elbo)(q, key, X, g, y)
        t = opt["t"] + 1
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, opt["m"], gr)
        v = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, opt["v"], gr)
        q = jax.tree.map(lambda p, a, b: p - 0.02 * (a / (1 - 0.9 ** t)) / (jnp.sqrt(b / (1 - 0.999 ** t)) + 1e-8), q, m, v)
        return q, dict(m=m, v=v, t=t), loss
    r = np.random.default_rng(36)
    q = dict(m=f32(r.normal(0, .1, 30)), s=f32(np.full(30, -2.)))
    z = dict(m=f32(np.zeros(30)), s=f32(np.zeros(30)))
    opt = dict(m=z, v=dict(z), t=f32(3))
    args = (q, opt, np.array([1, 8], np.uint32), f32(r.normal(0, .5, (300, 8))), i32(r.integers(0, 20, 300)), f32(r.poisson(3, 300)))
    return {"value": lambda q, o, k, X, g, y: neg_elbo(q, k, X, g, y), "grad": train}, args


@fixed()
def bootstrap_bca():
    """BCa bootstrap intervals of the difference of trimmed means: 400 resamples of two groups, jackknife acceleration, quantiles."""
    def trimmed(x):
        n = x.shape[0]
        k = n // 10
        return jnp.mean(jnp.sort(x)[k:n - k])
    def bca(a, b, key):
        na, nb = a.shape[0], b.shape[0]
        obs = trimmed(a) - trimmed(b)
        def one(k):
            k1, k2 = jax.random.split(k)
            return trimmed(a[jax.random.randint(k1, (na,), 0, na)]) - trimmed(b[jax.random.randint(k2, (nb,), 0, nb)])
        boot = jax.vmap(one)(jax.random.split(key, 400))
        ja = jax.vmap(lambda i: trimmed(jnp.roll(a, -i)[1:]))(jnp.arange(na))
        jb = jax.vmap(lambda i: trimmed(jnp.roll(b, -i)[1:]))(jnp.arange(nb))
        j = jnp.concatenate([ja - trimmed(b), trimmed(a) - jb])
        d = jnp.mean(j) - j
        acc = jnp.sum(d ** 3) / (6 * jnp.sum(d ** 2) ** 1.5)
        z0 = jax.scipy.special.ndtri(jnp.clip(jnp.mean(boot < obs), 0.01, 0.99))
        zq = jax.scipy.special.ndtri(jnp.array([0.025, 0.975]))
        al = jax.scipy.special.ndtr(z0 + (z0 + zq) / (1 - acc * (z0 + zq)))
        return obs, jnp.quantile(boot, al), jnp.std(boot), acc
    r = np.random.default_rng(40)
    return {"value": bca}, (f32(r.standard_t(4, 80)), f32(r.standard_t(4, 100) + .4), np.array([0, 11], np.uint32))


@fixed()
def cox_survival():
    """Cox partial likelihood with Breslow ties, frailty-free, ridge; three Newton steps by Hessian, baseline hazard and concordance."""
    def nll(beta, X, time, event):
        o = jnp.argsort(-time)
        eta = (X @ beta)[o]
        t = time[o]
        m = jnp.max(eta)
        risk = jnp.cumsum(jnp.exp(eta - m))
        last = jnp.searchsorted(-t, -t, side="right") - 1
        return -jnp.sum(event[o] * (eta - m - jnp.log(risk[last]))) / X.shape[0] + 0.05 * jnp.sum(beta ** 2)
    def fit(beta, X, time, event):
        def newton(b, _):
            g, H = jax.grad(nll)(b, X, time, event), jax.hessian(nll)(b, X, time, event)
            return b - jax.scipy.linalg.solve(H, g, assume_a="pos"), jnp.linalg.norm(g)
        b, norms = jax.lax.scan(newton, beta, None, length=3)
        eta = X @ b
        o = jnp.argsort(time)
        risk = jnp.cumsum(jnp.exp(eta[o])[::-1])[::-1]
        H0 = jnp.cumsum(event[o] / risk)
        comp = (time[:, None] < time[None]) & (event[:, None] > 0)
        conc = jnp.sum(comp & (eta[:, None] > eta[None])) / jnp.sum(comp)
        return b, norms[0], H0, conc
    r = np.random.default_rng(38)
    X = r.normal(0, 1, (300, 8))
    t = np.round(r.exponential(np.exp(-X[:, 0] * .5)) * 50) / 10 + .1
    return {"value": fit, "grad": jax.value_and_grad(nll)}, (f32(np.full(8, .1)), f32(X), f32(t), f32(r.random(300) < .7))


@fixed(tol=1e-3)
def gmm_em():
    """EM of a four-component full-covariance Gaussian mixture in three dimensions, 600 points, ten iterations, with BIC and labels."""
    def em(X, pi, mu, S):
        n, d = X.shape
        def logpdf(m, C):
            L = jnp.linalg.cholesky(C)
            z = jax.scipy.linalg.solve_triangular(L, (X - m).T, lower=True)
            return -0.5 * jnp.sum(z ** 2, 0) - jnp.sum(jnp.log(jnp.diag(L))) - 0.5 * d * jnp.log(2 * jnp.pi)
        def it(c, _):
            pi, mu, S = c
            lp = jnp.log(pi) + jax.vmap(logpdf)(mu, S).T
            norm = jax.scipy.special.logsumexp(lp, 1, keepdims=True)
            R = jnp.exp(lp - norm)
            Nk = jnp.sum(R, 0) + 1e-6
            mu = (R.T @ X) / Nk[:, None]
            D = X[:, None] - mu
            S = jnp.einsum("nk,nki,nkj->kij", R, D, D) / Nk[:, None, None] + 1e-3 * jnp.eye(d)
            return (Nk / n, mu, S), jnp.mean(norm)
        (pi, mu, S), ll = jax.lax.scan(it, (pi, mu, S), None, length=10)
        lp = jnp.log(pi) + jax.vmap(logpdf)(mu, S).T
        lab = jnp.argmax(lp, 1)
        k = pi.shape[0]
        bic = -2 * n * ll[-1] + (k - 1 + k * d + k * d * (d + 1) / 2) * jnp.log(n)
        return pi, mu, S, ll, bic, jnp.bincount(lab, length=k)
    r = np.random.default_rng(35)
    c = r.normal(0, 3, (4, 3))
    X = c[r.integers(0, 4, 600)] + r.normal(0, .8, (600, 3))
    return {"value": em}, (f32(X), f32(np.full(4, .25)), f32(c + r.normal(0, .7, c.shape)), f32(np.tile(np.eye(3), (4, 1, 1))))


@fixed(x64=True)
def gp_marginal():
    """GP marginal likelihood, ARD Matern-5/2 times periodic kernel plus linear trend, 128 points in three dimensions, by Cholesky."""
    def nlml(th, X, y):
        ls, per = jnp.exp(th["ls"]), jnp.exp(th["per"])
        d = (X[:, None] - X[None]) / ls
        r2 = jnp.sum(d ** 2, -1)
        rr = jnp.sqrt(5 * r2 + 1e-12)
        mat = (1 + rr + rr ** 2 / 3) * jnp.exp(-rr)
        t = X[:, None, 0] - X[None, :, 0]
        pk = jnp.exp(-2 * jnp.sin(jnp.pi * t / per) ** 2 / jnp.exp(2 * th["lp"]))
        K = jnp.exp(2 * th["sf"]) * mat * pk + jnp.exp(2 * th["sl"]) * (X @ X.T)
        K = K + (jnp.exp(2 * th["sn"]) + 1e-8) * jnp.eye(X.shape[0])
        L = jnp.linalg.cholesky(K)
        r = y - X @ th["w"]
        a = jax.scipy.linalg.solve_triangular(L, r, lower=True)
        return 0.5 * a @ a + jnp.sum(jnp.log(jnp.diag(L))) + 0.5 * X.shape[0] * jnp.log(2 * jnp.pi)
    r = np.random.default_rng(34)
    X = r.uniform(-2, 2, (128, 3))
    th = dict(ls=f64([0., .2, .5]), per=f64(.3), lp=f64(0.), sf=f64(0.), sl=f64(-1.), sn=f64(-1.5), w=f64(np.zeros(3)))
    return both(nlml), (th, f64(X), f64(np.sin(3 * X[:, 0]) + X[:, 1] + r.normal(0, .2, 128)))


@fixed(tol=1e-3)
def hmc_horseshoe():
    """Ten HMC transitions of twelve leapfrog steps, logistic regression with a regularised horseshoe prior, 400 x 20."""
    def logp(z, X, y):
        tau, lam, c = jnp.exp(z["tau"]), jnp.exp(z["lam"]), 2.0
        lt = c * lam / jnp.sqrt(c ** 2 + tau ** 2 * lam ** 2)
        beta = z["raw"] * lt * tau
        eta = X @ beta + z["b"]
        ll = jnp.sum(y * eta - jax.nn.softplus(eta))
        prior = -0.5 * jnp.sum(z["raw"] ** 2) - 0.5 * z["b"] ** 2 / 9 + jnp.sum(z["lam"] - jnp.log1p(lam ** 2)) + z["tau"] - jnp.log1p((tau / 0.2) ** 2)
        return ll + prior
    def sample(z, key, X, y, eps):
        U = lambda q: -logp(q, X, y)
        g = jax.grad(U)
        def transition(q, k):
            k1, k2 = jax.random.split(k)
            leaves, tree = jax.tree.flatten(q)
            ks = jax.random.split(k1, len(leaves))
            p = tree.unflatten([jax.random.normal(a, l.shape) for a, l in zip(ks, leaves)])
            kin = lambda p: 0.5 * sum(jnp.sum(a ** 2) for a in jax.tree.leaves(p))
            axpy = lambda a, x, y: jax.tree.map(lambda u, v: v + a * u, x, y)
            H0 = U(q) + kin(p)
            def leap(_, s):
                qq, pp = s
                pp = axpy(-0.5 * eps, g(qq), pp)
                qq = axpy(eps, pp, qq)
                return qq, axpy(-0.5 * eps, g(qq), pp)
            qn, pn = jax.lax.fori_loop(0, 12, leap, (q, p))
            acc = jnp.minimum(1.0, jnp.exp(H0 - U(qn) - kin(pn)))
            ok = jax.random.uniform(k2) < acc
            q = jax.tree.map(lambda a, b: jnp.where(ok, a, b), qn, q)
            return q, (q["b"], acc)
        return jax.lax.scan(transition, z, jax.random.split(key, 10))
    r = np.random.default_rng(31)
    X = r.normal(0, 1, (400, 20))
    y = r.random(400) < 1 / (1 + np.exp(-X[:, :3] @ [1, -1, .5]))
    z = dict(raw=f32(r.normal(0, .1, 20)), lam=f32(np.zeros(20)), tau=f32(-1.), b=f32(0.))
    return {"value": sample, "grad": lambda z, key, X, y, e: jax.value_and_grad(logp)(z, X, y)}, (z, np.array([0, 3], np.uint32), f32(X), f32(y), f32(.02))


@fixed()
def hmm_forward_backward():
    """Gaussian HMM of 12 states over 250 steps: log-space forward and backward passes, posterior marginals, expected transitions, Viterbi."""
    def emit(th, y):
        return jax.scipy.stats.norm.logpdf(y[:, None], th["mu"], jnp.exp(th["ls"]))
    def loglik(th, y):
        A = jax.nn.log_softmax(th["A"], 1)
        B = emit(th, y)
        def f(a, b):
            a = jax.scipy.special.logsumexp(a[:, None] + A, 0) + b
            return a, a
        a0 = jax.nn.log_softmax(th["pi"]) + B[0]
        aT, _ = jax.lax.scan(f, a0, B[1:])
        return jax.scipy.special.logsumexp(aT)
    def smooth(th, y):
        A = jax.nn.log_softmax(th["A"], 1)
        B = emit(th, y)
        a0 = jax.nn.log_softmax(th["pi"]) + B[0]
        def f(a, b):
            a = jax.scipy.special.logsumexp(a[:, None] + A, 0) + b
            return a, a
        _, al = jax.lax.scan(f, a0, B[1:])
        al = jnp.concatenate([a0[None], al])
        def g(be, b):
            be = jax.scipy.special.logsumexp(A + b + be, 1)
            return be, be
        _, be = jax.lax.scan(g, jnp.zeros_like(a0), B[1:], reverse=True)
        be = jnp.concatenate([be, jnp.zeros_like(a0)[None]])
        gam = jax.nn.softmax(al + be, 1)
        xi = al[:-1, :, None] + A + (B[1:] + be[1:])[:, None, :]
        xi = jnp.sum(jax.nn.softmax(xi.reshape(xi.shape[0], -1), 1), 0).reshape(A.shape)
        def v(d, b):
            s = d[:, None] + A
            return jnp.max(s, 0) + b, jnp.argmax(s, 0)
        dT, ptr = jax.lax.scan(v, a0, B[1:])
        last = jnp.argmax(dT)
        def tr(s, p):
            return p[s], s
        first, path = jax.lax.scan(tr, last, ptr, reverse=True)
        return gam, xi, jnp.concatenate([first[None], path])
    r = np.random.default_rng(33)
    K = 12
    th = dict(A=f32(3 * np.eye(K) + r.normal(0, .3, (K, K))), pi=f32(np.zeros(K)), mu=f32(np.linspace(-4, 4, K)), ls=f32(np.full(K, -.5)))
    return {"value": smooth, "grad": jax.value_and_grad(loglik)}, (th, f32(3 * np.sin(np.arange(250) / 9) + r.normal(0, .6, 250)))


@fixed()
def mcmc_diagnostics():
    """Rank-normalised split R-hat and bulk effective sample size of 12 parameters, 4 chains of 500 draws: sort, FFT, Geyer's rule."""
    def diag(draws):
        m, n, d = draws.shape
        x = draws.reshape(2 * m, n // 2, d)
        flat = x.reshape(-1, d)
        rank = jnp.argsort(jnp.argsort(flat, 0), 0) + 1
        z = jax.scipy.special.ndtri((rank - 0.375) / (flat.shape[0] + 0.25)).reshape(x.shape)
        def rhat(x):
            n = x.shape[1]
            W = jnp.mean(jnp.var(x, 1, ddof=1), 0)
            B = n * jnp.var(jnp.mean(x, 1), 0, ddof=1)
            return jnp.sqrt(((n - 1) / n * W + B / n) / W)
        def ess(x):
            M, N, _ = x.shape
            c = x - jnp.mean(x, 1, keepdims=True)
            f = jnp.fft.rfft(c, 512, axis=1)
            ac = jnp.fft.irfft(f * jnp.conj(f), 512, axis=1)[:, :N].real / N
            W = jnp.mean(ac[:, 0] * N / (N - 1), 0)
            var = W * (N - 1) / N + jnp.var(jnp.mean(x, 1), 0, ddof=1)
            rho = 1 - (W - jnp.mean(ac, 0)) / var
            rho = rho.at[0].set(1.0)
            pair = rho[0:N - 1:2] + rho[1:N:2]
            pos = jnp.cumprod(pair > 0, axis=0)
            mono = jax.lax.cummin(jnp.where(pos, pair, 0.0), axis=0)
            tau = jnp.maximum(-1 + 2 * jnp.sum(mono, 0), 1 / jnp.log10(M * N))
            return M * N / tau
        q = jnp.quantile(flat, jnp.array([0.05, 0.5, 0.95]), axis=0)
        fold = jnp.abs(x - q[1])
        return jnp.maximum(rhat(z), rhat(fold)), ess(z), q
    r = np.random.default_rng(41)
    e = r.normal(0, 1, (4, 500, 12))
    for t in range(1, 500):
        e[:, t] += np.linspace(0, .9, 12) * e[:, t - 1]
    return {"value": diag}, (f32(e),)


@fixed(tol=1e-3)
def nuts_eight_schools():
    """One NUTS-like trajectory of the eight schools: iterative doubling in while loops with turning checks and multinomial choice."""
    def logp(z, y, s):
        mu, lt, eta = z[0], z[1], z[2:]
        theta = mu + jnp.exp(lt) * eta
        return -0.5 * jnp.sum(((y - theta) / s) ** 2) - 0.5 * jnp.sum(eta ** 2) - 0.5 * (mu / 5) ** 2 + lt - jnp.log1p((jnp.exp(lt) / 5) ** 2)
    def step(z, key, y, s, eps):
        vg = jax.value_and_grad(lambda q: -logp(q, y, s))
        def leap(q, p, g, e):
            p = p - 0.5 * e * g
            q = q + e * p
            u, g = vg(q)
            return q, p - 0.5 * e * g, g, u
        kp, kl = jax.random.split(key)
        p0 = jax.random.normal(kp, z.shape)
        u0, g0 = vg(z)
        H0 = u0 + 0.5 * p0 @ p0
        left = (z, p0, g0)
        state = dict(l=left, r=left, prop=z, logw=jnp.float32(0.0), depth=0, turning=jnp.array(False), key=kl, n=0)
        def turn(l, r):
            d = r[0] - l[0]
            return (d @ l[1] <= 0) | (d @ r[1] <= 0)
        def double(st):
            key, kd, ks, kb = jax.random.split(st["key"], 4)
            right = jax.random.bernoulli(kd)
            sign = jnp.where(right, 1.0, -1.0)
            start = jax.tree.map(lambda a, b: jnp.where(right, a, b), st["r"], st["l"])
            def sub(c):
                i, cur, prop, lw, bad, first, k = c
                q, p, g, u = leap(*cur, sign * eps)
                dH = H0 - u - 0.5 * p @ p
                bad = bad | (dH < -1000.0) | (((i & (i + 1)) == 0) & (i > 0) & (sign * ((q - first[0]) @ p) <= 0))
                k, kk = jax.random.split(k)
                lwn = jnp.logaddexp(lw, dH)
                take = jnp.log(jax.random.uniform(kk)) < dH - lwn
                first = jax.tree.map(lambda a, b: jnp.where(i == 0, a, b), (q, p, g), first)
                return i + 1, (q, p, g), jnp.where(take, q, prop), lwn, bad, first, k
            n, end, prop, lw, bad, _, _ = jax.lax.while_loop(lambda c: (c[0] < (1 << st["depth"])) & ~c[4], sub, (0, start, start[0], -jnp.inf, jnp.array(False), start, kb))
            l = jax.tree.map(lambda a, b: jnp.where(right, b, a), end, st["l"])
            r = jax.tree.map(lambda a, b: jnp.where(right, a, b), end, st["r"])
            take = (jnp.log(jax.random.uniform(ks)) < lw - st["logw"]) & ~bad
            return dict(l=l, r=r, prop=jnp.where(take, prop, st["prop"]), logw=jnp.where(bad, st["logw"], jnp.logaddexp(st["logw"], lw)),
                        depth=st["depth"] + 1, turning=bad | turn(l, r), key=key, n=st["n"] + n)
        st = jax.lax.while_loop(lambda st: (st["depth"] < 7) & ~st["turning"], double, state)
        return st["prop"], st["n"], st["depth"]
    def chain(z, key, y, s, eps):
        def it(q, k):
            q, n, d = step(q, k, y, s, eps)
            return q, (q, n, d)
        _, out = jax.lax.scan(it, z, jax.random.split(key, 8))
        return out
    y, s = [28, 8, -3, 7, -1, 1, 18, 12], [15, 10, 16, 11, 9, 11, 10, 18]
    return {"value": chain}, (f32(np.r_[3., 1., np.zeros(8)]), np.array([0, 5], np.uint32), f32(y), f32(s), f32(.15))


@fixed(tol=2e-3)
def particle_filter_sv():
    """Bootstrap particle filter for stochastic volatility with leverage: 400 particles, 80 steps, systematic resampling when ESS is low."""
    N = 400
    def pf(th, y, key):
        mu, phi, sig, rho = th[0], jnp.tanh(th[1]), jnp.exp(th[2]), jnp.tanh(th[3])
        def step(c, x):
            h, lw, prev = c
            yt, k = x
            k1, k2 = jax.random.split(k)
            eta = jax.random.normal(k1, (N,))
            e = prev * jnp.exp(-h / 2)
            h = mu + phi * (h - mu) + sig * (rho * e + jnp.sqrt(1 - rho ** 2) * eta)
            inc = -0.5 * (jnp.log(2 * jnp.pi) + h + yt ** 2 * jnp.exp(-h))
            lw = lw + inc
            top = jax.scipy.special.logsumexp(lw)
            w = jnp.exp(lw - top)
            ess = 1.0 / jnp.sum(w ** 2)
            def resample(hw):
                h, lw = hw
                u = (jnp.arange(N) + jax.random.uniform(k2)) / N
                idx = jnp.clip(jnp.searchsorted(jnp.cumsum(w), u), 0, N - 1)
                return h[idx], jnp.full(N, top - jnp.log(N))
            m = jnp.sum(w * jnp.exp(h / 2))
            h, lw = jax.lax.cond(ess < N / 2, resample, lambda a: a, (h, lw))
            return (h, lw, yt), (m, ess)
        h0 = mu + sig / jnp.sqrt(1 - phi ** 2) * jax.random.normal(key, (N,))
        (h, lw, _), (m, ess) = jax.lax.scan(step, (h0, jnp.full(N, -jnp.log(N)), y[0]), (y, jax.random.split(key, y.shape[0])))
        return jax.scipy.special.logsumexp(lw), jnp.mean(m), jnp.mean(ess)
    r = np.random.default_rng(37)
    return {"value": pf}, (f32([-.5, 1.8, -1.5, -.3]), f32(r.normal(0, .8, 80)), np.array([2, 9], np.uint32))


@fixed(x64=True)
def pspline_gcv():
    """P-spline regression: cubic B-spline basis by Cox-de Boor, second-difference penalty, generalised cross-validation over 20 strengths."""
    def basis(x, knots):
        B = ((x[:, None] >= knots[:-1]) & (x[:, None] < knots[1:])).astype(x.dtype)
        for k in range(1, 4):
            a = (x[:, None] - knots[:-k - 1]) / (knots[k:-1] - knots[:-k - 1])
            b = (knots[k + 1:] - x[:, None]) / (knots[k + 1:] - knots[1:-k])
            B = a * B[:, :-1] + b * B[:, 1:]
        return B
    def fit(x, y, w, knots, lams):
        B = basis(x, knots)
        D = jnp.diff(jnp.eye(B.shape[1]), n=2, axis=0)
        G = (B * w[:, None]).T @ B
        rhs = (B * w[:, None]).T @ y
        def one(lam):
            c = jnp.linalg.cholesky(G + lam * D.T @ D + 1e-8 * jnp.eye(G.shape[0]))
            coef = jax.scipy.linalg.cho_solve((c, True), rhs)
            edf = jnp.trace(jax.scipy.linalg.cho_solve((c, True), G))
            rss = jnp.sum(w * (y - B @ coef) ** 2)
            n = x.shape[0]
            return n * rss / (n - edf) ** 2, coef, edf
        gcv, coefs, edf = jax.vmap(one)(lams)
        i = jnp.argmin(gcv)
        fitv = B @ coefs[i]
        s = jnp.median(jnp.abs(y - fitv)) * 1.4826
        u = jnp.abs(y - fitv) / (4.685 * s)
        return fitv, edf[i], gcv, jnp.where(u < 1, (1 - u ** 2) ** 2, 0.0)
    r = np.random.default_rng(39)
    x = np.sort(r.uniform(0, 1, 250))
    h = 1 / 20
    return {"value": fit}, (f64(x), f64(np.sin(12 * x ** 2) + r.normal(0, .2, 250)), f64(np.ones(250)), f64(np.arange(-3, 24) * h), f64(np.logspace(-4, 3, 20)))


@fixed()
def radon_hierarchical():
    """Log-posterior of varying intercepts and slopes by 85 counties, 919 houses, non-centred with LKJ-like correlation, Student-t noise."""
    def logp(z, county, floor, uranium, y):
        tau = jnp.exp(z["log_tau"])
        rho = jnp.tanh(z["rho"])
        L = jnp.array([[1.0, 0.0], [0.0, 0.0]]).at[1, 0].set(rho).at[1, 1].set(jnp.sqrt(1 - rho ** 2))
        off = z["raw"] @ (tau[:, None] * L).T
        alpha = z["mu"][0] + z["gamma"] * uranium + off[:, 0]
        beta = z["mu"][1] + off[:, 1]
        loc = alpha[county] + beta[county] * floor
        sigma = jnp.exp(z["log_sigma"])
        nu = 2.0 + jnp.exp(z["log_nu"])
        ll = jnp.sum(jax.scipy.stats.t.logpdf(y, nu, loc, sigma))
        norm = jax.scipy.stats.norm.logpdf
        lp = jnp.sum(norm(z["raw"])) + jnp.sum(norm(z["mu"], 0.0, 5.0)) + norm(z["gamma"], 0.0, 2.0)
        lp += jnp.sum(jnp.log(2.0) + norm(tau) + z["log_tau"]) + jnp.log(2.0) + norm(sigma) + z["log_sigma"]
        lp += jax.scipy.stats.gamma.logpdf(nu - 2.0, 2.0, scale=10.0) + z["log_nu"] + 1.0 * jnp.log1p(-rho ** 2)
        return ll + lp
    r = np.random.default_rng(30)
    C, n = 85, 919
    z = dict(raw=f32(r.normal(0, 1, (C, 2))), mu=f32([1.4, -.6]), gamma=f32(.7), log_tau=f32([-1., -1.]), rho=f32(.1), log_sigma=f32(-.3), log_nu=f32(1.))
    return both(logp), (z, i32(np.sort(r.integers(0, C, n))), f32(r.random(n) < .17), f32(r.normal(0, .4, C)), f32(r.normal(1.2, .8, n)))
