// CudaGeometry: NodeTables and their copy in device memory. What tiles have by node is made there, some tiles at a time.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/Cuda.hpp"
#include "lbm/device/ForEach.cuh"
#include "lbm/storage/nodes/NodeTables.hpp"

namespace lbm {

// What links of interpolated walls are told by, where a law on the device tells them (lbm/solver/CudaWallLaw.cuh).
template<class T>
struct ToldOnDevice {
    CurvedLink<T>* curved;
    WallGap* gaps; // by link
    LinkTold<T>* links;
    int gapCount;

    // The gap of a curved link that has one.
    LBM_HD int gapOf(std::int32_t link) const
    {
        int low = 0;
        for (int n = gapCount; n > 1; n -= n / 2)
            if (gaps[low + n / 2].link <= link) low += n / 2;
        return low;
    }
};

// What tiles have by node, for cuda::forEach.
template<class Tables>
struct MakeWord {
    const typename Tables::Detail* details;
    std::uint32_t* words; // of their nodes

    LBM_HD void operator()(std::size_t i) const
    {
        words[i] = Tables::linkWord(details[i / Tables::N], int(i % Tables::N));
    }
};

// What links of openings remember; of one that the lattice lacks nothing.
template<class T>
struct GatherMemory {
    const std::int32_t* links;
    const T* memory;
    T* found;

    LBM_HD void operator()(std::size_t i) const
    {
        if (links[i] >= 0) found[i] = memory[links[i]];
    }
};

struct MarkInStep {
    const std::size_t* inStep;
    std::uint32_t* words;

    LBM_HD void operator()(std::size_t i) const { words[inStep[i]] |= curvedNode; }
};

struct PutCurvedNode {
    const std::size_t* inStep;
    const CurvedNode* nodes; // of these
    CurvedNode* all;

    LBM_HD void operator()(std::size_t i) const { all[inStep[i]] = nodes[i]; }
};

// What a link is told.
template<class T>
struct NewLinkValue {
    std::int32_t link; // -1: none
    T velocity[3], r, recovery;
};

// mirrors: of these; null: no link is a plane's.
template<class Geometry, class T>
struct TellLink {
    const NewLinkValue<T>* values;
    const LinkMakeup* made;
    LinkTold<T>* told;
    std::int8_t* mirrors;

    LBM_HD void operator()(std::size_t i) const
    {
        const NewLinkValue<T> value = values[i];
        if (value.link < 0) return;
        LinkTold<T>& own = told[value.link];
        for (int a = 0; a < 3; ++a) own.velocity[a] = value.velocity[a];
        own.r = value.r;
        own.recovery = value.recovery;
        if (mirrors) mirrors[i] = Geometry::mirrorOf({own, made[value.link]});
    }
};

template<class L, class T, class TileT>
class CudaGeometry {
public:
    using Tables = NodeTables<L, T, TileT>;
    using Geometry = typename Tables::Geometry;

    CudaGeometry(const Domain& domain, const Config& config, Layout layout, TileOrder order = TileOrder::rimLast,
                 CurvedIn curvedIn = CurvedIn::beforeStep) :
        tables_(domain, config, layout, order, curvedIn)
    {}

    const Tables& tables() const { return tables_; }
    const Geometry& host() const { return tables_.host(); }
    const TileGrid& grid() const { return tables_.grid(); }

    // See NodeTables.
    std::int32_t units() const { return tables_.units(); }
    NodePlace place(const Int3& x) const { return tables_.place(x); }
    Int3 coordinates(std::int32_t unit, int local) const { return tables_.coordinates(unit, local); }

    // Of device memory.
    std::size_t bytes() const { return tables_.bytes(); }

