// DomainBuilder: the steps of makeDomain, which may be taken for some planes of the box alone: nodes, then links.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/FluidSide.hpp"
#include "adapters/surface/RaySearch.hpp"

namespace lbm::exact {

// Links of some planes' nodes, and counts of them: see SurfaceFacts.
struct PlaneLinks {
    std::vector<Link> links; // sorted
    std::int64_t guessed = 0, thin = 0, bulges = 0, united = 0;
    std::array<std::int64_t, 27> caps{};

    // Of planes behind these.
    void append(PlaneLinks&&);
};

class DomainBuilder {
public:
    // References are kept.
    DomainBuilder(const TriangleMesh& mesh, const LatticeBox& box, const std::vector<Int3>& directions,
                  const SurfaceOptions& options, SurfaceFacts& facts);

    // Before marks() and links(): a GPU for these, if the options name one. share: see SurfaceDevice::find, which may throw.
    void takeDevice(int share);

    // Of planes [begin, end); begin starts a word of a BitSet of the box.
    FluidSide::Marks marks(int begin, int end);

    // From the marks of all planes. Throws SurfaceError if no node is fluid.
    void setFluid(FluidSide::Marks all);

    // As another one has it; right in the planes whose links are wanted, and one on each side of them.
    void setFluid(BitSet fluid) { domain_.fluid = std::move(fluid); }
    const BitSet& fluid() const { return domain_.fluid; }

    PlaneLinks links(int begin, int end);

    // Then: see SurfaceFacts. shortOfDevice: the same where a GPU that was asked for did not do all of it, else empty.
    std::string raysOn() const;
    std::string shortOfDevice() const { return whyNotDevice_.empty() ? "" : raysOn(); }

    // With the links of all planes.
    Domain finish(PlaneLinks all);

private:
    struct Direction {
        Int3 step;
        std::uint8_t code;
    };

    // Of some planes; near: nodes of each slab that a triangle is near.
    struct LinkRows {
        std::vector<Slab> slabs;
        std::vector<BitSet> near;
        std::vector<SomeRows> rows;
    };

    struct Asked {
        std::size_t direction;
        bool leavesBox;
    };

    static std::vector<Direction> moving(const std::vector<Int3>& directions);
    LinkRays rays() const;
    template<class Make>
    auto onDevice(const Make& make) -> decltype(make());
    void giveDevice(RaySearch& search, int begin, int end);
    int beginPiece(RaySearch& search, int begin, int end);
    void noteDevice(const RaySearch& search, bool anyLinks);
    LinkRows linkRows(int begin, int end) const;
    void addPiece(const LinkRows& all, std::size_t first, std::size_t next, const RaySearch& rays,
                  const TriangleFinder& finder, std::vector<PlaneLinks>& found) const;
    std::vector<Int3> askedNodes(const LinkRows& all, std::size_t row) const;
    PlaneLinks linksOf(const std::vector<Int3>& nodes, const RaySearch& rays, const TriangleFinder& finder) const;
    std::uint64_t mayHaveLinks(NodeIndex row, int x, int n) const;
    bool atEnd(NodeIndex node) const;
    bool besideSolid(NodeIndex node) const;
    void addLinks(const Int3& at, std::vector<Hit>& hits, const TriangleFinder& finder, LinkSearch& search,
                  PlaneLinks& result) const;
    bool besideBody(const Int3& at, const Int3& step) const;
    void askNumbers(const Int3& at, const std::vector<Asked>& asked, const TriangleFinder& finder,
                    std::vector<Hit>& hits, PlaneLinks& result) const;
    [[noreturn]] void refuse(const Int3& at, const Int3& step, bool leavesBox) const;

    const LatticeBox& box_;
    const SurfaceOptions& options_;
    SurfaceFacts& facts_;
    std::vector<Direction> directions_;
    Surface surface_;
    int threads_;
    FluidSide side_;
    std::unique_ptr<SurfaceDevice> device_;
    bool windingOnDevice_ = false, raysOnDevice_ = false;
    int leftDeviceAt_ = -1; // plane from which on it had no room for rays
    std::string whyNotDevice_;
    Domain domain_;
};

} // namespace lbm::exact
