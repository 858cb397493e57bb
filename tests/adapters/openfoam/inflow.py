"""inflow.py CASE REFERENCE: an inlet of 10 x 10 faces before 20 x 10 x 10 cells. Its velocities at the times of CASE are those of REFERENCE at the
same time or up to two of its time steps later, differ from time to time, and the cells behind it follow them.
Exit status 1 else. Part of lbmFoam, GPL-3.0-or-later."""
import re
import sys
from pathlib import Path


def vectors(text):
    rows = re.search(r"nonuniform\s+List<vector>\s*\d+\s*\((.*?)\n\)", text, re.S).group(1)
    return [tuple(float(x) for x in row.strip("() ").split()) for row in rows.strip().splitlines()]


def read(case, time):
    """Of the patch, and of the cells next to it."""
    text = (Path(case)/time/"U").read_text()
    cells, patch = text.split("boundaryField")
    return vectors(patch[patch.index("inlet"):]), vectors(cells)[::20]


def apart(a, b):
    return max(abs(x - y) for u, v in zip(a, b) for x, y in zip(u, v))


def deviations(values):
    x = [v[0] for v in values]
    return [a - sum(x)/len(x) for a in x]


case, reference = sys.argv[1:]
before = None
for step in (5, 10, 15, 20):
    patch, cells = read(case, f"{0.01*step:g}")
    away = min(apart(patch, read(reference, f"{0.01*later:g}")[0]) for later in range(step, step + 3))
    a, b = deviations(patch), deviations(cells)
    both = [sum(x*y for x, y in zip(u, v)) for u, v in ((a, a), (b, b), (a, b))]
    correlation, share = both[2]/(both[0]*both[1])**0.5, (both[1]/both[0])**0.5
    print(f"at {0.01*step:g}: {away:.1e} from {reference}; cells behind: correlation {correlation:.2f}, rms {share:.2f} of the inlet's")
    if len(patch) != 100 or away > 1e-9:
        sys.exit("another inlet than OpenFOAM's")
    if before and apart(patch, before) < 0.01:
        sys.exit("the inlet stays as it is")
    if correlation < 0.6 or not 0.4 < share < 1.4:
        sys.exit("the flow does not follow its inlet")
    before = patch
