"""Learning on devices."""
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
def char_transformer():
    """Character transformer, two pre-norm layers of width 64, four heads, 32 tokens, batch 4; AdamW step with decay mask."""
    H, D = 4, 64
    def ln(x, g):
        m = jnp.mean(x, -1, keepdims=True)
        return (x - m) * jax.lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * g
    def block(x, lp):
        B, T, _ = x.shape
        h = ln(x, lp["g1"])
        q, k, v = jnp.split((h @ lp["qkv"]).reshape(B, T, H, -1), 3, -1)
        s = jnp.einsum("bthd,bshd->bhts", q, k) / jnp.sqrt(D / H)
        s = jnp.where(jnp.tril(jnp.ones((T, T), bool)), s, -1e9)
        o = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s), v).reshape(B, T, D)
        x = x + o @ lp["proj"]
        return x + jax.nn.gelu(ln(x, lp["g2"]) @ lp["up"]) @ lp["down"]
    def loss(p, tok):
        x = p["emb"][tok[:, :-1]] + p["pos"][:tok.shape[1] - 1]
        x, _ = jax.lax.scan(lambda x, lp: (block(x, lp), None), x, p["layers"])
        lg = ln(x, p["gf"]) @ p["emb"].T
        return jnp.mean(jax.nn.logsumexp(lg, -1) - jnp.take_along_axis(lg, tok[:, 1:, None], -1)[..., 0])
    def train(p, m, v, step, tok):
        l, g = jax.value_and_grad(loss)(p, tok)
        lr = 3e-3 * jnp.minimum(step / 10.0, 1.0) * 0.5 * (1 + jnp.cos(jnp.pi * step / 1000.0))
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
        v = jax.tree.map(lambda a, b: 0.95 * a + 0.05 * b * b, v, g)
        def up(w, a, b):
            d = 0.1 if w.ndim > 1 else 0.0
            return w - lr * (a / (1 - 0.9 ** step) / (jnp.sqrt(b / (1 - 0.95 ** step)) + 1e-6) + d * w)
        return jax.tree.map(up, p, m, v), m, v, l
    r = np.random.default_rng(53)
    n = lambda *s: f32(r.normal(0, .08, s))
    one = lambda *s: f32(np.ones(s))
    p = dict(emb=n(65, D), pos=n(32, D), gf=one(D), layers=dict(g1=one(2, D), g2=one(2, D), qkv=n(2, D, 3 * D), proj=n(2, D, D), up=n(2, D, 4 * D), down=n(2, 4 * D, D)))
    m = jax.tree.map(lambda a: f32(r.normal(0, .01, a.shape)), p)
    v = jax.tree.map(lambda a: f32(r.uniform(1e-4, 3e-4, a.shape)), p)
    return {"value": lambda p, m, v, s, t: loss(p, t), "grad": train}, (p, m, v, f32(7.), i32(r.integers(0, 65, (4, 33))))


