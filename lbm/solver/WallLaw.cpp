// A law that the threads of a host follow, by what any solver gives. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/WallLaw.hpp"

#include "lbm/lattice/named.hpp"
#include "lbm/solver/LawTables.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace lbm {

namespace {

// Fewer links than this are one thread's.
constexpr std::size_t fewLinks = 500;

class HostWallLaw final : public WallLaw {
public:
    HostWallLaw(Solver& solver, const WallLawSetup& setup) :
        solver_(solver),
        patch_(setup.patch),
        threads_(setup.threads > 0 ? setup.threads : omp_get_max_threads()),
        tables_(solver, setup),
        memory_{std::vector<LawState>(size()), std::vector<LawLeak>(tables_.areas.size())},
        clipped_(size(), 0),
        taken_(size(), 0),
        sums_(size(), 0),
        values_(size())
    {
        sampled_ = solver.place(tables_.sampled);
        sampledBytes_ = bytesOf(tables_.sampled);
        tables_.sampled = NodeGroups();
        ofSamples_.resize(size() * valuesOf(Reading::flow));
        placeNodes();
        for (LinkValue& value : values_) value.kind = BoundaryKind::interpolatedWall;
        if (size() < fewLinks) threads_ = 1;
        tell();
    }

    std::size_t size() const override { return tables_.links.size(); }
    std::size_t pieces() const override { return tables_.areas.size(); }
    bool onDevice() const override { return false; }
    std::size_t bytes() const override
    {
        return size() * lawBytesOnHost + sampledBytes_ + wall_.size() * sizeof(Vec3)
            + nodes_->size() * (sizeof(NodeIndex) + std::size_t(solver_.directions()) * sizeof(double));
    }

    void setWall(const std::vector<Vec3>& velocities) override
    {
        checkWall(velocities, size());
        if (velocities == wall_) return;
        wall_ = velocities;
        tell();
    }

    void update(double viscosity, double steps) override
    {
        checkViscosity(viscosity);
        const std::size_t perNode = std::size_t(solver_.directions());
        constexpr std::size_t perSample = lbm::valuesOf(Reading::flow);
        ofNodes_.resize(nodes_->size() * perNode);
        solver_.getPopulations(*nodes_, ofNodes_.data());
        solver_.sample(*sampled_, Reading::flow, ofSamples_.data());
        const LawPace pace = tables_.pace(steps, begun_);
        withLattice(solver_.row().lattice, [&](auto lattice) {
            eachLink([&](std::size_t i) {
                const double* sample = &ofSamples_[i * perSample];
                const LawLink& link = tables_.links[i];
                const LawNode sent = law::sentBy<decltype(lattice)>(link, &ofNodes_[std::size_t(nodeOf_[i]) * perNode],
                                                                    tables_.incompressible);
                const Vec3 wall = wallAt(i);
                clipped_[i] = law::follow(link, tables_.constants, viscosity, pace,
                                          law::sumOf({sample[1], sample[2], sample[3]}, -1, wall),
                                          law::sumOf(sent.velocity, -1, wall), sent, memory_.states[i]);
                sums_[i] = law::beyondBy(link, memory_.states[i], wall, sent);
            });
        });
        sumUp();
        for (std::size_t piece = 0; piece < pieces(); ++piece)
            wallLags::follow(memory_.leaks[piece].behind, ofPieces_[piece], pace.lagged);
        begun_ = true;
        tell();
    }

    std::vector<double> state() const override { return begun_ ? memory_.values() : std::vector<double>(); }
    void setState(const std::vector<double>& values) override
    {
        memory_ = LawMemory::of(values, size(), pieces());
        begun_ = true;
        tell();
    }
    void convert(double faster) override { memory_.convert(faster); }

    std::vector<Vec3> told() const override
    {
        std::vector<Vec3> velocities;
        for (const LinkValue& value : values_) velocities.push_back(value.velocity);
        return velocities;
    }

    Report report(double viscosity) const override
    {
        return reportOf(tables_.links, memory_.states, clipped_, viscosity);
    }

private:
    // Each once: a node at a wall has several links.
    void placeNodes()
    {
        std::vector<NodeIndex> each = tables_.nodes;
        std::sort(each.begin(), each.end());
        each.erase(std::unique(each.begin(), each.end()), each.end());
        for (const NodeIndex node : tables_.nodes)
            nodeOf_.push_back(std::uint32_t(std::lower_bound(each.begin(), each.end(), node) - each.begin()));
        nodes_ = solver_.place(each.data(), each.size());
        tables_.nodes = {};
    }

