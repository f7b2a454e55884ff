"""The table of programs: each field file registers its functions here."""
import numpy as np

PROGRAMS = {}
SIZES = ("small", "medium", "large")


class Program:
    """One program: a function of arrays, its inputs at three sizes, and which arguments are differentiated."""

    def __init__(self, name, fn, inputs, sizes, diff, x64):
        self.name, self.fn, self._inputs, self.diff, self.x64 = name, fn, inputs, tuple(diff), x64
        self.sizes = dict(zip(SIZES, sizes, strict=True))

    def inputs(self, size, rng):
        return self._inputs(self.sizes[size], rng)


def program(inputs, sizes, diff=(0,), x64=False):
    """Registers a function as `<field>.<function>`; `diff=()` marks a program without a gradient."""

    def register(fn):
        name = fn.__module__.rsplit(".", 1)[-1] + "." + fn.__name__
        assert name not in PROGRAMS and fn.__doc__, name
        PROGRAMS[name] = Program(name, fn, inputs, sizes, diff, x64)
        return fn

    return register


class Fixed(Program):
    """A program of one size: a maker gives what is run by name (`value`, and `grad` if there is one) and the arguments."""

    def __init__(self, name, make, x64):
        super().__init__(name, make, lambda size, rng: self.made()[1], SIZES, (), x64)
        self._make, self._made = make, None

    def made(self):
        if self._made is None:
            self._made = self._make()
        return self._made

    @property
    def own(self):
        """The functions as the driver names them."""
        return {{"value": "f", "grad": "vg"}[name]: fn for name, fn in self.made()[0].items()}


def fixed(x64=False, tol=None):
    """Registers a maker; `tol` is how far results may be from JAX's where that is not the driver's to say."""

    def register(make):
        name = make.__module__.rsplit(".", 1)[-1] + "." + make.__name__
        assert name not in PROGRAMS and make.__doc__, name
        PROGRAMS[name] = Fixed(name, make, x64)
        PROGRAMS[name].tol = tol
        return make

    return register


def given(inputs, x64=False, tol=None):
    """Registers a function whose value is all that is run, with arguments that `inputs` makes of a generator, for one size."""

    def register(fn):
        def make():
            return {"value": fn}, tuple(np.asarray(a) for a in inputs(np.random.default_rng(len(fn.__name__))))

        make.__name__, make.__module__, make.__doc__ = fn.__name__, fn.__module__, fn.__doc__
        fixed(x64=x64, tol=tol)(make)
        return fn

    return register


def both(fn, argnums=0):
    """A function, and its value with its gradient."""
    import jax

    return {"value": fn, "grad": jax.value_and_grad(fn, argnums)}


# Makers of inputs: all numpy, all from the generator that is handed in.
def randn(r, *shape, scale=1.0):
    return (scale * r.standard_normal(shape)).astype(np.float32)


def randn64(r, *shape, scale=1.0):
    return scale * r.standard_normal(shape)


def unif(r, *shape, lo=0.0, hi=1.0):
    return r.uniform(lo, hi, shape).astype(np.float32)


def unif64(r, *shape, lo=0.0, hi=1.0):
    return r.uniform(lo, hi, shape)


def ints(r, hi, *shape, lo=0, dtype=np.int32):
    return r.integers(lo, hi, shape).astype(dtype)


def key(r):
    """A raw threefry key, as `jax.random.PRNGKey` makes."""
    return r.integers(0, 2**32, 2, dtype=np.uint32)


def dense(r, n_in, n_out):
    return {"w": randn(r, n_in, n_out, scale=n_in**-0.5), "b": randn(r, n_out, scale=0.1)}
