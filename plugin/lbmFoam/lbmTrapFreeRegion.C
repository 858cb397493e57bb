// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmTrapFreeRegion.H"

#include <cfenv>
#include <omp.h>

int Foam::lbmTrapFreeRegion::count(const int threads)
{
    return threads > 0 ? threads : omp_get_max_threads();
}


Foam::lbmTrapFreeRegion::lbmTrapFreeRegion(const int threads)
:
    trapped_(fegetexcept())
{
    #pragma omp parallel num_threads(count(threads))
    fedisableexcept(FE_ALL_EXCEPT);
}


Foam::lbmTrapFreeRegion::~lbmTrapFreeRegion()
{
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(trapped_);
}
