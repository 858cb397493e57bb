// Part of lbmFoam, GPL-3.0-or-later.
#include "catalyst/lattice/LatticePiece.hpp"

#include "lbm/api/DomainMessage.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace lbm {

namespace {

std::vector<NodeIndex> ofWhole(const Domain& box, std::vector<NodeIndex> nodes)
{
    for (NodeIndex& node : nodes) node = nodeOfWhole(box, node);
    return nodes;
}

// Nodes of ghosts, and those beside the cells
std::vector<NodeIndex> notOwn(const LatticeCells& cells, const std::vector<NodeIndex>& beside)
{
    std::vector<NodeIndex> found(beside);
    for (std::size_t i = 0; cells.mesh().ghosts && i < cells.nodes().size(); ++i)
        if (cells.mesh().ghosts[i]) found.push_back(cells.nodes()[i]);
    std::sort(found.begin(), found.end());
    return found;
}

// told: the number of the piece; and what it is made of, but for further parts of the same process
Message placePiece(Solver& part, Message& told)
{
    const auto number = told.get<int>();
    if (!told.get<bool>()) {
        LatticePiece::find(number).add(part);
        return {};
    }
    auto& piece = LatticePiece::all()[number];
    piece.reset();
    piece = std::make_unique<LatticePiece>(part, told);
    return piece->facts();
}

// As above
Message tellPiece(Solver&, Message& told)
{
    const auto number = told.get<int>();
    if (told.get<bool>()) LatticePiece::find(number).tell(told);
    return {};
}

} // namespace

const std::string LatticePiece::placing = "in situ: piece", LatticePiece::telling = "in situ: state";

[[maybe_unused]] static const bool worksNamed = namePartWork(LatticePiece::placing, placePiece, PartEffect::none)
    && namePartWork(LatticePiece::telling, tellPiece, PartEffect::none);

std::map<int, std::unique_ptr<LatticePiece>>& LatticePiece::all()
{
    static std::map<int, std::unique_ptr<LatticePiece>> pieces;
    return pieces;
}

LatticePiece& LatticePiece::find(int number)
{
    const auto found = all().find(number);
    if (found == all().end() || !found->second)
        throw std::out_of_range("in situ: this process has no piece " + std::to_string(number) + " of the lattice");
    return *found->second;
}

LatticePiece::LatticePiece(const Solver& part, Message& told) :
    domain_(getDomain(told)), source_{this, &LatticePiece::sample}
{
    LatticeCells::Boxes shown, own;
    told.get(shown), told.get(own);
    const auto ghosts = told.get<bool>();
    const auto caseAxis = told.get<Int3>();
    const auto thickness = told.get<double>();
    std::vector<std::uint8_t> walls;
    std::vector<NodeIndex> moving;
    std::vector<Vec3> frames;
    told.get(walls), told.get(moving), told.get(frames);

    cells_ = std::make_unique<LatticeCells>(domain_, caseAxis, thickness, shown, ghosts ? own : LatticeCells::Boxes());
    reader_ = std::make_unique<PartReader>(domain_, own);
    reader_->add(part);
    reader_->setFrames(std::move(moving), std::move(frames));
    const std::vector<NodeIndex> beside = cells_->around(domain_);
    reader_->expect(notOwn(*cells_, beside));
    fields_ = std::make_unique<LatticeFields>(*reader_, cells_->nodes(), beside,
                                              std::vector<bool>(walls.begin(), walls.end()));
    atWalls_ = fields_->nodesAtWalls();
}

Message LatticePiece::facts() const
{
    const std::int64_t cells = mesh().cells;
    const std::int64_t ghosts = mesh().ghosts ? std::count(mesh().ghosts, mesh().ghosts + cells, 1) : 0;
    return Message(cells, ghosts, cells_->bytes(), ofWhole(domain_, reader_->expected()), ofWhole(domain_, atWalls_));
}

void LatticePiece::tell(Message& told)
{
    told.get(scales_.caseAxis), told.get(scales_.dx), told.get(scales_.dt), told.get(scales_.pressureOffset);
    std::vector<double> flows, stress;
    told.get(flows), told.get(stress);
    reader_->tell(std::move(flows), scales_.dt / scales_.dx);
    if (!stress.empty() || atWalls_.empty()) fields_->tellWallShearStress(atWalls_, std::move(stress));
}

std::vector<lbmInsituArray> LatticePiece::fields(const std::vector<std::string>& names) const
{
    std::vector<lbmInsituArray> result;
    for (const std::string& name : names) result.push_back(fields_->describe(name));
    return result;
}

// No exception may cross the module
int LatticePiece::sample(void* self, const char* const* names, int n, const std::int64_t* cells, std::int64_t count,
                         void* const* values)
{
    const auto& piece = *static_cast<LatticePiece*>(self);
    try {
        piece.fields_->compute({names, names + n}, piece.scales_, cells, std::size_t(count), values);
        return 0;
    } catch (const std::exception& fault) {
        std::fprintf(stderr, "in situ: %s\n", fault.what());
        return -1;
    }
}

} // namespace lbm
