// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/surface/LinkSearch.hpp"

#include <limits>

namespace lbm::exact {

namespace {

// The three shares of the corners in the point where the line meets the plane, smallest one.
double smallestShare(const View& view, const Int3& c, Wide slope)
{
    double least = std::numeric_limits<double>::max();
    for (const WidePoint& e : view.edge) least = std::min(least, toDouble(along(e, c)) / toDouble(slope));
    return least;
}

} // namespace

LinkSearch::LinkSearch(const Surface& surface, const TriangleFinder& finder, const LatticeBox& box,
                       const LinkRays& rays, const std::vector<bool>& preferred) :
    surface_(surface), finder_(finder), box_(box), rays_(rays), preferred_(preferred)
{}

template<class Act>
void LinkSearch::forImages(const Int3& node, const Act& act) const
{
    std::array<std::vector<int>, 3> places;
    for (int a = 0; a < 3; ++a) {
        places[a] = {node[a]};
        if (box_.periodic[a] && node[a] == 0) places[a].push_back(box_.size[a]);
        if (box_.periodic[a] && node[a] == box_.size[a] - 1) places[a].push_back(-1);
    }
    for (int x : places[0])
        for (int y : places[1])
            for (int z : places[2]) act(Int3{x, y, z});
}

bool LinkSearch::wraps(const LatticeBox& box, const Int3& node)
{
    for (int a = 0; a < 3; ++a)
        if (box.periodic[a] && (node[a] == 0 || node[a] == box.size[a] - 1)) return true;
    return false;
}

const std::vector<Hit>& LinkSearch::search(const Int3& node)
{
    hits_.assign(std::size_t(rays_.count), Hit());
    if (wraps(box_, node)) forImages(node, [&](const Int3& image) { searchImage(image); });
    else searchImage(node);
    return hits_;
}

void LinkSearch::searchImage(const Int3& node)
{
    finder_.find(node, candidates_);
    const Point point = placeOf(node, rays_.unit);
    for (unsigned t : candidates_) searchTriangle(t, point);
}

void LinkSearch::searchTriangle(unsigned t, const Point& node)
{
    const Triangle triangle = surface_.triangle(t);
    for (int a = 0; a < 3; ++a)
        if (triangle.min(a) > node[a] + rays_.unit || triangle.max(a) < node[a] - rays_.unit) return;
    crossLinks(triangle, std::int16_t(surface_.region(t)), isPreferred(t), node, rays_, hits_.data());
}

bool LinkSearch::isPreferred(unsigned t) const { return !preferred_.empty() && preferred_[surface_.region(t)]; }

Hit LinkSearch::nearestMiss(const Int3& node, const Int3& direction)
{
    Hit best;
    double bestShare = std::numeric_limits<double>::lowest();
    forImages(node, [&](const Int3& image) {
        finder_.find(image, candidates_);
        for (unsigned t : candidates_) {
            const Triangle triangle = surface_.triangle(t);
            const View view(triangle, placeOf(image, rays_.unit));
            const Wide slope = along(view.normal, direction);
            if (slope == 0) continue;
            const double fraction = view.fraction(slope, rays_.unit);
            const double share = smallestShare(view, direction, slope);
            if (!(fraction > 0 && fraction <= 1) || share <= bestShare) continue;
            bestShare = share;
            best = {fraction, std::int16_t(surface_.region(t)), sign(slope) == rays_.outerSide, isPreferred(t)};
        }
    });
    return best;
}

} // namespace lbm::exact
