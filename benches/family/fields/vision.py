"""Vision: convolutional nets, U-Net blocks, detection losses, spatial transformers."""
import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from registry import dense, ints, program, randn, unif


def conv(x, w, stride=1, padding="SAME", groups=1):
    return lax.conv_general_dilated(
        x, w, (stride, stride), padding, dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups
    )


def _kernel(r, k, cin, cout):
    return randn(r, k, k, cin, cout, scale=(k * k * cin) ** -0.5)


def _mnist(s, r):
    b, px, c = s
    p = {"c1": _kernel(r, 3, 1, c), "c2": _kernel(r, 3, c, 2 * c), "fc": dense(r, (px // 4) ** 2 * 2 * c, 10)}
    return p, unif(r, b, px, px, 1), ints(r, 10, b)


@program(_mnist, [(1, 8, 4), (4, 28, 12), (128, 28, 16)])
def cnn_mnist_loss(params, images, labels):
    """The two-convolution MNIST classifier of most JAX tutorials, with max pooling and cross-entropy."""

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    x = pool(jax.nn.relu(conv(images, params["c1"])))
    x = pool(jax.nn.relu(conv(x, params["c2"])))
    x = x.reshape(x.shape[0], -1)
    logits = x @ params["fc"]["w"] + params["fc"]["b"]
    one_hot = jax.nn.one_hot(labels, 10)
    return -jnp.mean(jnp.sum(one_hot * jax.nn.log_softmax(logits), axis=-1))


def _unet(s, r):
    b, px, c = s
    p = {
        "in": _kernel(r, 3, 3, c), "down": _kernel(r, 3, c, 2 * c),
        "up": _kernel(r, 3, 2 * c, c), "merge": _kernel(r, 3, 2 * c, c), "out": _kernel(r, 1, c, 1),
    }
    return p, randn(r, b, px, px, 3), (r.random((b, px, px, 1)) > 0.5).astype(np.float32)


@program(_unet, [(1, 8, 2), (1, 32, 8), (3, 80, 16)])
def unet_block(params, x, mask):
    """One level of a segmentation U-Net: average pool, nearest upsampling, skip connection, BCE with logits."""
    h1 = jax.nn.silu(conv(x, params["in"]))
    h2 = lax.reduce_window(h1, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4.0
    h2 = jax.nn.silu(conv(h2, params["down"]))
    up = jax.image.resize(h2, (*h1.shape[:3], h2.shape[-1]), method="nearest")
    up = jax.nn.silu(conv(up, params["up"]))
    h = jnp.concatenate([h1, up], axis=-1)
    h = jax.nn.silu(conv(h, params["merge"]))
    logits = conv(h, params["out"])
    return jnp.mean(jnp.maximum(logits, 0) - logits * mask + jnp.log1p(jnp.exp(-jnp.abs(logits))))


def _mobile(s, r):
    b, px, c = s
    e, bf = 4 * c, ml_dtypes.bfloat16
    p = {"expand": _kernel(r, 1, c, e), "dw": randn(r, 3, 3, 1, e, scale=0.3), "se1": dense(r, e, c),
         "se2": dense(r, c, e), "project": _kernel(r, 1, e, c)}
    p = {k: ({j: u.astype(bf) for j, u in v.items()} if isinstance(v, dict) else v.astype(bf)) for k, v in p.items()}
    return p, randn(r, b, px, px, c).astype(bf)


@program(_mobile, [(1, 4, 4), (1, 14, 8), (4, 28, 16)])
def mobilenet_inverted_residual(params, x):
    """MobileNetV3's inverted residual with squeeze-and-excite in bfloat16, as mixed-precision ports write it."""
    h = jax.nn.relu6(conv(x, params["expand"]))
    h = jax.nn.relu6(conv(h, params["dw"], groups=h.shape[-1]))
    s = h.mean(axis=(1, 2))
    s = jax.nn.relu(s @ params["se1"]["w"] + params["se1"]["b"])
    s = jax.nn.sigmoid(s @ params["se2"]["w"] + params["se2"]["b"])
    h = h * s[:, None, None, :]
    y = x + conv(h, params["project"])
    return jnp.mean(jnp.square(y.astype(jnp.float32)))


def _res(s, r):
    b, px, c = s
    p = {"w1": _kernel(r, 3, c, c), "w2": _kernel(r, 3, c, c), "g1": unif(r, c, lo=0.5, hi=1.5), "b1": randn(r, c),
         "g2": unif(r, c, lo=0.5, hi=1.5), "b2": randn(r, c)}
    return p, randn(r, b, px, px, c), randn(r, b, c)


@program(_res, [(2, 4, 4), (6, 16, 12), (16, 40, 24)])
def resnet_block_batchnorm(params, x, target):
    """A basic ResNet block in training mode with batch statistics, regressed onto pooled features."""

    def bn(h, g, b):
        mu, var = h.mean((0, 1, 2)), h.var((0, 1, 2))
        return g * (h - mu) * lax.rsqrt(var + 1e-5) + b

    h = jax.nn.relu(bn(conv(x, params["w1"]), params["g1"], params["b1"]))
    h = bn(conv(h, params["w2"]), params["g2"], params["b2"])
    out = jax.nn.relu(h + x).mean((1, 2))
    return jnp.mean((out - target) ** 2)


def _stn(s, r):
    b, px = s
    theta = np.tile(np.array([[1, 0, 0], [0, 1, 0]], np.float32), (b, 1, 1)) + randn(r, b, 2, 3, scale=0.1)
    return theta, unif(r, b, px, px), unif(r, b, px, px)


@program(_stn, [(1, 12), (4, 64), (24, 160)], diff=(0, 1))
def spatial_transformer(theta, images, target):
    """Affine grid generator and bilinear sampler of a spatial transformer network, for registering images."""

    def sample(img, t):
        h, w = img.shape
        ys, xs = jnp.meshgrid(jnp.linspace(-1, 1, h), jnp.linspace(-1, 1, w), indexing="ij")
        grid = jnp.stack([xs.ravel(), ys.ravel(), jnp.ones(h * w)])
        gx, gy = t @ grid
        x, y = (gx + 1) * (w - 1) / 2, (gy + 1) * (h - 1) / 2
        x0, y0 = jnp.floor(x), jnp.floor(y)
        wx, wy = x - x0, y - y0

        def at(yy, xx):
            inside = (yy >= 0) & (yy < h) & (xx >= 0) & (xx < w)
            v = img[jnp.clip(yy, 0, h - 1).astype(int), jnp.clip(xx, 0, w - 1).astype(int)]
            return jnp.where(inside, v, 0.0)

        top = at(y0, x0) * (1 - wx) + at(y0, x0 + 1) * wx
        bot = at(y0 + 1, x0) * (1 - wx) + at(y0 + 1, x0 + 1) * wx
        return (top * (1 - wy) + bot * wy).reshape(h, w)

    warped = jax.vmap(sample)(images, theta)
    return jnp.mean((warped - target) ** 2)


def _det(s, r):
    n, g = s
    c, wh = unif(r, n, 2), unif(r, n, 2, lo=0.05, hi=0.4)
    c2, wh2 = unif(r, g, 2), unif(r, g, 2, lo=0.05, hi=0.4)
    return np.hstack([c - wh / 2, c + wh / 2]), randn(r, n), np.hstack([c2 - wh2 / 2, c2 + wh2 / 2])


@program(_det, [(16, 4), (5000, 12), (50000, 32)], diff=(0, 1))
def anchor_detection_loss(boxes, scores, gt):
    """RetinaNet-like loss: pairwise IoU assigns anchors, focal loss on scores and GIoU-free L1 on matched boxes."""
    lt = jnp.maximum(boxes[:, None, :2], gt[None, :, :2])
    rb = jnp.minimum(boxes[:, None, 2:], gt[None, :, 2:])
    inter = jnp.prod(jnp.clip(rb - lt, 0), -1)
    area = lambda b: (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    iou = inter / (area(boxes)[:, None] + area(gt)[None, :] - inter)
    best = jnp.argmax(iou, axis=1)
    pos = lax.stop_gradient(iou.max(axis=1) > 0.3).astype(jnp.float32)
    p = jax.nn.sigmoid(scores)
    pt = jnp.where(pos > 0, p, 1 - p)
    focal = -jnp.where(pos > 0, 0.25, 0.75) * (1 - pt) ** 2 * jnp.log(pt + 1e-7)
    d = jnp.abs(boxes - gt[best]).sum(-1)
    return (focal.sum() + (pos * d).sum()) / jnp.maximum(pos.sum(), 1.0)
