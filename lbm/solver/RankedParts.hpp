// RankedParts: SpreadParts over the ranks of a RankLink, as the first one has them. Part p of n goes to rank p*ranks/n, and there to
// one of the rank's devices, of which each rank has as many: its parts in their order, to each device as many.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/solver/DeviceExchange.hpp"
#include "lbm/solver/RankHalo.hpp"
#include "lbm/solver/RankLink.hpp"
#include "lbm/solver/RankSolvers.hpp"

#include <map>
#include <optional>
#include <set>

namespace lbm {

class RankedParts final : public SpreadParts {
public:
    // makeHere: of this rank. Of the Config its parts, ranks and exchange, and what devices it names.
    RankedParts(std::shared_ptr<const RankLink>, const Config&, const KernelRow&, MakePartOnDevice makeHere);
    ~RankedParts() override;

    std::unique_ptr<Part> make(int part, std::shared_ptr<const Domain>, const Config&) override;
    int processOf(std::size_t part) const override { return rankOf(part); }
    std::unique_ptr<Halo> halo(std::size_t to, Part& own, std::size_t from, Part& owner, const HaloNodes&) override;

    std::vector<std::string> textsOfAll(const std::string& own) const override { return link_->ofAll(own); }
    std::vector<std::string> ways() const override;

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
    DeviceOfRank deviceOf(std::size_t part) const;
    int numberOf(const DeviceOfRank& device, int rank) const { return rank * device.ofSo + device.number; }
    void tellAll(const RankMessage&) const;
    std::string letStream(std::size_t part, std::size_t other, int number, RankHalo* here) const;
    bool devicesExchange();
    std::vector<DevicePresence> presences() const;
    void joinDevices() const;
    std::size_t firstPartOf(int rank) const;
    std::vector<std::vector<std::size_t>> rounds() const;

    std::shared_ptr<const RankLink> link_;
    int parts_, devices_, solver_; // devices: of a rank
    std::string exchange_;
    KernelRow row_;
    MakePartOnDevice makeHere_;
    PartsByDevice here_;                   // of this rank, the first on each of its devices
    std::optional<std::string> noDevices_; // why halos do not go from device to device; empty: they do
    std::map<std::string, std::set<std::pair<int, int>>> links_; // ranks by the way between them
    bool ended_ = false;
};

} // namespace lbm
