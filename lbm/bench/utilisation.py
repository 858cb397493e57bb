#!/usr/bin/env python3
"""Draws utilisation over tile porosity from what lbmBench --json wrote: utilisation.py RESULT.json... > picture.svg

Points are measured, one colour a storage; rings are the model's predictions. Python alone.
Part of lbmFoam, GPL-3.0-or-later.
"""
import json
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 720, 480, 60, 50, 20, 150
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999999"]


def rows(path):
    with open(path) as file:
        content = json.load(file)
    for case in content.get("cases", [content]):
        yield from case["rows"]


def points(paths):
    """{storage: [(tile porosity, measured, predicted or None)]}, in order of appearance."""
    found = {}
    for path in paths:
        for row in rows(path):
            predicted = row.get("predicted", {}).get("efficiency") or None
            label = f"{row['storage']} {row['precision']}"
            found.setdefault(label, []).append((row["tilePorosity"], row["efficiency"]["median"], predicted))
    return found


def place(x, y):
    return (LEFT + x*(WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - y*(HEIGHT - BOTTOM - TOP))


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


def frame():
    for i in range(11):
        value = i/10
        x0, y0 = place(0, value)
        x1, _ = place(1, value)
        yield f'<path d="M{x0:.1f} {y0:.1f}H{x1:.1f}" stroke="#ddd"/>' + text(x0 - 8, y0 + 4, f"{value:.1f}", "end")
        x, bottom = place(value, 0)
        _, top = place(value, 1)
        yield f'<path d="M{x:.1f} {bottom:.1f}V{top:.1f}" stroke="#ddd"/>' + text(x, bottom + 18, f"{value:.1f}")
    x, y = place(0.5, 0)
    yield text(x, y + 38, "tile porosity")
    x, y = place(0, 0.5)
    yield f'<g transform="rotate(-90 18 {y:.0f})">{text(18, y, "share of the bandwidth")}</g>'


def series(number, label, values):
    colour = COLOURS[number % len(COLOURS)]
    for porosity, measured, predicted in values:
        x, y = place(porosity, measured)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
        if predicted:
            _, y = place(porosity, predicted)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="none" stroke="{colour}"/>'
    x, y = place(1, 1)
    y += 10 + 20*number
    yield f'<circle cx="{x + 16:.0f}" cy="{y:.0f}" r="4" fill="{colour}"/>' + text(x + 26, y + 4, label, "start")


def main(paths):
    if not paths:
        sys.exit("usage: utilisation.py RESULT.json... > picture.svg")
    found = points(paths)
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">')
    print('<rect width="100%" height="100%" fill="white"/>')
    print("\n".join(frame()))
    for number, (label, values) in enumerate(found.items()):
        print("\n".join(series(number, label, values)))
    print("</svg>")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError, KeyError) as fault:
        sys.exit(f"utilisation.py: {fault!r}")
