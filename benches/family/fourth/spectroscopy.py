"""Spectral line fitting."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import program, randn64, unif64

TERMS = 24


def _weideman():
    """Coefficients of Weideman's rational series of the Faddeeva function."""
    m = 2 * TERMS
    scale = np.sqrt(TERMS / np.sqrt(2))
    theta = np.arange(-m + 1, m) * np.pi / m
    t = scale * np.tan(theta / 2)
    f = np.concatenate([[0.0], np.exp(-t * t) * (scale**2 + t * t)])
    a = np.real(np.fft.fft(np.fft.fftshift(f))) / (2 * m)
    return scale, a[1 : TERMS + 1][::-1].copy()


def _lines(s, r):
    lines, points = s
    grid = np.linspace(0, 10, points)
    params = {
        "centre": unif64(r, lines, lo=1, hi=9), "log_gauss": randn64(r, lines, scale=0.3) - 2.0, "log_lorentz": randn64(r, lines, scale=0.3) - 2.0,
        "log_area": randn64(r, lines, scale=0.5), "baseline": randn64(r, 4, scale=0.1), "log_width": np.float64(-2.0 + 0.1 * r.standard_normal()),
    }
    return params, grid, 1.0 + 0.05 * randn64(r, points), unif64(r, points, lo=0.5, hi=1.5)


@program(_lines, [(2, 24), (6, 200), (30, 4000)], x64=True)
def voigt_absorption_fit(params, grid, observed, weight):
    """Overlapping Voigt lines by a rational series of the Faddeeva function, Beer's law, a Chebyshev baseline, an instrument's blur; chi squared."""
    scale, coefficients = _weideman()

    def faddeeva(z):
        bottom = scale - 1j * z
        ratio = (scale + 1j * z) / bottom
        return 2 * jnp.polyval(jnp.asarray(coefficients), ratio) / bottom**2 + 1 / (np.sqrt(np.pi) * bottom)

    def line(centre, log_gauss, log_lorentz, log_area):
        sigma = jnp.exp(log_gauss)
        z = (grid - centre + 1j * jnp.exp(log_lorentz)) / (sigma * np.sqrt(2.0))
        return jnp.exp(log_area) * faddeeva(z).real / (sigma * np.sqrt(2 * np.pi))

    depth = jnp.sum(jax.vmap(line)(params["centre"], params["log_gauss"], params["log_lorentz"], params["log_area"]), axis=0)
    x = jnp.linspace(-1.0, 1.0, grid.shape[0])
    basis = jnp.cos(jnp.arange(4) * jnp.arccos(x)[:, None])
    signal = jnp.exp(-0.3 * depth) * (1 + basis @ params["baseline"])
    taps = jnp.arange(-7, 8) * (grid[1] - grid[0])
    blur = jnp.exp(-0.5 * (taps / jnp.exp(params["log_width"])) ** 2)
    signal = jnp.convolve(jnp.pad(signal, 7, mode="edge"), blur / jnp.sum(blur), mode="valid")
    return jnp.mean(weight * ((signal - observed) / 0.05) ** 2) + 0.1 * jnp.sum((params["log_lorentz"] + 2.0) ** 2)
