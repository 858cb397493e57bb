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

#include "lbm/api/Domain.hpp"

#include <vector>

namespace lbm {

using Facet = std::array<Vec3, 3>; // corners, counter-clockwise seen from outside

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

private:
    // Moments of the area vectors n dA about the centre: of 1, of the offset, of its square. Of the latter
    // only those combinations are kept that the expansion needs.
    struct Cluster {
        Vec3 centre{};
        double radius = 0;
        Vec3 first{};
        std::array<double, 6> second{}; // symmetric part: xx yy zz xy yz zx
        Vec3 thirdTrace{};
        std::array<double, 10> third{}; // symmetric part: xxx yyy zzz xxy xxz yyx yyz zzx zzy xyz
        int begin = 0, end = 0;         // facets
        int skip = 0;                   // the next cluster in depth-first order that is not below this one
        bool leaf = false;
    };

    struct Packet; // points that are worked on at a time

    static int clustersOf(int facets);
    void build(int number, int begin, int end);
    void place(Cluster& cluster) const;
    void addMoments(Cluster& cluster) const;
    static void addFar(const Cluster& cluster, Packet& packet);
    static void addNear(const Facet& facet, Packet& packet);
    void run(Packet& packet, double reach) const;

    std::vector<Facet> facets_;
    std::vector<Cluster> clusters_;
};

} // namespace lbm
