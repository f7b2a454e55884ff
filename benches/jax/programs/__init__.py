"""The programs by name: users' complaints, what they do every day, and libraries that they use.

Nothing in them knows of Wengert. A program gives a function without arguments that does its work once.
"""

import dataclasses
import importlib.util
from collections.abc import Callable

import jax

PROGRAMS = {}


@dataclasses.dataclass
class Program:
    """What gives a function without arguments, whether its numbers are of 64 bits, and the libraries that it needs."""

    make: Callable
    x64: bool
    needs: tuple

    def is_here(self):
        """Whether its libraries are installed."""
        return all(importlib.util.find_spec(name) for name in self.needs)


def program(name, x64=False, needs=()):
    """Adds a program."""

    def add(make):
        PROGRAMS[name] = Program(make, x64, needs)
        return make

    return add


def bound(function, *args):
    """The compiled function of these arguments, on the device."""
    args = jax.device_put(args)
    jitted = jax.jit(function)
    return lambda: jitted(*args)


from . import complaints, everyday, libraries  # noqa: E402, F401  (each adds its own)
