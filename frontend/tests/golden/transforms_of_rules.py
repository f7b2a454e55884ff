"""Cases of make_transforms.py: derivatives of the user's, equations, checkpoints, checks."""
import re

import jax
import jax.numpy as jnp
from jax import lax
from jax.ad_checkpoint import checkpoint_name
from jax.experimental import checkify
from make_transforms import all_modes, case, numbers, reverse_modes

# Wrong on purpose, so that it shows whether the rule was taken.
sine = jax.custom_jvp(jnp.sin)
sine.defjvp(lambda x, t: (jnp.sin(x[0]), t[0] * jnp.cos(x[0]) * 3))

scaled = jax.custom_jvp(lambda a, b: a * jnp.exp(b))
scaled.defjvp(lambda x, t: (x[0] * jnp.exp(x[1]), 2 * t[0] * jnp.exp(x[1]) + 5 * t[1] * x[0] * x[1]))

# The rules of JAX may call their functions. Ours are traced where they are given, so they do not.
of_polar = lambda p: {"far": p[0] * jnp.cos(p[1]), "side": p[0] * jnp.sin(p[1])}
polar = jax.custom_jvp(of_polar)
polar.defjvp(lambda x, t: (of_polar(*x), {"far": t[0][0] * x[0][1], "side": t[0][1] * x[0][0] + t[0][0]}))

product = jax.custom_vjp(lambda a, b: a * b)
product.defvjp(lambda a, b: (a * b, (a, b)), lambda s, g: (g * s[1] * 10, g * s[0]))

clipped = jax.custom_vjp(lambda x: x)
clipped.defvjp(lambda x: (x, ()), lambda _, g: (jnp.clip(g, -0.5, 0.5),))

of_summed = lambda p: (p["a"] * p["b"], p["a"].sum())
summed = jax.custom_vjp(of_summed)
summed.defvjp(
    lambda p: (of_summed(p), {"b": p["b"], "s": jnp.sin(p["a"])}),
    lambda s, g: ({"a": g[0] * s["b"] + g[1], "b": g[0] * s["s"]},),
)

double = jax.custom_vjp(lambda x: sine(x) * 2)
double.defvjp(lambda x: (sine(x) * 2, x), lambda x, g: (g * sine(x),))


def power(n):
    f = jax.custom_jvp(lambda x: x**n)
    f.defjvp(lambda x, t: (x[0] ** n, t[0] * (n + 1) * x[0] ** (n - 1)))
    return f


JVP_RULES = {
    "custom_jvp": lambda x: sine(x) * x,
    "custom_jvp of two": lambda x: scaled(jnp.cos(x), x),
    "custom_jvp of trees": lambda x: (lambda d: d["far"] * d["side"])(polar((jnp.exp(x), x))),
    "custom_jvp in itself": lambda x: sine(sine(x) * 2),
    "custom_jvp with a number": lambda x: power(3)(x) + power(2)(jnp.sin(x)),
    "custom_jvp in a scan": lambda x: lax.scan(lambda c, v: ((d := sine(c) * v), d), x.sum(), x)[1],
    "custom_jvp in a cond": lambda x: lax.cond(x[0] > 0, sine, lambda x: scaled(x, x), x),
}
VJP_RULES = {
    "custom_vjp": lambda x: product(jnp.sin(x), x),
    "custom_vjp that clips": lambda x: clipped(x) ** 3,
    "custom_vjp of trees": lambda x: (lambda r: r[0] * r[1])(summed({"a": jnp.cos(x), "b": jnp.exp(x)})),
    "custom_vjp of a custom_jvp": lambda x: double(x) * x,
    "custom_vjp in a scan": lambda x: lax.scan(lambda c, v: ((d := product(c, v) + v), d), x.sum(), x)[1],
    "custom_vjp in a counted loop": lambda x: lax.fori_loop(0, 3, lambda _, c: product(c, jnp.cos(x)), jnp.sin(x)),
    "custom_vjp in a cond": lambda x: lax.cond(x[0] > 0, lambda x: product(x, jnp.exp(x)), jnp.sin, x),
}


