// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmSettings.H"
#include "lbmRun.H"
#include "lbm/api/Storage.hpp"

#include <charconv>

namespace
{

using namespace Foam;

const std::string prefix("setting.");

// The shortest text that reads back as the same number
std::string text(const scalar value)
{
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value);
    return std::string(digits, end.ptr);
}


std::string text(const vector& v)
{
    return '(' + text(v.x()) + ' ' + text(v.y()) + ' ' + text(v.z()) + ')';
}


std::string text(const lbm::WallScheme scheme)
{
    switch (scheme)
    {
        case lbm::WallScheme::quadratic: return "quadratic";
        case lbm::WallScheme::linear: return "linear";
        case lbm::WallScheme::local: return "local";
        case lbm::WallScheme::slipping: return "slipping";
    }
    return std::string();
}


// Of a wall: where it lies; of an opening: how it treats sound
std::string text(const lbm::LinkValue& value)
{
    switch (value.kind)
    {
        case lbm::BoundaryKind::wall:
        case lbm::BoundaryKind::movingWall:
            return "a half-way wall";
        case lbm::BoundaryKind::interpolatedWall:
            return "an interpolated wall, " + text(value.scheme);
        case lbm::BoundaryKind::slip:
            return "a plane of slip";
        case lbm::BoundaryKind::shear:
            return "a wall with a law";
        default:
            return value.velocityGradient ? "an opening, velocityGradient"
              : value.recovery > 0 ? "an opening, nonReflecting"
              : "an opening, reflecting";
    }
}

// The fluid's entries by their own names
void describe(const lbmViscosity& viscosity, lbmSettings::table& now)
{
    const lbm::ClosureDescriptor& closure = viscosity.closure();
    now["viscosity model"] = closure.name;
    if (!viscosity.ofShearRate()) now["nu"] = text(viscosity.nu(0));
    for (int i = 0; i < closure.coefficients; ++i)
    {
        now["coefficient " + std::string(closure.coefficient[i].name)] =
            text(viscosity.coefficients()[i]);
    }
}

} // End anonymous namespace


Foam::lbmSettings::table Foam::lbmSettings::present(const lbmRun& run)
{
    const lbm::KernelRow& row = run.solver_->row();
    const scalar dt = run.timeStepSeconds()/run.substeps_;
    table now =
    {
        {"collision", row.collision},
        {"precision", row.precision},
        {"arithmetic", row.arithmetic},
        {"device", row.device},
        {"storage", lbm::storesMoments(row) ? row.storage : "of populations"},
        {"magic", text(run.config_.magic)},
        {"force", text(run.controls_.force())},
        {"lattice time step", text(dt)}
    };
    if (lbm::foundAround(run.config_).strain)
    {
        now["sigma"] = text(run.config_.sigma);
    }
    now["sponge"] = run.spongeZone_->settings();
    if (run.buoyancy_)
    {
        now["temperature"] = run.temperatureOnLattice() ? "on the lattice" : "on the mesh";
    }
    describe(run.viscosity_, now);
    for (label i = 0; run.zones_ && i < run.zones_->size(); ++i)
    {
        now["rotation of zone " + run.zones_->name(i)] = text(run.zones_->omega(i));
    }
    forAll(run.mesh_.boundary(), patchi)
    {
        if (polyPatch::constraintType(run.mesh_.boundary()[patchi].type()))
        {
            continue;
        }
        now["patch " + run.mesh_.boundary()[patchi].name()] =
            text(run.config_.patches[patchi]);
    }
    return now;
}


void Foam::lbmSettings::note(const table& now, lbm::CheckpointNotes& notes)
{
    for (const auto& [name, value] : now) notes.texts[prefix + name] = value;
}


std::string Foam::lbmSettings::noted
(
    const lbm::CheckpointNotes& notes,
    const std::string& name
)
{
    const auto found = notes.texts.find(prefix + name);
    return found == notes.texts.end() ? std::string() : found->second;
}


std::vector<std::string> Foam::lbmSettings::changes
(
    const lbm::CheckpointNotes& notes,
    const table& now
)
{
    std::vector<std::string> list;
    for (const auto& [name, value] : now)
    {
        const auto before = notes.texts.find(prefix + name);
        if (before == notes.texts.end())
        {
            list.push_back(name + " was not noted, is " + value);
        }
        else if (before->second != value)
        {
            list.push_back(name + " was " + before->second + ", is " + value);
        }
    }
    return list;
}
