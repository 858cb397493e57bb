// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmControls.H"
#include "namedFile.H"
#include "documentedDict.H"
#include "Time.H"
#include "HashSet.H"
#include "OSspecific.H"
#include "lbm/api/Ranks.hpp"
#include "lbm/api/Collision.hpp"
#include "lbm/api/Storage.hpp"
#include "lbm/api/Solver.hpp"
#include "lbm/model/Prediction.hpp"
#include "lbm/api/Threads.hpp"

#include <omp.h>

#include <cstring>

const Foam::scalar Foam::lbmControls::machLimit = 0.3;
const Foam::scalar Foam::lbmControls::machOfAll = 0.1;
const Foam::scalar Foam::lbmControls::machOfAveraged = 0.2;
const Foam::scalar Foam::lbmControls::tauOfAll = 1;
const Foam::scalar Foam::lbmControls::tauOfElastic = 0.6;

// Walls are felt further off the larger it is: U of OpenFOAM's cavity on 20 cells
// differs from that with 1/4 by 4 % with 1/2, 9 % with 1, 42 % with 10
const Foam::scalar Foam::lbmControls::magicLimit = 1;

const Foam::Enum<Foam::lbmControls::startFlowType>
Foam::lbmControls::startFlowNames
({
    { startFlowType::automatic, "automatic" },
    { startFlowType::given, "given" },
    { startFlowType::divergenceFree, "divergenceFree" },
});

const Foam::Enum<Foam::lbmControls::checkpointType>
Foam::lbmControls::checkpointNames
({
    { checkpointType::none, "none" },
    { checkpointType::latest, "latest" },
    { checkpointType::all, "all" },
});

const Foam::Enum<Foam::lbmControls::turbulencePlace>
Foam::lbmControls::turbulencePlaceNames
({
    { turbulencePlace::lattice, "lattice" },
    { turbulencePlace::mesh, "mesh" },
});

const Foam::Enum<Foam::lbmControls::temperaturePlace>
Foam::lbmControls::temperaturePlaceNames
({
    { temperaturePlace::lattice, "lattice" },
    { temperaturePlace::mesh, "mesh" },
});

const Foam::Enum<Foam::lbmControls::restartType>
Foam::lbmControls::restartNames
({
    { restartType::automatic, "automatic" },
    { restartType::checkpoint, "checkpoint" },
    { restartType::fields, "fields" },
});

const Foam::Enum<Foam::lbmControls::wallType> Foam::lbmControls::wallNames
({
    { wallType::automatic, "automatic" },
    { wallType::halfway, "halfway" },
    { wallType::interpolated, "interpolated" },
    { wallType::quadratic, "quadratic" },
    { wallType::linear, "linear" },
    { wallType::local, "local" },
});

const Foam::Enum<Foam::lbmControls::openingType>
Foam::lbmControls::openingNames
({
    { openingType::reflecting, "reflecting" },
    { openingType::nonReflecting, "nonReflecting" },
    { openingType::velocityGradient, "velocityGradient" },
});

const Foam::Enum<Foam::lbmControls::spongeUse> Foam::lbmControls::spongeNames
({
    { spongeUse::automatic, "automatic" },
    { spongeUse::on, "on" },
    { spongeUse::off, "off" },
});

namespace
{
    // Of cases with a turbulence model that name no collision: the first that this
    // build has with their other entries
    const Foam::lbmControls::latticeChoice robust[] =
    {
        {"D3Q27", "cumulant"},
        {"D3Q19", "regularized"},
        {"D2Q9", "regularized"}
    };

    // Of cases whose eddies follow the velocity gradient, and that name none:
    // moments have the velocities around a node at hand. These eddies leave no viscosity
    // where the flow is even: with regularized, streams past a cylinder (Re 3900) and an
    // Ahmed body diverged between inlet and sides, far from the body
    // (lbm/bench/results/turbulence.md)
    const struct { const char* storage; const char* collision; } around[] =
    {
        {"moments", "hybridRegularized"},
        {"moments", "regularized"}
    };

    // Likewise beside walls with a law link by link, which measures what its links take
    const Foam::lbmControls::latticeChoice besideLaw[] =
    {
        {"D3Q19", "hybridRegularized"},
        {"D3Q27", "hybridRegularized"},
        {"D2Q9", "hybridRegularized"},
        {"D3Q19", "regularized"},
        {"D2Q9", "regularized"}
    };

    // It is recursion that keeps streams from ringing. A channel of 10 nodes a half height
    // with k-epsilon has 0.7 % less flow than with regularized with differences of 2 %,
    // 0.1 % less with these (pimpleFoam 0.05 %), and a laminar one at a grid Reynolds number
    // of 90 loses 1.04 of what pimpleFoam says in place of 1.10
    const double sigmaAgainstRings = 0.998;

