// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmKeptTransport.H"
#include "fileOperation.H"
#include "volFields.H"


const Foam::volVectorField& Foam::lbmKeptTransport::makeRoom(const volVectorField& U)
{
    IOdictionary* alone = U.mesh().getObjectPtr<IOdictionary>("transportProperties");
    if (alone) alone->checkOut();
    return U;
}


Foam::lbmKeptTransport::lbmKeptTransport
(
    const volVectorField& U,
    const surfaceScalarField& phi
)
:
    singlePhaseTransportModel(makeRoom(U), phi)
{
    for (const label watched : watchIndices()) fileHandler().removeWatch(watched);
    watchIndices().clear();
}