@fixed()
def dqn_prioritised():
    """Double dueling DQN step with a prioritised replay of 2048: cumsum sampling, importance weights, Huber loss, priorities back, soft target."""
    def q(p, o):
        h = jax.nn.relu(o @ p["w1"] + p["b1"])
        h = jax.nn.relu(h @ p["w2"] + p["b2"])
        a, v = h @ p["a"], h @ p["v"]
        return v + a - jnp.mean(a, 1, keepdims=True)
    def train(p, target, mem, key):
        pri = mem["pri"] ** 0.6
        cum = jnp.cumsum(pri)
        u = (jnp.arange(32) + jax.random.uniform(key, (32,))) / 32 * cum[-1]
        idx = jnp.clip(jnp.searchsorted(cum, u), 0, pri.shape[0] - 1)
        w = (pri.shape[0] * pri[idx] / cum[-1]) ** -0.4
        w = w / jnp.max(w)
        b = {k: mem[k][idx] for k in ("obs", "act", "rew", "next", "done")}
        best = jnp.argmax(q(p, b["next"]), 1)
        y = b["rew"] + 0.99 * jnp.where(b["done"], 0.0, jnp.take_along_axis(q(target, b["next"]), best[:, None], 1)[:, 0])
        def loss(p):
            td = jnp.take_along_axis(q(p, b["obs"]), b["act"][:, None], 1)[:, 0] - jax.lax.stop_gradient(y)
            a = jnp.abs(td)
            return jnp.mean(w * jnp.where(a < 1, 0.5 * td ** 2, a - 0.5)), a
        (l, td), g = jax.value_and_grad(loss, has_aux=True)(p)
        p = jax.tree.map(lambda a, b: a - 1e-3 * b, p, g)
        target = jax.tree.map(lambda a, b: 0.995 * a + 0.005 * b, target, p)
        return p, target, mem["pri"].at[idx].max(td + 1e-3), l
    def act(p, target, mem, key):
        k1, k2, k3 = jax.random.split(key, 3)
        o = mem["obs"][:64]
        greedy = jnp.argmax(q(p, o), 1)
        rnd = jax.random.randint(k1, (64,), 0, 6)
        return jnp.where(jax.random.uniform(k2, (64,)) < 0.1, rnd, greedy)
    r = np.random.default_rng(59)
    n = lambda *s: f32(r.normal(0, .2, s))
    p = dict(w1=n(10, 64), b1=n(64), w2=n(64, 64), b2=n(64), a=n(64, 6), v=n(64, 1))
    t = {k: v + n(*v.shape) * .05 for k, v in p.items()}
    M = 2048
    mem = dict(obs=n(M, 10) * 5, act=i32(r.integers(0, 6, M)), rew=n(M), next=n(M, 10) * 5, done=r.random(M) < .03, pri=f32(r.gamma(1, 1, M) + .01))
    return {"value": act, "grad": train}, (p, t, mem, np.array([0, 4], np.uint32))


@fixed()
def federated_averaging():
    """One FedAvg round: eight clients with padded data run five local epochs of SGD with proximal term, weighted average, DP noise and clipping."""
    def model(p, x):
        return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]
    def round_(p, xs, ys, counts, key):
        def client(x, y, n):
            valid = (jnp.arange(x.shape[0]) < n).astype(jnp.float32)
            def loss(q, idx):
                lp = jax.nn.log_softmax(model(q, x[idx]))
                nll = -jnp.take_along_axis(lp, y[idx][:, None], 1)[:, 0]
                prox = sum(jnp.sum((a - b) ** 2) for a, b in zip(jax.tree.leaves(q), jax.tree.leaves(p)))
                return jnp.sum(nll * valid[idx]) / jnp.maximum(jnp.sum(valid[idx]), 1.0) + 0.005 * prox
            batches = jnp.arange(x.shape[0]).reshape(4, -1)
            def epoch(q, e):
                def step(q, b):
                    l, g = jax.value_and_grad(loss)(q, b)
                    return jax.tree.map(lambda a, c: a - 0.1 * c, q, g), l
                return jax.lax.scan(step, q, jnp.roll(batches, e, 0))
            q, ls = jax.lax.scan(epoch, p, jnp.arange(5))
            return jax.tree.map(lambda a, b: a - b, q, p), jnp.mean(ls[-1])
        delta, ls = jax.vmap(client)(xs, ys, counts)
        norm = jnp.sqrt(sum(jnp.sum(d.reshape(d.shape[0], -1) ** 2, 1) for d in jax.tree.leaves(delta)))
        w = counts / jnp.sum(counts) * jnp.minimum(1.0, 1.0 / norm)
        leaves, tree = jax.tree.flatten(delta)
        ks = jax.random.split(key, len(leaves))
        avg = [jnp.tensordot(w, d, 1) + 1e-3 * jax.random.normal(k, d.shape[1:]) for d, k in zip(leaves, ks)]
        return jax.tree.map(jnp.add, p, tree.unflatten(avg)), ls, norm
    r = np.random.default_rng(57)
    n = lambda *s: f32(r.normal(0, .3, s))
    p = dict(w1=n(16, 24), b1=n(24), w2=n(24, 5), b2=n(5))
    return {"value": round_}, (p, n(8, 40, 16) * 3, i32(r.integers(0, 5, (8, 40))), i32(r.integers(12, 41, 8)), np.array([0, 2], np.uint32))


