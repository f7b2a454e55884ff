"""Rigid-body dynamics of robot arms."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _arm(s, r):
    links, samples = s
    axis = np.eye(3, dtype=np.float32)[r.integers(0, 3, links)]
    inertial = {
        "log_mass": randn(r, links, scale=0.3), "com": randn(r, links, 3, scale=0.1), "root": randn(r, links, 3, 3, scale=0.2),
        "viscous": unif(r, links, lo=0.05, hi=0.2), "dry": unif(r, links, lo=0.05, hi=0.2),
    }
    motion = [randn(r, samples, links, scale=k) for k in (1.0, 0.7, 1.5)]
    return (inertial, axis, randn(r, links, 3, scale=0.3), *motion, randn(r, samples, links, scale=2.0))


@program(_arm, [(3, 2), (6, 32), (7, 4000)])
def recursive_newton_euler_identification(inertial, axis, offset, q, dq, ddq, torque):
    """Inverse dynamics of a serial arm by the Newton-Euler recursion, out and back by scans; robust misfit of measured torques for identification."""
    inertia = jnp.einsum("lij,lkj->lik", inertial["root"], inertial["root"]) + 0.01 * jnp.eye(3)
    mass = jnp.exp(inertial["log_mass"])

    def rotation(axis, angle):
        x, y, z = axis
        k = jnp.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        return jnp.eye(3) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * k @ k

    def torques(q, dq, ddq):
        turn = jax.vmap(rotation)(axis, q)  # from a link to its parent

        def outward(carry, z):
            w, dw, a = carry
            turn, axis, offset, dq, ddq, mass, com, inertia = z
            back = turn.T
            spin = axis * dq
            w_new = back @ w + spin
            dw_new = back @ dw + jnp.cross(back @ w, spin) + axis * ddq
            a_new = back @ (a + jnp.cross(dw, offset) + jnp.cross(w, jnp.cross(w, offset)))
            centre = a_new + jnp.cross(dw_new, com) + jnp.cross(w_new, jnp.cross(w_new, com))
            moment = inertia @ dw_new + jnp.cross(w_new, inertia @ w_new)
            return (w_new, dw_new, a_new), (mass * centre, moment)

        start = (jnp.zeros(3), jnp.zeros(3), jnp.array([0.0, 0.0, 9.81]))
        _, (force, moment) = lax.scan(outward, start, (turn, axis, offset, dq, ddq, mass, inertial["com"], inertia))

        def inward(carry, z):
            f, n = carry  # what the child passes on, in this link's frame
            turn, offset, force, moment, com, axis = z
            f = f + force
            n = n + moment + jnp.cross(com, force)
            passed = turn @ f
            return (passed, turn @ n + jnp.cross(offset, passed)), n @ axis

        _, tau = lax.scan(inward, (jnp.zeros(3), jnp.zeros(3)), (turn, offset, force, moment, inertial["com"], axis), reverse=True)
        return tau + inertial["viscous"] * dq + inertial["dry"] * jnp.tanh(20.0 * dq)

    error = jax.vmap(torques)(q, dq, ddq) - torque
    huber = jnp.where(jnp.abs(error) < 1.0, 0.5 * error**2, jnp.abs(error) - 0.5)
    return jnp.mean(huber) + 1e-3 * jnp.sum(inertial["com"] ** 2) + 1e-3 * jnp.sum(inertial["log_mass"] ** 2)
