import jax, jax.numpy as jnp
from .basic import rosenbrock


def eliminated(a, b):
    rows = [[a[i, j] for j in range(4)] + [b[i]] for i in range(4)]
    for k in range(4):
        inverse = 1.0 / rows[k][k]
        for i in range(k + 1, 4):
            factor = rows[i][k] * inverse
            rows[i] = [rows[i][j] - factor * rows[k][j] if j > k else rows[i][j] for j in range(5)]
    x = [None] * 4
    for i in range(3, -1, -1):
        rest = rows[i][4]
        for j in range(i + 1, 4):
            rest = rest - rows[i][j] * x[j]
        x[i] = rest / rows[i][i]
    return sum(t * t for t in x)


FAMILIES = {
    "rosenbrock_batch": {"f": jax.vmap(rosenbrock), "vg": jax.vmap(jax.value_and_grad(rosenbrock))},
    "solve_batch": {
        "f": jax.vmap(eliminated),
        "vg": jax.value_and_grad(lambda a, b: jnp.sum(jax.vmap(eliminated)(a, b)), (0, 1)),
    },
}
