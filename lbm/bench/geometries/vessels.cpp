// The generators aneurysm and coarctation. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/bench/geometries/Tubes.hpp"

#include <algorithm>
#include <stdexcept>

namespace lbm {
namespace {

// Points in units of the longest side.
GeneratedCase vessel(const Int3& size, const std::vector<std::vector<CurvePoint>>& lines, double porosity)
{
    constexpr int leastSide = 16, piecesPerPoint = 8;
    const double side = std::max({size[0], size[1], size[2]});
    if (side < leastSide)
        throw std::invalid_argument("geometry: a vessel takes at least 16 nodes along its longest side");
    std::vector<Tube> tubes;
    for (std::vector<CurvePoint> line : lines) {
        for (CurvePoint& point : line) {
            for (double& x : point.at) x = x * side - 0.5;
            point.radius *= side;
        }
        const std::vector<Tube> pieces = curve(line, piecesPerPoint);
        tubes.insert(tubes.end(), pieces.begin(), pieces.end());
    }
    const double factor = radiusFactor(tubes, size, porosity);
    GeneratedCase result;
    result.domain.size = size;
    result.domain.fluid = BitSet(result.domain.nodes());
    for (Tube& tube : tubes) {
        tube.fromRadius *= factor;
        tube.toRadius *= factor;
        addFluid(result.domain, tube);
    }
    return result;
}

} // namespace

GeneratedCase aneurysm(int n)
{
    constexpr double r = 0.064, sac = 0.285, branch = 0.05;
    return vessel({n, n, n},
                  {{{{0, 0.14, 0.16}, r},
                    {{0.2, 0.13, 0.14}, r},
                    {{0.5, 0.1, 0.2}, r},
                    {{0.78, 0.14, 0.34}, r},
                    {{0.85, 0.12, 0.62}, r},
                    {{0.6, 0.12, 0.82}, r},
                    {{0.3, 0.16, 0.84}, r},
                    {{0.13, 0.3, 0.7}, r},
                    {{0.14, 0.5, 0.55}, r},
                    {{0.28, 0.58, 0.5}, r}},
                   {{{0.57, 0.62, 0.5}, sac}, {{0.6, 0.6, 0.52}, 0.95 * sac}},
                   {{{0.28, 0.58, 0.5}, branch},
                    {{0.22, 0.74, 0.34}, branch},
                    {{0.3, 0.88, 0.18}, branch},
                    {{0.6, 0.9, 0.1}, branch},
                    {{0.85, 0.8, 0.14}, branch},
                    {{1, 0.78, 0.2}, branch}},
                   {{{0.28, 0.58, 0.5}, branch},
                    {{0.22, 0.76, 0.66}, branch},
                    {{0.3, 0.9, 0.82}, branch},
                    {{0.6, 0.9, 0.9}, branch},
                    {{0.8, 0.75, 0.9}, branch},
                    {{0.9, 0.5, 0.9}, branch},
                    {{1, 0.4, 0.88}, branch}}},
                  0.18);
}

GeneratedCase coarctation(int n)
{
    constexpr double aorta = 0.06, narrow = 0.026, arch = 0.022;
    const double middle = 0.15;
    return vessel(
        {n, n, std::max(1, int(0.3 * n))},
        {{{{0.26, 0, middle}, aorta},
          {{0.25, 0.3, 0.9 * middle}, 1.1 * aorta},
          {{0.27, 0.58, 0.8 * middle}, 1.05 * aorta},
          {{0.4, 0.77, 0.9 * middle}, aorta},
          {{0.58, 0.77, 1.1 * middle}, 0.95 * aorta},
          {{0.69, 0.62, 1.2 * middle}, 0.7 * aorta},
          {{0.71, 0.55, 1.2 * middle}, narrow},
          {{0.72, 0.48, 1.2 * middle}, 0.8 * aorta},
          {{0.73, 0.3, 1.1 * middle}, 0.9 * aorta},
          {{0.72, 0, middle}, 0.85 * aorta}},
         {{{0.36, 0.76, 0.9 * middle}, 1.3 * arch},
          {{0.32, 0.88, 0.7 * middle}, arch},
          {{0.22, 1, 0.6 * middle}, arch}},
         {{{0.46, 0.8, middle}, arch}, {{0.47, 0.9, 0.8 * middle}, arch}, {{0.43, 1, 0.7 * middle}, arch}},
         {{{0.57, 0.79, 1.1 * middle}, arch}, {{0.62, 0.9, 1.2 * middle}, arch}, {{0.7, 1, 1.4 * middle}, arch}}},
        0.0943);
}

} // namespace lbm
