// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshTurbulence.H"
#include "epsilonWallFunctionFvPatchScalarField.H"
#include "linearViscousStress.H"
#include "localIOdictionary.H"
#include "nonlinearEddyViscosity.H"
#include "nutWallFunctionFvPatchScalarField.H"
#include "omegaWallFunctionFvPatchScalarField.H"
#include "zeroGradientFvPatchFields.H"

#include <cmath>

namespace
{

std::string noteOf(const Foam::word& field) { return "turbulence." + field; }


// Of files that go with a checkpoint; 0: binary
const std::string digitsNote("turbulence.digits");


// What a file has of values that were written with so many digits: others are
// somebody's who changed the file
bool rounded
(
    const Foam::UList<Foam::scalar>& read,
    const Foam::UList<Foam::scalar>& values,
    const double digits
)
{
    const Foam::scalar share =
        digits > 0 ? Foam::max(0.5001*std::pow(10.0, 1 - digits), Foam::SMALL) : 0;
    forAll(read, i)
    {
        if (!(Foam::mag(read[i] - values[i]) <= share*Foam::mag(values[i]))) return false;
    }
    return true;
}


using turbulence = Foam::incompressible::turbulenceModel;

template<class Kind>
bool goesByEddyViscosity(const turbulence& model)
{
    return dynamic_cast<const Foam::linearViscousStress<Kind>*>(&model)
        && !dynamic_cast<const Foam::nonlinearEddyViscosity<Kind>*>(&model);
}

bool beginsWithCells(const Foam::fvPatchScalarField& faces)
{
    return Foam::isA<Foam::epsilonWallFunctionFvPatchScalarField>(faces)
        || Foam::isA<Foam::omegaWallFunctionFvPatchScalarField>(faces);
}

// What a model is to bound, or has made: OpenFOAM tells neither where that is. Is there any?
bool tellNegative
(
    const Foam::word& name,
    const Foam::UList<Foam::scalar>& values,
    const Foam::fvMesh& mesh
)
{
    const Foam::label cell = Foam::findMin(values);
    if (cell < 0 || !(values[cell] < 0)) return false;
    Foam::Info
        << "Time = " << mesh.time().timeName() << ": " << name << " is "
        << values[cell] << " in cell " << cell << " at " << mesh.C()[cell]
        << ": negative" << Foam::endl;
    return true;
}

// Models bound their fields as they read them. fields: a model's own
void tellNegativeFiles(const Foam::UList<Foam::word>& fields, const Foam::fvMesh& mesh)
{
    using namespace Foam;
    for (const word name : {"k", "epsilon", "omega", "nuTilda"})
    {
        if (!fields.found(name)) continue;
        IOobject file
        (
            name, mesh.time().timeName(), mesh,
            IOobject::MUST_READ, IOobject::NO_WRITE, false
        );
        if (!file.typeHeaderOk<volScalarField>(true, true, false)) continue;
        const localIOdictionary entries(file, volScalarField::typeName);
        tellNegative(name, scalarField("internalField", entries, mesh.nCells()), mesh);
    }
}

} // End anonymous namespace


Foam::lbmMeshTurbulence::lbmMeshTurbulence
(
    const volVectorField& U,
    const surfaceScalarField& phi
)
:
    transport_(U, phi)
{
    const fvMesh& mesh = U.mesh();
    const wordHashSet others(mesh.names<volScalarField>());
    model_ = incompressible::turbulenceModel::New(U, phi, transport_);
    for (const word& name : mesh.sortedNames<volScalarField>())
    {
        const auto& field = mesh.lookupObject<volScalarField>(name);
        const bool written = field.writeOpt() == IOobject::AUTO_WRITE;
        if (written && !others.found(name)) fields_.append(name);
    }
    refuseOtherStress();
    tellNegativeFiles(fields_, mesh);
    model_->validate();
    tellNegativeNut();
}


void Foam::lbmMeshTurbulence::tellNegativeNut()
{
    if (dynamic_cast<const incompressible::laminarModel*>(&*model_)) return;
    if (negativeTold_ && !model_->mesh().time().writeTime()) return;
    negativeTold_ =
        tellNegative("nut", model_->nut()().primitiveField(), model_->mesh())
     || negativeTold_;
}


