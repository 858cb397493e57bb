"""profile.py table: the pressure at the inlet, one period, as OpenFOAM reads it.
profile.py compare CASE: relative errors of the axial speed in the last period, from Womersley's solution (1955).

A pipe of radius 0.5 and length 1, period 1; pressure gradient -dp/dx = 0.8 cos(wt) + 0.4 sin(2wt).
Part of lbmFoam, GPL-3.0-or-later.
"""
import re
import sys

import numpy

radius, length, nu = 0.5, 1, 0.09817477042468103
# Angular frequency and complex amplitude of the pressure gradient, of which the real part counts
harmonics = [(2*numpy.pi, 0.8), (4*numpy.pi, -0.4j)]
samples = 200


def table():
    print("(")
    for t in numpy.linspace(0, 1, samples + 1):
        pressure = length*sum((g*numpy.exp(1j*w*t)).real for w, g in harmonics)
        print(f"({t:.10g} {pressure:.10g})")
    print(")")


def bessel(z):
    """J0 of a complex array of moderate size, by its power series."""
    term = total = numpy.ones_like(z)
    for k in range(1, 60):
        term = -term*(z/2)**2/k**2
        total = total + term
    return total


def solution(r, t):
    speed = 0
    for w, g in harmonics:
        a = numpy.sqrt(-1j*w/nu)
        speed = speed + (g/(1j*w)*(1 - bessel(a*r)/bessel(a*numpy.full_like(r, radius)))*numpy.exp(1j*w*t)).real
    return speed


def internal(path):
    with open(path) as text:
        field = re.search(r"internalField\s+nonuniform List<vector>\s*\d+\s*\((.*?)\n\)", text.read(), re.S)
    if not field:
        sys.exit(f"{path}: no nonuniform field of vectors")
    return numpy.array([row.strip("()").split() for row in field[1].split("\n") if row], float)


def compare(case):
    centres = internal(f"{case}/0/C")
    r = numpy.hypot(centres[:, 1], centres[:, 2])
    phases = (0.25, 0.5, 0.75, 1)
    exact = [solution(r, phase) for phase in phases]
    errors = [internal(f"{case}/{3 + phase:g}/U")[:, 0] - u for phase, u in zip(phases, exact)]
    scale = numpy.linalg.norm(exact)
    print("profile/relL2", numpy.linalg.norm(errors)/scale)
    for phase, error in zip(phases, errors):
        print(f"profile/phase{phase:g}", numpy.linalg.norm(error)*len(phases)**0.5/scale)


if sys.argv[1] == "table":
    table()
else:
    compare(sys.argv[2])
