// Part of lbmFoam, GPL-3.0-or-later.

#include "meshChannel.H"
#include "lbmLattice.H"
#include "volFields.H"

#include <type_traits>

static_assert
(
    std::is_same<Foam::label, std::int32_t>::value
 && std::is_same<Foam::scalar, double>::value,
    "catalyst/insitu.h has 32-bit numbers of cells"
);


Foam::meshChannel::meshChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts
)
:
    insituChannel(name, mesh, dict, scripts),
    description_(),
    topologyOf_(-1)
{}


Foam::wordList Foam::meshChannel::available() const
{
    wordList names;
    names.append(mesh().sortedNames<volScalarField>());
    names.append(mesh().sortedNames<volVectorField>());
    names.append(mesh().sortedNames<volSymmTensorField>());
    names.append(mesh().sortedNames<volTensorField>());
    return names;
}


void Foam::meshChannel::update()
{
    if (mesh().foundObject<lbmLattice>(lbmLattice::typeName))
    {
        mesh().lookupObjectRef<lbmLattice>(lbmLattice::typeName).bringFields();
    }
}


bool Foam::meshChannel::outdated() const
{
    return
        topologyOf_ < 0
     || (mesh().changing() && topologyOf_ != mesh().time().timeIndex());
}


void Foam::meshChannel::describe()
{
    cells_.reset(mesh(), vtk::vtuSizing::XML, false);
    const labelList& ends = cells_.vertOffsets();
    offsets_.setSize(ends.size() + 1);
    offsets_[0] = 0;
    forAll(ends, i) offsets_[i + 1] = ends[i];

    description_.points =
    {
        "points", LBM_FLOAT64, LBM_POINTS, 3, mesh().nPoints(),
        mesh().points().cdata()
    };
    description_.cells = ends.size();
    description_.types = cells_.cellTypes().cdata();
    description_.offsets = offsets_.cdata();
    description_.connectivity = cells_.vertLabels().cdata();
    const bool polyhedra = cells_.faceLabels().size();
    description_.faces = polyhedra ? cells_.faceLabels().cdata() : nullptr;
    description_.faceEnds = polyhedra ? cells_.faceOffsets().cdata() : nullptr;
    topologyOf_ = mesh().time().timeIndex();
    ++description_.version;
}


const lbmInsituMesh& Foam::meshChannel::cells()
{
    if (outdated()) describe();
    return description_;
}


const Foam::symmTensorField& Foam::meshChannel::reorder
(
    const symmTensorField& field
)
{
    // VTK: xx yy zz xy yz xz
    symmTensorField* result = new symmTensorField(field.size());
    forAll(field, i)
    {
        const symmTensor& s = field[i];
        (*result)[i] =
            symmTensor(s.xx(), s.yy(), s.zz(), s.xy(), s.yz(), s.xz());
    }
    reordered_.append(result);
    return *result;
}


std::vector<lbmInsituArray> Foam::meshChannel::fields(const wordList& names)
{
    reordered_.clear();
    std::vector<lbmInsituArray> result;
    for (const word& name : names)
    {
        const regIOobject& object = mesh().lookupObject<regIOobject>(name);
        const char* key = object.name().c_str();
        const auto add = [&](const auto& field)
        {
            using type = typename std::decay<decltype(field[0])>::type;
            result.push_back
            ({
                key, LBM_FLOAT64, LBM_CELLS, pTraits<type>::nComponents,
                field.size(), field.cdata()
            });
        };
        if (isA<volScalarField>(object))
        {
            add(refCast<const volScalarField>(object).primitiveField());
        }
        else if (isA<volVectorField>(object))
        {
            add(refCast<const volVectorField>(object).primitiveField());
        }
        else if (isA<volTensorField>(object))
        {
            add(refCast<const volTensorField>(object).primitiveField());
        }
        else
        {
            add
            (
                reorder
                (
                    refCast<const volSymmTensorField>(object).primitiveField()
                )
            );
        }
    }
    return result;
}
