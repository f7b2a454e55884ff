"""Image processing: blurs, edges, bilateral filters, demosaicing, wavelets, histograms, morphology."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, unif


@program(lambda s, r: (unif(r, s[0], s[0]), unif(r, s[0], s[0]), np.float32(1.5), np.zeros(s[1], np.float32)),
         [(12, 5), (100, 9), (600, 15)], diff=(0, 2))
def gaussian_blur_separable(img, sharp, sigma, taps):
    """Separable Gaussian blur with a learned width by two 1-D convolutions, compared with a reference picture."""
    k = taps.shape[0]
    x = jnp.arange(k) - k // 2
    g = jnp.exp(-0.5 * (x / sigma) ** 2) + taps
    g = g / g.sum()
    blur = lambda im: jax.vmap(lambda row: jnp.convolve(row, g, mode="same"))(im)
    out = blur(blur(img).T).T
    return jnp.mean(jnp.abs(out - sharp)) + 0.1 * jnp.mean((out - sharp) ** 2)


@program(lambda s, r: (r.integers(0, 256, (s, s), dtype=np.uint8),), [12, 80, 400], diff=())
def canny_edges(img):
    """A compact Canny detector: blur, Sobel, non-maximum suppression by direction, hysteresis until it is stable."""
    x = img.astype(jnp.float32) / 255.0

    def filt(x, k):
        return lax.conv(jnp.pad(x, 1, mode="edge")[None, None], jnp.array(k, jnp.float32)[None, None], (1, 1), "VALID")[0, 0]

    x = filt(x, [[1 / 16, 1 / 8, 1 / 16], [1 / 8, 1 / 4, 1 / 8], [1 / 16, 1 / 8, 1 / 16]])
    gx, gy = filt(x, [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]), filt(x, [[-1, -2, -1], [0, 0, 0], [1, 2, 1]])
    mag = jnp.hypot(gx, gy)
    sector = jnp.round(jnp.arctan2(gy, gx) / (jnp.pi / 4)).astype(jnp.int32) % 4
    sh = lambda dy, dx: jnp.roll(mag, (dy, dx), (0, 1))
    pairs = [(sh(0, 1), sh(0, -1)), (sh(1, 1), sh(-1, -1)), (sh(1, 0), sh(-1, 0)), (sh(1, -1), sh(-1, 1))]
    a, b = (jnp.choose(sector, [p[i] for p in pairs], mode="clip") for i in (0, 1))
    thin = jnp.where((mag >= a) & (mag >= b), mag, 0.0)
    strong, weak = thin > 0.8, thin > 0.3

    def grow(s):
        e, _ = s
        d = lax.reduce_window(e, False, lax.bitwise_or, (3, 3), (1, 1), "SAME")
        new = e | (d & weak)
        return new, jnp.any(new != e)

    edges, _ = lax.while_loop(lambda s: s[1], grow, (strong, jnp.bool_(True)))
    return edges.astype(jnp.uint8) * 255, edges.sum()


@program(lambda s, r: (unif(r, s, s, 3), unif(r, s, s, 3), np.float32(0.2)), [8, 40, 200], diff=(0, 2))
def bilateral_filter_psnr(img, clean, sigma_r):
    """Bilateral filter by shifted copies in a 5x5 window on an RGB picture, scored against the clean one."""
    h, w, _ = img.shape
    pad = jnp.pad(img, ((2, 2), (2, 2), (0, 0)), mode="reflect")
    num, den = jnp.zeros_like(img), jnp.zeros((h, w, 1))
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            shifted = lax.slice(pad, (2 + dy, 2 + dx, 0), (2 + dy + h, 2 + dx + w, 3))
            d2 = jnp.sum((shifted - img) ** 2, -1, keepdims=True)
            wgt = jnp.exp(-(dx * dx + dy * dy) / 8.0 - d2 / (2 * sigma_r**2))
            num, den = num + wgt * shifted, den + wgt
    return 10.0 * jnp.log10(jnp.mean((num / den - clean) ** 2))


@program(lambda s, r: (r.integers(0, 4096, (s, s), dtype=np.uint16), unif(r, 3, lo=0.8, hi=2), unif(r, 3, 3) + 2 * np.eye(3, dtype=np.float32)),
         [12, 96, 640], diff=())
def bayer_demosaic_pipeline(raw, wb, ccm):
    """A small raw pipeline: black level, bilinear demosaicing of an RGGB mosaic, white balance, colour matrix, sRGB."""
    x = jnp.clip((raw.astype(jnp.float32) - 64.0) / (4095.0 - 64.0), 0, 1)
    h, w = x.shape
    yy, xx = jnp.arange(h)[:, None] % 2, jnp.arange(w)[None, :] % 2
    masks = jnp.stack([(yy == 0) & (xx == 0), yy != xx, (yy == 1) & (xx == 1)]).astype(x.dtype)
    k_rb = jnp.array([[1, 2, 1], [2, 4, 2], [1, 2, 1]]) / 4.0
    k_g = jnp.array([[0, 1, 0], [1, 4, 1], [0, 1, 0]]) / 4.0
    planes = [jax.scipy.signal.convolve2d(x * m, k, mode="same") for m, k in zip(masks, (k_rb, k_g, k_rb))]
    rgb = jnp.stack(planes, -1) * wb
    rgb = jnp.clip(rgb @ (ccm / ccm.sum(1, keepdims=True)).T, 0.0, 1.0)
    srgb = jnp.where(rgb <= 0.0031308, 12.92 * rgb, 1.055 * jnp.maximum(rgb, 1e-8) ** (1 / 2.4) - 0.055)
    return jnp.floor(srgb * 255.0 + 0.5).astype(jnp.uint8)


@program(lambda s, r: (unif(r, s, s), unif(r, s, s), np.float32(0.1)), [8, 160, 1024], diff=(0, 2))
def haar_wavelet_denoise(noisy, clean, threshold):
    """Three-level 2-D Haar transform with a learned soft threshold on the details, then the inverse transform."""
    soft = lambda c: jnp.sign(c) * jax.nn.relu(jnp.abs(c) - threshold)

    def analyse(x):
        a, b, c, d = x[0::2, 0::2], x[0::2, 1::2], x[1::2, 0::2], x[1::2, 1::2]
        return (a + b + c + d) / 2, ((a - b + c - d) / 2, (a + b - c - d) / 2, (a - b - c + d) / 2)

    def synthesise(ll, det):
        lh, hl, hh = det
        even = jnp.stack([ll + lh + hl + hh, ll - lh + hl - hh], -1).reshape(ll.shape[0], -1) / 2
        odd = jnp.stack([ll + lh - hl - hh, ll - lh - hl + hh], -1).reshape(ll.shape[0], -1) / 2
        return jnp.stack([even, odd], 1).reshape(-1, even.shape[1])

    stack, x = [], noisy
    for _ in range(3):
        x, det = analyse(x)
        stack.append(det)
    for det in reversed(stack):
        x = synthesise(x, tuple(map(soft, det)))
    return jnp.mean((x - clean) ** 2)


@program(lambda s, r: (np.clip(r.normal(100, 30, (s, s)), 0, 255).astype(np.uint8), np.zeros(256, np.int32)),
         [12, 400, 1800], diff=())
def histogram_equalisation_otsu(img, hist):
    """Histogram equalisation through a lookup table and Otsu's threshold from the same 256-bin histogram."""
    hist = hist.at[img.ravel()].add(1)
    cdf = jnp.cumsum(hist)
    lo = cdf[jnp.argmax(hist > 0)]
    lut = jnp.round((cdf - lo) * 255.0 / jnp.maximum(img.size - lo, 1)).astype(jnp.uint8)
    p = hist / img.size
    w0 = jnp.cumsum(p)
    mu = jnp.cumsum(p * jnp.arange(256))
    between = (mu[-1] * w0 - mu) ** 2 / jnp.maximum(w0 * (1 - w0), 1e-7)
    t = jnp.argmax(between)
    return lut[img], t, (img > t).sum()


