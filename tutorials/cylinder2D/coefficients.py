"""coefficients.py STEADY PERIODIC VALIDATIONDICT: what the two runs give, beside the references.

Part of lbmFoam, GPL-3.0-or-later.
"""
import glob
import subprocess
import sys

import numpy

diameter = 0.1


def table(case, name):
    files = glob.glob(f"{case}/postProcessing/{name}")
    if len(files) != 1:
        sys.exit(f"{case}: no {name}")
    with open(files[0]) as lines:
        return numpy.array([[float(v) for v in line.split()] for line in lines if not line.startswith("#")])


def coefficients(case):
    """Time, drag, lift."""
    return table(case, "coefficients/*/coefficient.dat")[:, [0, 1, 3]]


def steady(case):
    _, drag, lift = coefficients(case)[-1]
    front, back = table(case, "pressure/*/p")[-1, 1:]
    return {"drag": drag, "lift": lift, "pressureDifference": front - back}


def peak(y, i):
    """Place and height of the parabola through y[i - 1 .. i + 1]."""
    slope, bend = (y[i + 1] - y[i - 1])/2, y[i + 1] - 2*y[i] + y[i - 1]
    return i - slope/bend, y[i] - slope**2/(2*bend)


def periodic(case, mean_velocity):
    time, drag, lift = coefficients(case).T
    late = time > time[-1]/2
    time, drag, lift = time[late], drag[late], lift[late]
    tops = [i for i in range(1, len(lift) - 1) if lift[i - 1] < lift[i] >= lift[i + 1] and lift[i] > 0]
    if len(tops) < 3:
        sys.exit(f"{case}: no vortex street")
    places, heights = zip(*(peak(lift, i) for i in tops))
    step = (time[-1] - time[0])/(len(time) - 1)
    period = (places[-1] - places[0])/(len(places) - 1)*step
    highest = max(range(1, len(drag) - 1), key=lambda i: drag[i])
    return {"maxDrag": peak(drag, highest)[1], "maxLift": max(heights), "strouhal": diameter/(period*mean_velocity)}


def entry(dictionary, key):
    command = ["foamDictionary", "-entry", key, "-value", dictionary]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def check(dictionary, group, values):
    good = True
    for name, value in values.items():
        reference = float(entry(dictionary, f"{group}/{name}/reference"))
        keys = entry(dictionary, f"{group}/{name}")
        kind = "relative" if "relative" in keys else "absolute"
        limit = float(entry(dictionary, f"{group}/{name}/{kind}"))
        error = abs(value - reference)/(abs(reference) if kind == "relative" else 1)
        met = error <= limit
        good = good and met
        print(f"{group:9} {name:19} {value:11.6f}  reference {reference:11.6f}  "
              f"{kind} error {error:.5f} (at most {limit:g}): {'ok' if met else 'FAILED'}")
    return good


if __name__ == "__main__":
    steady_case, periodic_case, validation = sys.argv[1:]
    good = check(validation, "steady", steady(steady_case))
    good = check(validation, "periodic", periodic(periodic_case, 1.0)) and good
    sys.exit(not good)
