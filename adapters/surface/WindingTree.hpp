// WindingTree: the generalized winding number of triangles at a point: the solid angles of all triangles,
// signed, over 4 pi. 1 inside a closed surface, 0 outside; between them where the surface has holes
// (Jacobson, Kavan & Sorkine-Hornung 2013). Near triangles count by themselves (Van Oosterom & Strackee
// 1983), far clusters by the first three terms of their expansion (Barill et al. 2018).
//
// By hand: libigl, which has it, is no package of Debian 12, and what is one (CGAL, Embree, VTK, OpenFOAM) asks for closed
// surfaces. Beside libigl 2.6 (162 600 triangles with a hole, nodes around them, one thread): it takes 2.9 to 3.9 us a point for
// a number that is wrong by up to 5e-3, inside() 4.2 to 5.4 us for a side that is wrong within 2e-4 of one half alone.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/surface/Winding.hpp"

#include <functional>
#include <vector>

namespace lbm {

class WindingTree {
public:
    // threads: of its making; 0: as OpenMP would.
    explicit WindingTree(std::vector<Facet> facets, int threads = 0);

    // `reach`: a cluster is expanded at points farther than so many of its radii; more is more exact.
    double number(const Vec3& point, double reach) const;
    // Points that are neighbours cost little more than one.
    std::vector<double> numbers(const std::vector<Vec3>& points, double reach) const;

    // Whether the number is above one half (below minus one half counts, too: a surface turned inside
    // out), at points of any number: result[i] for points[i]. Near one half the number is taken anew and
    // more exactly; a tie, as in the plane of a flat hole, is outside. Neighbours in the list should be neighbours in space.
    void inside(const std::vector<Vec3>& points, char* result) const;
    bool inside(const Vec3& point) const;

    // The same of points in packets: packet p are points[ends[p - 1]] to points[ends[p] - 1], packetPoints at most. sum: adds up the
    // terms of this tree, as sum() below or a DeviceWinding does.
    using Sum = std::function<void(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
                                   std::vector<WindingSums>& sums)>;
    static void inside(const std::vector<Vec3>& points, const std::vector<int>& ends, const Sum& sum, char* result);
    void sum(const std::vector<Vec3>& points, const std::vector<int>& ends, double reach,
             std::vector<WindingSums>& sums) const;

    // n points more, in as few packets as hold them.
    static void addPackets(std::vector<int>& ends, std::size_t n);

    static double number(const WindingSums&);

    const std::vector<Facet>& facets() const { return facets_; }
    const std::vector<WindingCluster>& clusters() const { return clusters_; }

private:
    struct Packet; // points that are worked on at a time

    static int clustersOf(int facets);
    void build(int number, int begin, int end);
    void place(WindingCluster& cluster) const;
    void addMoments(WindingCluster& cluster) const;
    void run(Packet& packet, double reach) const;

    std::vector<Facet> facets_;
    std::vector<WindingCluster> clusters_;
};

} // namespace lbm
