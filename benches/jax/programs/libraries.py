"""Libraries that users build on, as they ship: what is not installed is left out."""

import jax
import jax.numpy as jnp
import numpy as np

from . import bound, program


@program("numpyro: NUTS on eight schools", needs=("numpyro",))
def eight_schools():
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import MCMC, NUTS

    effects = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
    errors = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])

    def model(errors, effects):
        mu = numpyro.sample("mu", dist.Normal(0, 5))
        tau = numpyro.sample("tau", dist.HalfCauchy(5))
        with numpyro.plate("schools", 8):
            raw = numpyro.sample("raw", dist.Normal(0, 1))
            numpyro.sample("y", dist.Normal(mu + tau * raw, errors), obs=effects)

    sampler = MCMC(NUTS(model), num_warmup=500, num_samples=1000, progress_bar=False)

    def run():
        sampler.run(jax.random.PRNGKey(0), errors, effects)
        # Chains of other roundings part: what they share is the distribution, whose mean is near 4.4.
        return abs(jnp.mean(sampler.get_samples()["mu"]) - 4.4) < 1.5

    return run


@program("numpyro: variational inference, 500 steps", needs=("numpyro",))
def variational():
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import SVI, Trace_ELBO
    from numpyro.infer.autoguide import AutoNormal

    data = np.random.RandomState(0)
    x = data.randn(300, 5)
    y = (data.rand(300) < 1 / (1 + np.exp(-x @ np.arange(5)))).astype(float)

    def model(x, y):
        w = numpyro.sample("w", dist.Normal(jnp.zeros(5), 1).to_event(1))
        numpyro.sample("y", dist.Bernoulli(logits=x @ w), obs=y)

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.01), Trace_ELBO())
    return lambda: svi.run(jax.random.PRNGKey(0), 500, x, y, progress_bar=False).losses[-100:].mean()


@program("diffrax: gradient through an adaptive Lotka-Volterra solve", x64=True, needs=("diffrax",))
def lotka():
    import diffrax

    def field(t, y, p):
        return jnp.stack([p[0] * y[0] - p[1] * y[0] * y[1], -p[2] * y[1] + p[3] * y[0] * y[1]])

    def loss(p):
        solution = diffrax.diffeqsolve(
            diffrax.ODETerm(field),
            diffrax.Tsit5(),
            t0=0,
            t1=20,
            dt0=0.1,
            y0=jnp.array([10.0, 10.0]),
            args=p,
            saveat=diffrax.SaveAt(ts=jnp.linspace(0, 20, 50)),
            stepsize_controller=diffrax.PIDController(rtol=1e-6, atol=1e-6),
        )
        return jnp.mean(solution.ys**2)

    return bound(jax.value_and_grad(loss), jnp.array([1.1, 0.4, 0.4, 0.1]))


@program("diffrax: neural differential equation, training step", needs=("diffrax", "equinox", "optax"))
def neural_ode():
    import diffrax
    import equinox as eqx
    import optax

    net = eqx.nn.MLP(2, 2, 32, 2, activation=jax.nn.softplus, key=jax.random.PRNGKey(0))
    optimizer = optax.adabelief(3e-3)
    state = optimizer.init(eqx.filter(net, eqx.is_inexact_array))
    ts = jnp.linspace(0, 5, 30)
    starts = jnp.asarray(np.random.RandomState(1).rand(32, 2), "f4")
    targets = jnp.stack([jnp.stack([jnp.cos(ts + a), jnp.sin(ts * b)], 1) for a, b in np.asarray(starts)])

    def solve(net, y0):
        field = diffrax.ODETerm(lambda t, y, net: net(y))
        grid = diffrax.SaveAt(ts=ts)
        return diffrax.diffeqsolve(field, diffrax.Heun(), 0, 5, 0.1, y0, net, saveat=grid).ys

    @eqx.filter_value_and_grad
    def loss(net):
        return jnp.mean((jax.vmap(solve, (None, 0))(net, starts) - targets) ** 2)

    @eqx.filter_jit
    def step(net, state):
        value, grads = loss(net)
        updates, state = optimizer.update(grads, state)
        return value, eqx.apply_updates(net, updates)

    return lambda: jax.tree.leaves(eqx.filter(step(net, state), eqx.is_array))


@program("flax: training step of a convolutional network with optax", needs=("flax", "optax"))
def digits():
    import optax
    from flax import linen as nn

    class Net(nn.Module):
        @nn.compact
        def __call__(self, x):
            for width in (16, 32):
                x = nn.relu(nn.Conv(width, (3, 3))(x))
                x = nn.avg_pool(x, (2, 2), strides=(2, 2))
            x = nn.relu(nn.Dense(128)(x.reshape(x.shape[0], -1)))
            return nn.Dense(10)(x)

    data = np.random.RandomState(2)
    images, labels = data.rand(64, 28, 28, 1).astype("f4"), data.randint(0, 10, 64)
    net = Net()
    params = net.init(jax.random.PRNGKey(0), images)
    optimizer = optax.adamw(1e-3)

    def step(params, state, images, labels):
        def loss(params):
            logits = net.apply(params, images)
            return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

        value, grads = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(grads, state, params)
        return value, optax.apply_updates(params, updates), state

    return bound(step, params, optimizer.init(params), images, labels)


