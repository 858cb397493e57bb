"""coefficients.py STEADY PERIODIC: what the two runs give, by the names of system/validationDict.

Part of lbmFoam, GPL-3.0-or-later.
"""
import glob
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


if __name__ == "__main__":
    steady_case, periodic_case = sys.argv[1:]
    for group, values in (("steady", steady(steady_case)), ("periodic", periodic(periodic_case, 1.0))):
        for name, value in values.items():
            print(f"{group}/{name} {value:.8g}")
