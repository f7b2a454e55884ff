"""Writes transforms.txt: what JAX 0.10.2 on CPU, with 64 bits, makes of functions under its transforms. ../as_jax has the same functions.

A line is `name | [2, 3] elements | [] element | ..`, a part for each leaf of the result; complex numbers have a last dimension of two.
The cases are in transforms_of_batches.py, transforms_of_derivatives.py and transforms_of_rules.py."""
import sys

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
lines = {}


def numbers(*shape):
    """The numbers of ../common."""
    n = int(np.prod(shape, dtype=int))
    return jnp.array([((k * 37 % 23) - 10.5) / 7.0 for k in range(n)], jnp.float64).reshape(shape)


def text(leaf):
    a = np.asarray(leaf)
    if np.iscomplexobj(a):
        a = np.stack([a.real, a.imag], -1)
    return " ".join([str(list(a.shape)), *(f"{float(v):.17g}" for v in a.ravel())])


def case(name, shape, f):
    """What `f` makes of numbers of a shape, leaf by leaf."""
    assert name not in lines, name
    lines[name] = " | ".join([name, *map(text, jax.tree.leaves(f(numbers(*shape))))])


def all_modes(one, x):
    """A function of examples on a batch of them: values, and derivatives in both modes, of the batch and for each example."""
    of_batch = lambda x: jax.vmap(one)(x)
    loss = lambda x: (of_batch(x) * jnp.cos(numbers(*of_batch(x).shape))).sum()
    along = jnp.sin(x)
    each = lambda x: (one(x) * jnp.cos(one(x))).sum()
    return [
        of_batch(x),
        jax.grad(loss)(x),
        jax.vmap(jax.grad(each))(x),
        jax.jvp(of_batch, (x,), (along,))[1],
        jax.vmap(lambda x, t: jax.jvp(one, (x,), (t,))[1])(x, along),
        jax.jvp(jax.grad(loss), (x,), (along,))[1],
    ]


def forward_modes(one, x):
    """The same, of a function that JAX has no reverse mode of."""
    along = jnp.sin(x)
    of_batch = lambda x: jax.vmap(one)(x)
    slope = lambda x: jax.jvp(of_batch, (x,), (along,))[1]
    return [of_batch(x), slope(x), jax.vmap(jax.jacfwd(one))(x), jax.jvp(slope, (x,), (jnp.cos(x),))[1]]


def reverse_modes(one, x):
    """The same, of a function that has no forward mode."""
    of_batch = lambda x: jax.vmap(one)(x)
    loss = lambda x: (of_batch(x) * jnp.cos(numbers(*of_batch(x).shape))).sum()
    each = lambda x: (one(x) * jnp.cos(numbers(*one(x).shape))).sum()
    return [
        of_batch(x),
        jax.grad(loss)(x),
        jax.vmap(jax.grad(each))(x),
        jax.vjp(of_batch, x)[1](jnp.sin(of_batch(x)))[0],
        jax.grad(lambda x: jnp.sin(jax.grad(loss)(x)).sum())(x),
    ]


if __name__ == "__main__":
    # The parts take this module by its name.
    sys.modules["make_transforms"] = sys.modules["__main__"]
    import transforms_of_batches, transforms_of_derivatives, transforms_of_rules

    for part in (transforms_of_batches, transforms_of_derivatives, transforms_of_rules):
        part.cases()
    with open("transforms.txt", "w") as out:
        print(*lines.values(), sep="\n", file=out)
    print(len(lines), "cases")
