"""Cases of make_transforms.py: Jacobians of trees, auxiliary results, complex numbers, linear functions."""
import jax
import jax.numpy as jnp
from jax import lax
from make_transforms import case, numbers


def layer(p, x):
    y = jnp.tanh(p["w"] @ x + p["b"])
    return (y, [(y * y).sum(), (p["w"] ** 2).sum() * x.sum()])


def params(x):
    return {"b": x[0, :2], "w": jnp.sin(x)}


def trees():
    both = (0, 1)
    at = lambda x: (params(x), jnp.cos(x[1]))
    case("jacfwd of trees to trees", (2, 3), lambda x: jax.jacfwd(layer, both)(*at(x)))
    case("jacrev of trees to trees", (2, 3), lambda x: jax.jacrev(layer, both)(*at(x)))
    case("jacfwd by names", (2, 3), lambda x: jax.jacfwd(layer)(*at(x)))
    case("jacrev by the second", (2, 3), lambda x: jax.jacrev(layer, 1)(*at(x)))
    energy = lambda p, x: layer(p, x)[1][0]
    case("hessian of a tree", (2, 3), lambda x: jax.hessian(energy)(*at(x)))
    case("hessian by both", (2, 3), lambda x: jax.hessian(energy, both)(*at(x)))
    case("hessian of trees to trees", (2, 3), lambda x: jax.hessian(layer, 1)(*at(x)))
    case("hvp of a tree", (2, 3), lambda x: jax.jvp(lambda p, x: jax.grad(energy, both)(p, x), at(x), at(-x))[1])
    case("hvp by the second", (2, 3), lambda x: jax.jvp(lambda v: jax.grad(energy, 1)(params(x), v), (x[0],), (jnp.sin(x[1]),))[1])
    case("jvp of trees", (2, 3), lambda x: jax.jvp(layer, at(x), at(jnp.exp(x))))
    case("vjp of trees", (2, 3), lambda x: (lambda y, back: back(jax.tree.map(jnp.cos, y)))(*jax.vjp(layer, *at(x))))
    case("value_and_grad of trees", (2, 3), lambda x: jax.value_and_grad(energy, both)(*at(x)))
    case("jacfwd of jacrev", (2, 3), lambda x: jax.jacfwd(jax.jacrev(layer, 1), 0)(*at(x)))
    case("jacrev of jacfwd", (2, 3), lambda x: jax.jacrev(jax.jacfwd(layer, 0), 1)(*at(x)))
    third = lambda x: (jnp.sin(x) * x.prod()).sum()
    case("jacfwd of hessian", (3,), jax.jacfwd(jax.hessian(third)))
    case("jacrev of jacrev of jacrev", (3,), jax.jacrev(jax.jacrev(jax.jacrev(third))))
    step = lambda c, v: (jnp.sin(c * v), c @ c)
    case("jacfwd of a scan", (3,), jax.jacfwd(lambda x: lax.scan(step, x, jnp.exp(x))))
    case("jacrev of a scan", (3,), jax.jacrev(lambda x: lax.scan(step, x, jnp.exp(x))))
    case("jacfwd of a while", (3,), jax.jacfwd(lambda x: lax.while_loop(lambda c: c @ c < 50, lambda c: c * 1.5 + jnp.sin(x) * 0.1, x)))


def beside():
    f = lambda x, y: ((jnp.sin(x) * y).sum(), {"most": x.max(), "product": x * y})
    at = lambda x: (x, jnp.cos(x))
    case("value_and_grad with aux", (4,), lambda x: jax.value_and_grad(f, has_aux=True)(*at(x)))
    case("grad with aux, by both", (4,), lambda x: jax.grad(f, (1, 0), has_aux=True)(*at(x)))
    case("value_and_grad with aux of a batch", (3, 4), lambda x: jax.vmap(jax.value_and_grad(f, has_aux=True))(*at(x)))
    squares = lambda x: ((x**3).sum(), jnp.sin(x).sum())
    case("gradient of what is beside a gradient", (4,), jax.grad(lambda x: jax.grad(squares, has_aux=True)(x)[1]))
    case("gradient of both", (4,), jax.grad(lambda x: (lambda d, s: (d * x).sum() * s)(*jax.grad(squares, has_aux=True)(x))))
    confused = lambda x: x * jax.grad(lambda y: jnp.sin(x * y) + x)(x * 0.5)
    case("gradients in gradients", (), lambda x: (jax.grad(confused)(x), jax.grad(jax.grad(confused))(x)))
    case("stop_gradient", (4,), jax.grad(lambda x: (lax.stop_gradient(jnp.exp(x)) * jnp.sin(x)).sum()))


