"""Content-aware editing of pictures."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _picture(s, r):
    h, w, seams = s
    picture = np.cumsum(randn(r, h, w, 3, scale=0.1), axis=1)
    return picture, (unif(r, h, w) > 0.97).astype(np.float32), unif(r, seams, lo=0.0, hi=0.5)


@program(_picture, [(6, 8, 1), (32, 48, 6), (96, 128, 16)], diff=())
def seam_carving(picture, protect, forward):
    """Removal of vertical seams: energy by Sobel filters and the cost of new edges, a dynamic program over rows, the seam traced back and cut out."""
    h, w, _ = picture.shape
    sobel = jnp.array([[1.0, 2, 1], [0, 0, 0], [-1, -2, -1]])
    kernels = jnp.stack([sobel, sobel.T])[:, None]
    column = jnp.arange(w)

    def cut(state, strength):
        picture, protect, width = state
        grey = picture @ jnp.array([0.299, 0.587, 0.114])
        grey = jnp.where(column < width, grey, grey[:, width - 1][:, None])
        padded = jnp.pad(grey, 1, mode="edge")[None, None]
        edges = lax.conv_general_dilated(padded, kernels, (1, 1), "VALID")[0]
        energy = jnp.sum(jnp.abs(edges), axis=0) + 100.0 * protect
        energy = jnp.where(column < width, energy, 1e6)
        wide = padded[0, 0, 1:-1]
        new_edge = strength * jnp.abs(wide[:, 2:] - wide[:, :-2])

        def row(above, z):
            energy, new_edge = z
            side = jnp.pad(above, 1, constant_values=1e9)
            three = jnp.stack([side[:-2], side[1:-1], side[2:]])
            return energy + new_edge + jnp.min(three, axis=0), jnp.argmin(three, axis=0) - 1

        last, move = lax.scan(row, energy[0], (energy[1:], new_edge[1:]))
        end = jnp.argmin(last)

        def back(at, move):
            up = jnp.clip(at + move[at], 0, w - 1)
            return up, up

        _, seam = lax.scan(back, end, move, reverse=True)
        seam = jnp.append(seam, end)
        source = jnp.minimum(column[None, :] + (column[None, :] >= seam[:, None]), w - 1)
        picture = jnp.take_along_axis(picture, source[:, :, None], axis=1)
        protect = jnp.take_along_axis(protect, source, axis=1)
        return (picture, protect, width - 1), (seam, last[end])

    (picture, protect, width), (seams, cost) = lax.scan(cut, (picture, protect, jnp.int32(w)), forward)
    return picture[:, : w - forward.shape[0]], seams, cost, width
