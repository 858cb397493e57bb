// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeImage.H"
#include "latticeChannel.H"
#include "addToRunTimeSelectionTable.H"
#include "foamVtkOutput.H"
#include "OSspecific.H"
#include "Time.H"

#include <fstream>

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeImage, 0);
    addToRunTimeSelectionTable(functionObject, latticeImage, dictionary);
}
}

namespace
{
    using namespace Foam;

    // Cells that are sampled in one call, and nodes that are placed in one,
    // which bounds the memory for it
    const label cellsAtOnce = 1 << 20;
    const std::size_t nodesAtOnce = 1 << 23;

    constexpr lbm::Reading imageReading = lbm::Reading::flow;

    template<class Type, direction nComp>
    void describe(vtk::formatter& out, const word& name, const label nCells)
    {
        out.beginDataArray<Type, nComp>
        (
            name, vtk::sizeofData<Type, nComp>(nCells)
        );
        out.endDataArray();
    }
}


Foam::functionObjects::latticeImage::latticeImage
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict),
    lattice_(latticeChannel::find(mesh_, dict)),
    coarsen_(1),
    solver_(nullptr)
{
    read(dict);
    series_.load(folder()/(name + ".vti"), true, time_.startTime().value());
}


Foam::fileName Foam::functionObjects::latticeImage::folder() const
{
    return time_.globalPath()/outputPrefix/name();
}


bool Foam::functionObjects::latticeImage::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    fields_ = dict.get<wordList>("fields");
    for (const word& field : fields_)
    {
        if (field == "U" || field == "p") continue;
        FatalIOErrorInFunction(dict)
            << "Entry fields has " << field << "; images have U and p"
            << exit(FatalIOError);
    }
    coarsen_ = dict.getOrDefault<label>("coarsen", 1);
    if (coarsen_ < 1)
    {
        FatalIOErrorInFunction(dict)
            << "Entry coarsen is " << coarsen_ << "; it must be 1 or more"
            << exit(FatalIOError);
    }
    box_ = mesh_.bounds();
    if (dict.found("box"))
    {
        ITstream& given = dict.lookup("box");
        given >> box_.min() >> box_.max();
        dict.checkITstream(given, "box");
    }
    findNodes(dict);
    solver_ = nullptr;
    return true;
}


void Foam::functionObjects::latticeImage::findNodes(const dictionary& dict)
{
    const lbm::Domain& domain = lattice_.solver().domain();
    const lbm::Vec3 a(lattice_.axes().coordinates(domain, box_.min()));
    const lbm::Vec3 b(lattice_.axes().coordinates(domain, box_.max()));
    for (direction axis = 0; axis < 3; ++axis)
    {
        const label most = domain.size[axis] - 1;
        const bool flat = axis >= domain.dimensions;
        scalar low = flat ? 0 : ceil(min(a[axis], b[axis]) - SMALL);
        scalar high = flat ? 0 : floor(max(a[axis], b[axis]) + SMALL);
        // Between two nodes: the nearest ones
        if (low > high) low = high = round(0.5*(a[axis] + b[axis]));
        low = max(low, scalar(0));
        high = min(high, scalar(most));
        if (low > high)
        {
            FatalIOErrorInFunction(dict)
                << "The box " << box_ << " of " << name() << " meets no node of"
                << " the lattice, which is within " << mesh_.bounds()
                << exit(FatalIOError);
        }
        first_[axis] = label(low);
        cells_[axis] = max(label(1), (label(high - low) + 1)/coarsen_);
    }
    const scalar all = scalar(cells_.x())*cells_.y()*cells_.z();
    if (all > scalar(labelMax))
    {
        FatalIOErrorInFunction(dict)
            << name() << " would have " << all << " cells, more than the "
            << labelMax << " that an image may have: give a smaller box, or"
            << " coarsen them" << exit(FatalIOError);
    }
}


Foam::label Foam::functionObjects::latticeImage::placeOf
(
    const labelVector& cell
) const
{
    labelVector own, size;
    for (direction axis = 0; axis < 3; ++axis)
    {
        const direction other = lattice_.axes().foamAxis(axis);
        own[other] = cell[axis];
        size[other] = cells_[axis];
    }
    return own.x() + size.x()*(own.y() + size.y()*own.z());
}


void Foam::functionObjects::latticeImage::placeNodes()
{
    solver_ = &lattice_.solver();
    pieces_.clear();
    const lbm::Domain& domain = solver_->domain();
    DynamicList<label> places;
    fluid_ = Field<float>(cells_.x()*cells_.y()*cells_.z(), Zero);
    lbm::NodeGroups groups(lbm::NodeSet::Kind::sumsOfFlow);
    const auto place = [&]
    {
        if (groups.size()) pieces_.push_back(solver_->place(groups));
        groups = lbm::NodeGroups(lbm::NodeSet::Kind::sumsOfFlow);
    };

    labelVector cell;
    std::vector<lbm::NodeIndex> nodes;
    for (cell.z() = 0; cell.z() < cells_.z(); ++cell.z())
    for (cell.y() = 0; cell.y() < cells_.y(); ++cell.y())
    for (cell.x() = 0; cell.x() < cells_.x(); ++cell.x())
    {
        nodes.clear();
        const labelVector low(first_ + coarsen_*cell);
        labelVector high(low + (coarsen_ - 1)*labelVector::one);
        for (direction a = 0; a < 3; ++a)
        {
            high[a] = min(high[a], label(domain.size[a]) - 1);
        }
        for (label k = low.z(); k <= high.z(); ++k)
        for (label j = low.y(); j <= high.y(); ++j)
        for (label i = low.x(); i <= high.x(); ++i)
        {
            const lbm::NodeIndex node = domain.index(i, j, k);
            if (domain.fluid[node]) nodes.push_back(node);
        }
        if (nodes.empty()) continue;
        const labelVector span(high - low + labelVector::one);
        const label at = placeOf(cell);
        places.append(at);
        fluid_[at] = float(nodes.size())/float(span.x()*span.y()*span.z());
        for (const lbm::NodeIndex node : nodes) groups.add(node, 1.0/nodes.size());
        groups.endGroup();
        if
        (
            label(groups.size()) == cellsAtOnce
         || groups.nodes.size() >= nodesAtOnce
        )
        {
            place();
        }
    }
    place();
    places_ = places;
}


