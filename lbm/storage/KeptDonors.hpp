// KeptDonors: donors of a run of links as TileGeometry keeps them until tiles have found their links, of which there may be tens of
// millions: in lists for the whole run and in the precision that links have, 52 bytes for one with one share in single precision where a
// Donor with its memory has 142 (measured). Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/boundary/Donors.hpp"

#include <cstdint>
#include <vector>

namespace lbm {

// See Donor.
template<class T>
struct KeptDonor {
    std::int64_t corner;
    std::int32_t link; // behind the first one of the run
    T outward[3], reach;
    std::uint8_t fitted, shares, beyond; // how many; none beyond where there are no shares
    std::uint8_t sent, inward;
    std::array<std::uint8_t, 2> round;

    // In BoundaryShare's order: even ones of the fit, odd ones, those of the donor, those beyond.
    std::size_t allShares() const { return 2 * std::size_t(fitted) + shares + beyond; }
};

template<class T>
struct KeptDonors {
    std::int64_t first = 0; // record in Domain::links
    std::vector<KeptDonor<T>> donors;
    std::vector<NodeIndex> nodes; // of all their shares, one donor's behind the other's
    std::vector<T> weights;

    KeptDonors() = default;
    explicit KeptDonors(const std::vector<Donor>& found)
    {
        if (found.empty()) return;
        first = found.front().link;
        donors.reserve(found.size());
        std::size_t shares = 0;
        for (const Donor& d : found) shares += keep(d);
        nodes.reserve(shares);
        weights.reserve(shares);
        for (const Donor& d : found) {
            for (const MirrorShare& share : d.fit) add(share.node, share.even);
            for (const MirrorShare& share : d.fit) add(share.node, share.odd);
            if (d.shares.empty()) continue;
            for (const DonorShare& share : d.shares) add(share.node, share.weight);
            for (const DonorShare& share : d.beyond) add(share.node, share.weight);
        }
    }

    std::int64_t link(const KeptDonor<T>& d) const { return first + d.link; }

private:
    std::size_t keep(const Donor& d)
    {
        KeptDonor<T> kept{};
        kept.corner = d.corner;
        kept.link = std::int32_t(d.link - first);
        for (int a = 0; a < 3; ++a) kept.outward[a] = T(d.outward[a]);
        kept.reach = T(d.reach);
        kept.fitted = std::uint8_t(d.fit.size());
        kept.shares = std::uint8_t(d.shares.size());
        kept.beyond = std::uint8_t(d.shares.empty() ? 0 : d.beyond.size());
        kept.sent = d.sent;
        kept.inward = d.inward;
        kept.round = d.round;
        donors.push_back(kept);
        return kept.allShares();
    }

    void add(NodeIndex node, double weight)
    {
        nodes.push_back(node);
        weights.push_back(T(weight));
    }
};

} // namespace lbm
