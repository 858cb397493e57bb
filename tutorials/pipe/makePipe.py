#!/usr/bin/env python3
"""makePipe.py AX AY > pipe.stl: diameter 1, length 3 from the origin along (AX AY 0); regions inlet, outlet and wall.
Part of lbmFoam, GPL-3.0-or-later."""
import math
import sys

sides, rings, length = 256, 24, 3.0
# Of a polygon with the circle's area
radius = 0.5*math.sqrt(2*math.pi/sides/math.sin(2*math.pi/sides))
axis = [float(a) for a in sys.argv[1:3]]


def point(s, angle, r=radius):
    y, z = r*math.cos(angle), r*math.sin(angle)
    return s*axis[0] - y*axis[1], s*axis[1] + y*axis[0], z


def write(region, triangles):
    print("solid", region)
    for corners in triangles:
        print("facet normal 0 0 0\nouter loop")
        for corner in corners:
            print("vertex %.9g %.9g %.9g" % corner)
        print("endloop\nendfacet")
    print("endsolid", region)


def around(i):
    return 2*math.pi*(i % sides)/sides


def cap(s):
    return [(point(s, 0, 0), point(s, around(i)), point(s, around(i + 1))) for i in range(sides)]


def side():
    for k in range(rings):
        for i in range(sides):
            a, b, c, d = (point(length*(k + n)/rings, around(i + m)) for n, m in ((0, 0), (1, 0), (1, 1), (0, 1)))
            yield a, b, c
            yield a, c, d


write("inlet", [t[::-1] for t in cap(0)])
write("outlet", cap(length))
write("wall", side())