@fixed()
def gru_forecast():
    """GRU forecaster of sensor windows, 48 steps, batch 16, hidden 32, quantile loss, gradient clipping by global norm and SGD."""
    def forward(p, x):
        def cell(h, xt):
            gi = xt @ p["wi"] + p["bi"]
            gh = h @ p["wh"] + p["bh"]
            ir, iz, inn = jnp.split(gi, 3, 1)
            hr, hz, hn = jnp.split(gh, 3, 1)
            rr, z = jax.nn.sigmoid(ir + hr), jax.nn.sigmoid(iz + hz)
            h = (1 - z) * jnp.tanh(inn + rr * hn) + z * h
            return h, None
        h0 = jnp.zeros((x.shape[0], p["wh"].shape[0]))
        h, _ = jax.lax.scan(cell, h0, jnp.swapaxes(x, 0, 1))
        h = jax.nn.gelu(h @ p["w1"])
        return (h @ p["w2"]).reshape(x.shape[0], 6, 3)
    def loss(p, x, y):
        q = jnp.array([0.1, 0.5, 0.9])
        e = y[..., None] - forward(p, x)
        return jnp.mean(jnp.maximum(q * e, (q - 1) * e))
    def train(p, x, y):
        l, g = jax.value_and_grad(loss)(p, x, y)
        norm = jnp.sqrt(sum(jnp.sum(a ** 2) for a in jax.tree.leaves(g)))
        s = jnp.minimum(1.0, 0.1 / (norm + 1e-6))
        return jax.tree.map(lambda a, b: a - 0.05 * s * b, p, g), l, norm
    r = np.random.default_rng(52)
    n = lambda *s: f32(r.normal(0, .2, s))
    p = dict(wi=n(6, 96), bi=n(96), wh=n(32, 96), bh=n(96), w1=n(32, 32), w2=n(32, 18))
    return {"value": loss, "grad": train}, (p, n(16, 48, 6), n(16, 6))


@fixed()
def kws_dscnn():
    """Keyword spotting: log-mel features by rfft, a depthwise-separable CNN with batch norm statistics, momentum step, eight clips."""
    def mel_matrix(nm, nf, sr):
        hz = lambda m: 700 * (10 ** (m / 2595) - 1)
        top = 2595 * np.log10(1 + sr / 2 / 700)
        e = hz(np.linspace(0, top, nm + 2))
        f = np.linspace(0, sr / 2, nf)
        return f32(np.maximum(0, np.minimum((f[:, None] - e[:-2]) / (e[1:-1] - e[:-2]), (e[2:] - f[:, None]) / (e[2:] - e[1:-1]))))
    M = mel_matrix(20, 129, 8000)
    def features(wav):
        n = (wav.shape[1] - 256) // 128 + 1
        idx = jnp.arange(n)[:, None] * 128 + jnp.arange(256)
        fr = wav[:, idx] * jnp.hanning(256)
        P = jnp.abs(jnp.fft.rfft(fr)) ** 2
        lm = jnp.log(P @ M + 1e-5)
        return (lm - jnp.mean(lm, (1, 2), keepdims=True)) / 3.0
    def conv(x, w, stride=1, groups=1):
        return jax.lax.conv_general_dilated(x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups)
    def bn(x, g, b):
        m = jnp.mean(x, (0, 1, 2))
        v = jnp.var(x, (0, 1, 2))
        return (x - m) * jax.lax.rsqrt(v + 1e-5) * g + b
    def forward(p, wav):
        x = features(wav)[..., None]
        x = jax.nn.relu(bn(conv(x, p["stem"], 2), p["g0"], p["b0"]))
        for i in range(2):
            x = jax.nn.relu(bn(conv(x, p[f"dw{i}"], 1, 16), p[f"g{i+1}"], p[f"b{i+1}"]))
            x = jax.nn.relu(conv(x, p[f"pw{i}"]))
        return jnp.mean(x, (1, 2)) @ p["out"] + p["bias"]
    def loss(p, wav, y):
        lp = jax.nn.log_softmax(forward(p, wav))
        return -jnp.mean(jnp.sum(lp * (0.9 * jax.nn.one_hot(y, 10) + 0.01), 1))
    def train(p, mom, wav, y):
        l, g = jax.value_and_grad(loss)(p, wav, y)
        mom = jax.tree.map(lambda m, g: 0.9 * m + g, mom, g)
        return jax.tree.map(lambda p, m: p - 0.05 * m, p, mom), mom, l
    r = np.random.default_rng(50)
    n = lambda *s, k=.2: f32(r.normal(0, k, s))
    p = dict(stem=n(5, 4, 1, 16), g0=f32(np.ones(16)), b0=n(16), dw0=n(3, 3, 1, 16), dw1=n(3, 3, 1, 16), g1=f32(np.ones(16)), b1=n(16), g2=f32(np.ones(16)), b2=n(16), pw0=n(1, 1, 16, 16), pw1=n(1, 1, 16, 16), out=n(16, 10), bias=n(10))
    t = np.arange(8000) / 8000
    wav = np.sin(2 * np.pi * r.uniform(200, 2000, (8, 1)) * t) + r.normal(0, .3, (8, 8000))
    mom = {k: np.zeros_like(v) for k, v in p.items()}
    return {"value": lambda p, m, w, y: forward(p, w), "grad": train}, (p, mom, f32(wav), i32(r.integers(0, 10, 8)))


