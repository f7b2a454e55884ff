"""Cases of make_transforms.py: `vmap`, named axes, loops and branches."""
import jax
import jax.numpy as jnp
from jax import lax
from make_transforms import all_modes, case, forward_modes, numbers

AROUND = [(0, 1), (1, 2), (2, 3), (3, 0)]


def named(one, **axes):
    return jax.vmap(one, axis_name="i", **axes)


def grid(one):
    """Rows along `i`, columns along `j`."""
    return jax.vmap(jax.vmap(one, axis_name="j"), axis_name="i")


# Of a vector of four, which is one of four.
EXCHANGES = {
    "psum": lambda x: x * lax.psum(jnp.sin(x), "i"),
    "pmean": lambda x: jnp.exp(x) - x * lax.pmean(x, "i"),
    "all_gather": lambda x: lax.all_gather(jnp.sin(x), "i") @ x,
    "psum_scatter": lambda x: lax.psum_scatter(jnp.exp(x), "i") * x,
    "ppermute around": lambda x: x * lax.ppermute(jnp.sin(x), "i", AROUND),
    "ppermute of a kind": lambda x: x * lax.ppermute(jnp.exp(x), "i", [(0, 3), (3, 1), (1, 0), (2, 2)]),
    "axis_index": lambda x: jnp.sin(lax.axis_index("i") * x) * lax.axis_size("i"),
    "all_to_all": lambda x: lax.all_to_all(jnp.sin(x), "i", 0, 0) * x,
}


def exchanges():
    def batch(one, x):
        weights = jnp.cos(numbers(4, 4))
        loss = lambda x: (named(one)(x) * weights).sum()
        slope = jax.jvp(named(one), (x,), (weights,))[1]
        return named(one)(x), jax.grad(loss)(x), slope, jax.grad(lambda x: jnp.sin(jax.grad(loss)(x)).sum())(x)

    def each(one, x):
        weights = jnp.cos(numbers(4, 4))
        reverse = named(jax.grad(lambda x, w: (one(x) * w).sum()))(x, weights)
        return reverse, named(lambda x, t: jax.jvp(one, (x,), (t,))[1])(x, weights)

    for name, one in EXCHANGES.items():
        case(f"{name}, of a batch", (4, 4), lambda x: batch(one, x))
        # JAX transposes it for an example to a type that does not fit.
        if name != "all_to_all":
            case(f"{name}, for each example", (4, 4), lambda x: each(one, x))


