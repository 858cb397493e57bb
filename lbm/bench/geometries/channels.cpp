// The generators chipA and chipB: plane networks of channels as in chips that imitate small vessels.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/bench/geometries/generators.hpp"
#include "lbm/bench/geometries/Tubes.hpp"

#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>

namespace lbm {
namespace {

constexpr double chipPorosity = 0.2;

// In [0, 1), the same on every machine.
class Random {
public:
    double around(double value, double spread)
    {
        return value + spread * (2 * double(engine_() >> 11) / double(std::uint64_t(1) << 53) - 1);
    }

private:
    std::mt19937_64 engine_{1};
};

// Lengths in widths of the narrowest channel.
struct Network {
    double length, height;
    std::vector<Tube> tubes;

    void add(const Vec3& from, const Vec3& to, double fromWidth, double toWidth)
    {
        tubes.push_back({from, to, 0.5 * fromWidth, 0.5 * toWidth});
    }
};

Domain drawn(const Network& network, int width)
{
    Domain domain;
    domain.dimensions = 2;
    domain.size = {int(network.length * width), int(network.height * width), 1};
    domain.fluid = BitSet(domain.nodes());
    for (Tube tube : network.tubes) {
        for (Vec3* end : {&tube.from, &tube.to})
            for (int a = 0; a < 2; ++a) (*end)[a] = (*end)[a] * width - 0.5;
        tube.fromRadius *= width;
        tube.toRadius *= width;
        addFluid(domain, tube);
    }
    return domain;
}

// network(wide): the wider `wide`, the wider its wide channels. They take what fluid the narrow ones leave.
GeneratedCase chip(int width, double low, double high, const std::function<Network(double)>& network)
{
    if (width < 1) throw std::invalid_argument("geometry: a channel is at least one node wide");
    constexpr int coarse = 4, halvings = 20;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (drawn(network(middle), coarse).porosity() < chipPorosity ? low : high) = middle;
    }
    return {drawn(network(high), width), {}};
}

// Two trees of channels, supply and drain, whose last branches meet in the middle.
Network trees(double exponent)
{
    constexpr int levels = 5;
    Network net{240, 154, {}};
    Random random;
    std::vector<std::vector<Vec3>> fork(levels + 1);
    for (int k = 0; k <= levels; ++k)
        for (int j = 0; j < 1 << k; ++j) {
            const double gap = net.height / (1 << k);
            const double across =
                k == levels ? 0.5 * net.length : random.around(net.length * (0.04 + 0.42 * k / levels), 3);
            fork[k].push_back({across, random.around((j + 0.5) * gap, 0.15 * gap), 0});
        }
    const auto widthAt = [&](int level) { return std::pow(2, exponent * (levels - level)); };
    for (const bool drain : {false, true}) {
        const auto place = [&](Vec3 x) {
            if (drain) x[0] = net.length - x[0];
            return x;
        };
        net.add(place({0, fork[0][0][1], 0}), place(fork[0][0]), widthAt(0), widthAt(0));
        for (int k = 1; k <= levels; ++k)
            for (int j = 0; j < 1 << k; ++j)
                net.add(place(fork[k - 1][j / 2]), place(fork[k][j]), widthAt(k), widthAt(k));
    }
    return net;
}

// Meshes of narrow channels like the joints of a wall of uneven stones, and three wide vessels that wind across.
Network meshes(double wide)
{
    constexpr int columns = 8, rows = 8;
    Network net{201, 201, {}};
    Random random;
    const double dx = net.length / columns, dy = net.height / rows;
    std::vector<std::vector<Vec3>> joint(columns + 2, std::vector<Vec3>(rows + 1));
    for (int i = 0; i < columns + 2; ++i)
        for (int j = 0; j <= rows; ++j)
            joint[i][j] = {random.around((i - (j % 2 ? 0.5 : 0)) * dx, 0.25 * dx), random.around(j * dy, 0.3 * dy), 0};
    for (int i = 0; i < columns + 2; ++i)
        for (int j = 0; j <= rows; ++j) {
            if (i + 1 < columns + 2) net.add(joint[i][j], joint[i + 1][j], 1, 1);
            if (j < rows && (i + j) % 2) net.add(joint[i][j], joint[i][j + 1], 1, 1);
        }
    constexpr int vessels = 3, points = 7, pieces = 8;
    for (int v = 0; v < vessels; ++v) {
        std::vector<CurvePoint> line;
        for (int i = 0; i < points; ++i) {
            const double at = double(i) / (points - 1);
            line.push_back({{at * net.length, random.around((v + 0.5) / vessels * net.height, 0.1 * net.height), 0},
                            0.5 * (1 + wide * (0.6 + 0.4 * std::cos(6.283185307179586 * at)))});
        }
        for (const Tube& tube : curve(line, pieces)) net.tubes.push_back(tube);
    }
    return net;
}

} // namespace

GeneratedCase chipA(int width) { return chip(width, 0.1, 1.5, trees); }
GeneratedCase chipB(int width) { return chip(width, 0, 40, meshes); }

} // namespace lbm
