#!/usr/bin/env python3
"""Draws what lbmBench --suite seed004 printed: towers.py limits|values RESULT.txt > picture.svg

limits: what each level of memory allows, and the shapes of the towers there, as Figures 8 and 9 of Levchenko & Perepelkina 2022 do;
values: speed over the values of a node (Figure 11). Python alone.
Part of lbmFoam, GPL-3.0-or-later.
"""
import math
import re
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 760, 480, 70, 50, 20, 190
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


class Axes:
    """Places in a picture with logarithmic axes, from (left, low) to (right, high); left may be the greater one."""

    def __init__(self, left, right, low, high):
        self.left, self.right, self.low, self.high = (math.log10(v) for v in (left, right, low, high))

    def at(self, x, y):
        along = (math.log10(x) - self.left)/(self.right - self.left)
        up = (math.log10(y) - self.low)/(self.high - self.low)
        return LEFT + along*(WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up*(HEIGHT - BOTTOM - TOP)

    def frame(self, ticks, rows, below, beside):
        x0, x1, y0, y1 = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, TOP
        for value in rows:
            y = self.at(10**self.left, value)[1]
            yield f'<path d="M{x0} {y:.1f}H{x1}" stroke="#ddd"/>' + text(x0 - 8, y + 4, f"{value:g}", "end")
        for value in ticks:
            x = self.at(value, 10**self.low)[0]
            yield f'<path d="M{x:.1f} {y0}V{y1}" stroke="#ddd"/>' + text(x, y0 + 18, f"{value:g}")
        yield text((x0 + x1)/2, y0 + 38, below)
        middle = (y0 + y1)/2
        yield f'<g transform="rotate(-90 18 {middle:.0f})">{text(18, middle, beside)}</g>'


def circle(x, y, colour):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}"/>'


def legend(number, colour, words):
    y = TOP + 12 + 20*number
    return circle(WIDTH - RIGHT + 16, y, colour) + text(WIDTH - RIGHT + 28, y + 4, words, "start")


def limits(lines):
    """The first study of the page: levels of as many threads, shapes, what is reached."""
    levels = {m[1]: float(m[2]) for m in
              (re.match(r"(\S+), \d+ threads\s+(?:[\d.]+[KMG])?\s*([\d.]+) GB/s", line) for line in lines) if m}
    shapes = [(m[1], m[2], float(m[3]), float(m[4])) for m in
              (re.match(r"\s+(TorreFold<\d+,\d+>)\s+\S+\s+with\s+(\S+)\s+([\d.]+) B\s+([\d.]+)", line) for line in lines) if m]
    reached = next(re.split(r"\s+", line.strip()) for line in lines if line.startswith("towers "))
    tiers = next(float(line.split()[-1]) for line in lines if line.strip().startswith("tiers in L1"))
    if not levels or not shapes:
        raise ValueError("no study of Figures 7 to 9 in it")
    axes = Axes(200, 10, 100, 2e5)
    yield from axes.frame([200, 100, 50, 20, 10], [100, 1000, 1e4, 1e5], "bytes a node and step", "MLUPS")
    for number, (level, rate) in enumerate(levels.items()):
        colour = COLOURS[number % len(COLOURS)]
        most = 2e5  # MLUPS
        (x0, y0), (x1, y1) = axes.at(200, 1e3*rate/200), axes.at(max(10, 1e3*rate/most), min(1e3*rate/10, most))
        yield f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{colour}" fill="none"/>'
        yield legend(number, colour, f"{level}: {rate:g} GB/s")
        for name, home, size, limit in shapes:
            if home == level:
                x, y = axes.at(size, limit)
                yield circle(x, y, colour) + text(x + 9, y - 7, name.replace("<", "&lt;"), "start")
    for value, words, colour in ((tiers, "tiers in the first cache", "#000000"), (float(reached[3]), "reached", "#d50000"),
                                 (float(reached[7]), "stepwise, ideal", "#777777")):
        y = axes.at(100, value)[1]
        yield f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{colour}" stroke-dasharray="6 4"/>'
        yield text(WIDTH - RIGHT + 6, y + 4, f"{words}: {value:.0f}", "start")


def values(lines):
    found = {}
    for line in lines:
        row = re.match(r"(D3Q(\d+))\*? float\s+(\d+)\s+\d+\s+([\d.]+)\s+([\d.]+)", line)
        if row:
            found.setdefault(int(row[3]), []).append((int(row[2]), float(row[4]), float(row[5])))
    if not found:
        raise ValueError("no Figure 11 in it")
    axes = Axes(6, 30, 100, 1e4)
    yield from axes.frame([7, 9, 13, 15, 19, 21, 27], [100, 200, 500, 1000, 2000, 5000, 1e4], "values of a node", "MLUPS")
    for number, (size, points) in enumerate(sorted(found.items())):
        colour = COLOURS[number % len(COLOURS)]
        places = [axes.at(q, mlups) for q, mlups, _ in sorted(points)]
        yield '<path fill="none" stroke="%s" d="M%s"/>' % (colour, "L".join(f"{x:.1f} {y:.1f}" for x, y in places))
        yield from (circle(x, y, colour) for x, y in places)
        yield legend(number, colour, f"{size}^3 nodes")


def main(words):
    drawings = {"limits": limits, "values": values}
    if len(words) != 2 or words[0] not in drawings:
        sys.exit("usage: towers.py limits|values RESULT.txt > picture.svg")
    with open(words[1]) as file:
        drawn = list(drawings[words[0]](file.read().splitlines()))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">')
    print('<rect width="100%" height="100%" fill="white"/>')
    print("\n".join(drawn))
    print("</svg>")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError, StopIteration) as fault:
        sys.exit(f"towers.py: {fault!r}")
