#!/usr/bin/env python3
"""Draws the profiles that lbmCompare wrote: drawProfiles.py FOLDER NAME_A NAME_B -> FOLDER/profiles.png

One panel a line and component; reference data, where given, as circles.
Part of lbmFoam, GPL-3.0-or-later.
"""
import csv
import pathlib
import sys

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
except ImportError:
    sys.exit("drawProfiles.py: matplotlib is missing (Debian: apt-get install python3-matplotlib)")


def read(path):
    """Columns of a CSV file by title; an empty cell is NaN."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    columns = zip(*rows[1:])
    return {title: [float(v) if v else float("nan") for v in column]
            for title, column in zip(rows[0], columns)}


def panels(folder):
    """(line, component, profile, data or None) of every component of every line."""
    for path in sorted(folder.glob("*.csv")):
        if path.name == "comparison.csv" or path.name.endswith(".data.csv"):
            continue
        profile = read(path)
        data_path = path.with_suffix(".data.csv")
        data = read(data_path) if data_path.exists() else {}
        for title in profile:
            if title.startswith("A:"):
                yield path.stem, title[2:], profile, data


def main(folder, name_a, name_b):
    folder = pathlib.Path(folder)
    todo = list(panels(folder))
    columns = min(len(todo), 3)
    rows = -(-len(todo) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(4.6*columns, 3.4*rows), squeeze=False)
    for axis in axes.flat[len(todo):]:
        axis.set_visible(False)
    for axis, (line, component, profile, data) in zip(axes.flat, todo):
        axis.plot(profile["distance"], profile["B:" + component], "k--", label=name_b)
        axis.plot(profile["distance"], profile["A:" + component], "C0-", label=name_a)
        if "data:" + component in data:
            axis.plot(data["distance"], data["data:" + component], "o", color="C3",
                      markerfacecolor="none", label="data")
        axis.set(title=line, xlabel="distance from start [m]", ylabel=component)
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(folder / "profiles.png", dpi=110)
    print("Picture", folder / "profiles.png")


if __name__ == "__main__":
    main(*sys.argv[1:])