    void copyTo(const cuda::Device& device)
    {
        const auto copy = [&](auto& to, const auto& from) { to = {device, from.data(), from.size()}; };
        const auto& t = tables_.tables();
        const Geometry& host = tables_.host();
        copy(onDevice_.detailOf, t.detailOf);
        copy(onDevice_.packed, t.packed);
        copy(onDevice_.blocks, t.blocks);
        copy(onDevice_.sources, t.sources);
        copy(onDevice_.types, t.types);
        copy(onDevice_.ghosts, t.ghosts);
        copy(onDevice_.places, t.places);
        copy(onDevice_.nodeOfLink, t.nodeOfLink);
        copy(onDevice_.company, t.company);
        copy(onDevice_.lone, t.lone);
        copy(onDevice_.pairs, t.pairs);
        copy(onDevice_.curvedPlaces, t.curvedPlaces);
        copy(onDevice_.between, t.between);
        copy(onDevice_.curvedShares, t.shares);
        onDevice_.index = {device, t.index.data(), tables_.onDeviceIndex()};
        onDevice_.neighbours = {device, grid().neighbours(0).data(), tables_.neighboursRead()};
        onDevice_.states = {device, host.boundaryNodes(), host.boundaryNodeCount()};
        onDevice_.sent = {device, host.boundaryNodeCount()};
        onDevice_.curved = {device, host.curvedLinks(), host.curvedLinkCount()};
        onDevice_.made = {device, host.boundaryLinks().made, host.boundaryLinkCount()};
        onDevice_.told = {device, host.boundaryLinks().told, host.boundaryLinkCount()};
        tables_.host().leaveTold();
        device_ = &device;
        onDevice_.shares = {device, host.boundaryShares(), host.boundaryShareCount()};
        onDevice_.openingMemory = {device, host.openingMemory().data(), host.openingMemory().size()};
        copy(onDevice_.distant, t.distant);
        copy(onDevice_.distantByTile, t.distantByTile);
        copy(onDevice_.openings, host.openings());
        onDevice_.distantValue = {device, t.distant.size()};
        onDevice_.sentAway = {device, host.curvedLinkCount()};
        curved_ = tables_.curved();
        if (tables_.wordTiles() == 0) copy(onDevice_.links, t.links);
        else makeWords(device);
    }

    TilesView view() const
    {
        TilesView v = tables_.view();
        v.neighbours = onDevice_.neighbours.data();
        v.detailOf = onDevice_.detailOf.data();
        v.links = onDevice_.links.data();
        v.packed = onDevice_.packed.data();
        v.blocks = onDevice_.blocks.data();
        v.sources = onDevice_.sources.data();
        v.index = onDevice_.index.data();
        v.types = onDevice_.types.data();
        v.ghosts = onDevice_.ghosts.data();
        return v;
    }

    // See NodeTables.
    BoundaryView<L, T> boundary(bool incompressible, bool forgotten = true)
    {
        sendChanges();
        BoundaryView<L, T> b = tables_.boundary(incompressible, forgotten);
        b.states = onDevice_.states.data();
        b.sent = onDevice_.sent.data();
        b.places = onDevice_.places.data();
        b.links = {onDevice_.made.data(), onDevice_.told.data()};
        b.shares = onDevice_.shares.data();
        b.openingMemory = onDevice_.openingMemory.data();
        b.nodeOfLink = onDevice_.nodeOfLink.data();
        b.company = onDevice_.company.data();
        b.lone = onDevice_.lone.data();
        b.pairs = onDevice_.pairs.data();
        b.curved = onDevice_.curved.data();
        b.curvedPlaces = onDevice_.curvedPlaces.data();
        b.sentAway = onDevice_.sentAway.data();
        b.distant = onDevice_.distant.data();
        b.distantValue = onDevice_.distantValue.data();
        b.openings = onDevice_.openings.data();
        b.distantByTile = onDevice_.distantByTile.data();
        if (b.recalled) b.recalled = onDevice_.between.data();
        b.between = onDevice_.between.data();
        return b;
    }

