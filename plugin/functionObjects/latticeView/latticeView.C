// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeView.H"

#include <algorithm>

namespace
{
    using namespace Foam;
    using Viewed = lbm::WindowBox::Values;

    // Nodes in a cell of which sums are made: below 2^31
    const scalar mostOfCell = 2e9;

    // Of the way from node to node: a box that ends on a node has it
    const scalar nearNode = 1e-6;

    Viewed viewedValues(const dictionary& dict)
    {
        const word values(dict.getOrDefault<word>("values", "means"));
        if (values == "means") return Viewed::means;
        if (values == "nodes") return Viewed::nodes;
        FatalIOErrorInFunction(dict)
            << "Entry values is " << values << "; valid are means and nodes"
            << exit(FatalIOError);
        return Viewed::means;
    }


    boundBox viewedBox(const dictionary& dict, const boundBox& all)
    {
        boundBox box(all);
        if (dict.found("box"))
        {
            ITstream& given = dict.lookup("box");
            given >> box.min() >> box.max();
            dict.checkITstream(given, "box");
        }
        return box;
    }
}


bool Foam::latticeView::asked(const dictionary& dict)
{
    return
        dict.found("box") || dict.found("coarsen") || dict.found("values")
     || dict.found("image");
}


Foam::latticeView::latticeView
(
    const lbmLattice& lattice,
    const fvMesh& mesh,
    const dictionary& dict,
    const scalar most
)
:
    lattice_(lattice),
    bounds_(mesh.bounds()),
    solver_(nullptr)
{
    box_.coarsen = dict.getOrDefault<label>("coarsen", 1);
    if (box_.coarsen < 1)
    {
        FatalIOErrorInFunction(dict)
            << "Entry coarsen is " << box_.coarsen << "; it must be 1 or more"
            << exit(FatalIOError);
    }
    box_.values = viewedValues(dict);

    const lbm::Domain& domain = lattice_.solver().domain();
    const boundBox box(viewedBox(dict, bounds_));
    const lbm::Vec3 a(lattice_.axes().coordinates(domain, box.min()));
    const lbm::Vec3 b(lattice_.axes().coordinates(domain, box.max()));
    scalar all = 1, ofCell = 1;
    labelVector left(labelVector::zero);
    for (direction axis = 0; axis < 3; ++axis)
    {
        const label last = domain.size[axis] - 1;
        const bool flat = axis >= domain.dimensions;
        scalar low = flat ? 0 : ceil(min(a[axis], b[axis]) - nearNode);
        scalar high = flat ? 0 : floor(max(a[axis], b[axis]) + nearNode);
        // Between two nodes: the nearest ones
        if (low > high) low = high = round(0.5*(a[axis] + b[axis]));
        low = max(low, scalar(0));
        high = min(high, scalar(last));
        if (low > high)
        {
            FatalIOErrorInFunction(dict)
                << "Entry box: " << box << " meets no node of the lattice,"
                << " which is within " << bounds_ << exit(FatalIOError);
        }
        const label nodes = label(high - low) + 1;
        label first = label(low);
        if (nodes < box_.coarsen)
        {
            // One cell around them, inside the lattice where that is as wide
            first -= (box_.coarsen - nodes)/2;
            first = max(label(0), min(first, last + 1 - box_.coarsen));
        }
        else
        {
            left[lattice_.axes().foamAxis(axis)] = nodes % box_.coarsen;
        }
        box_.first[axis] = first;
        box_.cells[axis] = max(label(1), nodes/box_.coarsen);
        all *= box_.cells[axis];
        ofCell *= min(label(box_.coarsen), last + 1 - first);
    }
    if (box_.values == Viewed::means && ofCell > mostOfCell)
    {
        FatalIOErrorInFunction(dict)
            << "Entry coarsen is " << box_.coarsen << ": a cell would be "
            << ofCell << " nodes, and may be " << mostOfCell
            << exit(FatalIOError);
    }
    if (left != labelVector::zero)
    {
        Info<< dict.dictName() << ": " << left << " layers of nodes at the"
            << " upper ends fill no cell: left out" << endl;
    }
    if (all > most)
    {
        FatalIOErrorInFunction(dict)
            << dict.dictName() << " would have " << all
            << " cells of the lattice, more than the " << most
            << " that it may have: give a smaller box, or coarsen them"
            << exit(FatalIOError);
    }
}


Foam::wordList Foam::latticeView::available() const
{
    const bool nut =
        box_.coarsen == 1 && lattice_.units().viscosity().eddies();
    DynamicList<word> names;
    for (const lbm::LatticeWindow::Field& field : lbm::LatticeWindow::fields())
    {
        if (word(field.name) != "nut" || nut) names.append(field.name);
    }
    return wordList(std::move(names));
}