def collectives():
    case("pmax and pmin", (4, 3), named(lambda x: x * lax.pmax(2 * x, "i") + lax.pmin(jnp.cos(x), "i")))
    case("all_to_all from one dimension to another", (3, 2, 3), named(lambda x: (lax.all_to_all(x, "i", 1, 0), lax.all_to_all(jnp.sin(x), "i", 1, 1))))
    case("collectives of trees", (4, 3), named(lambda x: (lax.psum((x, x.sum()), "i"), lax.pmean({"a": x, "b": x[0]}, "i"))))

    def two(x):
        index = lax.axis_index(("i", "j"))
        return x / lax.psum(jnp.exp(x), ("i", "j")) + lax.pmean(x, ("j", "i")) * index

    def nested(x):
        sides = lax.ppermute(x, "j", [(0, 1), (1, 2), (2, 0)]) - lax.ppermute(x, "i", [(0, 1), (1, 0)])
        return x * lax.psum(x, "i") + lax.pmean(sides, "j") * lax.axis_index("j")

    weigh = lambda f: lambda x: (f(x), jax.grad(lambda x: (f(x) * jnp.cos(numbers(*x.shape))).sum())(x))
    case("two axes at once", (2, 3), weigh(grid(two)))
    case("one axis in another", (2, 3), weigh(grid(nested)))
    shadowed = lambda x: named(lambda x: x / lax.psum(jnp.exp(x), "i"))(x) + lax.psum(x, "i")
    case("one name for two axes", (2, 3), weigh(named(shadowed)))

    scanned = lambda x: lax.scan(lambda c, x: ((h := jnp.tanh(c * 0.5 + x)) - lax.pmean(h, "i"), h), jnp.float64(0.1), x)[1]
    case("pmean in a scan", (4, 3), weigh(named(scanned)))
    case("pmean in a counted loop", (4, 3), weigh(named(lambda x: lax.fori_loop(0, 3, lambda _, x: (x - lax.pmean(x, "i")) * 0.5 + jnp.sin(x), x))))
    branch = lambda x: lax.cond(lax.psum(x.sum(), "i") < 0, lambda x: x * lax.psum(x, "i"), jnp.exp, x)
    case("psum in a branch of all", (4, 3), weigh(named(branch)))
    small = lambda x: lax.while_loop(lambda x: lax.pmax(jnp.abs(x), "i") > 0.5, lambda x: x * 0.7 + lax.pmean(x * x, "i") * 0.05, x)
    case("pmax in a loop that all leave together", (5,), lambda x: (named(small)(x), jax.jacfwd(named(small))(x)))

    def ruled(x):
        # What it gives differs from example to example: JAX adds up the cotangents of what does not.
        share = jax.custom_vjp(lambda x: x * lax.psum(x, "i"))
        share.defvjp(lambda x: (x * lax.psum(x, "i"), x), lambda x, g: (lax.psum(g * x, "i") * 3 + g,))
        return share(jnp.sin(x)) * x

    case("psum in a custom_vjp", (5,), weigh(named(ruled)))

    def normalized(w, x):
        centred = x - lax.pmean(x, "i")
        y = centred / jnp.sqrt(lax.pmean(centred**2, "i") + 1e-2)
        return jnp.tanh(w @ y).sum()

    w = jnp.sin(numbers(2, 3))
    case("batch normalization by shared weights", (4, 3), lambda x: jax.value_and_grad(lambda w: (named(normalized, in_axes=(None, 0))(w, x) ** 2).mean())(w))

    def step(w, x):
        return w - 0.1 * lax.pmean(jax.grad(lambda w: (jnp.tanh(w @ x) ** 2).sum())(w), "i")

    case("a step of training", (4, 3), lambda x: named(step, in_axes=(None, 0), out_axes=None)(w, x))


def axes():
    dot = lambda x, y: x @ y
    case("in_axes by argument", (3, 4), lambda x: jax.vmap(dot, in_axes=(0, -1))(x, jnp.cos(x).T))
    case("in_axes of none", (3, 4), lambda x: jax.vmap(lambda w, x: w * x.sum() + w @ x, in_axes=(None, 1))(jnp.sin(x[:, 0]), x))
    layer = lambda p, x: (p[0] @ x + p[1], x.sum())
    case("in_axes and out_axes by leaf", (3, 4), lambda x: jax.vmap(layer, ((None, 0), 1), (1, 0))((jnp.sin(x.T @ x)[:3, :3], jnp.cos(x.T)), x))
    case("out_axes, the last", (3, 4), lambda x: jax.vmap(lambda x: jnp.outer(x, x), in_axes=1, out_axes=-1)(x))
    case("out_axes of none", (3, 4), lambda x: jax.vmap(lambda x, y: (x * 2, jnp.sin(y)), (0, None), (0, None))(x, x[0]))
    far = lambda x, y: jnp.exp(-((x - y) ** 2).sum())
    case("pairs by two vmaps", (3, 2), lambda x: jax.vmap(jax.vmap(far, (0, None)), (None, 1), 1)(x, jnp.cos(x).T))
    case("three deep", (2, 3, 2, 2), jax.vmap(jax.vmap(jax.vmap(lambda x: x.sum() * x, 1, 1), 0, 1), 1))
    case("axis_size alone", (3,), lambda x: jax.vmap(jnp.sin, in_axes=None, axis_size=4)(x))
    byname = lambda p: {"far": p["x"] * p["y"], "near": p["x"].sum()}
    case("in_axes by name", (3, 2), lambda x: jax.vmap(byname, ({"x": 1, "y": None},), {"far": 1, "near": 0})({"x": x, "y": x[:, 0]}))

    loss = lambda w, x: (jnp.tanh(w @ x) * x[:2]).sum()
    w = jnp.sin(numbers(2, 3))
    case("gradients for each example", (4, 3), lambda x: jax.vmap(jax.grad(loss, (0, 1)), (None, 0))(w, x))
    case("Jacobians for each example", (4, 3), lambda x: jax.vmap(jax.jacrev(lambda w, x: jnp.tanh(w @ x), (0, 1)), (None, 0))(w, x))
    case("Hessians for each example", (3, 4), lambda x: jax.vmap(jax.hessian(lambda x: (jnp.sin(x) * x).sum() * x[0]), in_axes=1)(x))
    case("vjp for each example", (4, 3), lambda x: jax.vmap(lambda x, g: jax.vjp(lambda x: jnp.cumsum(jnp.sin(x)), x)[1](g))(x, jnp.cos(x)))
    case("gradient of a batch along another axis", (3, 4), lambda x: jax.grad(lambda x: jnp.sin(jax.vmap(far, (1, None))(x, x[:, 0])).sum())(x))