@program(lambda s, r: (unif(r, s, s), (r.random((s, s)) < 0.5).astype(np.float32)), [12, 72, 360], diff=(0,))
def soft_skeleton_cldice(pred, mask):
    """Soft morphological skeleton by iterated min and max pooling, and the clDice loss for tubular structures."""

    def erode(x):
        return -lax.reduce_window(-x, -jnp.inf, lax.max, (3, 3), (1, 1), "SAME")

    def dilate(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (3, 3), (1, 1), "SAME")

    def skeleton(x):
        skel = jax.nn.relu(x - dilate(erode(x)))
        for _ in range(3):
            x = erode(x)
            delta = jax.nn.relu(x - dilate(erode(x)))
            skel = skel + jax.nn.relu(delta - skel * delta)
        return skel

    sp, sm = skeleton(pred), skeleton(mask)
    prec = (jnp.sum(sp * mask) + 1) / (jnp.sum(sp) + 1)
    sens = (jnp.sum(sm * pred) + 1) / (jnp.sum(sm) + 1)
    return 1.0 - 2.0 * prec * sens / (prec + sens)


@program(lambda s, r: (unif(r, s, s), unif(r, s, s)), [13, 48, 280])
def ssim_loss(img0, img1):
    """Structural similarity with an 11x11 Gaussian window (the version from mip-NeRF's code), as a loss."""
    x = jnp.arange(11) - 5
    g = jnp.exp(-0.5 * (x / 1.5) ** 2)
    g = g / g.sum()

    def filt(z):
        z = lax.conv_general_dilated(z[None, None], g[None, None, :, None], (1, 1), "VALID")
        return lax.conv_general_dilated(z, g[None, None, None, :], (1, 1), "VALID")[0, 0]

    mu0, mu1 = filt(img0), filt(img1)
    s00 = jnp.maximum(0.0, filt(img0**2) - mu0**2)
    s11 = jnp.maximum(0.0, filt(img1**2) - mu1**2)
    s01 = filt(img0 * img1) - mu0 * mu1
    c1, c2 = 0.01**2, 0.03**2
    ssim = (2 * mu0 * mu1 + c1) * (2 * s01 + c2) / ((mu0**2 + mu1**2 + c1) * (s00 + s11 + c2))
    return 1.0 - jnp.mean(ssim)
