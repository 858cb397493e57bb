// TiledOwnersEnd, TiledGhostsEnd: the two sides of a halo between parts on CPUs of two processes. What is handed over goes by way
// of bytes, in the storage's own precision, one value of all nodes after the other. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/TiledGhosts.hpp"

namespace lbm {

template<class Storage>
std::size_t sizeOfHandover(Handover what, const std::vector<std::uint32_t>& needed)
{
    std::size_t values = 0;
    HandedOver<Storage>::forValues(what, needed, [&](std::size_t, int) { ++values; });
    return values * sizeof(typename Storage::Scalar);
}

template<class Storage>
class TiledOwnersEnd final : public HaloEnd {
public:
    using T = typename Storage::Scalar;

    TiledOwnersEnd(const Storage& from, const Domain& domain, const std::vector<NodeIndex>& owners,
                   const std::vector<std::uint32_t>& needed, int threads) :
        from_(from), needed_(needed), threads_(threads)
    {
        for (const NodeIndex node : owners) owners_.push_back(from.geometry().grid().place(domain.coordinates(node)));
    }

    std::size_t size(Handover what) override { return sizeOfHandover<Storage>(what, needed_); }

    void pack(Handover what, char* to) override
    {
        const RowCopies& copies = copies_(what, from_.phase(), [&] {
            std::vector<RowCopy> values;
            HandedOver<Storage>::forValues(what, needed_, [&](std::size_t i, int k) {
                values.push_back({values.size(), from_.slot(owners_[i].tile, owners_[i].local, k), 1});
            });
            return RowCopies(std::move(values));
        });
#pragma omp parallel num_threads(threads_)
        copies.copyShare(from_.values(), reinterpret_cast<T*>(to));
    }

    std::size_t bytes() const override
    {
        return owners_.size() * (sizeof(TilePlace) + sizeof needed_[0]) + copies_.bytes();
    }

private:
    const Storage& from_;
    std::vector<std::uint32_t> needed_;
    int threads_;
    std::vector<TilePlace> owners_;
    PhasedCopies<Storage> copies_;
};

template<class Storage>
class TiledGhostsEnd final : public HaloEnd {
public:
    using T = typename Storage::Scalar;

    TiledGhostsEnd(Storage& to, const Domain& domain, const std::vector<NodeIndex>& ghosts, int threads) :
        ghosts_(to, domain, ghosts), threads_(threads)
    {}

    const std::vector<std::uint32_t>& needed() const { return ghosts_.needed(); }

    std::size_t size(Handover what) override { return sizeOfHandover<Storage>(what, needed()); }

    void unpack(Handover what, const char* from) override
    {
        Storage& to = ghosts_.storage();
        const RowCopies& copies = copies_(what, to.phase(), [&] {
            std::vector<RowCopy> values;
            HandedOver<Storage>::forValues(what, needed(), [&](std::size_t i, int k) {
                values.push_back({ghosts_.slot(i, k), values.size(), 1});
            });
            return RowCopies(std::move(values));
        });
#pragma omp parallel num_threads(threads_)
        {
            copies.copyShare(reinterpret_cast<const T*>(from), to.values());
            ghosts_.rememberShare();
        }
    }

    std::size_t bytes() const override { return ghosts_.bytes() + copies_.bytes(); }

private:
    TiledGhosts<Storage> ghosts_;
    int threads_;
    PhasedCopies<Storage> copies_;
};

} // namespace lbm
