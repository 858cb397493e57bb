/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "VertexCheck.H"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace
{

// As for the points of a mesh (OpenFOAM's GREAT)
const double largest = 1e15;

// No surface has triangles a million times smaller than its extent, for no
// lattice could show them
const double absurd = 1e6;

std::string text(const std::array<double, 3>& x)
{
    std::ostringstream out;
    out << "vertex (" << x[0] << ' ' << x[1] << ' ' << x[2] << ')';
    return out.str();
}

double size(const std::array<double, 3>& x)
{
    return std::max({std::abs(x[0]), std::abs(x[1]), std::abs(x[2])});
}

} // End anonymous namespace


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

lbm::VertexCheck::VertexCheck(const double scale)
:
    limit_(largest/scale)
{}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

double lbm::VertexCheck::median() const
{
    long all = 0, below = 0;
    for (const auto& [power, n] : distances_) all += n;
    for (const auto& [power, n] : distances_)
    {
        below += n;
        if (2*below >= all) return std::ldexp(1, power);
    }
    return 0;
}


lbm::VertexCheck::Fault lbm::VertexCheck::add(const Vertex& x)
{
    for (const double c : x)
    {
        if (std::abs(c) < limit_) continue;
        std::ostringstream why;
        why << text(x) << (std::isfinite(c) ? " lies too far off" : " is not finite")
            << ": coordinates must be below " << limit_;
        return {why.str(), vertices_};
    }
    const double distance = size({x[0] - last_[0], x[1] - last_[1], x[2] - last_[2]});
    if (vertices_ > 0 && distance > 0)
    {
        ++distances_[std::ilogb(distance)];
        if (distance > farthest_)
        {
            farthest_ = distance;
            const bool beyond = size(x) > size(last_);
            outlier_ = beyond ? vertices_ : vertices_ - 1;
            outlierPlace_ = beyond ? x : last_;
        }
    }
    ++vertices_;
    last_ = x;
    return {};
}


lbm::VertexCheck::Fault lbm::VertexCheck::outlier() const
{
    if (farthest_ <= absurd*median()) return {};
    return
    {
        text(outlierPlace_) + " lies a million times farther from its neighbours in the file than most: damaged",
        outlier_
    };
}
