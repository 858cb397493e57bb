// Part of lbmFoam, GPL-3.0-or-later.

#include "wallChannel.H"
#include "lbmLattice.H"
#include "lbmWallStress.H"
#include "uindirectPrimitivePatch.H"
#include "volFields.H"
#include "wallPolyPatch.H"

#include <type_traits>

namespace
{
    const Foam::word stressName("wallShearStress");
    const Foam::word patchName("patchID");
    const std::uint8_t polygon = 7;     // VTK's name
}


Foam::wallChannel::wallChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts
)
:
    insituChannel(name, mesh, dict, scripts),
    ofLattice_(false),
    description_(),
    topologyOf_(-1)
{
    const polyBoundaryMesh& boundary = mesh.boundaryMesh();
    if (dict.found("patches"))
    {
        const wordRes chosen(dict.get<wordRes>("patches"));
        patches_ = boundary.patchSet(chosen).sortedToc();
    }
    else
    {
        patches_ = boundary.findPatchIDs<wallPolyPatch>().sortedToc();
    }
    if (patches_.empty())
    {
        FatalIOErrorInFunction(dict)
            << "Channel " << name << " has no patch; there are "
            << boundary.names() << exit(FatalIOError);
    }
    ofLattice_ = readStress(dict);
}


bool Foam::wallChannel::readStress(const dictionary& dict) const
{
    const word stress(dict.getOrDefault<word>("stress", "mesh"));
    if (stress == "mesh") return false;
    if (stress != "lattice")
    {
        FatalIOErrorInFunction(dict)
            << "Entry stress is " << stress << "; valid are mesh and lattice"
            << exit(FatalIOError);
    }
    if (!mesh().foundObject<lbmLattice>(lbmLattice::typeName))
    {
        FatalIOErrorInFunction(dict)
            << "Entry stress is lattice, which lbmFoam alone has"
            << exit(FatalIOError);
    }
    const auto& lattice =
        mesh().lookupObject<lbmLattice>(lbmLattice::typeName);
    if (lattice.units().viscosity().closure().byNode)
    {
        FatalIOErrorInFunction(dict)
            << "Entry stress is lattice, whose strain rates do not tell the"
            << " viscosity of a turbulence model on the mesh"
            << exit(FatalIOError);
    }
    return true;
}


Foam::wordList Foam::wallChannel::available() const
{
    wordList names(mesh().sortedNames<volScalarField>());
    names.append(mesh().sortedNames<volVectorField>());
    names.append(patchName);
    if (!names.found(stressName)) names.append(stressName);
    return names;
}


void Foam::wallChannel::bringFields() const
{
    if (mesh().foundObject<lbmLattice>(lbmLattice::typeName))
    {
        mesh().lookupObjectRef<lbmLattice>(lbmLattice::typeName).bringFields();
    }
}


void Foam::wallChannel::describe()
{
    label nFaces = 0;
    for (const label patchi : patches_)
    {
        nFaces += mesh().boundaryMesh()[patchi].size();
    }
    labelList faces(nFaces);
    patchID_.setSize(nFaces);
    patchNames_.clear();
    label n = 0;
    for (const label patchi : patches_)
    {
        const polyPatch& patch = mesh().boundaryMesh()[patchi];
        patchNames_.push_back(patch.name().c_str());
        forAll(patch, i)
        {
            patchID_[n] = patchi;
            faces[n++] = patch.start() + i;
        }
    }
    const uindirectPrimitivePatch surface
    (
        UIndirectList<face>(mesh().faces(), faces), mesh().points()
    );
    points_ = surface.localPoints();
    offsets_.setSize(nFaces + 1);
    offsets_[0] = 0;
    DynamicList<label> corners;
    forAll(surface, i)
    {
        corners.append(surface.localFaces()[i]);
        offsets_[i + 1] = corners.size();
    }
    connectivity_ = corners;

    description_.points =
    {
        "points", LBM_FLOAT64, LBM_POINTS, 3, points_.size(), points_.cdata()
    };
    description_.cells = nFaces;
    description_.uniformType = polygon;
    description_.offsets = offsets_.cdata();
    description_.connectivity = connectivity_.cdata();
    topologyOf_ = mesh().time().timeIndex();
    ++description_.version;
}


