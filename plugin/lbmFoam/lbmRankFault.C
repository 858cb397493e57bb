// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmRankFault.H"
#include "lbm/api/Ranks.hpp"
#include "plugin/common/lbmProgram.H"

Foam::string Foam::lbmRankFault::words(const std::exception& fault)
{
    const string said(lbmProgram::words(fault));
    const bool elsewhere =
        dynamic_cast<const lbm::RankError*>(&fault)
     || dynamic_cast<const lbm::RankOutOfMemory*>(&fault);
    if (lbm::ranks() == 1 || elsewhere) return said;
    return lbm::placeOfRank() + ": " + said;
}
