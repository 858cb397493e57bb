// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmLatticeLaw.H"

const Foam::label Foam::lbmLatticeLaw::interval = 10;


Foam::lbmLatticeLaw::lbmLatticeLaw
(
    lbm::Solver& solver,
    lbmBoundary& boundary,
    const lbm::Config& config,
    const std::vector<wall>& walls
)
:
    boundary_(boundary),
    dt_(0),
    conditions_(0)
{
    for (const wall& w : walls)
    {
        // A region that no face has is nobody's
        if (!boundary.kinds()[w.patchi].ofLinks) continue;
        walls_.push_back(w);
        const lbmPackedLabels& links = boundary.links(w.patchi);
        lbm::WallLawSetup setup;
        setup.patch = w.patchi;
        setup.normals = boundary.latticeNormals(w.patchi);
        setup.sides = boundary.latticeSides(w.patchi);
        for (const label linki : links)
        {
            setup.sticks.push_back(boundary.unresolved(linki));
        }
        setup.kappa = w.kappa;
        setup.E = w.E;
        setup.patches = config.patches;
        setup.threads = config.threads;
        laws_.push_back(lbm::placeLaw(solver, setup));
        boundary_.setLaw(w.patchi, laws_.back().get());
    }
}


Foam::lbmLatticeLaw::~lbmLatticeLaw()
{
    for (const wall& w : walls_) boundary_.setLaw(w.patchi, nullptr);
}


// Walls keep their velocities until conditions are evaluated, or units change
void Foam::lbmLatticeLaw::setWalls(const lbmUnits& units)
{
    const bool same = dt_ == units.dt() && conditions_ == boundary_.evaluations();
    if (same) return;
    conditions_ = boundary_.evaluations();
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        if (dt_ > 0 && dt_ != units.dt()) laws_[i]->convert(units.dt()/dt_);
        laws_[i]->setWall(boundary_.latticeVelocities(walls_[i].patchi, units));
    }
    dt_ = units.dt();
}


Foam::scalar Foam::lbmLatticeLaw::viscosity(const lbmUnits& units)
{
    return units.viscosity().least(units.dx())*units.dt()/sqr(units.dx());
}


void Foam::lbmLatticeLaw::apply(const lbmUnits& units, const label steps)
{
    setWalls(units);
    for (const auto& law : laws_) law->update(viscosity(units), steps);
}


std::size_t Foam::lbmLatticeLaw::bytes() const
{
    std::size_t sum = 0;
    for (const auto& law : laws_) sum += law->bytes();
    return sum;
}


bool Foam::lbmLatticeLaw::onDevice() const
{
    return laws_.size() && laws_.front()->onDevice();
}


void Foam::lbmLatticeLaw::report(const lbmUnits& units) const
{
    const scalar nu = viscosity(units);
    scalar links = 0, onDevice = 0, yPlus = 0, clipped = 0, least = GREAT, most = 0;
    for (const auto& law : laws_)
    {
        const lbm::WallLaw::Report r(law->report(nu));
        const scalar n = law->size();
        if (!(n > 0)) continue;
        links += n;
        if (law->onDevice()) onDevice += n;
        yPlus += n*r.yPlus;
        clipped += n*r.clipped;
        least = min(least, r.yPlus);
        most = max(most, r.yPlus);
    }
    if (!(links > 0)) return;
    Info<< "wall law: sampled at y+ " << yPlus/links << " (means of patches "
        << least << " to " << most << "), at " << 100*clipped/links
        << " % of " << label(links) << " links it would turn the flow round; followed by the "
        << (onDevice < links ? "host" : "device") << nl;
}


std::string Foam::lbmLatticeLaw::noteName(const std::size_t i) const
{
    return "latticeLaw." + boundary_.patchName(walls_[i].patchi);
}


void Foam::lbmLatticeLaw::note(lbm::CheckpointNotes& notes) const
{
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        std::vector<double> state(laws_[i]->state());
        if (state.size()) notes.arrays[noteName(i)] = std::move(state);
    }
}


void Foam::lbmLatticeLaw::recall
(
    const lbm::CheckpointNotes& notes,
    const lbmUnits& units,
    const fileName& file
)
{
    setWalls(units);
    wordList anew, balances;
    for (std::size_t i = 0; i < laws_.size(); ++i)
    {
        if (!laws_[i]->size()) continue;
        const std::size_t ofLinks = lbm::WallLaw::linksStateSize(laws_[i]->size());
        const auto found = notes.arrays.find(noteName(i));
        const std::size_t size = found == notes.arrays.end() ? 0 : found->second.size();
        if (size > ofLinks && (size - ofLinks) % lbm::wallLags::count == 0)
        {
            // Checkpoints of before have walls in one piece: what it lets through begins anew
            std::vector<double> state(found->second);
            const std::size_t wanted =
                lbm::WallLaw::stateSize(laws_[i]->size(), laws_[i]->pieces());
            if (state.size() != wanted)
            {
                state.resize(ofLinks);
                state.resize(wanted, 0);
                balances.append(boundary_.patchName(walls_[i].patchi));
            }
            laws_[i]->setState(state);
        }
        else anew.append(boundary_.patchName(walls_[i].patchi));
    }
    if (balances.size())
    {
        WarningInFunction
            << "Checkpoint " << file << " has walls in other pieces at " << flatOutput(balances)
            << ": what these let through is counted anew" << endl;
    }
    if (anew.empty()) return;
    WarningInFunction
        << "Checkpoint " << file << " has no state of this version's wall law at "
        << flatOutput(anew) << ": stresses and slip there begin anew" << endl;
}
