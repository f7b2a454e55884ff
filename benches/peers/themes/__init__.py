"""The families of workloads by theme, as ../../src/workloads has them.

A family is a dictionary: "f", a function of the leaves of the arguments; "wrt", the leaves to differentiate by (numbers,
or how many at the end to leave out as a negative number; the first if missing); and functions that are not derived
from "f" under their own names.
"""
from . import adbench, basic, batched, dynamics, elementwise, networks, recurrent, scaling, simulations, transformer, transforms, vmap_families

FAMILIES = {}
for theme in (adbench, basic, batched, dynamics, elementwise, networks, recurrent, scaling, simulations, transformer, transforms, vmap_families):
    FAMILIES |= theme.FAMILIES
