// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCutStep.H"
#include "lbmWatchedSolver.H"

namespace
{

using namespace Foam;

using arrays = std::map<std::string, std::vector<double>>;
using links = lbmToldLinks;

const std::string ours("cutStep.");
const std::string beginName(ours + "begin");
const std::string deltaTName(ours + "deltaT");
const std::string madeName(ours + "made");
const std::string linksName(ours + "links.");

// Behind the mesh's patches comes that of lbmFluidLinks
std::string linksOf(const fvMesh& mesh, const int patchi)
{
    return linksName
      + (
            patchi < mesh.boundary().size()
          ? mesh.boundary()[patchi].name() : lbmFluidLinks::name
        );
}


template<class Item>
bool isOurs(const Item& item)
{
    return item.first.compare(0, ours.size(), ours) == 0;
}


template<class Field>
std::string nameOf(const Field& field, const label patchi)
{
    const fvPatch& patch = field.mesh().boundary()[patchi];
    return ours + field.name() + "." + patch.name();
}


template<class Field>
void noteValues(const Field& field, arrays& notes)
{
    forAll(field.boundaryField(), patchi)
    {
        std::vector<double>& values = notes[nameOf(field, patchi)];
        for (const auto& value : field.boundaryField()[patchi])
        {
            for (direction d = 0; d < pTraits<typename Field::value_type>::nComponents; ++d)
            {
                values.push_back(component(value, d));
            }
        }
    }
}


template<class Field>
bool valuesFit(const Field& field, const arrays& notes)
{
    forAll(field.boundaryField(), patchi)
    {
        const auto found = notes.find(nameOf(field, patchi));
        const std::size_t n = field.boundaryField()[patchi].size()
           *pTraits<typename Field::value_type>::nComponents;
        if (found == notes.end() || found->second.size() != n) return false;
    }
    return true;
}


template<class Field>
void setValues(Field& field, const arrays& notes)
{
    using Type = typename Field::value_type;
    forAll(field.boundaryField(), patchi)
    {
        auto& patch = field.boundaryFieldRef()[patchi];
        const double* from = notes.at(nameOf(field, patchi)).data();
        Foam::Field<Type> values(patch.size());
        for (Type& value : values)
        {
            for (direction d = 0; d < pTraits<Type>::nComponents; ++d)
            {
                setComponent(value, d) = *from++;
            }
        }
        patch == values;
    }
}


// What conditions keep of the time before is theirs to have or not
template<class Field>
void noteWithOld(const Field& field, arrays& notes)
{
    noteValues(field, notes);
    if (field.nOldTimes()) noteValues(field.oldTime(), notes);
}


template<class Field>
bool fitWithOld(const Field& field, const arrays& notes)
{
    return valuesFit(field, notes)
        && (!field.nOldTimes() || valuesFit(field.oldTime(), notes));
}


template<class Field>
void setWithOld(Field& field, const arrays& notes)
{
    setValues(field, notes);
    if (field.nOldTimes()) setValues(field.oldTime(), notes);
}

} // End anonymous namespace


Foam::lbmCutStep::lbmCutStep(const lbm::CheckpointNotes& checkpoint)
{
    for (const auto& item : checkpoint.numbers)
    {
        if (isOurs(item)) notes_.numbers.insert(item);
    }
    for (const auto& item : checkpoint.arrays)
    {
        if (isOurs(item)) notes_.arrays.insert(item);
    }
}


Foam::scalar Foam::lbmCutStep::begin() const
{
    return notes_.numbers.at(beginName);
}


Foam::scalar Foam::lbmCutStep::deltaT() const
{
    return notes_.numbers.at(deltaTName);
}


Foam::label Foam::lbmCutStep::made() const
{
    return any() ? label(notes_.numbers.at(madeName)) : 0;
}


void Foam::lbmCutStep::cut
(
    const scalar begin,
    const scalar deltaT,
    const label made,
    const volVectorField& U,
    const volScalarField& p,
    const lbmWatchedSolver& solver
)
{
    notes_.numbers[beginName] = begin;
    notes_.numbers[deltaTName] = deltaT;
    notes_.numbers[madeName] = made;
    notes_.arrays.clear();
    noteWithOld(U, notes_.arrays);
    noteWithOld(p, notes_.arrays);
    for (const auto& patch : solver.told())
    {
        notes_.arrays[linksOf(U.mesh(), patch.first)] = patch.second.all();
    }
}


void Foam::lbmCutStep::note(lbm::CheckpointNotes& checkpoint) const
{
    checkpoint.numbers.insert(notes_.numbers.begin(), notes_.numbers.end());
    checkpoint.arrays.insert(notes_.arrays.begin(), notes_.arrays.end());
}


bool Foam::lbmCutStep::restore
(
    volVectorField& U,
    volScalarField& p,
    lbmWatchedSolver& solver
) const
{
    const arrays& notes = notes_.arrays;
    bool fits = fitWithOld(U, notes) && fitWithOld(p, notes);
    for (const auto& patch : solver.told())
    {
        const auto found = notes.find(linksOf(U.mesh(), patch.first));
        fits = fits && found != notes.end()
            && found->second.size() == links::numbers*patch.second.size();
    }
    if (!fits) return false;

    setWithOld(U, notes);
    setWithOld(p, notes);
    // Its own list changes while it is told
    std::vector<int> patches;
    for (const auto& patch : solver.told()) patches.push_back(patch.first);
    for (const int patchi : patches)
    {
        const auto values = links::links(notes.at(linksOf(U.mesh(), patchi)));
        solver.setBoundary(patchi, values.data(), values.size());
    }
    return true;
}