def rules():
    for name, one in JVP_RULES.items():
        case(name, (4, 3), lambda x: all_modes(one, x))
    for name, one in VJP_RULES.items():
        case(name, (4, 3), lambda x: reverse_modes(one, x))
    batch = lambda w, x: jax.vmap(lambda w, x: product(w, x).sum(), (None, 0))(w, x)
    case("custom_vjp of what examples share", (4, 3), lambda x: jax.grad(lambda w, x: jnp.sin(batch(w, x)).sum(), (0, 1))(x[0], jnp.cos(x)))
    shared = lambda w, x: jax.vmap(scaled, (None, 0))(w, x)
    case("custom_jvp of what examples share", (4, 3), lambda x: jax.grad(lambda w, x: jnp.sin(shared(w, x)).sum(), (0, 1))(x[0], jnp.cos(x)))


def matrix(x):
    return 3 * jnp.eye(3) + jnp.outer(jnp.sin(x), jnp.cos(2 * x))


def direct(product, b):
    """By the matrix that the products make."""
    return jnp.linalg.solve(jnp.stack([product(e) for e in jnp.eye(3)], 1), b)


def solve(m, b):
    return lax.custom_linear_solve(lambda v: m @ v, b, direct, direct)


def cube_root(a):
    newton = lambda f, start: lax.fori_loop(0, 60, lambda _, z: z - f(z) / (3 * z**2 + 1), start)
    return lax.custom_root(lambda z: z**3 + z - a, jnp.zeros(3), newton, lambda j, y: y / j(jnp.ones(3)))


def system(x):
    m = jnp.sin(numbers(3, 3)) * 0.5
    settle = lambda f, start: lax.fori_loop(0, 80, lambda _, z: z - f(z), start)
    return lax.custom_root(lambda z: z + 0.3 * jnp.sin(m @ z) * x - jnp.cos(x), jnp.zeros(3), settle, direct)


def gradients(x):
    """By conjugate gradients, of a tree."""
    m = matrix(x)
    m = m.T @ m
    of = lambda v: (m @ v[0], v[1] * 2)
    cg = lambda a, b: jax.scipy.sparse.linalg.cg(a, b, tol=1e-15, maxiter=50)[0]
    v, w = lax.custom_linear_solve(of, (jnp.cos(x), jnp.sin(x)), cg, symmetric=True)
    return v + w


EQUATIONS = {
    "custom_linear_solve": lambda x: solve(matrix(x), jnp.exp(x)),
    "custom_linear_solve of a vector": lambda x: solve(matrix(numbers(3)), jnp.exp(x)),
    "custom_linear_solve of a matrix": lambda x: solve(matrix(x), numbers(3)),
    "custom_linear_solve in a scan": lambda x: lax.scan(lambda c, v: ((d := solve(matrix(x), c) * v), d.sum()), jnp.exp(x), x)[1],
    "custom_linear_solve of a tree": gradients,
    "custom_root": lambda x: cube_root(jnp.exp(x)),
    "custom_root of a system": system,
}


def layer(x):
    w = jnp.sin(jnp.outer(x, jnp.cos(x)))
    return jnp.tanh(checkpoint_name(w @ x, "product")) * jnp.exp(x)


policies = jax.checkpoint_policies
CHECKPOINTS = {
    "checkpoint": jax.checkpoint(layer),
    "checkpoint that keeps contractions": jax.checkpoint(layer, policy=policies.dots_saveable),
    "checkpoint that keeps names": jax.checkpoint(layer, policy=policies.save_only_these_names("product")),
    "checkpoint that keeps everything": jax.checkpoint(layer, policy=policies.everything_saveable),
    "checkpoint in a checkpoint": jax.checkpoint(lambda x: jax.checkpoint(layer)(jax.checkpoint(jnp.sin)(x)) * x),
    "checkpoint in a scan": lambda x: lax.scan(jax.checkpoint(lambda c, v: ((d := layer(c) * v), d.sum())), x, x)[1],
    "checkpoint of a branch": jax.checkpoint(lambda x: lax.cond(x.sum() > 0, layer, jnp.sin, x)),
}