void Foam::functionObjects::latticeImage::sample
(
    Field<float>& p,
    Field<Vector<float>>& U
) const
{
    const lbmUnits& units = lattice_.units();
    const scalar shift = lattice_.pressureShift();
    constexpr int width = lbm::valuesOf(imageReading);
    std::vector<double> values;
    label first = 0;
    for (const auto& piece : pieces_)
    {
        values.resize(piece->size()*width);
        solver_->sample(*piece, imageReading, values.data());
        for (std::size_t i = 0; i < piece->size(); ++i)
        {
            const double* flow = &values[i*width];
            const label at = places_[first++];
            p[at] = float(units.pressure(flow[0]) + shift);
            const vector u
            (
                units.velocity
                (
                    lattice_.axes(), lbm::Vec3{flow[1], flow[2], flow[3]}
                )
            );
            U[at] = Vector<float>(float(u.x()), float(u.y()), float(u.z()));
        }
    }
}


void Foam::functionObjects::latticeImage::writeImage(const fileName& file) const
{
    Field<float> p(fluid_.size(), Zero);
    Field<Vector<float>> U(fluid_.size(), Vector<float>::zero);
    sample(p, U);

    const lbmUnits& units = lattice_.units();
    const lbm::Domain& domain = solver_->domain();
    const scalar half = 0.5;
    point origin
    (
        lattice_.axes().position
        (
            domain,
            {first_.x() - half, first_.y() - half, first_.z() - half}
        )
    );
    labelVector size;
    vector spacing;
    for (direction axis = 0; axis < 3; ++axis)
    {
        const direction other = lattice_.axes().foamAxis(axis);
        const bool flat = axis >= domain.dimensions;
        size[other] = cells_[axis];
        spacing[other] =
            flat ? mesh_.bounds().span()[other] : coarsen_*units.dx();
        if (flat) origin[other] = mesh_.bounds().min()[other];
    }
    std::ostringstream extent, from, step;
    extent << "0 " << size.x() << " 0 " << size.y() << " 0 " << size.z();
    from << origin.x() << ' ' << origin.y() << ' ' << origin.z();
    step << spacing.x() << ' ' << spacing.y() << ' ' << spacing.z();

    std::ofstream os(file, std::ios::binary);
    autoPtr<vtk::formatter> out
    (
        vtk::newFormatter(os, vtk::formatType::APPEND_BINARY)
    );
    out->xmlHeader();
    out->beginVTKFile("ImageData", "1.0", true);
    out->xmlAttr("WholeExtent", extent.str());
    out->xmlAttr("Origin", from.str());
    out->xmlAttr("Spacing", step.str());
    out->closeTag();
    out->openTag(vtk::fileTag::PIECE);
    out->xmlAttr("Extent", extent.str());
    out->closeTag();
    out->beginCellData();
    for (const word& field : fields_)
    {
        if (field == "U") describe<float, 3>(*out, "U", U.size());
        else describe<float, 1>(*out, "p", p.size());
    }
    describe<float, 1>(*out, "fluid", fluid_.size());
    out->endCellData();
    out->endPiece();
    out->endTag("ImageData");
    out->beginAppendedData();
    const auto data = [&](const auto& values, const uint64_t bytes)
    {
        out->writeSize(bytes);
        vtk::writeList(*out, values);
        out->flush();
    };
    for (const word& field : fields_)
    {
        if (field == "U") data(U, vtk::sizeofData<float, 3>(U.size()));
        else data(p, vtk::sizeofData<float, 1>(p.size()));
    }
    data(fluid_, vtk::sizeofData<float, 1>(fluid_.size()));
    out->endAppendedData();
    out->endVTKFile();
    os.flush();
    if (!os)
    {
        rm(file);
        FatalErrorInFunction
            << type() << ' ' << name() << ": " << file
            << " cannot be written; is the disk full?" << exit(FatalError);
    }
}


bool Foam::functionObjects::latticeImage::write()
{
    if (solver_ != &lattice_.solver()) placeNodes();
    mkDir(folder());
    const fileName file(folder()/(name() + '_' + time_.timeName() + ".vti"));
    const fileName begun(file + ".begun");
    writeImage(begun);
    mv(begun, file);
    series_.append(time_.value(), file.name());
    series_.write(folder()/(name() + ".vti"));
    return true;
}
