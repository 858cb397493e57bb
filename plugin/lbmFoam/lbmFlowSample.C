// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmFlowSample.H"

#include <algorithm>

namespace
{
    const std::size_t valuesOfFlow = lbm::valuesOf(lbm::Reading::flow);
}


Foam::lbmFlowSample::lbmFlowSample
(
    const lbm::Solver& solver,
    const lbm::NodeIndex many
)
:
    solver_(solver)
{
    const lbm::Domain& domain = solver.domain();
    const lbm::NodeIndex stride =
        std::max<lbm::NodeIndex>(1, domain.fluidNodes()/many);
    lbm::NodeIndex count = 0;
    std::vector<lbm::NodeIndex> nodes;
    for (lbm::NodeIndex node = 0; node < domain.nodes(); ++node)
    {
        if (domain.fluid[node] && count++ % stride == 0) nodes.push_back(node);
    }
    nodes_ = solver.place(nodes.data(), nodes.size());
    flow_.resize(valuesOfFlow*nodes.size());
}


void Foam::lbmFlowSample::take(const lbmUnits& units, state& into)
{
    solver_.sample(*nodes_, lbm::Reading::flow, flow_.data());
    into.U.resize(nodes_->size());
    into.p.resize(nodes_->size());
    const scalar toSI = units.dx()/units.dt();
    for (std::size_t i = 0; i < nodes_->size(); ++i)
    {
        const double* values = &flow_[valuesOfFlow*i];
        into.p[i] = units.pressure(values[0]);
        for (int a = 0; a < 3; ++a) into.U[i][a] = toSI*values[1 + a];
    }
}
