"""Market microstructure."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program


def _orders(s, r):
    slots, orders = s
    side = r.integers(0, 2, orders).astype(np.int32) * 2 - 1
    price = (1000 - side * r.integers(-3, 8, orders)).astype(np.int32)
    kind = r.choice(3, orders, p=[0.75, 0.1, 0.15]).astype(np.int32)  # limit, market, cancel
    return side, price, ints(r, 50, orders, lo=1), kind, ints(r, slots, orders), np.zeros(slots, np.int32)


@program(_orders, [(8, 4), (32, 100), (128, 1200)], diff=())
def limit_order_book(side, price, quantity, kind, pointer, empty):
    """A matching engine with price-time priority: each order walks the resting ones in a while loop, rests or cancels; trades, quotes, closing book."""
    far = jnp.int32(1 << 28)

    def event(book, order):
        rest_side, rest_price, rest_qty, rest_time, clock = book
        side, price, qty, kind, pointer = order
        limit = jnp.where(kind == 1, side * far, price)
        qty = jnp.where(kind == 2, 0, qty)

        def best(rest_qty):
            open_ = (rest_side == -side) & (rest_qty > 0)
            level = jnp.where(open_, side * rest_price, far)
            top = jnp.min(level)
            first = jnp.argmin(jnp.where(level == top, rest_time, far))
            return first, (top < far) & (top <= side * limit)

        def crosses(state):
            qty, rest_qty, _, _ = state
            return (qty > 0) & best(rest_qty)[1]

        def trade(state):
            qty, rest_qty, volume, cash = state
            at, _ = best(rest_qty)
            fill = jnp.minimum(qty, rest_qty[at])
            return qty - fill, rest_qty.at[at].add(-fill), volume + fill, cash + fill * rest_price[at]

        left, rest_qty, volume, cash = lax.while_loop(crosses, trade, (qty, rest_qty, jnp.int32(0), jnp.int32(0)))
        rest_qty = lax.cond(kind == 2, lambda q: q.at[pointer].set(0), lambda q: q, rest_qty)

        def rests(book):
            s, p, q, t = book
            # The oldest slot is given up when there is no free one.
            at = jnp.argmin(jnp.where(q == 0, -1, t))
            return s.at[at].set(side), p.at[at].set(price), q.at[at].set(left), t.at[at].set(clock)

        book = lax.cond((left > 0) & (kind == 0), rests, lambda b: b, (rest_side, rest_price, rest_qty, rest_time))
        s, p, q, _ = book
        bid = jnp.max(jnp.where((s == 1) & (q > 0), p, 0))
        ask = jnp.min(jnp.where((s == -1) & (q > 0), p, 2000))
        return (*book, clock + 1), (volume, cash, bid, ask)

    start = (empty, empty, empty, empty, jnp.int32(1))
    book, (volume, cash, bid, ask) = lax.scan(event, start, (side, price, quantity, kind, pointer))
    vwap = jnp.sum(cash.astype(jnp.float32)) / jnp.maximum(jnp.sum(volume), 1)
    depth = jnp.zeros((2, 32), jnp.int32).at[(book[0] > 0).astype(jnp.int32), book[1] - 984].add(book[2], mode="drop")
    return volume, bid, ask, vwap, depth
