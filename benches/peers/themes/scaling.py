import jax.numpy as jnp


def straight(n):
    """`n` operations, each on two of the forty values before it; the generator is that of scaling.rs."""

    def f(*start):
        state, values = 1, list(start)

        def draw(below):
            nonlocal state
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            return (state >> 33) % below

        for _ in range(n):
            op, reach = draw(4), min(len(values), 40)
            a, b = values[-1 - draw(reach)], values[-1 - draw(reach)]
            values.append([lambda: (a + b) * 0.5, lambda: a * b, lambda: jnp.sin(a), lambda: jnp.exp(-a * a)][op]())
        return sum(reversed(values[-40:-1]), values[-1])

    return f


FAMILIES = {f"straight.{n}": {"f": straight(n), "wrt": (0, 1, 2, 3)} for n in (100, 1000, 10_000)} | {
    "sweep": {"f": lambda x: ((x * x + 1.5) * x - 0.5) * x + jnp.exp(-x * x)}
}