@fixed()
def lenet_adam():
    """A LeNet-like CNN on 28x28 digits, batch 16: max pooling, dropout with a key, cross entropy, Adam step."""
    def forward(p, x, key):
        dn = ("NHWC", "HWIO", "NHWC")
        pool = lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = pool(jax.nn.relu(jax.lax.conv_general_dilated(x, p["c1"], (1, 1), "SAME", dimension_numbers=dn) + p["b1"]))
        x = pool(jax.nn.relu(jax.lax.conv_general_dilated(x, p["c2"], (1, 1), "VALID", dimension_numbers=dn) + p["b2"]))
        x = x.reshape(x.shape[0], -1)
        h = jax.nn.relu(x @ p["w3"] + p["b3"])
        if key is not None:
            h = jnp.where(jax.random.bernoulli(key, 0.8, h.shape), h / 0.8, 0.0)
        return h @ p["w4"] + p["b4"]
    def loss(p, x, y, key):
        lp = jax.nn.log_softmax(forward(p, x, key))
        return -jnp.mean(jnp.take_along_axis(lp, y[:, None], 1))
    def train(p, m, v, t, key, x, y):
        l, g = jax.value_and_grad(loss)(p, x, y, key)
        m = jax.tree.map(lambda a, g: 0.9 * a + 0.1 * g, m, g)
        v = jax.tree.map(lambda a, g: 0.999 * a + 0.001 * g * g, v, g)
        up = lambda p, a, b: p - 1e-3 * (a / (1 - 0.9 ** t)) / (jnp.sqrt(b / (1 - 0.999 ** t)) + 1e-8)
        return jax.tree.map(up, p, m, v), m, v, t + 1, l
    def predict(p, m, v, t, key, x, y):
        lg = forward(p, x, None)
        return jnp.argmax(lg, 1) == y, lg
    r = np.random.default_rng(51)
    n = lambda *s: f32(r.normal(0, np.sqrt(1.5 / np.prod(s[:-1])) if len(s) > 1 else .05, s))
    p = dict(c1=n(5, 5, 1, 8), b1=n(8), c2=n(5, 5, 8, 16), b2=n(16), w3=n(400, 64), b3=n(64), w4=n(64, 10), b4=n(10))
    z = {k: f32(r.normal(0, .01, a.shape)) for k, a in p.items()}
    v = {k: f32(r.uniform(1e-4, 2e-4, a.shape)) for k, a in p.items()}
    return {"value": predict, "grad": train}, (p, z, v, f32(5.), np.array([0, 1], np.uint32), f32(r.random((16, 28, 28, 1))), i32(r.integers(0, 10, 16)))


