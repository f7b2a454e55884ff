"""The figures that ``run.py --save`` leaves, as a picture: ``python benches/jax/plot.py figures.jsonl picture.svg``.

For each program how many times faster it is than on JAX's CPU platform, on a logarithmic scale: to the first result, and again.
"""

import argparse
import html
import json
import math
import pathlib

ROW, BAR, LEFT, WIDTH, TOP = 30, 10, 470, 560, 70
COLORS = {"first": "#4269d0", "steady": "#efb118"}
WORDS = {"first": "first result (tracing, compilation, one call)", "steady": "again (a call)"}


def picture(programs):
    """The text of an SVG file."""
    most = max(p["cpu"][k] / p["wengert"][k] for p in programs for k in COLORS)
    least = min(min(p["cpu"][k] / p["wengert"][k] for p in programs for k in COLORS), 1.0)
    low, high = math.floor(math.log2(least)), max(math.ceil(math.log2(most)), 1)
    x = lambda ratio: LEFT + WIDTH * (math.log2(ratio) - low) / (high - low)
    height = TOP + ROW * len(programs) + 20
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + 90}" height="{height}" '
        'font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="10" y="24" font-size="16">Programs of JAX\'s users: how many times faster than on JAX\'s CPU platform</text>',
    ]
    for k, key in enumerate(COLORS):
        out.append(f'<rect x="{LEFT + 290 * k}" y="36" width="12" height="12" fill="{COLORS[key]}"/>')
        out.append(f'<text x="{LEFT + 18 + 290 * k}" y="47">{WORDS[key]}</text>')
    for power in range(low, high + 1):
        at, weight = x(2.0**power), 2 if power == 0 else 1
        color = "#444" if power == 0 else "#ddd"
        out.append(f'<line x1="{at}" x2="{at}" y1="{TOP}" y2="{height - 16}" stroke="{color}" stroke-width="{weight}"/>')
        out.append(f'<text x="{at}" y="{TOP - 6}" text-anchor="middle" fill="#444">{2.0**power:g}x</text>')
    for row, p in enumerate(programs):
        top = TOP + ROW * row + 4
        name = p["name"] if len(p["name"]) <= 68 else p["name"][:67] + "…"
        out.append(f'<text x="{LEFT - 8}" y="{top + 15}" text-anchor="end">{html.escape(name)}</text>')
        for k, key in enumerate(COLORS):
            ratio = p["cpu"][key] / p["wengert"][key]
            text = f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"
            start, end = sorted((x(1.0), x(ratio)))
            y = top + BAR * k
            out.append(f'<rect x="{start:.1f}" y="{y}" width="{end - start:.1f}" height="{BAR - 1}" fill="{COLORS[key]}"/>')
            out.append(f'<text x="{max(end, x(1.0)) + 4:.1f}" y="{y + 9}" font-size="10" fill="#444">{text}</text>')
    return "\n".join([*out, "</svg>", ""])


def main():
    """Reads figures and writes the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    options = parser.parse_args()
    lines = [json.loads(line) for line in options.figures.read_text().splitlines()]
    # Of several runs the last.
    programs = {p["name"]: p for p in lines}
    options.picture.write_text(picture(list(programs.values())))


if __name__ == "__main__":
    main()
