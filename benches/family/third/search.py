"""Search with backtracking."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program


def _sudoku(s, r):
    batch, blanks = s
    out = []
    for _ in range(batch):
        rows = np.concatenate([3 * b + r.permutation(3) for b in r.permutation(3)])
        cols = np.concatenate([3 * b + r.permutation(3) for b in r.permutation(3)])
        g = (3 * (rows[:, None] % 3) + rows[:, None] // 3 + cols[None, :]) % 9
        g = (r.permutation(9)[g] + 1).reshape(-1)
        g[r.choice(81, blanks, replace=False)] = 0
        out.append(g)
    return (np.array(out, np.int8),)


@program(_sudoku, [(1, 1), (4, 24), (32, 50)], diff=())
def sudoku_backtracking(puzzles):
    """Sudoku by depth-first search over bit masks: the cell with fewest candidates is tried first, an explicit stack, vmapped puzzles."""
    cell = jnp.arange(81)
    row, col = cell // 9, cell % 9
    box = 3 * (row // 3) + col // 3

    def candidates(board):
        bit = jnp.where(board > 0, jnp.left_shift(1, jnp.maximum(board - 1, 0)), 0)
        seen = lambda group: jnp.zeros(9, jnp.int32).at[group].add(bit)  # a legal board sets no bit twice
        return 0x1FF & ~(seen(row)[row] | seen(col)[col] | seen(box)[box])

    def solve(puzzle):
        def running(state):
            board, _, _, depth, _, nodes = state
            return (depth >= 0) & jnp.any(board == 0) & (nodes < 20000)

        def step(state):
            board, where, left, depth, descend, nodes = state
            cand = candidates(board)
            count = jnp.where(board == 0, lax.population_count(cand), 99)
            best = jnp.argmin(count)
            depth_new = depth + descend.astype(jnp.int32)
            where = where.at[depth_new].set(jnp.where(descend, best, where[depth_new]))
            left = left.at[depth_new].set(jnp.where(descend, cand[best], left[depth_new]))
            mask = left[depth_new]
            low = mask & -mask
            value = jnp.where(mask == 0, 0, lax.population_count(low - 1) + 1)
            board = board.at[where[depth_new]].set(value)
            left = left.at[depth_new].set(mask & (mask - 1))
            return board, where, left, jnp.where(mask == 0, depth_new - 1, depth_new), mask != 0, nodes + 1

        start = (puzzle.astype(jnp.int32), jnp.zeros(82, jnp.int32), jnp.zeros(82, jnp.int32), jnp.int32(0), jnp.array(True), jnp.int32(0))
        # The first descent goes to level 1; level 0 stands for failure with nothing left to try.
        board, _, _, _, _, nodes = lax.while_loop(running, step, start)
        return board.astype(jnp.int8), nodes

    boards, nodes = jax.vmap(solve)(puzzles)
    return boards, nodes, jnp.all(boards > 0, axis=1)
