// RankedTeam: workers in the ranks that serve. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/RankTeam.hpp"
#include "lbm/solver/RankLink.hpp"

namespace lbm {

class RankedTeam final : public RankTeam::Others {
public:
    RankedTeam(std::shared_ptr<const RankLink>, const std::string& name, const Message& told);
    ~RankedTeam() override;

    int count() const override { return link_->size() - 1; }
    std::vector<Message> ask(const std::vector<Message>& told, const std::function<void()>& here) override;

private:
    std::shared_ptr<const RankLink> link_;
    int number_;
};

} // namespace lbm
