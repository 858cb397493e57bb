// RankedParts: SpreadParts over the ranks of a RankLink, as the first one has them. Part p of n goes to rank p*ranks/n.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/PartedSolver.hpp"
#include "lbm/solver/RankLink.hpp"

namespace lbm {

class RankedParts final : public SpreadParts {
public:
    RankedParts(std::shared_ptr<const RankLink>, int parts, const KernelRow&, PartedSolver::MakePart);
    ~RankedParts() override;

    std::unique_ptr<Part> make(int part, std::shared_ptr<const Domain>, const Config&) override;
    bool isHere(std::size_t part) const override { return rankOf(part) == 0; }
    std::unique_ptr<Halo> halo(std::size_t to, Part& own, std::size_t from, Part& owner, const HaloNodes&) override;

    Extremes settle() override;

    // One part of each rank after the other, those of different ranks at the same time.
    std::vector<Message> work(const std::string& name, const std::vector<Part*>& parts,
                              const std::vector<Message>& told) override;

    void advance(std::int64_t steps) override;
    void nodesWritten() override;
    void fillGhosts() override;
    void end() override;

private:
    int rankOf(std::size_t part) const { return int(part * std::size_t(link_->size()) / std::size_t(parts_)); }
    void tellAll(const RankMessage&) const;
    std::vector<std::vector<std::size_t>> rounds() const;

    std::shared_ptr<const RankLink> link_;
    int parts_, solver_;
    KernelRow row_;
    PartedSolver::MakePart makeHere_;
    bool ended_ = false;
};

} // namespace lbm