# Of vectors of three.
CONTROL = {
    "cond": lambda x: lax.cond(x.sum() > 0, lambda x: jnp.exp(x) * x, jnp.sin, x),
    "switch": lambda x: lax.switch(jnp.floor(x[0] * 2).astype(int) + 1, [jnp.sin, lambda x: x * x, lambda x: x.sum() * x], x),
    "fori_loop": lambda x: lax.fori_loop(0, 4, lambda k, c: jnp.sin(c * x) + k * 0.1, x),
    "scan": lambda x: (lambda r: r[0] * r[1])(lax.scan(lambda c, x: (jnp.sin(c * x) + x, c * c), 0.5 * x.sum(), x)),
    "scan in reverse": lambda x: lax.scan(lambda c, x: ((c[0] * x, c[1] + jnp.cos(c[0])), c[0] * c[1]), (x[0], 2 * x[1]), x, reverse=True)[1],
    "scan without inputs": lambda x: lax.scan(lambda c, _: (jnp.tanh(c * 1.5), None), x, length=3)[0],
    "associative_scan": lambda x: lax.associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (jnp.cos(x), x))[1],
    "map": lambda x: lax.map(lambda v: jnp.sin(v * x).sum(), x),
    "cond in a scan": lambda x: lax.scan(lambda c, v: ((d := lax.cond(v > 0, lambda c: c * v, lambda c: jnp.cos(c) + v, c)), d), x.sum(), x)[1],
    "scan in a cond": lambda x: lax.cond(x[1] > 0, lambda x: lax.scan(lambda c, v: (c * v + 1, jnp.sin(c)), x[0], x)[1], lambda x: x**3, x),
}
LOOPS = {
    "while": lambda x: lax.while_loop(lambda c: (c * c).sum() < 20, lambda c: c * 1.5 + 0.1 * jnp.sin(x), x),
    "while with a counter": lambda x: (lambda r: r[0] * r[1])(lax.while_loop(lambda r: (r[0].sum() > 0.1) & (r[1] < 5), lambda r: (jnp.sin(r[0]) * 0.8, r[1] + 1), (x, jnp.array(1)))),
    "while in a scan": lambda x: lax.scan(lambda c, v: ((d := lax.while_loop(lambda c: c < 3, lambda c: c + v * v + 0.5, c)) * 0.5, d), x.sum(), x)[1],
    "cond in a while": lambda x: lax.while_loop(lambda c: jnp.abs(c).sum() < 9, lambda c: lax.cond(c[0] > 0, lambda c: c * 1.7, lambda c: 0.3 - c * 1.3, c), x),
    "a count that is data": lambda x: lax.fori_loop(0, jnp.floor(x[0] + 3).astype(int), lambda k, c: jnp.sin(c) * x + k, x),
}


def cases():
    exchanges()
    collectives()
    axes()
    for name, one in CONTROL.items():
        case(f"{name}, of a batch", (4, 3), lambda x: all_modes(one, x))
    for name, one in LOOPS.items():
        case(f"{name}, of a batch", (4, 3), lambda x: forward_modes(one, x))