    // Of a piece, see NodeTables::cut.
    BoundaryView<L, T> boundary(bool incompressible, bool forgotten, const TileRange& remembered,
                                const TileRange& stepped)
    {
        BoundaryView<L, T> b = boundary(incompressible, forgotten);
        tables_.cut(remembered, stepped, forgotten).apply(b);
        return b;
    }

    // Changes go over with those of `boundary`.
    CurvedView<T> curved()
    {
        CurvedView<T> c = curved_;
        c.nodes = onDevice_.curvedNodes.data();
        c.shares = onDevice_.curvedShares.data();
        c.links = onDevice_.curved.data();
        c.distantValue = onDevice_.distantValue.data();
        c.sentAway = onDevice_.sentAway.data();
        c.moving = c.moving || tellsOnDevice_;
        return c;
    }

    // From now on some of these are the device's: the host has them when somebody else tells links of such walls.
    ToldOnDevice<T> toldOnDevice(const cuda::Device& device)
    {
        if (!tellsOnDevice_) onDevice_.gaps = {device, host().gaps().data(), host().gaps().size()};
        tellsOnDevice_ = true;
        sendChanges();
        return {onDevice_.curved.data(), onDevice_.gaps.data(), onDevice_.told.data(), int(onDevice_.gaps.size())};
    }

    void setBoundary(int patch, const LinkValue* values, std::size_t n)
    {
        Geometry& host = tables_.host();
        const bool forgets = host.forgets(patch, values, n);
        if (forgets) fetchMemory();
        if (tellsOnDevice_ && host.curved(patch)) fetchTold();
        const bool changed = host.setBoundary(patch, values, n);
        if (forgets) sendMemory();
        gapsToSend_ = gapsToSend_ || (tellsOnDevice_ && host.curved(patch));
        if (host.curved(patch)) curved_ = tables_.curved();
        if (changed || host.curved(patch)) {
            const auto [first, last] = host.recordsOf(patch);
            (host.curved(patch) ? curvedToSend_ : linksToSend_).widen(first, last);
        }
        // A link in a gap of one node changes its partner's, which may be another patch's
        if (host.curved(patch) && !host.gaps().empty()) curvedToSend_.widen(0, host.curvedLinkCount());
        if (!host.holdsTold()) {
            if (host.curved(patch)) tellShadows(patch, values, n);
            else tellLinks(patch, values, n);
        }
    }

    std::size_t remembering() const { return host().remembering(); }
    // What some links of openings on the device remember, in the order of Solver::openingMemory: these alone come over.
    std::vector<OpeningMemory> memory(std::size_t first, std::size_t n) const
    {
        const std::size_t end = first + n;
        std::size_t before = 0;
        for (int patch = 0; before < end; ++patch) {
            if (host().curved(patch)) continue;
            const std::vector<std::int32_t>& links = host().recordsOfLinks(patch);
            const std::size_t from = std::max(first, before), to = std::min(end, before + links.size());
            for (std::size_t i = from; i < to; i += toldAtOnce)
                fetchMemory(links.data() + (i - before), std::min(toldAtOnce, to - i));
            before += links.size();
        }
        return host().memory(first, n);
    }