@fixed()
def lora_finetune():
    """LoRA of rank four on queries and values of a frozen two-layer encoder with rotary positions; classification step with Lion."""
    H, D, T = 4, 96, 24
    def rope(x):
        d = x.shape[-1] // 2
        ang = jnp.arange(T)[:, None] / 10000 ** (jnp.arange(d) / d)
        c, s = jnp.cos(ang)[:, None], jnp.sin(ang)[:, None]
        a, b = x[..., :d], x[..., d:]
        return jnp.concatenate([a * c - b * s, a * s + b * c], -1)
    rms = lambda x: x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
    def forward(lora, base, x, mask):
        for W, A in zip(base["layers"], lora["layers"]):
            h = rms(x)
            B = x.shape[0]
            q = h @ W["q"] + (h @ A["qa"]) @ A["qb"] * 2.0
            v = h @ W["v"] + (h @ A["va"]) @ A["vb"] * 2.0
            k = h @ W["k"]
            sp = lambda t: t.reshape(B, T, H, -1)
            s = jnp.einsum("bthd,bshd->bhts", rope(sp(q)), rope(sp(k))) / np.sqrt(D / H)
            s = jnp.where(mask[:, None, None], s, -1e9)
            x = x + jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s), sp(v)).reshape(B, T, D) @ W["o"]
            h = rms(x)
            x = x + (jax.nn.silu(h @ W["gate"]) * (h @ W["up"])) @ W["down"]
        pooled = jnp.sum(rms(x) * mask[..., None], 1) / jnp.sum(mask, 1, keepdims=True)
        return pooled @ lora["head"]
    def loss(lora, base, tok, mask, y):
        x = base["emb"][tok]
        lg = forward(lora, base, x, mask)
        return jnp.mean(jax.nn.logsumexp(lg, 1) - lg[jnp.arange(y.shape[0]), y])
    def train(lora, mom, base, tok, mask, y):
        l, g = jax.value_and_grad(loss)(lora, base, tok, mask, y)
        new = jax.tree.map(lambda p, m, g: p - 1e-3 * jnp.sign(0.9 * m + 0.1 * g + 1e-4), lora, mom, g)
        return new, jax.tree.map(lambda m, g: 0.99 * m + 0.01 * g, mom, g), l
    r = np.random.default_rng(55)
    n = lambda *s: f32(r.normal(0, .08, s))
    base = dict(emb=n(200, D) * 5, layers=[dict(q=n(D, D), k=n(D, D), v=n(D, D), o=n(D, D), gate=n(D, 2 * D), up=n(D, 2 * D), down=n(2 * D, D)) for _ in range(2)])
    lora = dict(layers=[dict(qa=n(D, 4), qb=n(4, D), va=n(D, 4), vb=n(4, D)) for _ in range(2)], head=n(D, 4))
    mom = jax.tree.map(lambda a: f32(r.choice([-1., 1.], a.shape)), lora)
    mask = np.arange(T) < r.integers(8, T + 1, (6, 1))
    return {"value": lambda lo, m, b, t, k, y: loss(lo, b, t, k, y), "grad": train}, (lora, mom, base, i32(r.integers(0, 200, (6, T))), mask, i32(r.integers(0, 4, 6)))


