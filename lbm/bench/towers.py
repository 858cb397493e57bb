#!/usr/bin/env python3
"""Draws what lbmBench --suite seed004 printed: towers.py FIGURE RESULT.txt > picture.svg

FIGURE is one of Levchenko & Perepelkina 2022:
figure7   what each level of memory allows to stepwise codes, and how many steps would have to be one
figure8   the shapes of towers and the levels that limit them, one thread
figure9   the same, all threads, or a device
figure10  a CPU and a device together over n
figure11  speed over the values of a node
figure12  limits of a CPU and a device together
Single precision. Python alone. Part of lbmFoam, GPL-3.0-or-later.
"""
import math
import re
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 850, 480, 85, 50, 20, 250
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"]
REACHED, PAPER, IDEAL, ARITHMETIC = "#d50000", "#8000c0", "#777777", "#000000"
NUMBER = r"([\d.]+)"


def text(x, y, words, anchor="middle"):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}">{words}</text>'


class Axes:
    """Places in a picture with logarithmic axes, from (left, low) to (right, high); left may be the greater one."""

    def __init__(self, left, right, low, high):
        self.left, self.right, self.low, self.high = (math.log10(v) for v in (left, right, low, high))

    def at(self, x, y):
        along = (math.log10(x) - self.left)/(self.right - self.left)
        up = (math.log10(y) - self.low)/(self.high - self.low)
        return LEFT + along*(WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up*(HEIGHT - BOTTOM - TOP)

    def frame(self, ticks, below):
        x0, x1, y0, y1 = LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM, TOP
        for exponent in range(round(self.low), round(self.high) + 1):
            y = self.at(10**self.left, 10**exponent)[1]
            yield f'<path d="M{x0} {y:.1f}H{x1}" stroke="#ddd"/>' + text(x0 - 8, y + 4, f"{10**exponent:g}", "end")
        for value in ticks:
            x = self.at(value, 10**self.low)[0]
            yield f'<path d="M{x:.1f} {y0}V{y1}" stroke="#ddd"/>' + text(x, y0 + 18, f"{value:g}")
        yield text((x0 + x1)/2, y0 + 38, below)
        middle = (y0 + y1)/2
        yield f'<g transform="rotate(-90 18 {middle:.0f})">{text(18, middle, "MLUPS")}</g>'

    def line(self, places, colour, dashed=False):
        path = "L".join("%.1f %.1f" % self.at(x, y) for x, y in places)
        return f'<path d="M{path}" fill="none" stroke="{colour}"' + (' stroke-dasharray="6 4"/>' if dashed else "/>")

    def dot(self, x, y, colour):
        return '<circle cx="%.1f" cy="%.1f" r="5" fill="%s"/>' % (*self.at(x, y), colour)


def decades(values):
    return 10**math.floor(math.log10(min(values))), 10**math.ceil(math.log10(max(values)))


class Legend:
    def __init__(self):
        self.rows = 0

    def add(self, colour, words, dashed=False):
        x, y = WIDTH - RIGHT + 10, TOP + 12 + 20*self.rows
        self.rows += 1
        return (f'<path d="M{x} {y}h20" stroke="{colour}" stroke-width="2"' + (' stroke-dasharray="6 4"/>' if dashed else "/>")
                + text(x + 26, y + 4, words, "start"))


def sections(lines):
    """Parts of the suite by their titles, which stand behind empty lines."""
    found, title = {}, ""
    for before, line in zip([""] + lines, lines):
        if line and not before:
            title = line
            found[title] = []
        elif line:
            found[title].append(line)
    return found


def section(lines, *words):
    for title, own in sections(lines).items():
        if any(word in title for word in words):
            return own
    raise ValueError("no part of the suite with " + " or ".join(words))


def levels_in(lines):
    """Those of each number of threads; 0: a device's and its link's."""
    found = {}
    for line in lines:
        m = re.match(r"(L\d|memory|device|link)(?:, (\d+) threads)?\s+(?:[\d.]+[KMGB]+)?\s*" + NUMBER + " GB/s", line)
        if m:
            found.setdefault(int(m[2] or 0), {})[m[1]] = float(m[3])
    return found


def shapes_in(lines):
    pattern = r"\s+((?:TorreFold|ConeTorre|ReFoldTF)<\d+,\d+>)\s+(?:\S+\s+)?with\s+(\S+)\s+" + NUMBER + r" B\s+" + NUMBER
    return [(m[1], m[2], float(m[3]), float(m[4])) for m in (re.match(pattern, line) for line in lines) if m]


def numbers_behind(lines, start):
    for line in lines:
        if line.strip().startswith(start):
            return [float(n) for n in re.findall(r"(?<=\s)" + NUMBER + r"(?=\s|$)", line.strip()[len(start):])]
    return []


class Study:
    """A block of Figures 7 to 9 in single precision."""

    def __init__(self, lines):
        # size, threads or NT, MLUPS, GPUPS, model, its share, stepwise
        row = numbers_behind(lines, "towers")
        self.threads, self.reached, self.stepwise = int(row[1]), row[2], row[6]
        paper = numbers_behind(lines, "the paper's")
        self.paper = paper[2] if paper else None
        self.computed = (numbers_behind(lines, "tiers in L1") or numbers_behind(lines, "operations"))[-1]
        self.fused = numbers_behind(lines, "steps to be fused")[0]
        self.shapes, self.levels = shapes_in(lines), levels_in(lines).get(0, {})


def studies(lines):
    own = section(lines, "Figures 7, 8 and 9", "Figures 8 and 9, on the device")
    starts = [i for i, line in enumerate(own) if re.match(r"D3Q19 bgk float\s", line)]
    found = [Study(own[start:end]) for start, end in zip(starts, starts[1:] + [len(own)])]
    if not found:
        raise ValueError("no study in single precision in it")
    by_threads = {}
    for title in sections(lines):
        if title.startswith("Levels"):
            by_threads = levels_in(sections(lines)[title])
    for study in found:
        study.levels = study.levels or by_threads[study.threads]
    return found


def roofs(axes, legend, levels, most, ends, used):
    """MLUPS over bytes a node, for each level."""
    far, near = ends
    for colour, (level, rate) in zip(COLOURS, levels.items()):
        if level not in used:
            continue
        yield axes.line([(far, 1e3*rate/far), (max(near, 1e3*rate/most), min(1e3*rate/near, most))], colour)
        yield legend.add(colour, f"{level}: {rate:g} GB/s")


def across(axes, legend, ends, value, words, colour):
    yield axes.line([(ends[0], value), (ends[1], value)], colour, True)
    yield legend.add(colour, f"{words}: {value:.0f}", True)


def roofline(levels, shapes, marks, below="bytes a node and step"):
    """marks: (MLUPS, words, colour)."""
    ends = max(400, *(s[2] for s in shapes)), min(10, *(s[2] for s in shapes))
    used = {s[1] for s in shapes}
    values = [1e3*rate/end for level, rate in levels.items() if level in used for end in ends] + [m[0] for m in marks]
    low, high = decades([s[3] for s in shapes] + [m[0] for m in marks] + [min(values)])
    axes, legend = Axes(*ends, low, high), Legend()
    yield from axes.frame([v for v in (400, 200, 100, 50, 20, 10, 5) if ends[1] <= v <= ends[0]], below)
    yield from roofs(axes, legend, levels, high, ends, used)
    colours = dict(zip(levels, COLOURS))
    for name, level, size, limit in shapes:
        x, y = axes.at(size, limit)
        aside = (-9, "end") if x > WIDTH - RIGHT - 100 else (9, "start")
        yield axes.dot(size, limit, colours[level]) + text(x + aside[0], y - 7, name, aside[1])
    for value, words, colour in marks:
        yield from across(axes, legend, ends, value, words, colour)


def marks_of(study):
    marks = [(study.computed, "arithmetic alone", ARITHMETIC), (study.reached, "reached", REACHED),
             (study.stepwise, "stepwise, ideal", IDEAL)]
    return marks + ([(study.paper, "the paper's", PAPER)] if study.paper else [])


def figure7(lines):
    study = studies(lines)[-1]
    memory = "memory" if "memory" in study.levels else "device"
    fused = study.levels[memory]*1e3/study.stepwise  # bytes a node
    steps = [("two passes", 2*fused), ("stepwise", fused)]
    steps += [(f"{k} steps", fused/k) for k in (2, 4, 8, 16) if k <= study.fused]
    levels = {memory: study.levels[memory]}
    yield from roofline(levels, [(name, memory, size, 1e3*study.levels[memory]/size) for name, size in steps],
                        [(study.computed, f"arithmetic ({study.fused:g} steps)", ARITHMETIC)])


def figure8(lines):
    study = next((s for s in studies(lines) if s.threads == 1), None)
    if not study:
        raise ValueError("no study of one thread in it")
    yield from roofline(study.levels, study.shapes, marks_of(study))


def figure9(lines):
    study = studies(lines)[-1]
    yield from roofline(study.levels, study.shapes, marks_of(study))


def together(lines):
    own = section(lines, "Figures 10 and 12")
    start = next(i for i, line in enumerate(own) if line.startswith("D3Q19 bgk float"))
    end = next((i for i in range(start + 1, len(own)) if own[i].startswith("D3Q19 bgk")), len(own))
    return own[start:end]


def figure10(lines):
    own = together(lines)
    rows = {}
    for line in own:
        m = re.match(r"\s+n = NT = (\d+)\s+(.*)", line)
        if m:
            rows[int(m[1])] = [float(v) for v in m[2].split()]
    if not rows:
        raise ValueError("no sweep in it")
    # share, MLUPS, GPUPS, threads, link, device
    curves = [("together", REACHED, {n: r[1] for n, r in rows.items()}, False),
              ("threads allow", COLOURS[0], {n: r[3]/(1 - r[0]) for n, r in rows.items()}, True),
              ("links allow", COLOURS[1], {n: r[4]/r[0] for n, r in rows.items()}, True),
              ("devices allow", COLOURS[2], {n: r[5]/r[0] for n, r in rows.items()}, True),
              ("threads by themselves", COLOURS[0], {n: r[3] for n, r in rows.items()}, False)]
    paper = numbers_behind(own, "the paper's, n = 32")
    everything = [v for _, _, curve, _ in curves for v in curve.values()] + paper[1:2]
    axes, legend = Axes(6, 80, *decades(everything)), Legend()
    yield from axes.frame(sorted(rows), "n = NT: small ones leave more to the device")
    for words, colour, curve, dashed in curves:
        yield axes.line(sorted(curve.items()), colour, dashed)
        yield from (axes.dot(n, value, colour) for n, value in curve.items())
        yield legend.add(colour, words, dashed)
    if paper:
        yield axes.dot(32, paper[1], PAPER) + legend.add(PAPER, f"the paper's: {paper[1]:.0f}")


def figure11(lines):
    found = {}
    for line in section(lines, "Figure 11"):
        row = re.match(r"D3Q(\d+)\*? float\s+(\d+)\s+\d+\s+" + NUMBER, line)
        if row:
            found.setdefault(int(row[2]), []).append((int(row[1]), float(row[3])))
    if not found:
        raise ValueError("no Figure 11 in it")
    axes, legend = Axes(6, 30, *decades([mlups for points in found.values() for _, mlups in points])), Legend()
    yield from axes.frame([7, 9, 13, 15, 19, 21, 27], "values of a node")
    for colour, (size, points) in zip(COLOURS, sorted(found.items())):
        yield axes.line(sorted(points), colour)
        yield from (axes.dot(q, mlups, colour) for q, mlups in points)
        yield legend.add(colour, f"{size}^3 nodes")


def figure12(lines):
    own = together(lines)
    n = re.match(r"Limits for n = NT = (\d+)", next(line for line in own if line.startswith("Limits")))[1]
    row = numbers_behind(own, f"n = NT = {n}")
    levels = {}
    for some in levels_in(own).values():
        levels.update(some)
    marks = [(row[1], f"reached, n = {n}", REACHED), (row[6], "model (3.5)", IDEAL),
             (numbers_behind(own, "tiers in L1")[-1], "arithmetic, threads", ARITHMETIC)]
    paper = numbers_behind(own, "the paper's, n = 32")
    yield from roofline(levels, shapes_in(own), marks + ([(paper[1], "the paper's", PAPER)] if paper else []))


DRAWINGS = {f.__name__: f for f in (figure7, figure8, figure9, figure10, figure11, figure12)}


def main(words):
    if len(words) != 2 or words[0] not in DRAWINGS:
        sys.exit("usage: towers.py " + "|".join(DRAWINGS) + " RESULT.txt > picture.svg")
    with open(words[1]) as file:
        drawn = list(DRAWINGS[words[0]](file.read().splitlines()))
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">')
    print('<rect width="100%" height="100%" fill="white"/>')
    print("\n".join(drawn))
    print("</svg>")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError, StopIteration) as fault:
        sys.exit(f"towers.py: {fault!r}")
