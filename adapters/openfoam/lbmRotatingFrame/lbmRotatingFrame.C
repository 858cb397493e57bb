// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRotatingFrame.H"
#include "Time.H"

namespace
{
    const Foam::word fileOfFrame("SRFProperties");
}


bool Foam::lbmRotatingFrame::asked(const Time& runTime)
{
    const fileName file(runTime.globalPath()/runTime.constant()/fileOfFrame);
    return isFile(file);
}


Foam::word Foam::lbmRotatingFrame::velocityName(const Time& runTime)
{
    return asked(runTime) ? "Urel" : "U";
}


Foam::lbmRotatingFrame::lbmRotatingFrame(volVectorField& Urel)
:
    Urel_(Urel),
    model_(SRF::SRFModel::New(Urel)),
    Uabs_
    (
        IOobject
        (
            "Uabs",
            Urel.time().timeName(),
            Urel.mesh(),
            IOobject::NO_READ,
            IOobject::AUTO_WRITE
        ),
        model_->Uabs()
    )
{
    const bool sound =
        mag(model_->axis()) > 0.5 && mag(model_->omega().value()) < GREAT;
    if (!sound)
    {
        FatalIOErrorInFunction(*model_)
            << "The frame rotates with " << model_->omega().value()
            << " rad/s about " << model_->axis()
            << ": speed must be a number, and axis no zero vector" << exit(FatalIOError);
    }
    Urel_.correctBoundaryConditions();
    update();
}


Foam::tensor Foam::lbmRotatingFrame::coriolis() const
{
    // 2 Omega x u
    return 2*(*model_->omega().value());
}


Foam::vector Foam::lbmRotatingFrame::centrifugal(const point& x) const
{
    const vector& omega = model_->omega().value();
    return -(omega ^ (omega ^ (x - model_->origin().value())));
}


Foam::scalar Foam::lbmRotatingFrame::fastest() const
{
    return max(mag(model_->velocity(Urel_.mesh().points())));
}


void Foam::lbmRotatingFrame::printPlan() const
{
    Info<< "    frame           rotates with " << model_->omega().value()
        << " rad/s about " << model_->origin().value()
        << ", at most " << fastest()
        << " m/s: Coriolis and centrifugal force at all nodes" << nl;
}
