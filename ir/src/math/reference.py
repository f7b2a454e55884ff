"""Writes reference.txt: python3 reference.py > reference.txt (needs mpmath).

Per function a line "# name", then lines of arguments, the exact result rounded to a double, both as
hexadecimal bits, and what the rounding left, in hundredths of a unit in the last place.
"""

import math
import random
import struct

import mpmath as mp
from mpmath import mpf

PER_FUNCTION = 100
rng = random.Random(7)


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


# Samplers of arguments.


def uniform(low, high):
    return lambda: rng.uniform(low, high)


def logarithmic(low, high, signs=(-1, 1)):
    return lambda: rng.choice(signs) * math.exp(rng.uniform(math.log(low), math.log(high)))


def any_bits():
    return struct.unpack("<d", struct.pack("<Q", rng.getrandbits(64)))[0]


def any_positive():
    return abs(any_bits())


def near(points, low=-50, high=-3):
    return lambda: rng.choice(points) * (1 + rng.choice([-1, 1]) * 2.0 ** rng.uniform(low, high))


# Close to multiples of pi/2; the last two are famous for how close.
MULTIPLES = [float(mp.pi / 2 * k) for k in [*range(1, 40), 1000, 12345, 10**6, 10**7, 31415926, 6 * 10**7]]
MULTIPLES += [6381956970095103 * 2.0**797, 5.319372648326541e255]
ANGLES = [lambda: rng.choice(MULTIPLES), any_bits, uniform(-10, 10), logarithmic(1e-10, 1e9)]
UNIT = [uniform(-1, 1), logarithmic(1e-20, 1)]


# Functions that mpmath lacks.


def erf_inv(x):
    a = abs(x)
    if a < mpf(10) ** -20:
        return x * mp.sqrt(mp.pi) / 2
    y = a * mp.sqrt(mp.pi) / 2 if a < 0.7 else mp.sqrt(-mp.log(1 - a)) * mpf("0.9")
    for _ in range(100):
        slope = 2 / mp.sqrt(mp.pi) * mp.exp(-y * y)
        if a < 0.7:
            step = (a - mp.erf(y)) / slope
        else:
            e = mp.erfc(y)
            step = mp.log(e / (1 - a)) * e / slope
        y += step
        if abs(step) < y * mpf(2) ** -150:
            break
    return mp.sign(x) * y


def lgamma(x):
    if abs(x) < 100:
        return mp.log(abs(mp.gamma(x)))
    if x > 0:
        return mp.loggamma(x)
    return mp.log(mp.pi / abs(x * mp.sin(mp.pi * x))) - mp.loggamma(-x)


def sampled_pow():
    kind = rng.randrange(5)
    x = any_positive() if kind < 2 else math.exp(rng.uniform(-3, 3)) if kind < 4 else near([1.0])()
    if kind == 3:
        return x, rng.choice([2, 3, 0.5, -1, -2, 1.5, 10, 0.1, 1e-3, -0.3333])
    return x, rng.uniform(-740, 709) / math.log(x)


def sampled_atan2():
    kind = rng.randrange(3)
    if kind == 0:
        return any_bits(), any_bits()
    x = rng.uniform(-3, 3)
    return (rng.uniform(-3, 3) if kind == 1 else x * rng.choice([-1, 1]) * 2.0 ** rng.uniform(-60, 60)), x


def turns(samplers):
    """One argument, from each sampler in turn."""
    state = iter(range(10**9))
    return lambda: (samplers[next(state) % len(samplers)](),)


