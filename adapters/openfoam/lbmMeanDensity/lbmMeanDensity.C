// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeanDensity.H"
#include "lbm/api/NodeBoxes.hpp"


void Foam::lbmMeanDensity::raise
(
    lbm::Solver& solver,
    const bool incompressible,
    const scalar mean,
    const scalar change,
    const std::size_t nodesOfPiece
)
{
    const std::vector<double> weights(lbm::latticeWeights(solver.row().lattice));
    const std::size_t directions = weights.size();
    const scalar share = change/mean;
    const lbm::Domain& domain = solver.domain();

    std::vector<lbm::NodeIndex> nodes;
    std::vector<double> populations;
    const auto set = [&]()
    {
        if (nodes.empty()) return;
        populations.resize(nodes.size()*directions);
        solver.getPopulations(nodes.data(), nodes.size(), populations.data());
        for (std::size_t i = 0; i < populations.size(); ++i)
        {
            const double w = weights[i % directions];
            populations[i] += incompressible ? w*change : (w + populations[i])*share;
        }
        solver.setPopulations(nodes.data(), nodes.size(), populations.data());
        nodes.clear();
    };
    lbm::NodeBox box;
    box.size = domain.size;
    lbm::forFluid
    (
        domain,
        box,
        [&](const lbm::NodeIndex node, int, int, int)
        {
            nodes.push_back(node);
            if (nodes.size() == nodesOfPiece) set();
        }
    );
    set();
}
