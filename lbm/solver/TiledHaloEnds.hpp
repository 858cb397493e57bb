// TiledOwnersEnd, TiledGhostsEnd: the two sides of a halo between parts on CPUs of two processes. What is handed over goes by way
// of bytes, in the storage's own precision, one value of all nodes after the other. A whole handover, which is several times that of
// a step, goes over in pieces of so many nodes that the room need not be larger for it: a slab between two others has four rooms.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/TiledGhosts.hpp"

namespace lbm {

// Which nodes of a halo go over at once, and how many values they are; the same at both sides.
template<class Storage>
class HandedPieces {
public:
    using Values = HandedOver<Storage>;

    explicit HandedPieces(std::vector<std::uint32_t> needed) : needed_(std::move(needed))
    {
        Values::forValues(Handover::forStep, needed_, [&](std::size_t, int) { ++ofStep_; });
        nodes_ = std::max(ofStep_, leastRoom) / std::size_t(Values::count);
    }

    const std::vector<std::uint32_t>& needed() const { return needed_; }

    std::size_t room() const
    {
        return std::max(ofStep_, std::min(nodes_, needed_.size()) * std::size_t(Values::count));
    }

    // Of what goes over next.
    std::size_t values(Handover what) const
    {
        return what == Handover::forStep ? ofStep_ : (end(what) - first(what)) * std::size_t(Values::count);
    }
    std::size_t piece(Handover what) const { return what == Handover::forStep ? 0 : piece_; }

    // f(node, value) of that.
    template<class F>
    void each(Handover what, F&& f) const
    {
        Values::forValues(what, needed_, first(what), end(what), f);
    }

    // It has gone over.
    void next(Handover what)
    {
        if (what == Handover::whole) piece_ = end(what) < needed_.size() ? piece_ + 1 : 0;
    }

    // Of a handover that has begun pieces are left.
    bool more() const { return piece_ > 0; }

private:
    // Of values: shorter messages take little less time
    static constexpr std::size_t leastRoom = std::size_t(1) << 13;

    std::size_t first(Handover what) const { return piece(what) * nodes_; }
    std::size_t end(Handover what) const
    {
        return what == Handover::forStep ? needed_.size() : std::min(needed_.size(), first(what) + nodes_);
    }

    std::vector<std::uint32_t> needed_;
    std::size_t ofStep_ = 0, nodes_ = 0, piece_ = 0;
};

template<class Storage>
class TiledOwnersEnd final : public HaloEnd {
public:
    using T = typename Storage::Scalar;

    TiledOwnersEnd(const Storage& from, const Domain& domain, const std::vector<NodeIndex>& owners,
                   const std::vector<std::uint32_t>& needed, int threads) :
        from_(from), pieces_(needed), threads_(threads), room_(pieces_.room())
    {
        for (const NodeIndex node : owners) owners_.push_back(from.geometry().grid().place(domain.coordinates(node)));
    }

    std::size_t size(Handover what) override { return pieces_.values(what) * sizeof(T); }
    bool more() const override { return pieces_.more(); }

    char* room() override { return reinterpret_cast<char*>(room_.data()); }

    void pack(Handover what) override
    {
        const RowCopies& copies = copies_(
            what, from_.phase(),
            [&](RowCopies& list) {
                std::size_t n = 0;
                pieces_.each(what, [&](std::size_t i, int k) {
                    list.add(n++, from_.slot(owners_[i].tile, owners_[i].local, k));
                });
            },
            pieces_.piece(what));
#pragma omp parallel num_threads(threads_)
        copies.copyShare(from_.values(), room_.data());
        pieces_.next(what);
    }

    std::size_t bytes() const override
    {
        return owners_.size() * (sizeof(TilePlace) + sizeof(std::uint32_t)) + copies_.bytes()
            + room_.size() * sizeof(T);
    }

private:
    const Storage& from_;
    HandedPieces<Storage> pieces_;
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
        ghosts_(to, domain, ghosts), pieces_(ghosts_.takeNeeded()), threads_(threads), room_(pieces_.room())
    {}

    const std::vector<std::uint32_t>& needed() const { return pieces_.needed(); }

    std::size_t size(Handover what) override { return pieces_.values(what) * sizeof(T); }
    bool more() const override { return pieces_.more(); }

    char* room() override { return reinterpret_cast<char*>(room_.data()); }

    void unpack(Handover what) override
    {
        Storage& to = ghosts_.storage();
        const RowCopies& copies = copies_(
            what, to.phase(),
            [&](RowCopies& list) {
                std::size_t n = 0;
                pieces_.each(what, [&](std::size_t i, int k) { list.add(ghosts_.slot(i, k), n++); });
            },
            pieces_.piece(what));
        pieces_.next(what);
#pragma omp parallel num_threads(threads_)
        {
            copies.copyShare(room_.data(), to.values());
            // What boundaries remember of a node takes all of it
            if (!pieces_.more()) ghosts_.rememberShare();
        }
    }

    std::size_t bytes() const override { return ghosts_.bytes() + copies_.bytes() + room_.size() * sizeof(T); }

private:
    TiledGhosts<Storage> ghosts_;
    HandedPieces<Storage> pieces_;
    int threads_;
    std::vector<T> room_;
    PhasedCopies<Storage> copies_;
};

} // namespace lbm
