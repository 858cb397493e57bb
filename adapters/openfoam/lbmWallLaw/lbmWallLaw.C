// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWallLaw.H"

namespace
{
    constexpr int flowValues = lbm::valuesOf(lbm::Reading::flow);

    // Links along a wall that they graze meet it far off; their node's distance
    // is not below this share of the spacing
    const Foam::scalar least = 0.1;
}


Foam::lbmWallLaw::lbmWallLaw
(
    const fvMesh& mesh,
    const lbmAxes& axes,
    lbmBoundary& boundary,
    const lbm::Solver& solver,
    const lbmNodeCells& cells
)
:
    mesh_(mesh),
    axes_(axes),
    boundary_(boundary)
{
    forAll(mesh.boundary(), patchi)
    {
        if (boundary.kinds()[patchi].wallLaw)
        {
            addPatch(solver, solver.domain(), cells, patchi);
        }
    }
}


void Foam::lbmWallLaw::addPatch
(
    const lbm::Solver& solver,
    const lbm::Domain& domain,
    const lbmNodeCells& cells,
    const label patchi
)
{
    const labelList& which = boundary_.links(patchi);
    const labelList& faces = boundary_.linkFaces(patchi);
    const vectorField normals(mesh_.boundary()[patchi].nf());
    const bool interpolated = boundary_.kinds()[patchi].interpolated;

    patches_.set(patchi, new links);
    links& own = *patches_[patchi];
    own.faces = faces;
    own.cells.setSize(which.size());
    own.distances.setSize(which.size());
    own.slip.setSize(which.size(), Zero);
    std::vector<lbm::NodeIndex> nodes(which.size());
    forAll(which, i)
    {
        const lbm::Link& link = domain.links[which[i]];
        const lbm::Int3 c = lbm::directionOf(link.direction);
        const vector along
        (
            axes_.toFoam({double(c[0]), double(c[1]), double(c[2])})
        );
        const scalar part = interpolated ? link.fraction : 0.5;
        nodes[i] = link.node;
        own.cells[i] = cells.cellOf(link.node);
        own.distances[i] =
            domain.spacing*max(least, part*mag(along & normals[faces[i]]));
    }
    own.nodes = solver.place(nodes.data(), nodes.size());
    own.flow.resize(nodes.size()*flowValues);
}


void Foam::lbmWallLaw::update
(
    const lbm::Solver& solver,
    const lbmUnits& units,
    const volVectorField& U,
    const volScalarField& nuEff,
    const scalarField& nu
)
{
    for (const label patchi : patches_.sortedToc())
    {
        links& own = *patches_[patchi];
        const fvPatchVectorField& Uw = U.boundaryField()[patchi];
        const vectorField normals(Uw.patch().nf());
        const vectorField shear
        (
            nuEff.boundaryField()[patchi]*Uw.patch().deltaCoeffs()
           *(Uw.patchInternalField() - Uw)
        );
        solver.sample(*own.nodes, lbm::Reading::flow, own.flow.data());
        forAll(own.slip, i)
        {
            const label facei = own.faces[i];
            const vector& n = normals[facei];
            const double* flow = &own.flow[i*flowValues];
            vector v
            (
                units.velocity(axes_, lbm::Vec3{flow[1], flow[2], flow[3]}) - Uw[facei]
            );
            v -= n*(n & v);
            const vector tau(shear[facei] - n*(n & shear[facei]));
            const scalar resisted = mag(tau)*own.distances[i];
            const scalar carried = nu[own.cells[i]]*mag(v);
            own.slip[i] = resisted < carried ? (1 - resisted/carried)*v : Zero;
        }
        boundary_.setSlip(patchi, own.slip);
    }
}
