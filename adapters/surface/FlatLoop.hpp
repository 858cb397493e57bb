// FlatLoop: a closed chain of points seen along the normal of its mean plane, and triangles that fill it.
// Internal to adapters/surface. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/api/Domain.hpp"

namespace lbm {

class FlatLoop {
public:
    // chain: numbers of points, in turn.
    FlatLoop(const std::vector<Vec3>& points, const std::vector<int>& chain);

    const Vec3& centre() const { return centre_; } // of the area, in the mean plane
    const Vec3& normal() const { return normal_; } // the chain turns counter-clockwise about it; 0 without area
    double area() const { return area_; }
    double perimeter() const { return perimeter_; }
    double deviation() const { return deviation_; } // farthest from the mean plane

    bool isSimple() const; // no two sides cross or touch but neighbours at their common end
    bool holds(const Vec3& p) const;

    // Numbers within the chain, counter-clockwise; always as many as points less two, or none where the loop is
    // not simple. Ears are cut off, those nearest to equal sides first (Meisters 1975: there always is one).
    std::vector<Int3> triangles() const;

private:
    using Vec2 = std::array<double, 2>;

    Vec2 flat(const Vec3& p) const;
    void measure(const std::vector<Vec3>& points, const std::vector<int>& chain);

    Vec3 centre_{0, 0, 0}, normal_{0, 0, 0}, along_{0, 0, 0}, across_{0, 0, 0};
    double area_ = 0, perimeter_ = 0, deviation_ = 0;
    std::vector<Vec2> place_; // seen from the centre
};

} // namespace lbm
