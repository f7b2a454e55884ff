"""Graphs: message passing, PageRank, paths and components."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.ops import segment_max, segment_min, segment_sum

from registry import dense, ints, program, randn, unif


def _gcn(s, r):
    n, e, d, h = s
    return ({"l1": dense(r, d, h), "l2": dense(r, h, 4)}, randn(r, n, d), ints(r, n, e), ints(r, n, e), ints(r, 4, n))


@program(_gcn, [(10, 30, 4, 8), (2708, 10556, 32, 16), (20000, 100000, 64, 32)])
def gcn_node_classifier(params, x, senders, receivers, labels):
    """Kipf and Welling's two-layer graph convolution on an edge list, symmetric degree normalisation."""
    n = x.shape[0]
    ones = jnp.ones_like(senders, dtype=x.dtype)
    deg_s = segment_sum(ones, senders, n) + 1.0
    deg_r = segment_sum(ones, receivers, n) + 1.0

    def layer(h, p):
        h = h @ p["w"] + p["b"]
        m = (h * jax.lax.rsqrt(deg_s)[:, None])[senders]
        agg = segment_sum(m, receivers, num_segments=n) * jax.lax.rsqrt(deg_r)[:, None]
        return agg + h / (deg_s * deg_r)[:, None] ** 0.5

    logits = layer(jax.nn.relu(layer(x, params["l1"])), params["l2"])
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(n), labels])


def _gat(s, r):
    n, e, d, k = s
    return ({"w": randn(r, d, k, d, scale=d**-0.5), "al": randn(r, k, d, scale=0.3), "ar": randn(r, k, d, scale=0.3)},
            randn(r, n, d), np.stack([ints(r, n, e), ints(r, n, e)]))


@program(_gat, [(8, 20, 4, 1), (800, 4000, 8, 4), (20000, 80000, 16, 4)])
def gat_layer(params, nodes, edges):
    """A graph attention layer: softmax over each node's incoming edges by segment_max and segment_sum."""
    src, dst = edges
    n = nodes.shape[0]
    h = jnp.einsum("nd,dkf->nkf", nodes, params["w"])
    el, er = (h * params["al"]).sum(-1), (h * params["ar"]).sum(-1)
    e = jax.nn.leaky_relu(el[src] + er[dst], 0.2)
    m = segment_max(e, dst, n)
    w = jnp.exp(e - m[dst])
    z = segment_sum(w, dst, n)
    alpha = w / z[dst]
    out = segment_sum(alpha[..., None] * h[src], dst, n)
    return jnp.mean(jax.nn.elu(out).mean(1) ** 2)


def _pr(s, r):
    n, e, k = s
    return unif(r, n, lo=0.1), unif(r, e, lo=0.1), ints(r, n, e), ints(r, n, e), np.zeros((k, 1), np.float32)


@program(_pr, [(8, 24, 3), (800, 5000, 30), (20000, 120000, 50)], diff=(0, 1))
def personalized_pagerank(teleport, weights, src, dst, trace):
    """PageRank with teleport and edge weights by power iteration; the entropy of the result is the objective."""
    n = teleport.shape[0]
    v = teleport / teleport.sum()
    out = segment_sum(weights, src, n)
    p = weights / out[src]
    dangling = out == 0

    def it(rank, _):
        lost = jnp.sum(jnp.where(dangling, rank, 0.0))
        new = 0.85 * (segment_sum(rank[src] * p, dst, n) + lost * v) + 0.15 * v
        return new, None

    rank, _ = jax.lax.scan(it, v, trace)
    return -jnp.sum(rank * jnp.log(rank))


def _bf(s, r):
    n, e = s
    src = np.concatenate([np.arange(n - 1, dtype=np.int32), ints(r, n, e)])
    dst = np.concatenate([np.arange(1, n, dtype=np.int32), ints(r, n, e)])
    return src, dst, ints(r, 100, len(src), lo=1), np.full(n, 2**30, np.int32)


@program(_bf, [(8, 20), (3000, 20000), (40000, 300000)], diff=())
def bellman_ford(src, dst, weight, dist):
    """Single-source shortest paths with integer weights, relaxing all edges until nothing changes."""
    n_nodes = dist.shape[0]
    dist0 = dist.at[0].set(0)

    def cond(state):
        _, changed, it = state
        return changed & (it < n_nodes)

    def body(state):
        dist, _, it = state
        new = dist.at[dst].min(dist[src] + weight)
        return new, jnp.any(new != dist), it + 1

    dist, _, rounds = jax.lax.while_loop(cond, body, (dist0, True, 0))
    return dist, rounds


def _cc(s, r):
    n, e = s
    return ints(r, n, e), ints(r, n, e), np.arange(n, dtype=np.int32)


@program(_cc, [(16, 14), (8000, 7600), (60000, 58000)], diff=())
def connected_components(u, v, labels):
    """Connected components by min-label hooking and pointer jumping, then component sizes and edge counts."""
    n = labels.shape[0]

    def body(state):
        lab, _ = state
        small = jnp.minimum(lab[u], lab[v])
        new = jnp.minimum(lab, segment_min(small, u, n))
        new = jnp.minimum(new, segment_min(small, v, n))
        new = new[new]
        return new, jnp.any(new != lab)

    lab, _ = jax.lax.while_loop(lambda s: s[1], body, (labels, jnp.bool_(True)))
    sizes = jnp.zeros(n, jnp.int32).at[lab].add(1)
    return lab, (sizes > 0).sum(), sizes.max(), jnp.zeros(n, jnp.int32).at[lab[u]].add(1)


def _mpnn(s, r):
    g, per, d = s
    n, e = g * per, g * per * 4
    gid = np.repeat(np.arange(g, dtype=np.int32), per)
    src = ints(r, n, e)
    dst = (src // per * per + ints(r, per, e)).astype(np.int32)
    p = {"edge": dense(r, 2 * d + 1, d), "node": dense(r, 2 * d, d), "read": dense(r, d, 1)}
    return p, randn(r, n, d), randn(r, n, 3), src, dst, gid, randn(r, g)


@program(_mpnn, [(2, 4, 4), (64, 16, 16), (512, 20, 32)], diff=(0, 2))
def mpnn_molecule_energy(params, h, pos, src, dst, graph_id, energy):
    """Two rounds of an E(n)-invariant message-passing net on batched molecules, summed to an energy per graph."""
    mlp = lambda p, x: jax.nn.silu(x @ p["w"] + p["b"])
    d2 = jnp.sum((pos[src] - pos[dst]) ** 2, -1, keepdims=True)
    for _ in range(2):
        m = mlp(params["edge"], jnp.concatenate([h[src], h[dst], jnp.exp(-d2)], -1))
        agg = segment_sum(m, dst, h.shape[0])
        h = h + mlp(params["node"], jnp.concatenate([h, agg], -1))
    atom = (h @ params["read"]["w"] + params["read"]["b"])[:, 0]
    pred = segment_sum(atom, graph_id, energy.shape[0])
    return jnp.mean((pred - energy) ** 2)
