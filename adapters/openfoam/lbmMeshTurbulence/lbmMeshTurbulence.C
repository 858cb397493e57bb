// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeshTurbulence.H"
#include "lbmNearWalls.H"
#include "epsilonWallFunctionFvPatchScalarField.H"
#include "lbmConditions.H"
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


// Of files that go with a checkpoint. 0: binary
const std::string digitsNote("turbulence.digits");

// Of what is the same everywhere, which binary files have as text, too
const std::string uniformDigitsNote("turbulence.uniformDigits");

struct fileDigits
{
    double any, uniform;

    explicit fileDigits(const lbm::CheckpointNotes& notes)
    :
        any(notes.numbers.at(digitsNote)),
        uniform(any)
    {
        const auto noted = notes.numbers.find(uniformDigitsNote);
        if (noted != notes.numbers.end()) uniform = noted->second;
    }
};


// What a file has of values that were written with so many digits: others are
// somebody's who changed the file
bool rounded
(
    const Foam::UList<Foam::scalar>& read,
    const Foam::UList<Foam::scalar>& values,
    const fileDigits& kept
)
{
    const double digits = read.uniform() ? kept.uniform : kept.any;
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

// As they were to the last bit, unless the field's file has others: what they impose is
// more than the values of their faces (inletOutlet's inletValue)
void recallConditions(Foam::volScalarField& field, const lbm::CheckpointNotes& notes)
{
    using namespace Foam;
    IOobject file
    (
        field.name(), field.time().timeName(), field.mesh(),
        IOobject::MUST_READ, IOobject::NO_WRITE, false
    );
    // Viscosity models make theirs without a file
    if (!lbmConditions::noted(field.name(), notes)) return;
    if (!file.typeHeaderOk<volScalarField>(true, true, false)) return;
    dictionary content(localIOdictionary(file, volScalarField::typeName));
    if (lbmConditions::recall(field.name(), notes, content))
    {
        field.boundaryFieldRef().readField
        (
            field.internalField(), content.subDict("boundaryField")
        );
        return;
    }
    Info<< "    conditions of " << field.name() << " were changed since: those of"
        << " the file count" << nl;
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
    const fvMesh& mesh = lbmNearWalls::check(U.mesh());
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
    notes.numbers[uniformDigitsNote] = IOstream::defaultPrecision();
    for (const word& name : fields_)
    {
        const auto& field = model_->mesh().lookupObject<volScalarField>(name);
        lbmConditions::note(field, notes);
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
    const bool hasDigits = notes.numbers.count(digitsNote);
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
        if (!hasDigits && !madeAnew) continue;
        recallConditions(field, notes);
        bool changed = false;
        const double* from = found->second.data();
        const auto take = [&](const UList<scalar>& there)
        {
            const UList<scalar> noted(const_cast<double*>(from), there.size());
            from += there.size();
            const bool same =
                madeAnew || rounded(there, noted, fileDigits(notes));
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