    // In even streams (lbmSafety)
    const char* const noiseGrows = "regularized";

    // Closure whose kernels have forces by node; rates are what all nodes have
    const char* const byNode = "nodeField";

    // Of cases with empty patches that name none
    const char* const flatLattice = "D2Q9";

    // In this build
    bool inThisBuild(const lbm::Config& config)
    {
        try
        {
            lbm::findKernel(config);
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
        return true;
    }
}


Foam::IOobject Foam::lbmControls::file(const Time& runTime)
{
    IOobject io
    (
        "lbmDict",
        runTime.system(),
        runTime,
        IOobject::MUST_READ,
        IOobject::NO_WRITE
    );
    // Not READ_IF_PRESENT, which passes over a file without a header
    if (!isFile(io.objectPath()))
    {
        io.readOpt() = IOobject::NO_READ;
        Info<< "No " << runTime.system()/io.name()
            << ": all its entries have their defaults" << nl << endl;
    }
    return io;
}


Foam::lbmControls::lbmControls(const Time& runTime)
:
    dict_(namedFile::contents(file(runTime))),
    averaged_(false),
    elastic_(false)
{
    checkKeys();
    const int most = threads();
    if (most > 0) omp_set_num_threads(most);
}


Foam::scalar Foam::lbmControls::positive(const word& key) const
{
    const scalar value = entries().get<scalar>(dict_, key);
    if (!(value > 0 && value < GREAT))
    {
        FatalIOErrorInFunction(dict_)
            << "Entry " << key << " is " << value << "; it must be a positive"
            << " number"
            << exit(FatalIOError);
    }
    return value;
}


Foam::scalar Foam::lbmControls::positiveOrZero(const word& key) const
{
    return dict_.found(key) ? positive(key) : 0;
}


Foam::word Foam::lbmControls::text(const word& key) const
{
    return entries().get<word>(dict_, key);
}


Foam::word Foam::lbmControls::text
(
    const word& key,
    const std::string& fallback
) const
{
    return dict_.found(key) ? text(key) : word(fallback);
}


void Foam::lbmControls::refuseWithClosure
(
    const lbm::Config& c,
    const std::string& wanted
) const
{
    lbm::Config uniform(c);
    uniform.closure = std::string(lbm::uniformClosure().name);
    if (c.closure == uniform.closure || !inThisBuild(uniform)) return;

    // One entry changed, each word once; nothing where two are in the way
    HashSet<string> changes;
    const auto propose =
    [&]
    (
        const char* key,
        std::string lbm::Config::* entry,
        std::string lbm::KernelRow::* word
    )
    {
        for (const lbm::KernelRow& row : lbm::kernels())
        {
            lbm::Config other(c);
            other.*entry = row.*word;
            if (inThisBuild(other)) changes.insert(key + row.*word + ';');
        }
    };
    propose("collision ", &lbm::Config::collision, &lbm::KernelRow::collision);
    propose("storage ", &lbm::Config::storage, &lbm::KernelRow::storage);
    propose("precision ", &lbm::Config::precision, &lbm::KernelRow::precision);

    FatalIOErrorInFunction(dict_)
        << wanted.c_str() << ", which this build does not have for " << c.lattice.c_str() << ' '
        << c.collision.c_str() << ' ' << c.storage.c_str() << ' '
        << c.precision.c_str() << ' ' << c.device.c_str() << nl
        << "What would mend it, in system/lbmDict:" << nl;
    for (const string& change : changes.sortedToc())
    {
        FatalIOError << "    " << change.c_str() << nl;
    }
    if (changes.empty())
    {
        FatalIOError
            << "    entries of one of its kernels, see lbmFoam -listKernels"
            << nl;
    }
    FatalIOError << exit(FatalIOError);
}


void Foam::lbmControls::askForNodeForces(lbm::Config& c) const
{
    c.nodeForces = true;
    if (c.closure == lbm::uniformClosure().name) c.closure = byNode;
    try
    {
        lbm::findKernel(c);
    }
    catch (const std::invalid_argument& fault)
    {
        refuseWithClosure
        (
            c,
            "Sources of the case (fvOptions, porosityProperties) give forces"
            " that differ from node to node"
        );
        FatalIOErrorInFunction(dict_) << fault.what() << exit(FatalIOError);
    }
}


// False if this build, the dimensions or the case's own lattice are against it
bool Foam::lbmControls::choose
(
    const latticeChoice& choice,
    lbm::Config& c,
    const label dimensions
) const
{
    if (dict_.found("lattice") && c.lattice != choice.lattice) return false;
    lbm::Config other(c);
    other.lattice = choice.lattice;
    other.collision = choice.collision;
    if (lbm::latticeDimensions(other.lattice) != dimensions) return false;
    bool built = inThisBuild(other);
    if (storageIsFree())
    {
        // Velocities around nodes are at hand where moments are stored
        const bool looks = lbm::foundAround(other).any();
        const auto rows = lbm::model::storagesFor(other);
        built = std::any_of(rows.begin(), rows.end(), [&](const auto& row)
        {
            return !looks || lbm::storesMoments(row);
        });
    }
    if (built) c = other;
    return built;
}


void Foam::lbmControls::chooseRobust
(
    lbm::Config& c,
    const label dimensions
) const
{
    // Chosen already (config), if it was built
    for (const auto& choice : around)
    {
        if (lbm::foundAround(c).any() && c.collision == choice.collision) return;
    }
    for (const auto& choice : robust)
    {
        if (choose(choice, c, dimensions)) return;
    }
}


bool Foam::lbmControls::mayHaveCumulants() const
{
    const latticeChoice& cumulants = robust[0];
    lbm::Config c;
    c.closure = byNode;
    c.lattice = text("lattice", cumulants.lattice);
    c.collision = text("collision", cumulants.collision);
    c.equilibrium = text("equilibrium");
    c.precision = text("precision");
    c.device = text("device");
    c.arithmetic = text("arithmetic", c.arithmetic);
    if (c.lattice != cumulants.lattice || c.collision != cumulants.collision) return false;
    if (storageIsFree()) return lbm::model::storagesFor(c).size();
    c.storage = text("storage");
    return inThisBuild(c);
}


bool Foam::lbmControls::chooseGuarded
(
    lbm::Config& c,
    const label dimensions,
    const word& closure
) const
{
    lbm::Config other(c);
    other.closure = closure;
    for (const auto& choice : robust)
    {
        if (!choose(choice, other, dimensions)) continue;
        c = other;
        return true;
    }
    return false;
}


bool Foam::lbmControls::take
(
    const std::string& storage,
    const std::string& collision,
    lbm::Config& c
) const
{
    lbm::Config other(c);
    if (!dict_.found("collision")) other.collision = collision;
    if (!dict_.found("storage")) other.storage = storage;
    const bool built = storageIsFree()
      ? lbm::model::storagesFor(other).size() : inThisBuild(other);
    if (built) c = other;
    return built;
}


bool Foam::lbmControls::chooseForStream(lbm::Config& c) const
{
    if (c.collision != noiseGrows) return false;
    return take(around[0].storage, around[0].collision, c)
        && c.collision != noiseGrows;
}


bool Foam::lbmControls::chooseAgainstRings
(
    lbm::Config& c,
    const std::string& noted
) const
{
    if (!chooseForStream(c)) return false;
    if (dict_.found("sigma")) return true;
    c.sigma = noted.empty() ? sigmaAgainstRings : std::stod(noted);
    return true;
}


void Foam::lbmControls::chooseCalm
(
    lbm::Config& c,
    const label dimensions,
    const std::string& noted
) const
{
    for (const auto& choice : robust)
    {
        lbm::Config other(c);
        if (choice.collision != noiseGrows || !choose(choice, other, dimensions)) continue;
        if (chooseAgainstRings(other, noted)) c = other;
        return;
    }
}


bool Foam::lbmControls::chooseFloat(lbm::Config& c) const
{
    const bool looked = c.collision == "regularized" || c.collision == "hybridRegularized";
    if (dict_.found("precision") || !looked) return false;
    if (!lbm::isOnHost(lbm::findKernel(c))) return false;
    lbm::Config other(c);
    other.precision = "float";
    const bool built = storageIsFree()
      ? lbm::model::storagesFor(other).size() : inThisBuild(other);
    if (built) c = other;
    return built;
}


void Foam::lbmControls::chooseBesideLaw
(
    lbm::Config& c,
    const label dimensions
) const
{
    for (const auto& choice : besideLaw)
    {
        if (choose(choice, c, dimensions)) return;
    }
}


void Foam::lbmControls::chooseBesideSlip
(
    lbm::Config& c,
    const label dimensions
) const
{
    // Of the stress that differences at walls give hybridRegularized two per cent are
    // many times the friction there
    const auto isUnfit = [](const std::string& collision)
    {
        return collision.compare(0, std::strlen("cumulant"), "cumulant") == 0
            || collision == "hybridRegularized";
    };
    if (!isUnfit(c.collision)) return;
    if (collisionIsFree())
    {
        for (const auto& choice : robust)
        {
            if (isUnfit(choice.collision)) continue;
            if (choose(choice, c, dimensions)) return;
        }
    }
    WarningInFunction
        << "Beside walls with a wall function that lie oblique to the axes"
        << " cumulants ring, and hybridRegularized has several times the law's"
        << " friction: collision is " << c.collision << ", regularized (on D3Q19,"
        << " D2Q9) would suit" << endl;
}


int Foam::lbmControls::threads() const
{
    const int given = entries().get<label>(dict_, "threads");
    try
    {
        lbm::checkThreads(given, "Entry threads");
    }
    catch (const std::invalid_argument& fault)
    {
        FatalIOErrorInFunction(dict_) << fault.what() << exit(FatalIOError);
    }
    // Each rank has a processor of its own, as OpenFOAM takes it
    const bool alone =
        lbm::ranks() > 1 && given == 0 && !env("OMP_NUM_THREADS");
    return alone ? 1 : given;
}


lbm::Config Foam::lbmControls::config
(
    const label dimensions,
    const lbm::ClosureDescriptor& closure
) const
{
    lbm::Config c;
    c.closure = std::string(closure.name);
    c.lattice = text("lattice", dimensions == 2 ? flatLattice : c.lattice);
    c.collision = text("collision");
    c.equilibrium = text("equilibrium");
    if (!storageIsFree()) c.storage = text("storage");
    c.precision = text("precision");
    c.device = text("device");
    c.exchange = text("exchange");
    c.arithmetic = text("arithmetic", c.arithmetic);
    c.threads = threads();
    const word blocks(text("blocks"));
    if (blocks != "yes" && blocks != "no" && !blocksAreFree())
    {
        FatalIOErrorInFunction(dict_)
            << "Entry blocks is " << blocks << "; it must be auto, yes or no"
            << exit(FatalIOError);
    }
    c.blocks = blocks == "yes";
    c.parts = entries().get<label>(dict_, "parts");
    if (c.parts < 1)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry parts is " << c.parts << "; it must be 1 or more"
            << exit(FatalIOError);
    }

