// Slip, symmetry and given shear (what LinkValue's density is above 1, added); link.velocity holds the unit normal. A plane along the
// lattice reflects like a mirror: the population that the donor sent to the mirrored direction arrives. Behind any other plane
// the flow goes on as a mirror would show it (lbm/boundary/MirrorFit.hpp): normal momentum and shear stress are turned, all
// else stays as it is. Where the nodes do not tell, a wall that moves with the node's own tangential velocity takes no shear
// and lets nothing through (first order). Planes across an axis are what the lattice makes of them, whatever normal a link was
// given: at edges that of another face.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/BoundaryNode.hpp"

namespace lbm {

struct Slip {
    // The direction from which the donor's population arrives; -1: the plane is no mirror between ghost and donor;
    // BoundaryLink::bent: nor is it the one that was fitted, as at edges of a patch that goes round them.
    template<class L, class T>
    LBM_HD static int mirrorOf(const BoundaryLink<T>& link)
    {
        constexpr T alike = T(0.98);
        T cosine = 0;
        for (int a = 0; a < 3; ++a) cosine += link.outward[a] * link.velocity[a];
        if (link.fitted && cosine < alike) return BoundaryLink<T>::bent;
        const Int3 inward = directionOf(link.inward);
        T across[3], normal[3];
        normalOf(link, normal);
        normalPart<L>(link.direction, normal, across);
        for (int a = 0; a < 3; ++a)
            if (!near(across[a], T(inward[a]))) return -1;
        return mirrored<L>(link.direction, normal);
    }

    template<class T>
    LBM_HD static void normalOf(const BoundaryLink<T>& link, T (&normal)[3])
    {
        const bool axis = acrossAxis(link);
        for (int a = 0; a < 3; ++a) normal[a] = axis ? link.outward[a] : link.velocity[a];
    }

    // Needs nothing but one population of the donor.
    LBM_HD static bool isMirror(const LinkMakeup& link)
    {
        return isPlane(BoundaryKind(link.kind)) && link.mirror >= 0 && !link.fitted && link.donor >= 0;
    }
    // Over an edge between planes: see Donor::round.
    LBM_HD static bool goesRound(const LinkMakeup& link) { return link.round[0] >= 0; }

    // The only node whose population arrives, as it is; -1: others do, or this is no mirror. shares: of the table.
    template<class T>
    LBM_HD static std::int32_t mirrorDonor(const BoundaryShare<T>* shares, const LinkMakeup& link)
    {
        return isMirror(link) && link.shares == 1 && shares[link.donor].weight == 1 ? shares[link.donor].node : -1;
    }
    // Of a link that has donors.
    LBM_HD static bool isOblique(const LinkMakeup& link)
    {
        return isPlane(BoundaryKind(link.kind)) && (link.mirror < 0 || link.fitted);
    }
    template<class L, class T>
    LBM_HD static T seenInMirror(const BoundaryTable<L, T>& table, const BoundaryLink<T>& link)
    {
        T value = 0;
        for (int i = 0; i < link.shares; ++i) {
            const BoundaryShare<T>& share = table.shares[link.donor + i];
            const int sent = goesRound(link) ? link.round[i] : link.mirror;
            value += share.weight * table.after(share.node)[sent];
        }
        return BoundaryKind(link.kind) == BoundaryKind::shear ? value + link.r : value;
    }

    template<class L, class T>
    LBM_HD static T incoming(const BoundaryNode<L, T>& donor, const BoundaryLink<T>& link)
    {
        return donor.after(link.mirror);
    }

    template<class L, class T>
    LBM_HD static T oblique(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const T free = link.fitted && link.mirror != BoundaryLink<T>::bent ? behind(node, link) : alongWall(node, link);
        return BoundaryKind(link.kind) == BoundaryKind::shear ? free + link.r : free;
    }

    template<class L, class T>
    LBM_HD static T alongWall(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const T normal = node.u[0] * link.velocity[0] + node.u[1] * link.velocity[1] + node.u[2] * link.velocity[2];
        T wall[3];
        for (int a = 0; a < 3; ++a) wall[a] = node.u[a] - normal * link.velocity[a];
        return node.after(opposite(link.direction)) + node.wallTransfer(link.direction, wall);
    }

