// Part of lbmFoam, GPL-3.0-or-later.

#include "fieldSampler.H"

Foam::fieldSampler::fieldSampler(const fvMesh& mesh, const pointField& points)
:
    points_(points),
    cells_(points.size(), -1)
{
    const boundBox& box = mesh.bounds();
    const Vector<label>& geometric = mesh.geometricD();

    forAll(points_, i)
    {
        for (direction d = 0; d < vector::nComponents; ++d)
        {
            if (geometric[d] < 0) points_[i][d] = box.midpoint()[d];
        }
        if (box.contains(points_[i]))
        {
            cells_[i] = mesh.findCell(points_[i]);
        }
    }
}
