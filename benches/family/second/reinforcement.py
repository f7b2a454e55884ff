"""Reinforcement learning: policy losses and dynamic programming on a grid world."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import dense, ints, program, randn


def _ppo(s, r):
    t, n, d, h, k = s
    p = {"trunk": dense(r, d, h), "pi": dense(r, h, k), "v": dense(r, h, 1)}
    return (p, randn(r, t + 1, n, d), ints(r, k, t, n), randn(r, t, n), r.random((t, n)) < 0.1,
            (randn(r, t, n, scale=0.1) - np.log(k)).astype(np.float32))


@program(_ppo, [(4, 2, 3, 8, 3), (64, 16, 8, 32, 4), (256, 32, 32, 128, 8)])
def ppo_gae_loss(params, obs, actions, rewards, dones, old_logp):
    """PPO loss: advantages by a reverse scan (GAE) with episode ends, normalised; clipped ratio, value and entropy terms."""
    h = jnp.tanh(obs @ params["trunk"]["w"] + params["trunk"]["b"])
    values = (h @ params["v"]["w"] + params["v"]["b"])[..., 0]
    logits = h[:-1] @ params["pi"]["w"] + params["pi"]["b"]
    frozen = lax.stop_gradient(values)
    alive = 1.0 - dones.astype(jnp.float32)

    def back(adv, x):
        r, v, v_next, m = x
        delta = r + 0.99 * v_next * m - v
        adv = delta + 0.99 * 0.95 * m * adv
        return adv, adv

    _, adv = lax.scan(back, jnp.zeros(rewards.shape[1]), (rewards, frozen[:-1], frozen[1:], alive), reverse=True)
    returns = adv + frozen[:-1]
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    logp_all = jax.nn.log_softmax(logits)
    logp = jnp.take_along_axis(logp_all, actions[..., None], axis=-1)[..., 0]
    ratio = jnp.exp(logp - old_logp)
    policy = -jnp.minimum(ratio * adv, jnp.clip(ratio, 0.8, 1.2) * adv).mean()
    entropy = -(jnp.exp(logp_all) * logp_all).sum(-1).mean()
    return policy + 0.5 * jnp.mean((values[:-1] - returns) ** 2) - 0.01 * entropy


def _grid(n, r):
    return randn(r, n, n), r.random((n, n)) < 0.15, np.float32(0.8), np.float32(0.1)


@program(_grid, [4, 16, 100], diff=())
def gridworld_value_iteration(reward, wall, gamma, slip):
    """Value iteration on a slippery grid with walls until the sup-norm change is small; values and a Boltzmann policy."""
    moves = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def after(v, d):
        n, m = v.shape
        padded = jnp.pad(v, 1, mode="edge")
        blocked = jnp.pad(wall, 1, constant_values=True)
        sl = (slice(1 + d[0], 1 + d[0] + n), slice(1 + d[1], 1 + d[1] + m))
        return jnp.where(blocked[sl], v, padded[sl])

    def q_values(v):
        nxt = jnp.stack([after(v, d) for d in moves])
        mixed = (1 - 2 * slip) * nxt + slip * (jnp.roll(nxt, 1, axis=0) + jnp.roll(nxt, -1, axis=0))
        return reward + gamma * mixed

    def cond(c):
        _, change, i = c
        return (change > 1e-5) & (i < 500)

    def body(c):
        v, _, i = c
        new = jnp.where(wall, 0.0, q_values(v).max(axis=0))
        return new, jnp.max(jnp.abs(new - v)), i + 1

    v, _, _ = lax.while_loop(cond, body, (jnp.zeros_like(reward), jnp.float32(jnp.inf), 0))
    return v, jax.nn.softmax(q_values(v) / 0.5, axis=0)