def told(err, batch):
    """Which examples failed, and of each: the number of the check, what it is told of, the index. NaN for what is not there."""
    lines = (err.get() or "").split("\n") if err.get() else []
    number = lambda pattern, line: float(m.group(1)) if (m := re.search(pattern, line)) else jnp.nan
    numbers = lambda line: [number(r"check (\d+) of", line), number(r"check \d+ of (\S+)", line), number(r"index (-?\d+) is", line)]
    if batch is None:
        return [float(bool(lines)), jnp.array(numbers(lines[0] if lines else ""))]
    failed = [int(re.match(r"at mapped index (\d+): ", line).group(1)) for line in lines]
    first = numbers(lines[0]) + [float(failed[0])] if failed else [jnp.nan] * 4
    return [jnp.array([float(k in failed) for k in range(batch)]), jnp.array(first)]


def two(x):
    checkify.check(x > 0, "check 1 of {v}", v=x)
    y = jnp.log(x)
    checkify.check(y < 1, "check 2 of {v}", v=y)
    return y * 2


def scanned(x):
    def step(c, v):
        c = c - v
        checkify.check(c > 0, "check 1 of {c}", c=c)
        return c, c * v

    c, all = lax.scan(step, x, jnp.array([1.0, 2.0, 3.0]))
    checkify.check(c < 3, "check 2 of {c}", c=c)
    return all


def branches(x):
    def low(x):
        checkify.check(x != -1.5, "check 1 of {x}", x=x)
        return x * 2

    def high(x):
        checkify.check(x < 4, "check 2 of {x}", x=x)
        return x + 1

    return lax.cond(x < 0, low, high, x)


def looped(x):
    def step(x):
        checkify.check(x != 5, "check 1 of {x}", x=x)
        return x * 2 + 1

    return lax.while_loop(lambda x: x < 20, step, x)


def checks():
    def alone(name, f, *values):
        for k, v in enumerate(values):
            case(f"checks of {name}, {k + 1}", (), lambda _: (lambda e, y: (told(e, None), y))(*checkify.checkify(f)(jnp.asarray(v))))

    alone("a formula", two, 2.0, -1.0, 5.0)
    alone("a scan", scanned, 8.0, 2.5, 10.0, 0.5)
    alone("branches", branches, -1.0, -1.5, 2.0, 6.0)
    alone("a loop", looped, 1.0, 2.0, 30.0)
    many = jnp.array([1.0, 5.0, -1.0, 2.0])
    case("checks for each example", (), lambda _: (lambda e, y: (told(e, 4), y))(*jax.vmap(checkify.checkify(two))(many)))
    case("checks in a batch", (), lambda _: (lambda e, y: (told(e, None), y))(*checkify.checkify(jax.vmap(two))(many)))
    case("checks of a scan for each example", (), lambda _: (lambda e, y: (told(e, 3), y))(*jax.vmap(checkify.checkify(scanned))(jnp.array([8.0, 2.5, 0.5]))))
    case("checks of a gradient", (), lambda _: (lambda e, y: (told(e, None), y))(*checkify.checkify(jax.grad(two))(jnp.array(-2.0))))
    of_all = lambda f, v: checkify.checkify(f, errors=checkify.index_checks | checkify.float_checks)(v)
    for name, f in {"root": jnp.sqrt, "quotient": lambda x: 1 / x, "logarithm": lambda x: jnp.log(x - 2)}.items():
        for k, v in enumerate([[3.0, 4.0], [4.0, 0.0], [-1.0, 3.0]]):
            result = lambda _: (lambda e, y: (told(e, None), y))(*of_all(f, jnp.array(v)))
            case(f"checks that nobody wrote of a {name}, {k + 1}", (), result)
    # What is out of range is clamped there and NaN here, so the results are not compared.
    table = jnp.arange(5.0)
    for k, i in enumerate([[0, -1, 4], [0, 5, 9], [2, -7, 1]]):
        case(f"checks of places that are read, {k + 1}", (), lambda _: told(of_all(lambda i: table[i], jnp.array(i))[0], None))
        case(f"checks of places that are written, {k + 1}", (), lambda _: told(of_all(lambda i: table.at[i].add(1.0), jnp.array(i))[0], None))


def cases():
    rules()
    for name, one in EQUATIONS.items():
        case(name, (4, 3), lambda x: all_modes(one, x))
    for name, one in CHECKPOINTS.items():
        case(name, (4, 3), lambda x: all_modes(one, x))
    checks()
