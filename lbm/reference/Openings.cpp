// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Openings.hpp"
#include "lbm/reference/Symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace lbm::reference {
namespace {

constexpr double negligible = 1e-6;

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 vector(const Int3& v) { return {double(v[0]), double(v[1]), double(v[2])}; }
Int3 sum(const Int3& a, const Int3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Int3 linkOf(const Domain& domain, int record) { return directionOf(domain.links[record].direction); }

// Calls with every whole number of steps up to `most` along each axis, either way.
template<class Call>
void around(int most, int dimensions, Call&& call)
{
    const int depth = dimensions == 3 ? most : 0;
    for (int x = -most; x <= most; ++x)
        for (int y = -most; y <= most; ++y)
            for (int z = -depth; z <= depth; ++z) call(Int3{x, y, z});
}

// Records of a node in the order of their directions.
std::vector<int> recordsOf(const Neighbours& neighbours, NodeIndex node)
{
    std::vector<int> records;
    for (std::uint8_t code = 0; code < 27; ++code) {
        const int record = neighbours.recordAt(node, directionOf(code));
        if (record >= 0) records.push_back(record);
    }
    return records;
}

// n with n.p = 1: the points' coordinates are made orthogonal to each other, one after the other (Gram & Schmidt). Nothing
// if the points span no plane, for which the determinant of the sums of products decides, against their trace.
std::optional<Vec3> planeThrough(const std::vector<Vec3>& points, int dimensions)
{
    std::vector<Vec3> left = points;            // what is left of each coordinate
    std::vector<double> ones(points.size(), 1); // and of the right-hand side
    double mixed[3][3]{}, right[3]{}, determinant = 1, trace = dimensions == 2 ? 1 : 0;
    for (const Vec3& p : points) trace += dot(p, p);
    for (int a = 0; a < dimensions; ++a) {
        double square = 0;
        for (const Vec3& v : left) square += v[a] * v[a];
        determinant *= square;
        if (square == 0) return {};
        for (std::size_t i = 0; i < left.size(); ++i) {
            right[a] += left[i][a] * ones[i] / square;
            for (int b = a + 1; b < dimensions; ++b) mixed[a][b] += left[i][a] * left[i][b] / square;
        }
        for (std::size_t i = 0; i < left.size(); ++i) {
            ones[i] -= right[a] * left[i][a];
            for (int b = a + 1; b < dimensions; ++b) left[i][b] -= mixed[a][b] * left[i][a];
        }
    }
    if (determinant <= negligible * trace * trace) return {};
    Vec3 n{0, 0, 0};
    for (int a = dimensions - 1; a >= 0; --a) {
        n[a] = right[a];
        for (int b = a + 1; b < dimensions; ++b) n[a] -= mixed[a][b] * n[b];
    }
    return n;
}

// spread: set to how far points lie off the plane.
Vec3 outwardNormal(const Domain& domain, const Neighbours& neighbours, NodeIndex node, int patch, const Int3& linkSum,
                   double* spread = nullptr)
{
    if (linkSum == Int3{0, 0, 0}) return {0, 0, 0};
    const Vec3 along = vector(linkSum);
    const double length = std::sqrt(dot(along, along));
    const Vec3 straight{along[0] / length, along[1] / length, along[2] / length};

    std::vector<Vec3> points;
    around(1, domain.dimensions, [&](const Int3& step) {
        const NodeIndex near = neighbours.nodeAt(node, step);
        if (near < 0) return;
        for (int record : recordsOf(neighbours, near)) {
            if (domain.links[record].patch != patch) continue;
            Vec3 p;
            for (int a = 0; a < 3; ++a)
                p[a] = step[a] + domain.links[record].fraction * double(linkOf(domain, record)[a]) + 2 * straight[a];
            points.push_back(p);
        }
    });
    const std::optional<Vec3> n = planeThrough(points, domain.dimensions);
    if (!n) return straight;
    const double size = std::sqrt(dot(*n, *n));
    double off = 0;
    for (const Vec3& p : points) off += std::pow((dot(*n, p) - 1) / size, 2) / double(points.size());
    if (spread) *spread = std::sqrt(off);
    if (dot(*n, straight) <= size / 2) return straight;
    return {(*n)[0] / size, (*n)[1] / size, (*n)[2] / size};
}

Int3 latticeInward(const Int3& linkSum)
{
    int most = 1;
    for (int v : linkSum) most = std::max(most, std::abs(v));
    Int3 inward;
    for (int a = 0; a < 3; ++a) inward[a] = -linkSum[a] / most; // whole numbers: 0 but for the largest
    return inward;
}

// Looks for the donor of one link.
class Search {
public:
    Search(const Domain& domain, const Neighbours& neighbours, const Link& link, const Vec3& outward,
           const Int3& inward) :
        neighbours_(neighbours),
        node_(link.node),
        toGhost_(directionOf(link.direction)),
        fraction_(link.fraction),
        dimensions_(domain.dimensions),
        outward_(outward),
        inward_(inward),
        straightIn_(vector(inward))
    {
        alongLattice_ = dot(outward, straightIn_) <= -(1 - negligible) * std::sqrt(dot(straightIn_, straightIn_));
        if (alongLattice_) return;
        const double steepest = std::max({std::abs(outward[0]), std::abs(outward[1]), std::abs(outward[2])});
        for (int a = 0; a < 3; ++a) straightIn_[a] = -outward[a] / steepest;
    }

    // mirror: between the link's ends
    Donor donor(bool mirror) const
    {
        Donor donor;
        donor.outward = outward_;
        donor.inward = inward_;
        int layer = 1;
        Mixture flow = inLayer(layer);
        if (!mirror && reach(flow) > 2 + negligible) {
            const Mixture deeper = inLayer(2);
            if (!deeper.shares.empty()) {
                flow = deeper;
                layer = 2;
            }
        }
        donor.flow = flow.shares;
        donor.reach = std::min(std::max(reach(flow), 1.0), 2.0);
        if (flow.shares.empty()) donor.corner = neighbours_.recordAt(node_, sum(toGhost_, inward_));
        else if (flow.shares.size() > 1 || neighbours_.recordAt(flow.shares[0].node, inward_) < 0)
            donor.beyond = inLayer(layer + 1).shares;
        return donor;
    }

private:
    struct Mixture {
        std::vector<Share> shares;
        double depth = 0; // in from the link's node, along the normal
    };

    // Each node has as much as a tent over it, one link wide either way, is high at the place.
    Mixture inLayer(int layer) const
    {
        Mixture mixture;
        double whole = 0;
        around(3, dimensions_, [&](const Int3& step) {
            double weight = 1;
            for (int a = 0; a < 3; ++a) {
                const double height = 1 - std::abs(step[a] - layer * straightIn_[a]);
                weight *= height > negligible ? height : 0;
            }
            if (weight == 0) return;
            Int3 from = sum(toGhost_, step);
            // A link out on the side that the others do not lean to: the node itself has to do
            const bool link =
                *std::max_element(from.begin(), from.end()) < 2 && *std::min_element(from.begin(), from.end()) > -2;
            if (alongLattice_ && layer == 1 && !link) from = {0, 0, 0};
            const NodeIndex node = neighbours_.openAt(node_, from);
            if (node < 0) return;
            mixture.shares.push_back({node, weight});
            mixture.depth -= weight * dot(outward_, vector(from));
            whole += weight;
        });
        for (Share& share : mixture.shares) share.weight /= whole;
        if (whole > 0) mixture.depth /= whole;
        return mixture;
    }

    double reach(const Mixture& flow) const
    {
        const double out = dot(outward_, vector(toGhost_)), toOpening = flow.depth + fraction_ * out;
        return flow.shares.empty() || toOpening <= 0 ? 2 : (flow.depth + out) / toOpening;
    }

    const Neighbours& neighbours_;
    NodeIndex node_;
    Int3 toGhost_;
    double fraction_;
    int dimensions_;
    Vec3 outward_;
    Int3 inward_;
    Vec3 straightIn_; // from the ghost to the next layer
    bool alongLattice_;
};

// Sum of directions of those of the records that belong to the patch.
Int3 linkSumOf(const Domain& domain, const std::vector<int>& records, int patch)
{
    Int3 linkSum{0, 0, 0};
    for (int record : records)
        if (domain.links[record].patch == patch) linkSum = sum(linkSum, linkOf(domain, record));
    return linkSum;
}

// How far along a unit step from the node the patch lies; nothing if it does not end that link.
std::optional<double> distanceTo(const Domain& domain, const Neighbours& neighbours, NodeIndex node, int patch,
                                 const Int3& step)
{
    const int record = node < 0 ? -1 : neighbours.recordAt(node, step);
    if (record < 0 || domain.links[record].patch != patch) return {};
    return domain.links[record].fraction;
}

// As far from the nodes on both sides along every other axis, where they see it; one of two has to.
bool isLevel(const Domain& domain, const Neighbours& neighbours, const Link& link, const Int3& step, double distance)
{
    for (int b = 0; b < domain.dimensions; ++b) {
        if (step[b] != 0) continue;
        int seen = 0;
        for (const int way : {-1, 1}) {
            Int3 aside{0, 0, 0};
            aside[b] = way;
            const auto beside = distanceTo(domain, neighbours, neighbours.nodeAt(link.node, aside), link.patch, step);
            if (beside && std::abs(*beside - distance) > 0.01) return false;
            if (beside) ++seen;
        }
        if (seen == 0) return false;
    }
    return true;
}

// Is each place level where the node sees the patch straight? halfWay: or half a link away?
bool allLevel(const Domain& domain, const Neighbours& neighbours, const Link& link, bool halfWay)
{
    for (int a = 0; a < 3; ++a)
        for (int sign = -1; sign <= 1; sign += 2) {
            Int3 step{0, 0, 0};
            step[a] = sign;
            const auto distance = distanceTo(domain, neighbours, link.node, link.patch, step);
            const bool taken = !distance || (halfWay && std::abs(*distance - 0.5) < 0.01);
            if (!taken && !isLevel(domain, neighbours, link, step, *distance)) return false;
        }
    return true;
}

// The nearest of the planes of a patch that goes round an edge, as a step; of those as near the first.
Int3 nearestPlane(const Domain& domain, const Neighbours& neighbours, const Link& link)
{
    const Int3 out = directionOf(link.direction);
    Int3 nearest{0, 0, 0};
    double least = 2;
    const bool square = allLevel(domain, neighbours, link, true);
    for (int a = 0; a < 3; ++a) {
        if (out[a] == 0) continue;
        Int3 step{0, 0, 0};
        step[a] = out[a];
        const auto distance = distanceTo(domain, neighbours, link.node, link.patch, step);
        if (!distance || *distance > least - 0.01) continue;
        if (std::abs(*distance - 0.5) >= 0.01 && !(square && isLevel(domain, neighbours, link, step, *distance)))
            continue;
        nearest = step;
        least = *distance;
    }
    return nearest;
}

// Two planes across axes make a corner on the way: on either side of the link a node sees one of them straight, and level.
bool behindCorner(const Domain& domain, const Neighbours& neighbours, const std::vector<LinkValue>& patches,
                  const Link& link)
{
    const Int3 out = directionOf(link.direction);
    std::vector<Int3> steps;
    for (int a = 0; a < 3; ++a) {
        if (out[a] == 0) continue;
        steps.push_back({0, 0, 0});
        steps.back()[a] = out[a];
    }
    const auto sees = [&](const Int3& aside, const Int3& across) {
        const NodeIndex there = neighbours.openAt(link.node, aside);
        const int record = there < 0 ? -1 : neighbours.recordAt(there, across);
        return record >= 0 && isPlane(patches[domain.links[record].patch].kind)
            && isLevel(domain, neighbours, domain.links[record], across, domain.links[record].fraction);
    };
    for (const Int3& a : steps)
        for (const Int3& b : steps)
            if (a != b && sees(a, b) && sees(b, a)) return true;
    return false;
}

} // namespace

std::vector<Donor> donorsOf(const Domain& domain, const Neighbours& neighbours, const std::vector<LinkValue>& patches)
{
    std::vector<Donor> donors;
    for (const Link& link : domain.links) {
        const Int3 linkSum = linkSumOf(domain, recordsOf(neighbours, link.node), link.patch);
        double spread = 0;
        Vec3 outward = outwardNormal(domain, neighbours, link.node, link.patch, linkSum, &spread);
        Int3 inward = latticeInward(linkSum);
        const bool plane = isPlane(patches[link.patch].kind);
        const bool bent = spread > 0.15 || (spread > 0.01 && allLevel(domain, neighbours, link, false));
        const Int3 step = bent && plane ? nearestPlane(domain, neighbours, link) : Int3{0, 0, 0};
        if (step != Int3{0, 0, 0}) {
            outward = vector(step);
            inward = {-step[0], -step[1], -step[2]};
        }
        if (plane && behindCorner(domain, neighbours, patches, link)) donors.push_back({outward, inward});
        else
            donors.push_back(
                Search(domain, neighbours, link, outward, inward).donor(plane && isMirror(link, outward, inward)));
    }
    return donors;
}

std::vector<WholeNode> wholeNodes(const Domain& domain, const Neighbours& neighbours,
                                  const std::vector<LinkValue>& patches,
                                  const std::vector<std::array<int, 3>>& directions)
{
    const auto lengthSquared = [&](int record) {
        const Vec3 c = vector(linkOf(domain, record));
        return dot(c, c);
    };
    std::vector<WholeNode> nodes(domain.nodes());
    for (NodeIndex node = 0; node < domain.nodes(); ++node) {
        std::vector<int> all = recordsOf(neighbours, node);
        std::erase_if(all, [&](int record) {
            return !patches.at(domain.links[record].patch).velocityGradient
                || std::find(directions.begin(), directions.end(), linkOf(domain, record)) == directions.end();
        });
        if (all.empty()) continue;
        double shortest = 3;
        for (int record : all) shortest = std::min(shortest, lengthSquared(record));

        double closest = 0;
        for (int record : all) {
            if (lengthSquared(record) != shortest) continue;
            if (nodes[node].through.size() < 6) nodes[node].through.push_back(record);
            if (shortest != 1) continue;
            const int patch = domain.links[record].patch;
            const Int3 c = linkOf(domain, record);
            const double cosine =
                dot(outwardNormal(domain, neighbours, node, patch, linkSumOf(domain, all, patch)), vector(c));
            if (cosine <= closest + 1e-9) continue; // of equals the first
            closest = cosine;
            nodes[node].straight = c;
        }
    }
    return nodes;
}

} // namespace lbm::reference
