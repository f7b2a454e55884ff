"""Exact results of the math library's double functions (needs mpmath and gmpy2).

    python3 reference.py > reference.txt            random arguments
    python3 reference.py check DIR                  the largest errors of what math_sweep --doubles DIR wrote
    python3 reference.py hardest DIR > hardest.txt  their exact results

Per function a line "# name", then lines of arguments, the exact result rounded to a double, both as
hexadecimal bits, and what the rounding left, in hundredths of a unit in the last place.
"""

import array
import math
import os
import random
import struct
import sys

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


def hurwitz(x, q):
    """By the formula of Euler and Maclaurin, from far enough out for 200 bits and more; mpmath's fails at large q."""
    if x <= 1 or q <= 0 or not mp.isfinite(q):
        return mp.zeta(x, q)
    start = max(60, int(x) + 1)
    a, rising, tail = q + start, x / (q + start), mpf(1) / 2
    for j in range(1, 41):
        tail += mp.bernoulli(2 * j) / mp.factorial(2 * j) * rising
        rising *= (x + 2 * j - 1) * (x + 2 * j) / a**2
    return mp.fsum((q + k) ** -x for k in range(start)) + a**-x * (a / (x - 1) + tail)


def polygamma(n, x):
    return mp.digamma(x) if n == 0 else (-1) ** (int(n) + 1) * mp.factorial(n) * hurwitz(n + 1, x)


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


def sampled_positive():
    kind = rng.randrange(8)
    if kind == 0:
        return math.exp(rng.uniform(-700, 700))
    return math.exp(rng.uniform(-7, 8)) if kind < 4 else rng.uniform(0, 30)


def sampled_zeta():
    kind = rng.randrange(4)
    x = 1 + 2 ** rng.uniform(-20, 7) if kind == 0 else rng.uniform(1, 100) if kind == 1 else rng.uniform(1, 12)
    return x, sampled_positive()


def sampled_polygamma():
    return rng.choice([1.0, 1.0, float(rng.randrange(31))]), sampled_positive()


def turns(samplers):
    """One argument, from each sampler in turn."""
    state = iter(range(10**9))
    return lambda: (samplers[next(state) % len(samplers)](),)


FUNCTIONS = {
    "exp": (mp.exp, turns([uniform(-750, 710), uniform(-2, 2), logarithmic(1e-20, 700)])),
    "exp2": (lambda x: mp.power(2, x), turns([uniform(-1074, 1023), uniform(-2, 2), logarithmic(1e-20, 1000)])),
    "expm1": (mp.expm1, turns([uniform(-50, 710), uniform(-2, 2), logarithmic(1e-20, 700)])),
    "log": (mp.log, turns([any_positive, uniform(0.3, 3), near([1.0])])),
    "log2": (lambda x: mp.log(x) / mp.log(2), turns([any_positive, uniform(0.3, 3), near([1.0])])),
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
    "zeta": (hurwitz, sampled_zeta),
    "polygamma": (polygamma, sampled_polygamma),
}


def in_domain(name, x):
    if name in ("asin", "acos", "atanh", "erf_inv"):
        return abs(x) < 1
    return x > {"log1p": -1, "acosh": 1, "pow": 0, "zeta": 1}.get(name, -math.inf)


def rounded(value):
    """The nearest double and the rest in hundredths of its unit."""
    head = float(value)
    if abs(value) < mpf(2) ** -1022:
        head = float(mp.ldexp(mp.nint(mp.ldexp(value, 1074)), -1074))
    exponent = max(math.frexp(head)[1], -1021)
    return head, int(mp.nint((value - mpf(head)) * 100 / mp.ldexp(1, exponent - 53)))


def print_random():
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


# Many arguments at once, by MPFR.