@program("flax: training step of a small transformer with optax", needs=("flax", "optax"))
def language():
    import optax
    from flax import linen as nn

    class Block(nn.Module):
        @nn.compact
        def __call__(self, x, mask):
            x = x + nn.SelfAttention(4, use_bias=False)(nn.LayerNorm()(x), mask)
            return x + nn.Dense(64)(nn.gelu(nn.Dense(256)(nn.LayerNorm()(x))))

    class Model(nn.Module):
        @nn.compact
        def __call__(self, tokens):
            x = nn.Embed(100, 64)(tokens) + nn.Embed(64, 64)(jnp.arange(64))
            for _ in range(2):
                x = Block()(x, nn.make_causal_mask(tokens))
            return nn.Dense(100)(nn.LayerNorm()(x))

    tokens = np.random.RandomState(3).randint(0, 100, (8, 65))
    model = Model()
    params = model.init(jax.random.PRNGKey(0), tokens[:, :-1])
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(1e-3))

    def step(params, state, tokens):
        def loss(params):
            logits = model.apply(params, tokens[:, :-1])
            return optax.softmax_cross_entropy_with_integer_labels(logits, tokens[:, 1:]).mean()

        value, grads = jax.value_and_grad(loss)(params)
        updates, state = optimizer.update(grads, state, params)
        return value, optax.apply_updates(params, updates)

    return bound(step, params, optimizer.init(params), tokens)


@program("equinox: recurrent network of gates, gradient", needs=("equinox",))
def gated():
    import equinox as eqx

    class Model(eqx.Module):
        cell: eqx.nn.GRUCell
        head: eqx.nn.Linear

        def __call__(self, xs):
            step = lambda h, x: (self.cell(x, h), None)
            return self.head(jax.lax.scan(step, jnp.zeros(32), xs)[0])

    keys = jax.random.split(jax.random.PRNGKey(0), 2)
    model = Model(eqx.nn.GRUCell(2, 32, key=keys[0]), eqx.nn.Linear(32, 1, key=keys[1]))
    xs = jnp.asarray(np.random.RandomState(4).randn(32, 50, 2), "f4")

    @eqx.filter_jit
    @eqx.filter_grad
    def gradient(model, xs):
        return jnp.mean((jax.vmap(model)(xs)[:, 0] - xs.sum((1, 2))) ** 2)

    return lambda: jax.tree.leaves(eqx.filter(gradient(model, xs), eqx.is_array))


@program("blackjax: 500 steps of Hamiltonian Monte Carlo on a regression", needs=("blackjax",))
def regression():
    import blackjax

    data = np.random.RandomState(5)
    x = data.randn(500, 10).astype("f4")
    y = (x @ np.linspace(-1, 1, 10) + 0.5 * data.randn(500)).astype("f4")

    def density(p):
        residual = y - x @ p["w"]
        scale = jnp.exp(p["s"])
        return -0.5 * jnp.sum((residual / scale) ** 2) - 500 * p["s"] - 0.5 * jnp.sum(p["w"] ** 2)

    kernel = blackjax.hmc(density, 0.005, jnp.ones(11), 20)
    start = kernel.init({"w": jnp.zeros(10), "s": jnp.zeros(())})

    @jax.jit
    def run(key, state):
        step = lambda state, key: (kernel.step(key, state)[0], None)
        state, _ = jax.lax.scan(step, state, jax.random.split(key, 500))
        # Chains of other roundings part: all of them end near the true weights.
        return jnp.abs(state.position["w"] - np.linspace(-1, 1, 10)) < 0.25

    return lambda: run(jax.random.PRNGKey(0), start)


@program("optimistix: Levenberg-Marquardt on a fit of exponentials", x64=True, needs=("optimistix",))
def exponentials():
    import optimistix

    ts = jnp.linspace(0, 4, 200)
    ys = 2 * jnp.exp(-0.5 * ts) + 0.7 * jnp.exp(-2.0 * ts) + 0.01 * jnp.sin(40 * ts)

    def residuals(p, args):
        return p[0] * jnp.exp(-p[1] * ts) + p[2] * jnp.exp(-p[3] * ts) - args

    solver = optimistix.LevenbergMarquardt(rtol=1e-8, atol=1e-8)
    fit = lambda start, ys: optimistix.least_squares(residuals, solver, start, args=ys).value
    return bound(fit, jnp.array([1.0, 0.3, 1.0, 3.0]), ys)
