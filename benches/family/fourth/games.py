"""Board games."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import key, program

HEIGHT = 7  # six rows and a guard


def _boards(s, r):
    boards, playouts, opening = s
    mine, theirs = np.zeros(boards, np.uint64), np.zeros(boards, np.uint64)
    for b in range(boards):
        for turn, col in enumerate(r.permutation(7)[:opening]):
            side = mine if turn % 2 == 0 else theirs
            side[b] |= np.uint64(1) << np.uint64(col * HEIGHT)
    return mine, theirs, r.integers(0, 2**32, (playouts, 2), dtype=np.uint32), key(r)


@program(_boards, [(1, 1, 6), (1, 8, 4), (3, 96, 4)], diff=(), x64=True)
def connect_four_playouts(mine, theirs, playout_keys, rng):
    """Flat Monte Carlo for Connect Four on 64-bit boards: random games after each first move, wins by shifts and masks; rates and the best column."""
    bottom = sum(1 << (c * HEIGHT) for c in range(7))
    board_mask = jnp.uint64(bottom * 63)
    columns = jnp.array([63 << (c * HEIGHT) for c in range(7)], jnp.uint64)
    foot = jnp.array([1 << (c * HEIGHT) for c in range(7)], jnp.uint64)

    def won(b):
        line = jnp.bool_(False)
        for shift in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
            pair = b & (b >> jnp.uint64(shift))
            line = line | ((pair & (pair >> jnp.uint64(2 * shift))) != 0)
        return line

    def drop(full, column):
        return (full + foot[column]) & columns[column]

    def playout(mine, theirs, column, rng):
        start = drop(mine | theirs, column)
        legal = start != 0
        placed = mine | start

        def going(state):
            _, _, result, _, _ = state
            return result == 2

        def play(state):
            mover, waiter, _, sign, rng = state
            rng, sub = random.split(rng)
            full = mover | waiter
            free = jnp.array([drop(full, c) != 0 for c in range(7)])
            bits = random.uniform(sub, (7,), dtype=jnp.float32)
            pick = jnp.argmax(jnp.where(free, bits, -1.0))
            mover = mover | drop(full, pick)
            win = won(mover)
            drawn = (mover | waiter) & board_mask == board_mask
            result = jnp.where(win, sign, jnp.where(drawn, 0, 2))
            return waiter, mover, result, -sign, rng

        first = jnp.where(won(placed), 1, 2)
        first = jnp.where(legal, first, -1)
        _, _, result, _, _ = lax.while_loop(going, play, (theirs, placed, first, jnp.asarray(-1), rng))
        stones = lax.population_count(placed | theirs)
        return result, legal, stones

    def board(mine, theirs, rng):
        keys = jax.vmap(random.fold_in, (0, None))(playout_keys, random.bits(rng, dtype=jnp.uint32))
        games = jax.vmap(jax.vmap(playout, (None, None, None, 0)), (None, None, 0, None))
        result, legal, stones = games(mine, theirs, jnp.arange(7), keys)
        value = jnp.where(legal[:, 0], jnp.mean(result, axis=1), -2.0)
        return value, jnp.argmax(value), jnp.sum(result == 1, axis=1), stones[:, 0]

    return jax.vmap(board)(mine, theirs, random.split(rng, mine.shape[0]))
