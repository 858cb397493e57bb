#!/usr/bin/env python3
"""makeSphere.py > sphere.obj: the quarter y > 0, z > 0 of a sphere of diameter 1 about the origin, closed; region sphere.
Part of lbmFoam, GPL-3.0-or-later."""
import math

rings, sides = 96, 48
# Corners lie as far outside as the middles of edges lie inside
radius = 0.5*2/(1 + math.cos(0.5*math.pi/sides))


def circle(i, n):
    """cos and sin of i/n of half a turn, exact where it is a quarter"""
    return (0.0 if 2*i == n else math.cos(math.pi*i/n)), (0.0 if i in (0, n) else math.sin(math.pi*i/n))


print("g sphere\nv 0 0 0")
for k in range(rings + 1):
    x, r = circle(k, rings)
    for i in range(sides + 1):
        y, z = circle(i, 2*sides)
        print("v %.9g %.9g %.9g" % (-radius*x, radius*r*y, radius*r*z))


def corner(k, i):
    return 2 + k*(sides + 1) + i


for k in range(rings):
    for i in range(sides):
        a, b, c, d = corner(k, i), corner(k, i + 1), corner(k + 1, i + 1), corner(k + 1, i)
        if k > 0:
            print("f", a, b, c)
        if k < rings - 1:
            print("f", a, c, d)
    print("f 1", corner(k, 0), corner(k + 1, 0))
    print("f 1", corner(k + 1, sides), corner(k, sides))