void Foam::latticeView::check
(
    const wordList& fields,
    const dictionary& dict
) const
{
    const wordList valid(available());
    for (const word& field : fields)
    {
        if (valid.found(field)) continue;
        FatalIOErrorInFunction(dict)
            << "Entry fields has " << field << "; there are "
            << flatOutput(valid);
        if (field == "nut")
        {
            FatalIOError
                << ". nut is that of eddies on the lattice, at single nodes";
        }
        FatalIOError<< exit(FatalIOError);
    }
}


lbm::LatticeScales Foam::latticeView::scales
(
    const lbmLattice& lattice,
    const wordList& fields
)
{
    const lbmUnits& units = lattice.units();
    lbm::LatticeScales result;
    for (label a = 0; a < 3; ++a) result.caseAxis[a] = lattice.axes().foamAxis(a);
    result.dx = units.dx();
    result.dt = units.dt();
    result.viscosity = [&units](const scalar shearRate, const scalar speed)
    {
        return units.viscosity().nu(shearRate) + units.nut(shearRate, speed);
    };
    if (units.viscosity().eddies())
    {
        result.eddyViscosity =
            [&units](const std::array<lbm::Vec3, 3>& g, const scalar speed)
        {
            const tensor gradU
            (
                g[0][0], g[0][1], g[0][2],
                g[1][0], g[1][1], g[1][2],
                g[2][0], g[2][1], g[2][2]
            );
            if (units.viscosity().ofGradient()) return units.nut(gradU, speed);
            return units.nut(sqrt(2.0)*mag(symm(gradU)), speed);
        };
    }
    result.pressureOffset = units.pOffset();
    if (fields.found("p")) result.pressureOffset += lattice.pressureShift();
    return result;
}


lbm::LatticeWindow& Foam::latticeView::window()
{
    if (solver_ != &lattice_.solver())
    {
        solver_ = &lattice_.solver();
        window_.reset();
        window_ = std::make_unique<lbm::LatticeWindow>(*solver_, box_);
    }
    return *window_;
}


std::vector<std::vector<float>> Foam::latticeView::read
(
    const wordList& fields
)
{
    lbm::LatticeWindow& window = this->window();
    const std::size_t n = window.cells().size();
    std::vector<std::vector<float>> own, result;
    std::vector<float*> rooms;
    for (const word& field : fields)
    {
        own.emplace_back(n*lbm::LatticeWindow::find(field).components);
    }
    for (std::vector<float>& values : own) rooms.push_back(values.data());
    const std::vector<std::string> names(fields.begin(), fields.end());
    window.read(names, scales(fields), rooms.data());

    const labelVector box(size());
    const lbm::Domain& cells = window.domain();
    for (std::size_t f = 0; f < own.size(); ++f)
    {
        const std::size_t each = lbm::LatticeWindow::find(names[f]).components;
        result.emplace_back(cells.nodes()*each);
        float* to = result.back().data();
        #pragma omp parallel for schedule(static)
        for (std::size_t k = 0; k < n; ++k)
        {
            const std::size_t place = placeOf
            (
                cells.coordinates(window.cells()[k]), box
            );
            std::copy_n(&own[f][each*k], each, to + each*place);
        }
        own[f] = {};
    }
    return result;
}


Foam::labelVector Foam::latticeView::size() const
{
    labelVector result;
    for (direction axis = 0; axis < 3; ++axis)
    {
        result[lattice_.axes().foamAxis(axis)] = box_.cells[axis];
    }
    return result;
}


Foam::scalar Foam::latticeView::thickness() const
{
    return bounds_.span()[lattice_.axes().foamAxis(2)];
}


Foam::vector Foam::latticeView::spacing() const
{
    vector result(box_.coarsen*lattice_.units().dx()*vector::one);
    if (lattice_.axes().dimensions() == 2)
    {
        result[lattice_.axes().foamAxis(2)] = thickness();
    }
    return result;
}


Foam::point Foam::latticeView::origin() const
{
    lbm::Vec3 low;
    for (label axis = 0; axis < 3; ++axis) low[axis] = box_.first[axis] - 0.5;
    point result
    (
        lattice_.axes().position(lattice_.solver().domain(), low)
    );
    if (lattice_.axes().dimensions() == 2)
    {
        const direction across = lattice_.axes().foamAxis(2);
        result[across] = bounds_.min()[across];
    }
    return result;
}


Foam::label Foam::latticeView::placeOf
(
    const lbm::Int3& cell,
    const labelVector& size
) const
{
    labelVector own;
    for (direction axis = 0; axis < 3; ++axis)
    {
        own[lattice_.axes().foamAxis(axis)] = cell[axis];
    }
    return own.x() + size.x()*(own.y() + size.y()*own.z());
}
