"""halveTriangles.py CASE: divides each prism of a flat mesh of triangles into four, with edges half as long.

Reads and writes CASE/constant/polyMesh in ascii. Walls stay where the coarse mesh has them, so that both meshes
hold the same fluid. refineMesh cuts prisms into skew polyhedra instead. Part of lbmFoam, GPL-3.0-or-later.
"""
import re
import sys

folder = sys.argv[1] + "/constant/polyMesh/"


def body(name):
    """The list in a file, without its header and comments."""
    text = re.sub(r"//.*|/\*.*?\*/", "", open(folder + name).read().split("}", 1)[1])
    return text[text.index("(") + 1:text.rindex(")")]


def write(name, kind, lines):
    with open(folder + name, "w") as out:
        out.write("FoamFile { version 2.0; format ascii; class %s; location \"constant/polyMesh\"; object %s; }\n"
                  % (kind, name))
        out.write("%d\n(\n%s\n)\n" % (len(lines), "\n".join(lines)))


points = [tuple(map(float, p.split())) for p in re.findall(r"\(([^()]*)\)", body("points"))]
faces = [tuple(map(int, f.split())) for f in re.findall(r"\d+\(([^()]*)\)", body("faces"))]
patches = []
text = open(folder + "boundary").read().split("}", 1)[1]
for name, d in re.findall(r"([\w-]+)\s*\{([^}]*)\}", text):
    entry = dict(re.findall(r"(\w+)\s+([^;]+);", d))
    patches.append((name, entry["type"], int(entry["startFace"]), int(entry["nFaces"])))

lowest, highest = min(p[2] for p in points), max(p[2] for p in points)
middle = (lowest + highest)/2
number, plane = {}, []


def vertex(x, y):
    key = (round(x, 9), round(y, 9))
    if key not in number:
        number[key] = len(plane)
        plane.append((x, y))
    return number[key]


def half(a, b):
    return vertex((plane[a][0] + plane[b][0])/2, (plane[a][1] + plane[b][1])/2)


front = [vertex(*points[p][:2]) if points[p][2] > middle else None for p in range(len(points))]
triangles, patchOf = [], {}
for name, kind, start, n in patches:
    for f in faces[start:start + n]:
        corners = [front[p] for p in f if front[p] is not None]
        if kind == "empty" and len(corners) == 3:
            a, b, c = corners
            ab, bc, ca = half(a, b), half(b, c), half(c, a)
            triangles += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        elif kind != "empty":
            a, b = corners
            for end in (a, b):
                patchOf[frozenset((end, half(a, b)))] = name

# Each edge between two triangles, the lower one first and in the order that OpenFOAM wants
seen = {}
for cell, corners in enumerate(triangles):
    for a, b in zip(corners, corners[1:] + corners[:1]):
        seen.setdefault(frozenset((a, b)), []).append((cell, a, b))
n = len(plane)


def quad(a, b):
    """Of an edge that the owner passes from a to b, counter-clockwise seen from the front."""
    return (a, a + n, b + n, b)


internal = sorted((s[0][0], s[1][0], s[0][1:]) for s in seen.values() if len(s) == 2)
out = [(quad(*edge), owner) for owner, _, edge in internal]
boundary = []
for name, kind, _, _ in patches:
    first = len(out)
    if kind == "empty":
        out += [(t, cell) for cell, t in enumerate(triangles)]
        out += [(tuple(p + n for p in reversed(t)), cell) for cell, t in enumerate(triangles)]
    else:
        out += [(quad(a, b), cell) for e, ((cell, a, b), *more) in seen.items() if patchOf.get(e) == name and not more]
    boundary.append("%s { type %s; nFaces %d; startFace %d; }" % (name, kind, len(out) - first, first))

write("points", "vectorField", ["(%.10g %.10g %.10g)" % (x, y, z) for z in (highest, lowest) for x, y in plane])
write("faces", "faceList", ["%d(%s)" % (len(f), " ".join(map(str, f))) for f, _ in out])
write("owner", "labelList", [str(owner) for _, owner in out])
write("neighbour", "labelList", [str(neighbour) for _, neighbour, _ in internal])
write("boundary", "polyBoundaryMesh", boundary)
