// Collision: what is known of each collision besides its arithmetic: what a lattice bears with it. Adapters choose time steps and
// defaults by it, and tell it to users. Grid Reynolds number: u dx/nu. C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <string_view>

namespace lbm {

// Largest grid Reynolds numbers, by what the flow meets. Measured at Mach number 0.1 in double precision with storage aa and
// the default magic number, the motion starting at once; in brackets the next one tried, which diverged, or swung to twice the
// speed that drives it:
//
//                     lid-driven cavity     channel with    Taylor-Green
//                     28^3       48^2 64^2  a step, 2D,     vortex 32^3,
//                     3000 to    8000 to    16 nodes high,  to t = 14
//                     4000 steps 12000      8000 steps
//     bgk             16 (20)    14 (16)     40 (80)         80 (157)
//     trt             16 (20)    16 (20)     30 (40)         80 (157)
//     mrt             40 (50)    70 (80)     80 (120)       640
//     regularized     30 (40)    90 (110)   320 (640)       640
//     recursiveReg.   30 (40)    90 (100)   640             640
//
// With storage moments; the channel has not been tried:
//
//     hybridRegul.   400          800                       10 000
//
// (nothing above was tried in the cavities; its vortex without viscosity runs to t = 20 on D3Q19, too.)
//
// On D3Q27, the channel 4 nodes deep and periodic, its inlet uniform; the vortex with viscosity zero but for rounding (tau - 1/2 = 1e-9;
// in single precision 1e-6) runs to t = 20, too:
//
//     cumulant        50 (60)               640 (1000)      10 000
//     cumulantOnes    50 (60)               2000            10 000
//     regularized     60                    640
//     recursiveReg.   40 (50)               640
//
// In OpenFOAM's elbow regularized runs at 242 and is 25 % off in U (relative L2), icoFoam on as many cells 17 %; at 90 it is
// 10 % off, as icoFoam on cells half as wide: beside walls that limit is one of accuracy, and cumulants and
// hybridRegularized are given the same.
struct BearableGridReynolds {
    double movingWalls, walls, periodic;
};

struct CollisionDescriptor {
    std::string_view name;
    BearableGridReynolds bears;

    // With openings, up to this grid Reynolds number, Config::magic may be the one of exact walls. With 3/16 a channel with a
    // step diverged at 13 (mrt: at 10), at tau 0.513 where the other condition had not yet come, and ran at 10 (mrt: 5); a
    // cylinder ran at 11.25 and had the better lift. The closed cavity runs at 16, and is twice as accurate with 3/16.
    double exactWalls;

    // Where a model gives each node its viscosity, the grid Reynolds number that is left to it: what ran above. It is eddies that
    // the model does not resolve that make it large there.
    double guarded;

    // Takes the velocities around a node besides what arrives there, and Config::sigma
    bool ofGradient = false;

    // A function of moments up to the third order, 17 of them; rates of fourth order belong to one relaxation time for all nodes
    bool ofThird = false;
};

// In the order in which they are proposed to users.
constexpr CollisionDescriptor collisionDescriptors[] = {{"regularized", {30, 100, 600}, 12, 300},
                                                        {"recursiveRegularized", {30, 100, 600}, 12, 600},
                                                        {"hybridRegularized", {100, 100, 10000}, 12, 600, true},
                                                        {"cumulant", {50, 100, 10000}, 12, 600, false, true},
                                                        {"cumulantOnes", {50, 100, 10000}, 12, 600},
                                                        {"mrt", {40, 80, 600}, 6, 80},
                                                        {"trt", {16, 30, 80}, 12, 30},
                                                        {"bgk", {14, 30, 80}, 12, 30}};

// Null: no such collision.
constexpr const CollisionDescriptor* findCollision(std::string_view name)
{
    for (const CollisionDescriptor& c : collisionDescriptors)
        if (c.name == name) return &c;
    return nullptr;
}

} // namespace lbm