void Foam::lbmMeshTurbulence::refuseOtherStress() const
{
    const bool known =
        dynamic_cast<const incompressible::laminarModel*>(&*model_)
     || goesByEddyViscosity<incompressible::RASModel>(*model_)
     || goesByEddyViscosity<incompressible::LESModel>(*model_);
    if (known) return;

    FatalIOErrorInFunction(*model_)
        << "Model " << model_->type() << " gives stresses that are not those of"
        << " an eddy viscosity, which is all that lbmFoam takes from a model"
        << nl << "Way out: one that has nut alone, such as kEpsilon, kOmegaSST,"
        << " SpalartAllmaras, WALE" << exit(FatalIOError);
}


void Foam::lbmMeshTurbulence::correct()
{
    transport_.correct();
    model_->correct();
    tellNegativeNut();
    repeatCells();
}


// Where a model bounds a negative value, of k for instance, its boundary gets the
// bound and not what the cell gets, and wall functions of epsilon and omega begin with
// their cells' values: a run that reads the field would go on otherwise
void Foam::lbmMeshTurbulence::repeatCells() const
{
    for (const word& name : fields_)
    {
        auto& patches = model_->mesh().lookupObjectRef<volScalarField>(name)
           .boundaryFieldRef();
        for (fvPatchScalarField& faces : patches)
        {
            if (isA<zeroGradientFvPatchScalarField>(faces)) faces.evaluate();
            else if (beginsWithCells(faces)) faces == faces.patchInternalField();
        }
    }
}


void Foam::lbmMeshTurbulence::note(lbm::CheckpointNotes& notes) const
{
    const bool text = model_->mesh().time().writeFormat() == IOstream::ASCII;
    notes.numbers[digitsNote] = text ? IOstream::defaultPrecision() : 0;
    for (const word& name : fields_)
    {
        const auto& field = model_->mesh().lookupObject<volScalarField>(name);
        std::vector<double>& values = notes.arrays[noteOf(name)];
        values.assign(field.begin(), field.end());
        for (const fvPatchScalarField& faces : field.boundaryField())
        {
            values.insert(values.end(), faces.begin(), faces.end());
        }
    }
}


void Foam::lbmMeshTurbulence::recall(const lbm::CheckpointNotes& notes)
{
    // A model without nut makes it up, laminar ones for instance
    const word nut(model_->nut()().name());
    const auto digits = notes.numbers.find(digitsNote);
    for (const word& name : fields_)
    {
        const auto found = notes.arrays.find(noteOf(name));
        if (found == notes.arrays.end()) continue;
        auto& field = model_->mesh().lookupObjectRef<volScalarField>(name);
        label size = field.size();
        for (const fvPatchScalarField& faces : field.boundaryField())
        {
            size += faces.size();
        }
        if (found->second.size() != std::size_t(size)) continue;

        const bool madeAnew = name == nut;
        if (digits == notes.numbers.end() && !madeAnew) continue;
        bool changed = false;
        const double* from = found->second.data();
        const auto take = [&](const UList<scalar>& there)
        {
            const UList<scalar> noted(const_cast<double*>(from), there.size());
            from += there.size();
            const bool same =
                madeAnew || rounded(there, noted, digits->second);
            changed = changed || !same;
            return scalarField(same ? noted : there);
        };
        field.primitiveFieldRef() = take(field.primitiveField());
        for (fvPatchScalarField& faces : field.boundaryFieldRef())
        {
            faces == take(faces);
        }
        if (!changed) continue;
        Info<< "    " << name << " is that of its file, which is not what was"
            << " written beside the checkpoint" << nl;
    }
}


bool Foam::lbmMeshTurbulence::isWallFunction(const fvPatchScalarField& nut)
{
    return isA<nutWallFunctionFvPatchScalarField>(nut);
}


bool Foam::lbmMeshTurbulence::isWallFunction(const label patchi) const
{
    return isWallFunction(model_->nut()().boundaryField()[patchi]);
}
