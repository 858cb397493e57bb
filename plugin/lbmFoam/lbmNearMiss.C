// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmNearMiss.H"
#include "dictionary.H"
#include "IFstream.H"
#include "namedFile.H"
#include "OSspecific.H"
#include "lbm/api/Closure.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>
#include <vector>

namespace Foam
{
namespace
{

// What Time, its dictionaries of switches, and OpenFOAM's solvers read
const wordList controlKeys
({
    "FoamFile", "application", "libs", "functions", "regions",
    "startFrom", "startTime", "stopAt", "endTime",
    "deltaT", "adjustTimeStep", "maxCo", "maxDeltaT", "maxAlphaCo", "maxDi",
    "writeControl", "writeInterval", "writeFrequency", "purgeWrite",
    "writeFormat", "writePrecision", "writeVersion", "writeCompression",
    "timeFormat", "timePrecision", "graphFormat", "runTimeModifiable",
    "profiling", "DebugSwitches", "InfoSwitches", "OptimisationSwitches",
    "DimensionedConstants", "DimensionSets"
});

const wordList schemeKeys
({
    "FoamFile", "ddtSchemes", "d2dt2Schemes", "interpolationSchemes",
    "divSchemes", "gradSchemes", "snGradSchemes", "laplacianSchemes",
    "fluxRequired", "wallDist"
});

const wordList ddtKeys({"default"});

// Those of OpenFOAM's viscosity models, whose entries may lie in the file itself
wordList transportKeys()
{
    wordList keys({"FoamFile", "transportModel", "nu"});
    for (const lbm::ClosureDescriptor& closure : lbm::closureDescriptors)
    {
        if (!closure.ofShearRate()) continue;
        keys.append(word(std::string(closure.name) + "Coeffs"));
        for (int i = 0; i < closure.coefficients; ++i)
        {
            keys.append(word(std::string(closure.coefficient[i].name)));
        }
    }
    return keys;
}

const wordList turbulenceKeys
({
    "FoamFile", "simulationType", "laminar", "LES", "RAS"
});

// Of models that live on the lattice
const wordList eddyKeys
({
    "LESModel", "turbulence", "printCoeffs", "delta", "cubeRootVolCoeffs",
    "SmagorinskyCoeffs", "WALECoeffs", "VremanCoeffs", "QRCoeffs", "Ck", "Ce",
    "Cw", "c", "deltaCoeff", "kMin"
});

// Letters that may differ: one in four of the keyword's, and no more than two
const label fewest = 4;
const label mostDifferent = 2;


char lower(const char c)
{
    return char(std::tolower(static_cast<unsigned char>(c)));
}


// How many letters are to be put in, taken out, changed, or swapped with their
// neighbour (Damerau 1964, each letter once); large and small ones are the same
label distance(const word& a, const word& b)
{
    std::vector<label> before, above(b.size() + 1), row(b.size() + 1);
    std::iota(above.begin(), above.end(), label(0));
    for (std::size_t i = 1; i <= a.size(); ++i)
    {
        row[0] = label(i);
        for (std::size_t j = 1; j <= b.size(); ++j)
        {
            const char here = lower(a[i - 1]), there = lower(b[j - 1]);
            row[j] = std::min
            ({
                above[j - 1] + (here != there), above[j] + 1, row[j - 1] + 1
            });
            if
            (
                i > 1 && j > 1
             && here == lower(b[j - 2]) && there == lower(a[i - 2])
            )
            {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before = std::exchange(above, row);
    }
    return above.back();
}


void tellOf(const fileName& file, const dictionary& dict, const wordList& known)
{
    for (const entry& e : dict)
    {
        if (e.keyword().isPattern()) continue;
        const word other(lbmNearMiss::meant(e.keyword(), known));
        if (other.empty()) continue;
        Info<< file.c_str() << ": nothing reads the entry " << e.keyword()
            << "; is " << other << " meant?" << nl << endl;
    }
}


dictionary contents(const fileName& file)
{
    if (!isFile(file)) return dictionary();
    IFstream is(file);
    return namedFile::read(file, [&]{ return dictionary(is); });
}

} // End anonymous namespace
} // End namespace Foam


Foam::word Foam::lbmNearMiss::meant(const word& keyword, const wordList& known)
{
    if (known.found(keyword)) return word::null;
    const label most = min(mostDifferent, label(keyword.size())/fewest);
    word nearest;
    label least = most + 1;
    for (const word& other : known)
    {
        const label d = distance(keyword, other);
        if (d >= least) continue;
        least = d;
        nearest = other;
    }
    return nearest;
}


void Foam::lbmNearMiss::tell(const fileName& casePath)
{
    const fileName control(casePath/"system"/"controlDict");
    tellOf(control, contents(control), controlKeys);

    const fileName schemes(casePath/"system"/"fvSchemes");
    const dictionary dict(contents(schemes));
    tellOf(schemes, dict, schemeKeys);
    tellOf(schemes, dict.subOrEmptyDict("ddtSchemes"), ddtKeys);

    const fileName transport(casePath/"constant"/"transportProperties");
    tellOf(transport, contents(transport), transportKeys());

    const fileName turbulence(casePath/"constant"/"turbulenceProperties");
    const dictionary models(contents(turbulence));
    tellOf(turbulence, models, turbulenceKeys);
    tellOf(turbulence, models.subOrEmptyDict("LES"), eddyKeys);
}