    // The direction that a plane with this normal mirrors to q; -1 if the lattice has none.
    template<class L, class T>
    LBM_HD static int mirrored(int q, const T (&normal)[3])
    {
        T across[3];
        normalPart<L>(q, normal, across);
        for (int p = 0; p < L::Q; ++p)
            if (near(component<L>(q, 0) - 2 * across[0], T(component<L>(p, 0)))
                && near(component<L>(q, 1) - 2 * across[1], T(component<L>(p, 1)))
                && near(component<L>(q, 2) - 2 * across[2], T(component<L>(p, 2))))
                return p;
        return -1;
    }

private:
    template<class T>
    LBM_HD static bool acrossAxis(const BoundaryLink<T>& link)
    {
        const Int3 inward = directionOf(link.inward);
        int axes = 0;
        bool same = true;
        for (int a = 0; a < 3; ++a) {
            axes += inward[a] != 0;
            same = same && near(link.outward[a], T(-inward[a]));
        }
        return axes == 1 && same;
    }

    // What in populations turned in a mirror with normal n adds to link q: their momentum along n (`force`: its half along n, which
    // velocity lacks) and the shear stress at the plane with q's part in the plane.
    template<class L, class T>
    LBM_HD static T turned(const T (&after)[L::Q], T force, int q, const T (&n)[3])
    {
        const T qn = along<L>(q, n);
        T inPlane[3], momentum = force, shear = 0;
        for (int a = 0; a < 3; ++a) inPlane[a] = component<L>(q, a) - qn * n[a];
        unroll<L::Q / 2>([&](auto pair) __attribute__((always_inline)) {
            constexpr int p = 2 * pair + 1;
            const T pn = dot<L, p>(n);
            momentum += (after[p] - after[p + 1]) * pn;
            shear += (after[p] + after[p + 1]) * pn * dot<L, p>(inPlane);
        });
        return T(weightOf<L>(q)) * (3 * qn * momentum + 9 * qn * shear);
    }

    // The even shares give all of the ghost's state but for what is turned, which the odd ones give: of both there is one population
    // and what they differ by, so that each node is read once.
    template<class L, class T>
    LBM_HD static T behind(const BoundaryNode<L, T>& node, const BoundaryLink<T>& link)
    {
        const auto& table = node.table();
        const BoundaryShare<T>*even = table.shares + link.fit, *odd = even + link.fitted;
        const bool byNode = table.parameters.closure.fields.force;
        T kept = 0, force = 0, change[L::Q], whole = 1;
        for (int p = 0; p < L::Q; ++p) change[p] = 0;
        for (int i = 0; i < link.fitted; ++i) {
            const T weight = odd[i].weight - even[i].weight;
            const T(&after)[L::Q] = table.after(even[i].node);
            kept += even[i].weight * after[link.direction];
            whole -= odd[i].weight;
            unroll<L::Q>([&](auto p) __attribute__((always_inline)) { change[p] += weight * after[p]; });
        }
        // By itself: beside the populations it kept compilers from working on several of these at once
        for (int i = 0; byNode && i < link.fitted; ++i)
            force -= (odd[i].weight - even[i].weight) * along(valuesOf(table, even[i].node).force, link.velocity);
        // One force for all is as large behind the plane, whatever the shares are in sum
        if (!byNode) force = whole * along(table.parameters.force, link.velocity);
        return kept + turned<L>(change, T(0.5) * force, link.direction, link.velocity);
    }

    template<class T>
    LBM_HD static T along(const T (&v)[3], const T (&n)[3])
    {
        return v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
    }

    template<class L, class T>
    LBM_HD static T along(int q, const T (&n)[3])
    {
        return component<L>(q, 0) * n[0] + component<L>(q, 1) * n[1] + component<L>(q, 2) * n[2];
    }

    template<class L, class T>
    LBM_HD static void normalPart(int q, const T (&n)[3], T (&part)[3])
    {
        const T length = along<L>(q, n);
        for (int a = 0; a < 3; ++a) part[a] = length * n[a];
    }

    template<class T>
    LBM_HD static bool near(T a, T b)
    {
        return a - b < T(1e-4) && b - a < T(1e-4);
    }
};

} // namespace lbm