FUNCTIONS = {
    "exp": (mp.exp, turns([uniform(-750, 710), uniform(-2, 2), logarithmic(1e-20, 700)])),
    "expm1": (mp.expm1, turns([uniform(-50, 710), uniform(-2, 2), logarithmic(1e-20, 700)])),
    "log": (mp.log, turns([any_positive, uniform(0.3, 3), near([1.0])])),
    "log1p": (mp.log1p, turns([any_positive, uniform(-0.99, 3), logarithmic(1e-20, 0.9), near([-1.0], -50, -1)])),
    "sin": (mp.sin, turns(ANGLES)),
    "cos": (mp.cos, turns(ANGLES)),
    "tan": (mp.tan, turns(ANGLES)),
    "tanh": (mp.tanh, turns([uniform(-20, 20), uniform(-2, 2), logarithmic(1e-20, 1)])),
    "sinh": (mp.sinh, turns([uniform(-710.4, 710.4), uniform(-2, 2), logarithmic(1e-20, 1)])),
    "cosh": (mp.cosh, turns([uniform(-710.4, 710.4), uniform(-2, 2), logarithmic(1e-20, 1)])),
    "logistic": (
        lambda x: 1 / (1 + mp.exp(-x)),
        turns([uniform(-745, 40), uniform(-10, 10), uniform(-2, 2), logarithmic(1e-20, 1)]),
    ),
    "cbrt": (lambda x: mp.sign(x) * mp.cbrt(abs(x)), turns([any_bits, uniform(-9, 9)])),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), turns([any_positive, uniform(0.1, 9)])),
    "atan": (mp.atan, turns([any_bits, uniform(-3, 3), logarithmic(1e-20, 1e20)])),
    "asin": (mp.asin, turns([*UNIT, near([1.0, 0.5, -0.5, -1.0])])),
    "acos": (mp.acos, turns([*UNIT, near([1.0, 0.5, -0.5, -1.0])])),
    "asinh": (mp.asinh, turns([any_bits, uniform(-3, 3), logarithmic(1e-20, 1e20)])),
    "acosh": (mp.acosh, turns([any_positive, uniform(1, 3), near([1.0]), logarithmic(1, 1e20, [1])])),
    "atanh": (mp.atanh, turns([*UNIT, near([1.0, -1.0])])),
    "erf": (mp.erf, turns([uniform(-6, 6), uniform(-1.2, 1.2), logarithmic(1e-20, 1)])),
    "erfc": (mp.erfc, turns([uniform(-6, 27), uniform(-1.2, 1.2), uniform(0.4, 6), uniform(24, 26.5)])),
    "erf_inv": (erf_inv, turns([*UNIT, near([1.0, -1.0], -53)])),
    "lgamma": (
        lgamma,
        turns([
            uniform(0, 12),
            uniform(-20, 0),
            logarithmic(1e-20, 1e20, [1]),
            near([1.0, 2.0, -2.457024738220801, -3.0, -20.0, 8.0, 3.0]),
        ]),
    ),
    "digamma": (
        mp.digamma,
        turns([
            uniform(0, 12),
            uniform(-20, 0),
            logarithmic(1e-20, 1e20, [1]),
            near([1.4616321449683622, -0.504083008264455, -3.0, -20.0, 8.0]),
        ]),
    ),
    "pow": (mp.power, sampled_pow),
    "atan2": (mp.atan2, sampled_atan2),
}


def in_domain(name, x):
    if name in ("asin", "acos", "atanh", "erf_inv"):
        return abs(x) < 1
    return x > {"log1p": -1, "acosh": 1, "pow": 0}.get(name, -math.inf)


def rounded(value):
    """The nearest double and the rest in hundredths of its unit."""
    head = float(value)
    if abs(value) < mpf(2) ** -1022:
        head = float(mp.ldexp(mp.nint(mp.ldexp(value, 1074)), -1074))
    exponent = max(math.frexp(head)[1], -1021)
    return head, int(mp.nint((value - mpf(head)) * 100 / mp.ldexp(1, exponent - 53)))


for name, (function, sample) in FUNCTIONS.items():
    print("#", name)
    count = 0
    while count < PER_FUNCTION:
        arguments = sample()
        if not all(map(math.isfinite, arguments)) or not in_domain(name, arguments[0]):
            continue
        # Huge angles need as many more bits as they have before the point.
        mp.mp.prec = 1300 if name in ("sin", "cos", "tan") and abs(arguments[0]) > 1e15 else 200
        value = function(*map(mpf, arguments))
        if value == 0 or abs(value) > mpf("1.79e308"):
            continue
        head, rest = rounded(value)
        if head == 0:
            continue
        print(*(f"{bits(x):x}" for x in (*arguments, head)), rest)
        count += 1