@fixed()
def ppo_update():
    """PPO for a Gaussian policy: GAE by reverse scan, four shuffled minibatches of clipped surrogate, value and entropy losses, Adam."""
    def net(p, o):
        h = jnp.tanh(o @ p["w1"] + p["b1"])
        h = jnp.tanh(h @ p["w2"] + p["b2"])
        return h @ p["pi"], (h @ p["v"])[..., 0]
    def logp(mu, ls, a):
        return jnp.sum(-0.5 * ((a - mu) / jnp.exp(ls)) ** 2 - ls - 0.919, -1)
    def gae(rew, val, done, last):
        def f(c, x):
            adv, nxt = c
            r, v, d = x
            delta = r + 0.99 * nxt * (1 - d) - v
            adv = delta + 0.99 * 0.95 * (1 - d) * adv
            return (adv, v), adv
        _, adv = jax.lax.scan(f, (jnp.zeros_like(last), last), (rew, val, done), reverse=True)
        return adv
    def loss(p, b):
        mu, v = net(p, b["obs"])
        lp = logp(mu, p["ls"], b["act"])
        ratio = jnp.exp(lp - b["lp"])
        adv = (b["adv"] - jnp.mean(b["adv"])) / (jnp.std(b["adv"]) + 1e-8)
        pg = -jnp.mean(jnp.minimum(ratio * adv, jnp.clip(ratio, 0.8, 1.2) * adv))
        vc = b["val"] + jnp.clip(v - b["val"], -0.2, 0.2)
        vl = 0.5 * jnp.mean(jnp.maximum((v - b["ret"]) ** 2, (vc - b["ret"]) ** 2))
        return pg + 0.5 * vl - 0.01 * jnp.sum(p["ls"])
    def update(p, m, s, roll, key):
        _, last = net(p, roll["next"])
        adv = gae(roll["rew"], roll["val"], roll["done"], last)
        data = dict(obs=roll["obs"], act=roll["act"], lp=roll["lp"], val=roll["val"], adv=adv, ret=adv + roll["val"])
        flat = jax.tree.map(lambda x: x.reshape((-1,) + x.shape[2:]), data)
        perm = jax.random.permutation(key, flat["adv"].shape[0])
        mb = jax.tree.map(lambda x: x[perm].reshape((4, -1) + x.shape[1:]), flat)
        def step(c, b):
            p, m, s = c
            l, g = jax.value_and_grad(loss)(p, b)
            gn = jnp.sqrt(sum(jnp.sum(a ** 2) for a in jax.tree.leaves(g)))
            g = jax.tree.map(lambda a: a * jnp.minimum(1.0, 0.5 / (gn + 1e-6)), g)
            m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, m, g)
            s = jax.tree.map(lambda a, b: 0.999 * a + 0.001 * b * b, s, g)
            p = jax.tree.map(lambda w, a, b: w - 3e-4 * a / (jnp.sqrt(b) + 1e-3), p, m, s)
            return (p, m, s), l
        (p, m, s), ls = jax.lax.scan(step, (p, m, s), mb)
        return p, m, s, ls
    r = np.random.default_rng(58)
    n = lambda *s: f32(r.normal(0, .3, s))
    p = dict(w1=n(12, 48), b1=n(48), w2=n(48, 48), b2=n(48), pi=n(48, 3) * .1, v=n(48, 1), ls=f32(np.full(3, -.5)))
    z = {k: np.zeros_like(v) for k, v in p.items()}
    T, E = 32, 8
    roll = dict(obs=n(T, E, 12) * 3, act=n(T, E, 3), rew=n(T, E), val=n(T, E), done=f32(r.random((T, E)) < .05), lp=f32(r.normal(-2.5, .3, (T, E))), next=n(E, 12))
    return {"value": lambda p, m, s, ro, k: gae(ro["rew"], ro["val"], ro["done"], net(p, ro["next"])[1]), "grad": update}, (p, z, {k: np.zeros_like(v) for k, v in p.items()}, roll, np.array([0, 21], np.uint32))