    void setMemory(const std::vector<OpeningMemory>& memory)
    {
        tables_.host().setMemory(memory);
        sendMemory();
    }

private:
    // Masks of some tiles go over and are forgotten there.
    void makeWords(const cuda::Device& device)
    {
        using Detail = typename Tables::Detail;
        constexpr std::size_t atOnce = 4096, N = TileT::N;
        const std::size_t all = tables_.wordTiles();
        onDevice_.links = {device, tables_.words()};
        std::uint32_t* const words = onDevice_.links.data();
        UnsetVector<Detail> details(std::min(atOnce, all));
        cuda::Array<Detail> there(device, details.size());
        for (std::size_t first = 0; first < all; first += atOnce) {
            const std::size_t n = std::min(atOnce, all - first);
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < n; ++i) details[i] = tables_.wordTile(first + i);
            there.upload(details.data(), n);
            cuda::forEach(device, n * N, MakeWord<Tables>{there.data(), words + first * N}, "kernel of nodes' links");
        }
        const auto& t = tables_.tables();
        if (t.inStep.empty()) return;
        const cuda::Array<std::size_t> inStep(device, t.inStep.data(), t.inStep.size());
        cuda::forEach(device, inStep.size(), MarkInStep{inStep.data(), words}, "kernel of nodes at interpolated walls");
        if (t.curvedNodes.empty()) return;
        const cuda::Array<CurvedNode> nodes(device, t.curvedNodes.data(), t.curvedNodes.size());
        onDevice_.curvedNodes = {device, tables_.words()};
        cuda::forEach(device, nodes.size(), PutCurvedNode{inStep.data(), nodes.data(), onDevice_.curvedNodes.data()},
                      "kernel of nodes at interpolated walls");
    }

    // Records that differ from those on the device.
    struct Range {
        std::size_t first = 0, last = 0;

        void widen(std::size_t from, std::size_t to)
        {
            if (from >= to) return;
            first = first < last ? std::min(first, from) : from;
            last = std::max(last, to);
        }
    };

    // Patches may be told one after the other, between two steps: what changed goes over once, before it is needed.
    void sendChanges()
    {
        const Geometry& host = tables_.host();
        onDevice_.made.upload(host.boundaryLinks().made, linksToSend_.first, linksToSend_.last);
        onDevice_.curved.upload(host.curvedLinks(), curvedToSend_.first, curvedToSend_.last);
        if (gapsToSend_) onDevice_.gaps.upload(host.gaps().data(), host.gaps().size());
        linksToSend_ = curvedToSend_ = Range();
        gapsToSend_ = false;
    }

    void fetchTold()
    {
        sendChanges();
        Geometry& host = tables_.host();
        onDevice_.curved.download(host.curvedLinks(), host.curvedLinkCount());
        onDevice_.gaps.download(host.gaps().data(), host.gaps().size());
    }

    // The device's links are told by a kernel, which finds planes' mirrors, too: these the host has to know.
    void tellLinks(int patch, const LinkValue* values, std::size_t n)
    {
        bool planes = false;
#pragma omp parallel for schedule(static) reduction(|| : planes) if (n > 10000)
        for (std::size_t i = 0; i < n; ++i) planes = planes || isPlane(values[i].kind);
        if (planes) sendChanges(); // kinds
        const std::vector<std::int32_t>& links = host().recordsOfLinks(patch);
        UnsetVector<NewLinkValue<T>> told(std::min(toldAtOnce, n));
        for (std::size_t first = 0; first < n; first += told.size()) {
            const std::size_t many = std::min(told.size(), n - first);
#pragma omp parallel for schedule(static) if (many > 10000)
            for (std::size_t i = 0; i < many; ++i) told[i] = newValue(links[first + i], values[first + i]);
            tell(told.data(), many, planes);
            if (planes) fetchMirrors(told.data(), many);
        }
    }

    static NewLinkValue<T> newValue(std::int32_t link, const LinkValue& value)
    {
        LinkTold<T> told;
        Geometry::tell(told, value);
        return {link, {told.velocity[0], told.velocity[1], told.velocity[2]}, told.r, told.recovery};
    }

