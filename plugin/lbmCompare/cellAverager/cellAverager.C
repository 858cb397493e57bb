// Part of lbmFoam, GPL-3.0-or-later.

#include "cellAverager.H"

Foam::cellAverager::cellAverager(const fvMesh& fine, const fvMesh& coarse)
:
    overlap_
    (
        fine,
        coarse,
        meshToMesh::interpolationMethod::imCellVolumeWeight,
        HashTable<word>(),      // cells alone, no patches
        wordList()
    )
{}
