// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmMeanVelocity.H"
#include "Time.H"

namespace
{
    const Foam::word gradientKey("gradient");
}


Foam::lbmMeanVelocity::lbmMeanVelocity
(
    const fv::cellSetOption& option,
    const fvMesh& mesh
)
:
    option_(option),
    Ubar_(option.coeffs().get<vector>("Ubar")),
    relaxation_(option.coeffs().getOrDefault<scalar>("relaxation", 1)),
    share_(option.V()/sum(mesh.V()).value()),
    properties_
    (
        IOobject
        (
            option.name() + "Properties",
            mesh.time().timeName(),
            "uniform",
            mesh,
            IOobject::READ_IF_PRESENT,
            IOobject::AUTO_WRITE
        )
    ),
    gradient_(properties_.getOrDefault<scalar>(gradientKey, 0)),
    before_(0),
    began_(false),
    acted_(false)
{
    if (!(mag(Ubar_) > 0 && mag(Ubar_) < GREAT))
    {
        FatalIOErrorInFunction(option.coeffs())
            << "Entry Ubar is " << Ubar_ << ": its direction is that of the"
            << " force; it must not be zero" << exit(FatalIOError);
    }
    if (!(relaxation_ > 0 && relaxation_ <= 1))
    {
        FatalIOErrorInFunction(option.coeffs())
            << "Entry relaxation is " << relaxation_ << "; it must be above 0"
            << " and at most 1" << exit(FatalIOError);
    }
    // OpenFOAM's class wants it, of times before it acts, too
    properties_.set(gradientKey, gradient_);
}


Foam::scalar Foam::lbmMeanVelocity::mean(const volVectorField& U) const
{
    const scalarField& V = U.mesh().V();
    const vector along(Ubar_/mag(Ubar_));
    scalar flow = 0;
    for (const label celli : option_.cells())
    {
        flow += V[celli]*(along & U[celli]);
    }
    return flow/option_.V();
}


void Foam::lbmMeanVelocity::correct
(
    const volVectorField& U,
    const scalar deltaT,
    const bool acts
)
{
    const scalar now = mean(U);
    if (acts)
    {
        if (began_)
        {
            if (!acted_) gradient_ = 0;
            gradient_ -= (now - before_)/deltaT;
        }
        gradient_ += relaxation_*share_*(Ubar() - now)/deltaT;
        properties_.set(gradientKey, gradient_);
        Info<< "Pressure gradient source: uncorrected Ubar = " << now
            << ", pressure gradient = " << gradient_ << endl;
    }
    before_ = now;
    began_ = true;
    acted_ = acts;
}


std::string Foam::lbmMeanVelocity::noteName() const
{
    return "meanVelocity." + option_.name();
}


void Foam::lbmMeanVelocity::note(lbm::CheckpointNotes& notes) const
{
    if (began_) notes.arrays[noteName()] = {gradient_, before_, scalar(acted_)};
}


void Foam::lbmMeanVelocity::recall(const lbm::CheckpointNotes& notes)
{
    const auto found = notes.arrays.find(noteName());
    if (found == notes.arrays.end()) return;
    // Where it always acted, checkpoints may have two alone
    const auto& noted = found->second;
    if (noted.size() != 2 && noted.size() != 3) return;
    gradient_ = noted[0];
    before_ = noted[1];
    began_ = true;
    acted_ = noted.size() == 2 || noted[2] != 0;
}