const lbmInsituMesh& Foam::wallChannel::cells()
{
    const bool outdated =
        mesh().changing() && topologyOf_ != mesh().time().timeIndex();
    if (topologyOf_ < 0 || outdated) describe();
    return description_;
}


Foam::tmp<Foam::vectorField> Foam::wallChannel::shearStress
(
    const label patchi
) const
{
    const fvPatchVectorField& U =
        mesh().lookupObject<volVectorField>("U").boundaryField()[patchi];
    scalarField nu(U.size());
    if (mesh().foundObject<volScalarField>("nu"))
    {
        nu = mesh().lookupObject<volScalarField>("nu").boundaryField()[patchi];
    }
    else
    {
        nu = mesh().lookupObject<dictionary>("transportProperties")
            .get<dimensionedScalar>("nu").value();
    }
    if (mesh().foundObject<volScalarField>("nut"))
    {
        nu += mesh().lookupObject<volScalarField>("nut")
            .boundaryField()[patchi];
    }
    const vectorField n(U.patch().nf());
    const vectorField stress(nu*U.snGrad());
    return stress - n*(n & stress);
}


template<class Type>
const Foam::Field<Type>& Foam::wallChannel::gather
(
    HashPtrTable<Field<Type>>& fields,
    const word& name,
    const std::function<tmp<Field<Type>>(label)>& ofPatch
)
{
    Field<Type>* result = new Field<Type>(patchID_.size());
    label n = 0;
    for (const label patchi : patches_)
    {
        const tmp<Field<Type>> values(ofPatch(patchi));
        for (const Type& value : values()) (*result)[n++] = value;
    }
    fields.set(name, result);
    return *result;
}


std::vector<lbmInsituArray> Foam::wallChannel::fields(const wordList& names)
{
    scalars_.clear();
    vectors_.clear();
    bool ofMesh = false;
    for (const word& name : names)
    {
        ofMesh = ofMesh
         || (name != patchName && (name != stressName || !ofLattice_));
    }
    if (ofMesh) bringFields();
    std::vector<lbmInsituArray> result;
    const auto real = [&](const word& name, const auto& field)
    {
        using type = typename std::decay<decltype(field[0])>::type;
        result.push_back
        ({
            name.c_str(), LBM_FLOAT64, LBM_CELLS, pTraits<type>::nComponents,
            field.size(), field.cdata()
        });
    };
    for (const word& name : names)
    {
        if (name == patchName)
        {
            result.push_back
            ({
                patchName.c_str(), LBM_INT32, LBM_CELLS, 1, patchID_.size(),
                patchID_.cdata()
            });
        }
        else if (name == stressName && ofLattice_)
        {
            auto& walls =
                mesh().lookupObjectRef<lbmWallStress>(lbmWallStress::typeName);
            real(name, gather<vector>(vectors_, name, [&](const label patchi)
            {
                return walls.on(patchi);
            }));
        }
        else if (mesh().foundObject<volScalarField>(name))
        {
            const auto& field = mesh().lookupObject<volScalarField>(name);
            real(name, gather<scalar>(scalars_, name, [&](const label patchi)
            {
                return tmp<scalarField>(field.boundaryField()[patchi]);
            }));
        }
        else if (mesh().foundObject<volVectorField>(name))
        {
            const auto& field = mesh().lookupObject<volVectorField>(name);
            real(name, gather<vector>(vectors_, name, [&](const label patchi)
            {
                return tmp<vectorField>(field.boundaryField()[patchi]);
            }));
        }
        else
        {
            real(name, gather<vector>(vectors_, name, [&](const label patchi)
            {
                return shearStress(patchi);
            }));
        }
    }
    result.push_back
    ({
        "patchNames", LBM_STRING, LBM_WHOLE, 1, label(patchNames_.size()),
        patchNames_.data()
    });
    return result;
}
