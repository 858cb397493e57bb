// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSurfaceWalls.H"

namespace Foam
{
    defineTypeNameAndDebug(lbmSurfaceWalls, 0);
}


Foam::lbmSurfaceWalls::lbmSurfaceWalls
(
    const polyMesh& mesh,
    const std::shared_ptr<const lbm::TriangleMesh>& surface,
    const lbm::SurfaceOptions& options,
    const scalar spacing,
    const std::function<lbm::LatticeBox(scalar)>& box,
    const finder& find
)
:
    lbmOfMesh<lbmSurfaceWalls>(mesh),
    surface_(surface),
    options_(options),
    spacing_(spacing),
    box_(box),
    find_(find)
{
    const std::vector<std::string>& names = surface->regionNames;
    wordList regions(label(options.patches ? options.patches : names.size()));
    forAll(regions, i) regions[i] = names[i];
    if (regions == mesh.boundaryMesh().names()) return;
    FatalIOErrorInFunction
    (
        dictionary(fileName(mesh.boundaryMesh().objectPath()))
    )   << "The mesh has the patches " << flatOutput(mesh.boundaryMesh().names())
        << nl << "The surfaces have the regions " << flatOutput(regions) << nl
        << "exactWalls of lbmVoxelizeDict needs the same, as lbmVoxelize makes"
        << " them" << exit(FatalIOError);
}


lbm::Domain Foam::lbmSurfaceWalls::domain
(
    const lbm::LatticeBox& box,
    const std::vector<lbm::Int3>& directions,
    const std::vector<bool>& transparent,
    const std::vector<bool>& resting,
    const int threads,
    const std::string& device,
    const bool keeps,
    lbm::SurfaceFacts& facts
) const
{
    lbm::SurfaceOptions options(options_);
    options.transparent = transparent;
    options.preferred = resting;
    // Of the regions behind the patches, too
    for (std::vector<bool>* marks : {&options.transparent, &options.preferred})
    {
        if (options.patches) marks->resize(surface_->regionNames.size(), false);
    }
    options.threads = threads;
    options.device = device;
    lbm::ConnectedDomain result
    (
        keeps
      ? find_(*surface_, box, directions, options)
      : lbm::connectedDomain(*surface_, box, directions, options)
    );
    facts = result.facts;
    return std::move(result.domain);
}