def linear():
    f = lambda x: (jnp.sin(x) * x[0], (x**2).sum())

    def linearized(x):
        y, df = jax.linearize(f, x)
        return y, df(jnp.cos(x)), df(x), jax.vmap(df)(jnp.eye(3)), jax.linear_transpose(df, x)((x, jnp.float64(2.0)))

    case("linearize", (3,), linearized)
    case("linearize of two", (3,), lambda x: (lambda df: (df(x, jnp.cos(x)), df(-x, x)))(jax.linearize(lambda a, b: a * jnp.exp(b), x, jnp.sin(x))[1]))
    case("gradient through linearize", (3,), jax.grad(lambda x: jax.linearize(f, x)[1](jnp.cos(x))[0].sum()))
    case("linearize of a scan", (3,), lambda x: jax.linearize(lambda x: lax.scan(lambda c, v: (jnp.sin(c * v), c), x[0], x), x)[1](jnp.cos(x)))
    transposed = lambda f: lambda x: jax.linear_transpose(f, x)(jax.tree.map(lambda y: jnp.cos(numbers(*y.shape)), jax.eval_shape(f, x)))
    case("linear_transpose of a running sum", (4,), transposed(jnp.cumsum))
    case("linear_transpose of a product", (3, 2), transposed(lambda x: (jnp.sin(numbers(4, 3)) @ x, x.T[1:])))
    case("linear_transpose of a scan", (4,), transposed(lambda x: lax.scan(lambda c, v: (c * 0.7 + v, c * 2 - v), x[0], x)))
    case("linear_transpose of indices", (5,), transposed(lambda x: (x[jnp.array([3, 0, 3])], jnp.flip(x)[::2], jnp.pad(x, (1, 2)))))
    back = lambda x: jax.linear_transpose(lambda v, w: v * jnp.sin(x) + w.sum(), x, x)(jnp.cos(x))
    case("linear_transpose of two", (3,), back)
    case("gradient through linear_transpose", (3,), jax.grad(lambda x: (back(x)[0] * x).sum()))
    g = lambda x: jnp.cumsum(jnp.exp(x)) * x[0]
    case("jvp of vjp", (3,), lambda x: jax.jvp(lambda x: jax.vjp(g, x)[1](jnp.cos(x))[0], (x,), (jnp.sin(x),)))
    case("vjp of jvp", (3,), lambda x: jax.vjp(lambda x: jax.jvp(g, (x,), (jnp.cos(x),))[1], x)[1](jnp.sin(x)))
    case("curvature by both modes", (3,), lambda x: jax.vjp(g, x)[1](jnp.cos(g(x)) * jax.jvp(g, (x,), (jnp.sin(x),))[1]))


# Real functions of complex vectors.
REAL = {
    "modulus": lambda z: jnp.abs(z).sum(),
    "square of the modulus": lambda z: (z * z.conj()).real.sum(),
    "exponential": lambda z: jnp.exp(z * z).real.sum(),
    "logarithm and angle": lambda z: (jnp.log(z).real * jnp.angle(z)).sum(),
    "division": lambda z: jnp.abs((z + 1) / (z - 2)).sum(),
    "root and tangent": lambda z: (jnp.sqrt(z).real * jnp.tanh(z).imag).sum(),
    "power": lambda z: (z * z * z).imag.sum() + (jnp.sin(z) * z.conj()).real.sum(),
    "Fourier transform": lambda z: (jnp.abs(jnp.fft.fft(z * z)) ** 2 * jnp.array([1.0, 2.0, 3.0])).sum(),
    "linear system": lambda z: jnp.abs(jnp.linalg.solve(jnp.outer(z, z.conj()) + 3 * jnp.eye(3), z * z)).sum(),
    "scan": lambda z: jnp.abs(lax.scan(lambda c, v: (c * v + 1j, c), z[0], z)[1]).sum(),
}


def complex_numbers():
    z = lambda x: x[0] + 1j * x[1]
    for name, f in REAL.items():
        slope = jax.grad(f)
        case(f"complex gradient: {name}", (2, 3), lambda x: (f(z(x)), slope(z(x)), jax.jvp(slope, (z(x),), (jnp.sin(z(x)),))[1]))
    f = lambda z: jnp.exp(z * z * z) / z
    case("holomorphic grad", (2, 3), lambda x: jax.grad(lambda z: f(z).sum() * z[0], holomorphic=True)(z(x)))
    case("holomorphic value_and_grad", (2, 3), lambda x: jax.value_and_grad(lambda z: (z * z[1]).sum(), holomorphic=True)(z(x)))
    coupled = lambda z: jnp.cumsum(jnp.sin(z) * z[::-1])
    case("holomorphic jacfwd", (2, 3), lambda x: jax.jacfwd(coupled, holomorphic=True)(z(x)))
    case("holomorphic jacrev", (2, 3), lambda x: jax.jacrev(coupled, holomorphic=True)(z(x)))
    case("holomorphic hessian", (2, 3), lambda x: jax.hessian(lambda z: (f(z) * z[0]).sum(), holomorphic=True)(z(x)))
    mixed = lambda z: (z * z.conj() * z, jnp.abs(z))
    case("jvp of what is not holomorphic", (2, 3), lambda x: jax.jvp(mixed, (z(x),), (jnp.exp(z(x)),)))
    case("vjp of what is not holomorphic", (2, 3), lambda x: jax.vjp(mixed, z(x))[1]((jnp.exp(z(x)), x[1])))
    through = lambda x: (jnp.abs(jnp.exp(x + 1j * x * x)) ** 2).sum() * x[0]
    case("real numbers through complex ones", (3,), lambda x: (jax.grad(through)(x), jax.hessian(through)(x)))
    case("complex gradients of a batch", (2, 2, 3), lambda x: jax.vmap(jax.grad(lambda z: jnp.abs(z.sum() * z).sum()))(z(x)))
    case("gradient by real and complex numbers", (2, 3), lambda x: jax.grad(lambda p: jnp.abs(p[0] * jnp.exp(p[1])).sum())((x[0], z(x))))
    case("linear_transpose of complex numbers", (2, 3), lambda x: jax.linear_transpose(lambda v: v * jnp.exp(z(x)) + v[::-1] * 2j, z(x))(jnp.sin(z(x))))
    parts = lambda v: (v.real * 2, v.conj() * 1j)
    case("linear_transpose of complex parts", (2, 3), lambda x: jax.linear_transpose(parts, z(x))((jnp.cos(numbers(3)), z(x))))


def cases():
    trees()
    beside()
    linear()
    complex_numbers()