@fixed(tol=1e-3)
def qat_mlp():
    """Quantisation-aware training: per-channel weights and EMA activation ranges with straight-through rounding; value is int8 inference."""
    def fq(x, s):
        q = jnp.clip(jnp.round(x / s), -127, 127) * s
        return x + jax.lax.stop_gradient(q - x)
    def forward(p, rng, x):
        new = []
        for i in range(3):
            new.append(0.9 * rng[i] + 0.1 * jnp.max(jnp.abs(x)))
            x = fq(x, jax.lax.stop_gradient(new[-1]) / 127)
            s = jnp.max(jnp.abs(p[i]["w"]), 0) / 127 + 1e-8
            x = x @ fq(p[i]["w"], jax.lax.stop_gradient(s)) + p[i]["b"]
            if i < 2:
                x = jnp.clip(x, 0.0, 6.0)
        return x, jnp.stack(new)
    def train(p, rng, x, y):
        def loss(p):
            lg, new = forward(p, rng, x)
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(lg), y[:, None], 1)), new
        (l, new), g = jax.value_and_grad(loss, has_aux=True)(p)
        return jax.tree.map(lambda a, b: a - 0.05 * b, p, g), new, l
    def infer(p, rng, x, y):
        for i in range(3):
            sx = rng[i] / 127
            xq = jnp.clip(jnp.round(x / sx), -127, 127).astype(jnp.int8)
            sw = jnp.max(jnp.abs(p[i]["w"]), 0) / 127 + 1e-8
            wq = jnp.round(p[i]["w"] / sw).astype(jnp.int8)
            acc = jax.lax.dot_general(xq, wq, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
            x = acc.astype(jnp.float32) * (sx * sw) + p[i]["b"]
            if i < 2:
                x = jnp.clip(x, 0.0, 6.0)
        return x, jnp.mean(jnp.argmax(x, 1) == y)
    r = np.random.default_rng(54)
    dims = [64, 96, 48, 10]
    p = [dict(w=f32(r.normal(0, (1 / a) ** .5, (a, b))), b=f32(r.normal(0, .05, b))) for a, b in zip(dims, dims[1:])]
    return {"value": infer, "grad": train}, (p, f32([3., 3., 2.]), f32(r.normal(0, 1, (32, 64))), i32(r.integers(0, 10, 32)))


@fixed()
def reinforce_gridworld():
    """REINFORCE in a batch of 16 gridworlds: integer environment stepped in a scan with Gumbel sampling, returns, baseline, gradient."""
    def rollout(p, walls, start, goal, key):
        moves = jnp.array([[0, 1], [0, -1], [1, 0], [-1, 0]])
        def obs(pos):
            patch = jax.vmap(lambda w, q: jax.lax.dynamic_slice(w, (q[0], q[1]), (3, 3)))(walls, pos).reshape(pos.shape[0], 9)
            return jnp.concatenate([patch.astype(jnp.float32), (goal - pos) / 8.0], 1)
        def step(c, k):
            pos, alive = c
            lg = jax.nn.relu(obs(pos) @ p["w1"] + p["b1"]) @ p["w2"]
            a = jax.random.categorical(k, jax.lax.stop_gradient(lg))
            lp = jnp.take_along_axis(jax.nn.log_softmax(lg), a[:, None], 1)[:, 0]
            ent = -jnp.sum(jax.nn.softmax(lg) * jax.nn.log_softmax(lg), 1)
            new = jnp.clip(pos + moves[a], 0, 7)
            blocked = walls[jnp.arange(16), new[:, 0] + 1, new[:, 1] + 1]
            new = jnp.where((blocked | ~alive)[:, None], pos, new)
            won = jnp.all(new == goal, 1) & alive
            rew = jnp.where(won, 1.0, -0.02) * alive
            return (new, alive & ~won), (lp * alive, rew, ent * alive)
        _, (lp, rew, ent) = jax.lax.scan(step, (start, jnp.ones(16, bool)), jax.random.split(key, 30))
        def ret(g, r):
            g = r + 0.95 * g
            return g, g
        _, G = jax.lax.scan(ret, jnp.zeros(16), rew, reverse=True)
        return lp, G, ent, rew
    def loss(p, walls, start, goal, key):
        lp, G, ent, rew = rollout(p, walls, start, goal, key)
        A = (G - jnp.mean(G)) / (jnp.std(G) + 1e-6)
        return -jnp.mean(jnp.sum(lp * jax.lax.stop_gradient(A), 0)) - 0.01 * jnp.mean(ent)
    r = np.random.default_rng(61)
    w = np.ones((16, 10, 10), bool)
    w[:, 1:9, 1:9] = r.random((16, 8, 8)) < .2
    st, go = r.integers(0, 8, (16, 2)), r.integers(0, 8, (16, 2))
    p = dict(w1=f32(r.normal(0, .4, (11, 32))), b1=f32(np.zeros(32)), w2=f32(r.normal(0, .3, (32, 4))))
    return {"value": lambda *a: rollout(*a)[1], "grad": jax.value_and_grad(loss)}, (p, w, i32(st), i32(go), np.array([0, 6], np.uint32))


@fixed()
def simclr_ntxent():
    """SimCLR on 16x16 images: random flips and shifts by a key, small strided CNN with group norm, NT-Xent loss over 32 views, LARS step."""
    def augment(key, x):
        def one(k, im):
            a, b, c = jax.random.split(k, 3)
            im = jnp.where(jax.random.bernoulli(a), im[:, ::-1], im)
            dx = jax.random.randint(b, (2,), 0, 5)
            im = jax.lax.dynamic_slice(jnp.pad(im, ((2, 2), (2, 2), (0, 0))), (dx[0], dx[1], 0), (16, 16, 3))
            return im * jax.random.uniform(c, (1, 1, 3), minval=0.7, maxval=1.3)
        return jax.vmap(one)(jax.random.split(key, x.shape[0]), x)
    def gn(x):
        B, H, W, C = x.shape
        y = x.reshape(B, H, W, 4, C // 4)
        m = jnp.mean(y, (1, 2, 4), keepdims=True)
        v = jnp.var(y, (1, 2, 4), keepdims=True)
        return ((y - m) * jax.lax.rsqrt(v + 1e-5)).reshape(x.shape)
    def encode(p, x):
        for k in ("c1", "c2", "c3"):
            x = jax.lax.conv_general_dilated(x, p[k], (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            x = jax.nn.silu(gn(x))
        z = jnp.mean(x, (1, 2)) @ p["proj"]
        return z / jnp.linalg.norm(z, axis=1, keepdims=True)
    def loss(p, key, x):
        k1, k2 = jax.random.split(key)
        z = encode(p, jnp.concatenate([augment(k1, x), augment(k2, x)]))
        n = x.shape[0]
        s = z @ z.T / 0.2 - 1e9 * jnp.eye(2 * n)
        pos = jnp.roll(jnp.arange(2 * n), n)
        return jnp.mean(jax.nn.logsumexp(s, 1) - s[jnp.arange(2 * n), pos])
    def train(p, key, x):
        l, g = jax.value_and_grad(loss)(p, key, x)
        def lars(w, g):
            r = jnp.linalg.norm(w) / (jnp.linalg.norm(g) + 1e-4 * jnp.linalg.norm(w) + 1e-9)
            return w - 0.02 * r * (g + 1e-4 * w)
        return jax.tree.map(lars, p, g), l
    r = np.random.default_rng(56)
    n = lambda *s: f32(r.normal(0, (2 / np.prod(s[:-1])) ** .5, s))
    p = dict(c1=n(3, 3, 3, 16), c2=n(3, 3, 16, 24), c3=n(3, 3, 24, 32), proj=n(32, 32))
    return {"value": loss, "grad": train}, (p, np.array([0, 17], np.uint32), f32(r.random((16, 16, 16, 3))))


@fixed()
def two_tower_recsys():
    """Two-tower recommender: histories in bags by segment_sum, in-batch softmax with popularity correction, row-wise Adagrad; value ranks top 10."""
    def towers(p, b):
        w = jax.nn.sigmoid(p["age"] * b["age"])
        e = p["item"][b["hist"]] * w[:, None]
        s = jax.ops.segment_sum(e, b["bag"], 64) / (jax.ops.segment_sum(w, b["bag"], 64)[:, None] + 1e-6)
        u = jax.nn.relu(jnp.concatenate([s, p["user"][b["user"]]], 1) @ p["wu1"]) @ p["wu2"]
        v = jax.nn.relu(jnp.concatenate([p["item"][b["target"]], p["cat"][b["cat"]]], 1) @ p["wi1"]) @ p["wi2"]
        norm = lambda x: x / jnp.sqrt(jnp.sum(x * x, 1, keepdims=True) + 1e-6)
        return norm(u), norm(v)
    def loss(p, b):
        u, v = towers(p, b)
        lg = u @ v.T / 0.1 - b["logq"]
        same = (b["target"][:, None] == b["target"][None]) & ~jnp.eye(64, dtype=bool)
        lg = jnp.where(same, -1e9, lg)
        return jnp.mean(jax.nn.logsumexp(lg, 1) - jnp.diag(lg))
    def train(p, acc, b):
        l, g = jax.value_and_grad(loss)(p, b)
        acc = jax.tree.map(lambda a, g: a + jnp.mean(g * g, -1) if g.ndim > 1 else a + g * g, acc, g)
        up = lambda w, a, g: w - 0.05 * g / jnp.sqrt((a[..., None] if g.ndim > 1 else a) + 1e-6)
        return jax.tree.map(up, p, acc, g), acc, l
    def rank(p, acc, b):
        u, v = towers(p, b)
        s, i = jax.lax.top_k(u @ v.T, 10)
        hit = jnp.any(i == jnp.arange(64)[:, None], 1)
        return s, jnp.mean(hit)
    r = np.random.default_rng(60)
    n = lambda *s: f32(r.normal(0, .2, s))
    p = dict(item=n(2000, 24), user=n(500, 16), cat=n(30, 8), age=f32(-.2), wu1=n(40, 48), wu2=n(48, 24), wi1=n(32, 48), wi2=n(48, 24))
    acc = {k: f32(np.full(v.shape[:-1] if v.ndim > 1 else v.shape, .01)) for k, v in p.items()}
    b = dict(hist=i32(np.minimum(r.zipf(1.3, 600), 2000) - 1), bag=i32(np.sort(r.integers(0, 64, 600))), age=f32(r.exponential(3, 600)), user=i32(r.integers(0, 500, 64)),
             target=i32(np.minimum(r.zipf(1.3, 64), 2000) - 1), cat=i32(r.integers(0, 30, 64)), logq=f32(r.normal(-6, 1, 64)))
    return {"value": rank, "grad": train}, (p, acc, b)
