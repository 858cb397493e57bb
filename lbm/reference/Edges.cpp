// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/reference/Edges.hpp"

namespace lbm::reference {
namespace {

Int3 operator+(const Int3& a, const Int3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Int3 operator-(const Int3& a) { return {-a[0], -a[1], -a[2]}; }

Int3 step(int axis, int way)
{
    Int3 s{0, 0, 0};
    s[axis] = way;
    return s;
}

class Edges {
public:
    Edges(const Domain& domain, const Neighbours& neighbours, const std::vector<LinkValue>& patches) :
        domain_(domain), neighbours_(neighbours), patches_(patches), found_(domain.links.size()), times_(found_.size())
    {}

    std::vector<SentRound> all()
    {
        const int n = domain_.dimensions;
        for (NodeIndex node = 0; node < domain_.nodes(); ++node)
            for (int a = 0; a < n; ++a)
                for (int b = a + 1; b < n; ++b)
                    for (int way = 0; way < 4; ++way) {
                        const Int3 first = step(a, way & 1 ? 1 : -1), second = step(b, way & 2 ? 1 : -1);
                        if (!isEdge(node, first, second)) continue;
                        add(node, first, second, {0, 0, 0});
                        for (int s = -1; n == 3 && s <= 1; s += 2) add(node, first, second, step(3 - a - b, s));
                    }
        for (NodeIndex node = 0; node < domain_.nodes(); ++node)
            for (int a = 0; a < n; ++a)
                for (int b = 0; b < n; ++b)
                    for (int way = -1; a != b && way <= 1; way += 2) {
                        if (!isPlate(node, step(a, 1), step(b, way))) continue;
                        addPlate(node, step(a, 1), step(b, way), {0, 0, 0});
                        for (int s = -1; n == 3 && s <= 1; s += 2)
                            addPlate(node, step(a, 1), step(b, way), step(3 - a - b, s));
                    }
        for (std::size_t i = 0; i < found_.size(); ++i)
            if (times_[i] != 1) found_[i].clear();
        return found_;
    }

private:
    bool plane(NodeIndex node, const Int3& c) const
    {
        const int record = neighbours_.recordAt(node, c);
        return record >= 0 && isPlane(patches_.at(domain_.links[record].patch).kind);
    }

    // Links between fluid nodes, across which frames or pressures differ, let through.
    NodeIndex through(NodeIndex node, const Int3& c) const
    {
        const int record = neighbours_.recordAt(node, c);
        const bool frame = record >= 0 && patches_.at(domain_.links[record].patch).kind == BoundaryKind::frame;
        return frame ? neighbours_.fluidAt(node, c) : neighbours_.openAt(node, c);
    }

    bool isEdge(NodeIndex outer, const Int3& first, const Int3& second) const
    {
        if (outer < 0 || !domain_.fluid[outer]) return false;
        const NodeIndex x = neighbours_.openAt(outer, first), y = neighbours_.openAt(outer, second);
        return x >= 0 && y >= 0 && neighbours_.fluidAt(outer, first + second) < 0 && plane(x, second) && plane(y, first)
            && plane(outer, first + second) && plane(x, second + -first) && plane(y, first + -second);
    }

    // aside: of the links along the edge
    void add(NodeIndex outer, const Int3& first, const Int3& second, const Int3& aside)
    {
        const NodeIndex x = neighbours_.nodeAt(outer, first), y = neighbours_.nodeAt(outer, second);
        const bool slanting = aside != Int3{0, 0, 0};
        const int planes = plane(outer, aside) + plane(x, aside) + plane(y, aside);
        const bool ends = slanting && planes == 3;
        // A node at two planes gets back what it sent
        if (ends) return note(outer, first + second + aside, SentRound(2, {outer, first + second + aside}));
        if (slanting && (planes != 0 || !isEdge(neighbours_.fluidAt(outer, aside), first, second))) return;
        const auto from = [&](NodeIndex node, const Int3& c) {
            return std::pair(neighbours_.nodeAt(node, aside), c + -aside);
        };
        const auto fromX = from(x, second + -first), fromY = from(y, first + -second),
                   fromOuter = from(outer, first + second);
        note(x, second + -first + aside, {fromOuter, fromY});
        note(y, first + -second + aside, {fromOuter, fromX});
        note(outer, first + second + aside, {fromX, fromY});
    }

    // A plate without thickness ends there: it lies between the nodes `aside` of `left` and of the one `across`, which see each other.
    bool isPlate(NodeIndex left, const Int3& across, const Int3& aside) const
    {
        if (left < 0 || !domain_.fluid[left]) return false;
        const NodeIndex right = through(left, across), a = neighbours_.openAt(left, aside);
        if (right < 0 || a < 0) return false;
        const NodeIndex b = neighbours_.openAt(right, aside);
        return b >= 0 && plane(a, across) && plane(b, -across) && plane(left, across + aside)
            && plane(right, -across + aside) && plane(a, across + -aside) && plane(b, -across + -aside);
    }

    void addPlate(NodeIndex left, const Int3& across, const Int3& aside, const Int3& along)
    {
        const NodeIndex right = neighbours_.nodeAt(left, across), a = neighbours_.nodeAt(left, aside),
                        b = neighbours_.nodeAt(right, aside);
        const bool slanting = along != Int3{0, 0, 0};
        const int planes = plane(left, along) + plane(right, along) + plane(a, along) + plane(b, along);
        if (slanting && planes == 4) {
            note(left, across + aside + along, SentRound(2, {left, across + aside + along}));
            note(right, -across + aside + along, SentRound(2, {right, -across + aside + along}));
            return;
        }
        if (slanting && (planes != 0 || !isPlate(neighbours_.fluidAt(left, along), across, aside))) return;
        const auto from = [&](NodeIndex node, const Int3& c) {
            return std::pair(neighbours_.nodeAt(node, along), c + -along);
        };
        const auto fromLeft = from(left, across + aside), fromRight = from(right, -across + aside),
                   fromA = from(a, across + -aside), fromB = from(b, -across + -aside);
        note(left, across + aside + along, {fromA, fromB});
        note(right, -across + aside + along, {fromB, fromA});
        note(a, across + -aside + along, {fromLeft, fromRight});
        note(b, -across + -aside + along, {fromRight, fromLeft});
    }

    void note(NodeIndex node, const Int3& c, const SentRound& sources)
    {
        if (!plane(node, c)) return;
        const int record = neighbours_.recordAt(node, c);
        found_[std::size_t(record)] = sources;
        ++times_[std::size_t(record)];
    }

    const Domain& domain_;
    const Neighbours& neighbours_;
    const std::vector<LinkValue>& patches_;
    std::vector<SentRound> found_;
    std::vector<int> times_;
};

} // namespace

std::vector<SentRound> sentRoundEdges(const Domain& domain, const Neighbours& neighbours,
                                      const std::vector<LinkValue>& patches)
{
    return Edges(domain, neighbours, patches).all();
}

} // namespace lbm::reference
