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

// Values of the larger handover
template<class Storage>
std::size_t roomFor(const std::vector<std::uint32_t>& needed)
{
    return sizeOfHandover<Storage>(Handover::whole, needed) / sizeof(typename Storage::Scalar);
}

template<class Storage>
class TiledOwnersEnd final : public HaloEnd {
public:
    using T = typename Storage::Scalar;

    TiledOwnersEnd(const Storage& from, const Domain& domain, const std::vector<NodeIndex>& owners,
                   const std::vector<std::uint32_t>& needed, int threads) :
        from_(from), needed_(needed), threads_(threads), room_(roomFor<Storage>(needed))
    {
        for (const NodeIndex node : owners) owners_.push_back(from.geometry().grid().place(domain.coordinates(node)));
    }

    std::size_t size(Handover what) override { return sizeOfHandover<Storage>(what, needed_); }

    char* room() override { return reinterpret_cast<char*>(room_.data()); }

    void pack(Handover what) override
    {
        const RowCopies& copies = copies_(what, from_.phase(), [&](RowCopies& list) {
            std::size_t n = 0;
            HandedOver<Storage>::forValues(what, needed_, [&](std::size_t i, int k) {
                list.add(n++, from_.slot(owners_[i].tile, owners_[i].local, k));
            });
        });
#pragma omp parallel num_threads(threads_)
        copies.copyShare(from_.values(), room_.data());
    }

    std::size_t bytes() const override
    {
        return owners_.size() * (sizeof(TilePlace) + sizeof needed_[0]) + copies_.bytes() + room_.size() * sizeof(T);
    }

private:
    const Storage& from_;
    std::vector<std::uint32_t> needed_;
    int threads_;
    std::vector<T> room_;
    std::vector<TilePlace> owners_;
    PhasedCopies<Storage> copies_;
};

template<class Storage>
class TiledGhostsEnd final : public HaloEnd {
public:
    using T = typename Storage::Scalar;

    TiledGhostsEnd(Storage& to, const Domain& domain, const std::vector<NodeIndex>& ghosts, int threads) :
        ghosts_(to, domain, ghosts), threads_(threads), room_(roomFor<Storage>(ghosts_.needed()))
    {}

    const std::vector<std::uint32_t>& needed() const { return ghosts_.needed(); }

    std::size_t size(Handover what) override { return sizeOfHandover<Storage>(what, needed()); }

    char* room() override { return reinterpret_cast<char*>(room_.data()); }

    void unpack(Handover what) override
    {
        Storage& to = ghosts_.storage();
        const RowCopies& copies = copies_(what, to.phase(), [&](RowCopies& list) {
            std::size_t n = 0;
            HandedOver<Storage>::forValues(what, needed(),
                                           [&](std::size_t i, int k) { list.add(ghosts_.slot(i, k), n++); });
        });
#pragma omp parallel num_threads(threads_)
        {
            copies.copyShare(room_.data(), to.values());
            ghosts_.rememberShare();
        }
    }

    std::size_t bytes() const override { return ghosts_.bytes() + copies_.bytes() + room_.size() * sizeof(T); }

private:
    TiledGhosts<Storage> ghosts_;
    int threads_;
    std::vector<T> room_;
    PhasedCopies<Storage> copies_;
};

} // namespace lbm
