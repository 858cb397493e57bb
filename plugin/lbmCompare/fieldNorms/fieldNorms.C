// Part of lbmFoam, GPL-3.0-or-later.

#include "fieldNorms.H"
#include "IOmanip.H"

namespace Foam
{
    static const int columnWidth = 13;

    //- Volume-weighted L1, L2 and Linf
    static FixedList<scalar, 3> norms(const scalarField& value, const scalarField& weight)
    {
        FixedList<scalar, 3> result(Zero);
        scalar volume = 0;
        forAll(value, i)
        {
            if (weight[i] > 0)
            {
                volume += weight[i];
                result[0] += weight[i]*value[i];
                result[1] += weight[i]*sqr(value[i]);
                result[2] = max(result[2], value[i]);
            }
        }
        result[0] /= volume;
        result[1] = ::sqrt(result[1]/volume);
        return result;
    }
}

// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

bool Foam::fieldNorms::equalMeshes(const fvMesh& a, const fvMesh& b)
{
    if (a.nCells() != b.nCells()) return false;

    const vectorField& centresA = a.cellCentres();
    const vectorField& centresB = b.cellCentres();
    const scalarField& volumes = b.cellVolumes();
    const scalar tolerance = 1e-4;      // of a cell: ascii points have few digits
    forAll(centresA, celli)
    {
        // Empty directions included: a thicker 2D mesh is another mesh
        if (mag(centresA[celli] - centresB[celli]) > tolerance*::cbrt(volumes[celli]))
        {
            return false;
        }
    }
    return true;
}


void Foam::fieldNorms::matchCells(bool means)
{
    if (means)
    {
        averager_.reset
        (
            new cellAverager((onA_ ? b_ : a_).mesh(), (onA_ ? a_ : b_).mesh())
        );
    }
    else
    {
        sampler_.reset(new fieldSampler(a_.mesh(), b_.mesh().cellCentres()));
    }
    forAll(weights_, celli)
    {
        const bool matched =
            means ? averager_->covers(celli) : sampler_->cells()[celli] >= 0;
        if (!matched) weights_[celli] = 0;
    }
}


void Foam::fieldNorms::report
(
    const word& fieldName,
    const scalarField& error,
    const scalarField& reference,
    metrics& out
) const
{
    const word names[3] = {"L1", "L2", "Linf"};
    const FixedList<scalar, 3> absolute(norms(error, weights_));
    const FixedList<scalar, 3> scale(norms(reference, weights_));

    Info<< setf(ios_base::left) << setw(columnWidth) << fieldName.c_str();
    for (int i = 0; i < 3; ++i)
    {
        out.add("field", fieldName, names[i], absolute[i]);
        Info<< setw(columnWidth) << absolute[i];
    }
    for (int i = 0; i < 3; ++i)
    {
        if (scale[i] > VSMALL)
        {
            out.add("field", fieldName, "rel" + names[i], absolute[i]/scale[i]);
            Info<< setw(columnWidth) << absolute[i]/scale[i];
        }
        else
        {
            Info<< setw(columnWidth) << "reference=0";
        }
    }
    Info<< nl;
}


// * * * * * * * * * * * * * * * * Constructor * * * * * * * * * * * * * * * //

Foam::fieldNorms::fieldNorms
(
    const comparedCase& a,
    const comparedCase& b,
    bool means
)
:
    a_(a),
    b_(b),
    sameMesh_(equalMeshes(a.mesh(), b.mesh())),
    onA_(means && !sameMesh_ && a.mesh().nCells() < b.mesh().nCells()),
    weights_((onA_ ? a : b).mesh().cellVolumes())
{
    if (sameMesh_) return;

    matchCells(means);
    if (sum(weights_) <= 0)
    {
        FatalErrorInFunction
            << "The meshes of " << a.path() << " and " << b.path()
            << " have no place in common" << exit(FatalError);
    }
}


// * * * * * * * * * * * * * * * Member Functions  * * * * * * * * * * * * * //

void Foam::fieldNorms::describe(Ostream& os, metrics& out) const
{
    const label cells = weights_.size();
    const word on(onA_ ? "A" : "B"), other(onA_ ? "B" : "A");
    label missing = 0;
    for (const scalar weight : weights_) missing += (weight <= 0);
    const scalar missingVolume =
        1 - sum(weights_)/sum((onA_ ? a_ : b_).mesh().cellVolumes());

    if (sameMesh_)
    {
        os  << "Same mesh: " << cells << " cells, cell by cell" << nl;
    }
    else
    {
        os  << "Different meshes (A " << a_.mesh().nCells() << " cells, B "
            << b_.mesh().nCells() << "): " << other
            << (averager_ ? " averaged over " : " interpolated (cellPoint) to ")
            << on << (averager_ ? "'s cells" : "'s cell centres") << nl
            << "    without counterpart: " << missing << " cells, "
            << 100*max(missingVolume, scalar(0)) << " % of " << on << "'s volume"
            << nl;
    }
    out.add("cells", "reference", "number", cells);
    out.add("cells", "unmatched", "number", missing);
}


void Foam::fieldNorms::compare(const word& fieldName, metrics& out) const
{
    const word classA(a_.fieldClass(fieldName));
    const word classB(b_.fieldClass(fieldName));

    if (classA.empty() || classB.empty())
    {
        const comparedCase& lacking = classA.empty() ? a_ : b_;
        FatalErrorInFunction
            << "No field " << fieldName << " in "
            << lacking.path()/lacking.time().timeName() << exit(FatalError);
    }
    if (classA != classB)
    {
        FatalErrorInFunction
            << "Field " << fieldName << " is a " << classA << " in " << a_.path()
            << " but a " << classB << " in " << b_.path() << exit(FatalError);
    }

    if (classA == volVectorField::typeName)
    {
        difference<vector>(fieldName, false, out);
    }
    else if (classA == volScalarField::typeName)
    {
        const bool arbitrary =
            (fieldName == "p" || fieldName == "p_rgh")
         && !(a_.levelFixed(fieldName) && b_.levelFixed(fieldName));
        difference<scalar>(fieldName, arbitrary, out);
        if (arbitrary)
        {
            Info<< "    (no patch fixes " << fieldName << ": compared after removing its volume mean)" << nl;
        }
    }
    else
    {
        FatalErrorInFunction
            << "Field " << fieldName << " is a " << classA
            << "; volScalarField and volVectorField can be compared" << exit(FatalError);
    }
}


void Foam::fieldNorms::printHeader(Ostream& os)
{
    os  << setf(ios_base::left);
    for (const char* title : {"field", "L1", "L2", "Linf", "rel. L1", "rel. L2", "rel. Linf"})
    {
        os  << setw(columnWidth) << title;
    }
    os  << nl;
}