def exact_by_mpfr():
    """Functions of MPFR numbers, and the half width to which they are exact."""
    import gmpy2 as g

    g.get_context().precision = 160
    g.get_context().emin, g.get_context().emax = -(10**9), 10**9

    def inverse(x, start):
        if x == 0 or abs(x) >= 1 or not g.is_finite(x):
            return x if x == 0 else g.mpfr("nan") if not abs(x) == 1 else g.mpfr("inf") * x
        y, a = abs(start), abs(x)
        for _ in range(3):
            slope = 2 / g.sqrt(g.const_pi()) * g.exp(-y * y)
            rest = a - g.erf(y) if a < 0.5 else g.erfc(y) - (1 - a)
            y += rest / slope * (1 + y * rest / slope)
        return g.sign(x) * y

    def pole(f):
        return lambda x: g.mpfr("nan") if x <= 0 and (x == g.floor(x) or g.is_infinite(x)) else f(x)

    def log_gamma(x):
        if x <= 0 and (x == g.floor(x) or g.is_infinite(x)):
            return g.mpfr("inf")
        return g.lgamma(x)[0]

    table = {name: getattr(g, name) for name in ("exp", "exp2", "expm1", "log2", "log1p", "sin", "cos", "tan")}
    table |= {name: getattr(g, name) for name in ("tanh", "sinh", "cosh", "cbrt", "atan", "asin", "acos", "asinh")}
    table |= {name: getattr(g, name) for name in ("acosh", "atanh", "erf", "erfc", "atan2")}
    table |= {"log": g.log, "rsqrt": g.rec_sqrt, "logistic": lambda x: 1 / (1 + g.exp(-x))}

    def by_mpmath(f):
        def of(*arguments):
            mp.mp.prec = 170
            if not all(map(g.is_finite, arguments)):
                return g.mpfr("nan")
            return g.mpfr(mp.nstr(f(*(mpf(float(x)) for x in arguments)), 55))

        return of

    table |= {"zeta": by_mpmath(hurwitz), "polygamma": by_mpmath(polygamma)}
    table |= {"lgamma": log_gamma, "digamma": pole(g.digamma), "powf": lambda x, y: x**y}
    return g, table, inverse


def errors(folder):
    """Per function its name and a list of (error, arguments, exact result), largest errors first."""
    g, table, inverse = exact_by_mpfr()
    for name in sorted(os.listdir(folder)):
        columns = 3 if name in ("powf", "atan2", "zeta", "polygamma") else 2
        data = array.array("d", open(os.path.join(folder, name), "rb").read())
        found = []
        for at in range(0, len(data), columns):
            *arguments, got = data[at : at + columns]
            exact = [g.mpfr(x) for x in arguments]
            value = inverse(exact[0], g.mpfr(got)) if name == "erf_inv" else table[name](*exact)
            if g.is_nan(value) or got != got:
                same = g.is_nan(value) and got != got
                found.append((0.0 if same else math.inf, arguments, value))
                continue
            if g.is_infinite(value):
                found.append((0.0 if got == value else math.inf, arguments, value))
                continue
            limit = g.mpfr(2) ** 1024
            value = max(-limit, min(limit, value))
            number = g.mpfr(got) if math.isfinite(got) else limit * (1 if got > 0 else -1)
            exponent = min(g.get_exp(value), 1024) if value else -1073
            if name in ("lgamma", "digamma") and arguments[0] < 0:
                exponent = max(exponent, 1)
            unit = g.mpfr(2) ** max(exponent - 53, -1074)
            found.append((float(abs(number - value) / unit), arguments, value))
        found.sort(key=lambda row: -row[0])
        yield name, found


def print_hardest(folder):
    for name, found in errors(folder):
        print("#", {"powf": "pow"}.get(name, name))
        for _, arguments, value in found[:20]:
            mp.mp.prec = 200
            head, rest = rounded(mpf(str(value)))
            print(*(f"{bits(x):x}" for x in (*arguments, head)), rest)


if sys.argv[1:2] == ["check"]:
    for name, found in errors(sys.argv[2]):
        print(f"| {name} | {len(found)} | {found[0][0]:.3f} |", *found[0][1])
elif sys.argv[1:2] == ["hardest"]:
    print_hardest(sys.argv[2])
else:
    print_random()
