// TiledHalo: a Halo between two parts of one process on a CPU. What is handed over is copied in the storage's own precision
// from where the owner keeps it to where the ghost's part will look for it; rows of tiles that lie alike in both are one copy.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/TiledGhosts.hpp"

namespace lbm {

template<class Storage>
class TiledHalo final : public Halo {
public:
    TiledHalo(Storage& to, const Storage& from, const Domain& domain, const Domain& owners, const HaloNodes& nodes,
              int threads) :
        ghosts_(to, domain, nodes.ghosts), from_(from), threads_(threads)
    {
        for (const NodeIndex node : nodes.owners)
            owners_.push_back(from.geometry().grid().place(owners.coordinates(node)));
    }

    void take(Handover what) override
    {
        Storage& to = ghosts_.storage();
        const RowCopies& copies = copies_(what, to.phase(), [&](RowCopies& list) {
            HandedOver<Storage>::forValues(what, ghosts_.needed(), [&](std::size_t i, int k) {
                list.add(ghosts_.slot(i, k), from_.slot(owners_[i].tile, owners_[i].local, k));
            });
        });
#pragma omp parallel num_threads(threads_)
        {
            copies.copyShare(from_.values(), to.values());
            ghosts_.rememberShare();
        }
    }

    std::size_t bytes() const override
    {
        return ghosts_.bytes() + owners_.size() * sizeof(TilePlace) + copies_.bytes();
    }

private:
    TiledGhosts<Storage> ghosts_;
    const Storage& from_;
    int threads_;
    std::vector<TilePlace> owners_;
    PhasedCopies<Storage> copies_;
};

} // namespace lbm
