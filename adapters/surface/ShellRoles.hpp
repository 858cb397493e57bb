// ShellRoles: which shells hold a volume by themselves, and how often each counts for the winding number.
//
// A shell that holds a volume is turned outward, whatever its orientation in the file; one that lies wholly
// inside others is a cavity of them, one inside a cavity a body again, and so on; shells that overlap
// unite. A sheet, which holds none, keeps the orientation of most of its area unless it is clearly bent around
// the wrong side.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/Topology.hpp"
#include "adapters/surface/WindingTree.hpp"

namespace lbm {

struct ShellRole {
    bool holdsVolume = false;
    bool insideOut = false; // oriented into what it holds, or is bent around
    bool nested = false;    // inside a body: a cavity
    int weight = 1;         // of the shell's triangles as oriented by Topology
};

// One a shell.
std::vector<ShellRole> shellRoles(const TriangleMesh& mesh, const Topology& topology);

// The triangles of all shells, as often as their weights say, turned where these are negative; positions (p - origin)/unit.
std::vector<Facet> facetsOf(const TriangleMesh& mesh, const Topology& topology, const std::vector<ShellRole>& roles,
                            const Vec3& origin, double unit);

} // namespace lbm