    template<class F>
    void eachLink(F&& f) const
    {
#pragma omp parallel for schedule(static) num_threads(threads_)
        for (std::size_t i = 0; i < size(); ++i) f(i);
    }

    Vec3 wallAt(std::size_t i) const { return wall_.empty() ? Vec3{0, 0, 0} : wall_[i]; }

    // Of sums_ those of pieces; the order is a device's, too.
    void sumUp()
    {
        const LawSums& sums = tables_.sums;
        for (std::size_t level = 0; level < sums.levels.size(); ++level) {
            const std::vector<std::uint32_t>& begin = sums.levels[level];
            runs_.resize(8 * (begin.size() - 1));
#pragma omp parallel for schedule(static) num_threads(threads_)
            for (std::size_t i = 0; i < runs_.size(); ++i) {
                const std::uint32_t from = begin[i / 8], to = begin[i / 8 + 1];
                const int corner = int(i % 8);
                runs_[i] = level == 0
                    ? law::sumOfLinks(tables_.links.data(), sums_.data(), sums.order.data(), from, to, corner)
                    : law::sumOfSums(ofRuns_.data(), from, to, corner);
            }
            std::swap(runs_, ofRuns_);
        }
        ofPieces_.resize(pieces());
        for (std::size_t piece = 0; piece < ofPieces_.size(); ++piece)
            ofPieces_[piece] =
                law::sumOfPiece(ofRuns_.data(), sums.terms.data(), sums.begin[piece], sums.begin[piece + 1]);
    }

    // Of pieces: what links without an image take, and what is let through, over their areas.
    void findLeft()
    {
        eachLink([&](std::size_t i) { sums_[i] = tables_.links[i].partner < 0 ? taken_[i] : 0; });
        sumUp();
        for (std::size_t piece = 0; piece < ofPieces_.size(); ++piece)
            ofPieces_[piece] = law::leftThrough(ofPieces_[piece] + memory_.leaks[piece].behind[wallLags::count - 1],
                                                tables_.areas[piece]);
    }

    void tell()
    {
        eachLink([&](std::size_t i) { taken_[i] = law::slipOf(tables_.links[i], memory_.states[i], wallAt(i)).taken; });
        const bool closes = tables_.area > 0;
        if (closes) findLeft();
        eachLink([&](std::size_t i) {
            const WallPieces::Place& at = tables_.links[i].piece;
            const double left = closes ? law::fromPieces(at, tables_.corners[at.block].data(), ofPieces_.data()) : 0;
            values_[i].velocity =
                law::toldBy(tables_.links[i], memory_.states[i], wallAt(i), closes ? taken_.data() : nullptr, i, left);
        });
        solver_.setBoundary(patch_, values_.data(), values_.size());
    }

    Solver& solver_;
    int patch_, threads_;
    LawTables tables_;
    std::shared_ptr<const NodeSet> nodes_, sampled_;
    std::size_t sampledBytes_ = 0;
    std::vector<std::uint32_t> nodeOf_; // of each link, among nodes_
    std::vector<Vec3> wall_;
    LawMemory memory_;
    std::vector<std::uint8_t> clipped_;
    bool begun_ = false;

    // Kept from call to call
    std::vector<double> taken_, sums_, runs_, ofRuns_, ofPieces_, ofNodes_, ofSamples_;
    std::vector<LinkValue> values_;
};

} // namespace

std::unique_ptr<WallLaw> placeLaw(Solver& solver, const WallLawSetup& setup)
{
    if (auto* own = dynamic_cast<HasWallLaws*>(&solver)) return own->placeLaw(setup);
    return std::make_unique<HostWallLaw>(solver, setup);
}

double frictionVelocity(double u, double y, double nu, double kappa, double E)
{
    return spalding::frictionVelocity(u, y, nu, {kappa, E});
}

double lawShare(double yPlus) { return law::slipping(yPlus); }

double lawVelocity(double yPlus, double kappa, double E) { return spalding::velocityAt(yPlus, {kappa, E}); }

} // namespace lbm
