// SurfaceDomain: lattice nodes and wall links from a triangle surface.
//
// A node is fluid if its own position lies inside. Of a closed surface that is where an odd number of
// triangles is crossed on the way from afar; of any other one, where the generalized winding number
// of its triangles, put in order (Topology, ShellRoles), is above one half. Crossings are decided
// without rounding: vertices are first moved to multiples of 2^-k of the node spacing (k = 31
// for surfaces and boxes of 256 spacings, 27 for 4096, 16 up to 16 million), then every test is made in integers. A node exactly on
// the surface is solid; so a link that ends there has fraction 1, and no fraction is 0.
// A link that meets the surface is listed with the nearest hit, also between two fluid nodes.
// The result depends neither on the number of threads nor on whether a GPU has helped.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/TriangleMesh.hpp"

#include <memory>
#include <optional>

namespace lbm {

// Placement of the lattice. A periodic direction repeats after size*spacing.
struct LatticeBox {
    Vec3 origin{0, 0, 0}; // SI position of node (0,0,0)
    double spacing = 1;
    Int3 size{0, 0, 0};
    std::array<bool, 3> periodic{false, false, false};
};

enum class InsideRule {
    automatic, // parity of crossings if the surface is closed and its shells are apart, else the winding number
    exact,     // parity of crossings; SurfaceError if the surface is not closed
    windingNumber,
    // Parity without a look at the edges: for boundaries of a polyMesh, where baffles leave edges of
    // their own; parity does not mind coincident pairs of triangles.
    parity
};

class SurfaceDevice;
using FindSurfaceDevice = std::unique_ptr<SurfaceDevice> (*)(const std::string& word, int share, std::string& why);

struct SurfaceOptions {
    InsideRule rule = InsideRule::automatic;

    // Number of the first triangle of a box that holds all fluid (appendBox, after all other triangles); -1:
    // none. The winding number is that of the other triangles; the fluid is then outside them unless
    // insidePoint says otherwise.
    std::int64_t enclosure = -1;

    // Regions whose triangles bound the inside but stop no link: sides of a periodic direction, and
    // the front and back of a 2D case. One entry a region; empty: none.
    std::vector<bool> transparent;

    // Regions that take a link which meets them and others in one place, on a common edge: resting walls,
    // for a link into the corner between a wall and a moving lid, or an opening, sees no slip there. One
    // entry a region; empty: none.
    std::vector<bool> preferred;

    // Of the regions the first ones that are patches; the triangles of those behind them are walls that no connected fluid is to
    // reach, see connectedDomain. 0: all are patches.
    std::size_t patches = 0;

    // The fluid is the side on which this point lies, SI units; absent: the inside, with an enclosure
    // what lies between it and the other shells. Pockets are kept: see keepConnected.
    std::optional<Vec3> insidePoint;

    std::string name = "surface"; // named in errors
    int threads = 0;              // 0: as OpenMP would

    // As Config::device: a GPU that it names, where one answers, takes winding numbers around the surface and finds where links
    // cross it. The Domain is the same, bit for bit.
    std::string device = "cpu";

    // What finds it, by this process, in place of SurfaceDevice::find: tests have devices of their own.
    FindSurfaceDevice findDevice = nullptr;
};

// What happened beside the Domain.
struct SurfaceFacts {
    bool byWindingNumber = false;
    std::string why;                              // the winding number was used; empty if it was not, or as asked
    std::int64_t nearNodes = 0;                   // at which the winding number was taken, around the surface,
    std::int64_t faceNodes = 0;                   // and along faces across holes
    std::int64_t capLinks = 0;                    // links that end at the face across a hole,
    std::array<std::int64_t, 27> capLinksAlong{}; // by directionCode
    std::int64_t unitedLinks = 0;    // links through walls inside the union of overlapping bodies: no walls
    std::int64_t nodesOnSurface = 0; // solid because they lie exactly on it
    // Links from fluid to solid that meet no triangle, and took region and fraction from the nearest one.
    // Only surfaces with gaps have them.
    std::int64_t guessedLinks = 0;
    // Links between two fluid nodes, counted from each side: by a wall thinner than a spacing, and by an edge or a bulge
    // of a body that holds nodes next to both.
    std::int64_t thinWallLinks = 0, bulgeLinks = 0;
    int resolutionBits = 0; // k above
    double voxelizeSeconds = 0, linkSeconds = 0;
    // Where links' crossings were found, and winding numbers around the surface: a GPU with its name, or the processor; with what
    // kept a GPU that was asked for from it, if anything did. Empty: nowhere yet, the Domain was kept. Of several processes the first,
    // and those whose GPU did not do it.
    std::string raysOn;
};

// directions: the lattice's (lbm::latticeDirections); rest is ignored. If none has cz != 0 the domain is
// two-dimensional and size[2] must be 1. Domain::patches are all region names in their order.
// Throws SurfaceError (not closed, where the rule asks for it; fluid that reaches the end of the box without a wall; no fluid node)
// or std::invalid_argument (box, directions, device).
Domain makeDomain(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                  const SurfaceOptions& options = {}, SurfaceFacts* facts = nullptr);

// All triangles but those of the enclosure.
TriangleMesh bodiesOf(const TriangleMesh& mesh, const SurfaceOptions& options);

// Of what may hold fluid: the enclosure, or all triangles where there is none.
Bounds fluidBounds(const TriangleMesh& mesh, const SurfaceOptions& options);

// Along a side, a whole number. What lies beyond by less than a millionth of the side is the rounding of who wrote the spacing
// down (0.0833333): one node more would shift all by half a spacing.
double nodesAlong(double side, double spacing);

// Nodes at the centres of cubes that fill the bounds of the mesh, `n` cubes along the longest side.
LatticeBox boxAround(const TriangleMesh& mesh, int n);

// The file's inside on n nodes along its longest side: readSurface, boxAround, makeDomain.
Domain surfaceDomain(const std::string& file, int n, const std::vector<Int3>& directions);

struct Pocket {
    NodeIndex nodes;
    NodeIndex first; // lowest node
    bool kept;
};

struct Pockets {
    std::int64_t regions = 1; // connected regions found
    NodeIndex removedNodes = 0;
    std::vector<Pocket> all; // largest first
};

// Keeps one connected region of fluid: the one with the node nearest to `seed` (SI units), or the largest
// one. Nodes are connected by the given directions where no listed link cuts them; give the same
// directions as to makeDomain. Throws SurfaceError if the node nearest to the seed is not fluid.
Pockets keepConnected(Domain& domain, const std::vector<Int3>& directions,
                      const std::optional<Vec3>& seed = std::nullopt, int threads = 0);

} // namespace lbm