    // Interpolated walls are told of at corners of openings, too.
    void tellShadows(int patch, const LinkValue* values, std::size_t n)
    {
        if (host().shadows().empty()) return;
        const std::vector<std::int32_t>& curved = host().recordsOfLinks(patch);
        std::vector<NewLinkValue<T>> told;
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t shadow = curved[i] < 0 ? -1 : host().shadowAt(curved[i]);
            if (shadow < 0) continue;
            told.push_back(newValue(shadow, values[i]));
            told.back().r = told.back().recovery = 0; // a wall
        }
        for (std::size_t first = 0; first < told.size(); first += toldAtOnce)
            tell(&told[first], std::min(toldAtOnce, told.size() - first), false);
    }

    void tell(const NewLinkValue<T>* values, std::size_t n, bool planes)
    {
        if (onDevice_.newValues.size() < n) onDevice_.newValues = {*device_, n};
        if (planes && onDevice_.mirrors.size() < n) onDevice_.mirrors = {*device_, n};
        onDevice_.newValues.upload(values, n);
        cuda::forEach(*device_, n,
                      TellLink<Geometry, T>{onDevice_.newValues.data(), onDevice_.made.data(), onDevice_.told.data(),
                                            planes ? onDevice_.mirrors.data() : nullptr},
                      "kernel of links' values");
    }

    void fetchMirrors(const NewLinkValue<T>* values, std::size_t n)
    {
        UnsetVector<std::int8_t> mirrors(n);
        onDevice_.mirrors.download(mirrors.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
            const std::int32_t link = values[i].link;
            if (link < 0 || host().boundaryLinks().made[link].mirror == mirrors[i]) continue;
            tables_.host().setMirror(link, mirrors[i]);
            linksToSend_.widen(std::size_t(link), std::size_t(link) + 1);
        }
    }

    // Of these links; -1: none.
    void fetchMemory(const std::int32_t* links, std::size_t n) const
    {
        const cuda::Array<std::int32_t> asked(*device_, links, n);
        cuda::Array<T> found(*device_, n);
        cuda::forEach(*device_, n, GatherMemory<T>{asked.data(), onDevice_.openingMemory.data(), found.data()},
                      "kernel of what openings remember");
        std::vector<T> values(n);
        found.download(values.data(), n);
        std::vector<T>& all = tables_.host().openingMemory();
        for (std::size_t i = 0; i < n; ++i)
            if (links[i] >= 0) all[std::size_t(links[i])] = values[i];
    }

    void fetchMemory() const
    {
        onDevice_.openingMemory.download(tables_.host().openingMemory().data(), host().openingMemory().size());
    }
    void sendMemory() { onDevice_.openingMemory.upload(host().openingMemory().data(), host().openingMemory().size()); }

    static constexpr std::size_t toldAtOnce = std::size_t(1) << 17;

    const cuda::Device* device_ = nullptr; // that has a copy
    mutable Tables tables_;                // what openings remember is brought up to date when it is asked for
    Range linksToSend_, curvedToSend_;
    bool tellsOnDevice_ = false, gapsToSend_ = false;
    CurvedView<T> curved_{}; // as the host has it

    struct {
        cuda::Array<std::int32_t> neighbours, detailOf, blocks, index, ghosts, nodeOfLink, company, lone, distantByTile,
            between;
        cuda::Array<std::uint32_t> links, sources;
        cuda::Array<std::uint8_t> types;
        cuda::Array<PackedTile> packed;
        cuda::Array<NodePlace> places;
        cuda::Array<CurvedPlace> curvedPlaces;
        cuda::Array<CurvedNode> curvedNodes;
        cuda::Array<CurvedShares> curvedShares;
        cuda::Array<RemotePair> pairs;
        cuda::Array<BoundaryState> states;
        cuda::Array<SentPopulations<L, T>> sent;
        cuda::Array<LinkMakeup> made;
        cuda::Array<LinkTold<T>> told;
        cuda::Array<NewLinkValue<T>> newValues;
        cuda::Array<std::int8_t> mirrors; // of them
        cuda::Array<CurvedLink<T>> curved;
        cuda::Array<WallGap> gaps; // once a law tells links
        cuda::Array<BoundaryShare<T>> shares;
        cuda::Array<DistantPopulation> distant;
        cuda::Array<OpeningNode> openings;
        cuda::Array<T> openingMemory, distantValue, sentAway;
    } onDevice_;
};

} // namespace lbm