    if (lbm::ranks() > 1)
    {
        c.ranks = lbm::ranks();
        if (c.parts > 1 && c.parts % c.ranks != 0)
        {
            FatalIOErrorInFunction(dict_)
                << "Entry parts is " << c.parts << ", and " << c.ranks
                << " ranks share the lattice (-parallel), each with as many"
                << " parts: take a multiple of " << c.ranks << ", or leave it out"
                << exit(FatalIOError);
        }
        c.parts = max(c.parts, c.ranks);
    }

    c.sigma = positive("sigma");
    if (c.sigma > 1)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry sigma is " << c.sigma << "; it is the share of the"
            << " stress that populations bring, at most 1"
            << exit(FatalIOError);
    }
    c.deviceMemory = deviceMemory();

    if (dict_.found("tile"))
    {
        for (const label extent : documentedDict::list<labelList>(dict_, "tile"))
        {
            c.tile += (c.tile.empty() ? "" : "x") + std::to_string(extent);
        }
    }

    try
    {
        const std::string advice(lbm::threadAdvice(c.threads, "Entry threads"));
        if (advice.size()) Info<< advice.c_str() << nl << endl;

        if (lbm::foundAround(c).any())
        {
            for (const auto& choice : around)
            {
                if (take(choice.storage, choice.collision, c)) break;
            }
        }

        if (closure.byNode && !dict_.found("collision"))
        {
            chooseRobust(c, dimensions);
        }

        // Until the lattice is known, any storage that goes with the rest
        if (storageIsFree())
        {
            const auto rows = lbm::model::storagesFor(c);
            if (rows.size()) c.storage = rows.front().storage;
        }
        lbm::findKernel(c);
    }
    catch (const std::invalid_argument& fault)
    {
        refuseWithClosure
        (
            c,
            "The fluid's viscosity is of model " + c.closure
          + " (constant/transportProperties, turbulenceProperties)"
        );
        FatalIOErrorInFunction(dict_) << fault.what() << exit(FatalIOError);
    }

    const int own = lbm::latticeDimensions(c.lattice);
    if (own != dimensions)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry lattice is " << c.lattice << ", but the mesh has "
            << dimensions << " directions: "
            << (own == 2 ? c.lattice.c_str() : "a case with empty patches")
            << " needs "
            << (own == 2 ? "a case with empty patches" : flatLattice)
            << exit(FatalIOError);
    }
    return c;
}
