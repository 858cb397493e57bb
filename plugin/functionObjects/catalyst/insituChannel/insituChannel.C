// Part of lbmFoam, GPL-3.0-or-later.

#include "insituChannel.H"
#include "latticeBoxChannel.H"
#include "latticeChannel.H"
#include "latticePiecesChannel.H"
#include "meshChannel.H"
#include "wallChannel.H"
#include "lbmLattice.H"
#include "Time.H"
#include "lbm/api/Ranks.hpp"


Foam::insituChannel::insituChannel
(
    const word& name,
    const fvMesh& mesh,
    const dictionary& dict,
    const List<string>& scripts
)
:
    name_(name),
    mesh_(mesh),
    dict_(dict),
    chosen_(dict.getOrDefault<wordRes>("fields", wordRes())),
    scripts_(scripts)
{}


Foam::autoPtr<Foam::insituChannel> Foam::insituChannel::New
(
    const word& name,
    const Time& runTime,
    const dictionary& dict,
    const List<string>& scripts,
    const bool ghosts
)
{
    const word region
    (
        dict.getOrDefault<word>("region", polyMesh::defaultRegion)
    );
    if (!runTime.foundObject<fvMesh>(region))
    {
        FatalIOErrorInFunction(dict)
            << "Entry region: no mesh " << region << "; there are "
            << runTime.sortedNames<fvMesh>() << exit(FatalIOError);
    }
    const fvMesh& mesh = runTime.lookupObject<fvMesh>(region);
    const bool onLattice = mesh.foundObject<lbmLattice>(lbmLattice::typeName);

    const word type(dict.getOrDefault<word>("type", "default"));
    if (type == "lattice" || (type == "default" && onLattice))
    {
        if (latticeView::asked(dict))
        {
            return autoPtr<insituChannel>
            (
                new latticeBoxChannel(name, mesh, dict, scripts)
            );
        }
        if (lbm::ranks() > 1)
        {
            return autoPtr<insituChannel>
            (
                new latticePiecesChannel(name, mesh, dict, scripts, ghosts)
            );
        }
        return autoPtr<insituChannel>
        (
            new latticeChannel(name, mesh, dict, scripts)
        );
    }
    if (type == "mesh" || type == "default")
    {
        return autoPtr<insituChannel>
        (
            new meshChannel(name, mesh, dict, scripts)
        );
    }
    if (type == "walls")
    {
        return autoPtr<insituChannel>
        (
            new wallChannel(name, mesh, dict, scripts)
        );
    }
    FatalIOErrorInFunction(dict)
        << "Entry type is " << type
        << "; valid are default, lattice (in lbmFoam), mesh and walls"
        << exit(FatalIOError);
    return nullptr;
}


bool Foam::insituChannel::mentions(const string& text, const word& name)
{
    return
        text.find('\'' + name + '\'') != string::npos
     || text.find('"' + name + '"') != string::npos;
}


Foam::wordList Foam::insituChannel::wanted(const wordList& available) const
{
    for (const wordRe& choice : chosen_)
    {
        if (!choice.isPattern() && !available.found(choice))
        {
            FatalIOErrorInFunction(dict_)
                << "Entry fields of " << name_ << ": no field " << choice
                << "; there are " << flatOutput(available)
                << exit(FatalIOError);
        }
    }
    DynamicList<word> names;
    for (const word& field : available)
    {
        bool asked = chosen_.size() && chosen_.match(field);
        if (chosen_.empty())
        {
            for (const string& text : scripts_)
            {
                if (mentions(text, field)) asked = true;
            }
        }
        if (asked) names.append(field);
    }
    return wordList(std::move(names));
}
