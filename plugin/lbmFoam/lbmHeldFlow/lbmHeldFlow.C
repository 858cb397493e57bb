// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmHeldFlow.H"

#include <algorithm>

namespace
{
    const std::string velocitiesNote("heldFlow.U");
    const std::string fluxesNote("heldFlow.phi");

    // act(values): of cells or inner faces, then of each patch
    template<class Field, class Act>
    void everywhere(Field& field, const Act& act)
    {
        act(field.primitiveFieldRef());
        for (auto& faces : field.boundaryFieldRef()) act(faces);
    }

    // The values of a field with those of a list, which has as many
    template<class Field, class Type>
    void exchangeWith(Field& field, std::vector<Type>& values)
    {
        auto next = values.begin();
        const auto part = [&](Foam::UList<Type>& there)
        {
            next = std::swap_ranges(there.begin(), there.end(), next);
        };
        everywhere(field, part);
    }

    template<class Field, class Type>
    void copy(Field& field, std::vector<Type>& values)
    {
        values.clear();
        const auto part = [&](const Foam::UList<Type>& there)
        {
            values.insert(values.end(), there.begin(), there.end());
        };
        everywhere(field, part);
    }

    template<class Field>
    std::size_t sizeOf(Field& field)
    {
        std::size_t n = 0;
        everywhere(field, [&](const auto& there) { n += there.size(); });
        return n;
    }
}


void Foam::lbmHeldFlow::hold()
{
    copy(U_, velocities_);
    copy(phi_, fluxes_);
}


void Foam::lbmHeldFlow::exchange()
{
    exchangeWith(U_, velocities_);
    exchangeWith(phi_, fluxes_);
}


void Foam::lbmHeldFlow::drop()
{
    velocities_.clear();
    fluxes_.clear();
}


void Foam::lbmHeldFlow::note(lbm::CheckpointNotes& notes) const
{
    if (!any()) return;
    std::vector<double>& values = notes.arrays[velocitiesNote];
    for (const vector& v : velocities_)
    {
        values.insert(values.end(), {v.x(), v.y(), v.z()});
    }
    notes.arrays[fluxesNote].assign(fluxes_.begin(), fluxes_.end());
}


void Foam::lbmHeldFlow::recall(const lbm::CheckpointNotes& notes)
{
    const auto U = notes.arrays.find(velocitiesNote);
    const auto phi = notes.arrays.find(fluxesNote);
    if (U == notes.arrays.end() || phi == notes.arrays.end()) return;
    const std::vector<double>& values = U->second;
    if (values.size() != 3*sizeOf(U_) || phi->second.size() != sizeOf(phi_)) return;
    for (std::size_t i = 0; i < values.size(); i += 3)
    {
        velocities_.push_back(vector(values[i], values[i + 1], values[i + 2]));
    }
    fluxes_.assign(phi->second.begin(), phi->second.end());
}
