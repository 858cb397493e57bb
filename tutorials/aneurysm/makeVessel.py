#!/usr/bin/env python3
"""Writes the surface of a vessel with a saccular aneurysm at its side: makeVessel.py OUTPUT.stl [STEP_MM]

The vessel is the set where a smooth function is negative: a tube, joined to a sphere by a smooth minimum. Its surface comes from marching tetrahedra on a regular grid whose first
and last planes are inlet and outlet; the caps are cut from the triangles of those planes along the same
points, so that the whole is closed. Regions: wall, inlet, outlet. Lengths inside in mm, output in m.

Part of lbmFoam, GPL-3.0-or-later.
"""
import itertools
import sys

import numpy as np

RADIUS = 2.0                    # of the vessel
LENGTH = 30.0                   # from inlet (x = 0) to outlet
DOME_RADIUS = 3.5
DOME_CENTRE = np.array([LENGTH/2, RADIUS + 2.6, 0.0])
BLEND = 0.8                     # width over which tube and dome merge
MM = 1e-3


def vessel(x, y, z):
    """Negative inside; close to the distance near the wall."""
    tube = np.hypot(y, z) - RADIUS
    dome = np.sqrt((x - DOME_CENTRE[0])**2 + (y - DOME_CENTRE[1])**2 + z**2) - DOME_RADIUS
    overlap = np.maximum(BLEND - np.abs(tube - dome), 0)/BLEND
    return np.minimum(tube, dome) - BLEND*overlap**2/4


def grid(step):
    """Points of the grid with ids x-major, and the function there."""
    top = DOME_CENTRE[1] + DOME_RADIUS
    margin = 3*step
    axes = [np.linspace(0, LENGTH, round(LENGTH/step) + 1),
            np.arange(-RADIUS - margin, top + margin, step),
            np.arange(-DOME_RADIUS - margin, DOME_RADIUS + margin, step) + step/3]
    mesh = np.meshgrid(*axes, indexing="ij")
    value = vessel(*mesh)
    # A grid point too close to the surface would give needle triangles
    value = np.where(np.abs(value) < 0.05*step, np.copysign(0.05*step, value), value)
    return np.stack([m.ravel() for m in mesh], axis=1), value.ravel(), value.shape


def tetrahedra(shape, value):
    """Six tetrahedra a cube, cut ones only: [n, 4] point ids."""
    ids = np.arange(np.prod(shape)).reshape(shape)
    stride = np.array([ids.strides[a]//ids.itemsize for a in range(3)])
    corners = ids[:-1, :-1, :-1].ravel()
    found = []
    for order in itertools.permutations(range(3)):
        offsets = np.concatenate([[0], np.cumsum(stride[list(order)])])
        tets = corners[:, None] + offsets[None, :]
        inside = (value[tets] < 0).sum(axis=1)
        found.append(tets[(inside > 0) & (inside < 4)])
    return np.concatenate(found)


def wall_triangles(tets, value):
    """Triangles as pairs of point ids, [n, 3, 2]: a surface point lies between the two."""
    sorted_tets = np.take_along_axis(tets, np.argsort(value[tets], axis=1), axis=1)
    inside = (value[sorted_tets] < 0).sum(axis=1)
    a, b, c, d = (sorted_tets[:, i] for i in range(4))

    def pick(n, *pairs):
        mask = inside == n
        return np.stack([np.stack([p[mask], q[mask]], axis=1) for p, q in pairs], axis=1)

    return np.concatenate([
        pick(1, (a, b), (a, c), (a, d)),
        pick(2, (a, c), (a, d), (b, d)), pick(2, (a, c), (b, d), (b, c)),
        pick(3, (a, d), (b, d), (c, d))])


def cap_triangles(ids, value):
    """The part of one end plane that lies inside, as pairs of point ids (equal: a grid point)."""
    corner, right, up, both = ids[:-1, :-1], ids[1:, :-1], ids[:-1, 1:], ids[1:, 1:]
    halves = np.concatenate([np.stack([corner, right, both], -1).reshape(-1, 3),
                             np.stack([corner, up, both], -1).reshape(-1, 3)])
    ordered = np.take_along_axis(halves, np.argsort(value[halves], axis=1), axis=1)
    inside = (value[ordered] < 0).sum(axis=1)
    a, b, c = (ordered[:, i] for i in range(3))

    def pick(n, *pairs):
        mask = inside == n
        return np.stack([np.stack([p[mask], q[mask]], axis=1) for p, q in pairs], axis=1)

    return np.concatenate([
        pick(3, (a, a), (b, b), (c, c)),
        pick(1, (a, a), (a, b), (a, c)),
        pick(2, (a, a), (b, b), (b, c)), pick(2, (a, a), (b, c), (a, c))])


def place(pairs, points, value):
    """Positions of the surface points, [n, 3, 3]."""
    p, q = pairs.min(axis=-1), pairs.max(axis=-1)     # one order, one rounding
    fp, fq = value[p], value[q]
    same = p == q
    t = np.where(same, 0, fp/np.where(same, 1, fp - fq))
    return points[p] + t[..., None]*(points[q] - points[p])


def orient(triangles, outward):
    """Turns triangles so that their normals agree with `outward`, [n, 3]."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    wrong = np.einsum("ij,ij->i", normal, outward) < 0
    triangles[wrong] = triangles[wrong][:, [0, 2, 1]]
    return triangles


def require_closed(regions):
    """Every edge must be used once in either sense."""
    corners = np.concatenate(list(regions.values())).reshape(-1, 3)
    number = np.unique(np.round(corners, 7), axis=0, return_inverse=True)[1].reshape(-1, 3)
    edges = np.concatenate([number[:, [0, 1]], number[:, [1, 2]], number[:, [2, 0]]])
    there = set(map(tuple, edges))
    if len(there) != len(edges) or any((q, p) not in there for p, q in there):
        sys.exit("makeVessel.py: the surface is not closed")


def write(path, regions):
    with open(path, "w") as file:
        for name, triangles in regions.items():
            normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
            normals /= np.linalg.norm(normals, axis=1)[:, None]
            file.write(f"solid {name}\n")
            for normal, triangle in zip(normals, triangles*MM):
                file.write("facet normal %.5f %.5f %.5f\n outer loop\n" % tuple(normal))
                for corner in triangle:
                    file.write("  vertex %.9e %.9e %.9e\n" % tuple(corner))
                file.write(" endloop\nendfacet\n")
            file.write(f"endsolid {name}\n")


def main(path, step="0.4"):
    points, value, shape = grid(float(step))
    pairs = wall_triangles(tetrahedra(shape, value), value)
    outer = np.where((value[pairs[..., 0]] > value[pairs[..., 1]])[..., None],
                     points[pairs[..., 0]] - points[pairs[..., 1]],
                     points[pairs[..., 1]] - points[pairs[..., 0]]).sum(axis=1)
    ids = np.arange(len(value)).reshape(shape)
    regions = {"wall": orient(place(pairs, points, value), outer)}
    for name, plane, normal in (("inlet", ids[0], [-1, 0, 0]), ("outlet", ids[-1], [1, 0, 0])):
        cap = place(cap_triangles(plane, value), points, value)
        regions[name] = orient(cap, np.broadcast_to(np.array(normal, float), (len(cap), 3)))
    require_closed(regions)
    write(path, regions)

    everything = np.concatenate(list(regions.values()))
    volume = np.einsum("ij,ij->i", everything[:, 0], np.cross(everything[:, 1], everything[:, 2])).sum()/6
    print(f"{path}: {len(everything)} triangles, volume {volume:.1f} mm3, closed")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
