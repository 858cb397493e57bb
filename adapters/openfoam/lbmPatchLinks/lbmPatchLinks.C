// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmPatchLinks.H"
#include "indexedOctree.H"
#include "mergePoints.H"
#include "SubField.H"
#include "treeDataFace.H"
#include "lbm/api/inParallel.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace
{

using namespace Foam;

// Determinant over squared sum of the normal equations below which places lie
// on a line; for those of a square it is a quarter
const scalar onLine = 1e-3;


// Of a link beyond a periodic plane: the place at the other side, where it
// goes on
lbm::Vec3 crossing(const lbm::Domain& domain, const lbm::Link& link)
{
    const lbm::Int3 node = domain.coordinates(link.node);
    const lbm::Int3 c = lbm::directionOf(link.direction);
    lbm::Vec3 x;
    for (int a = 0; a < 3; ++a)
    {
        x[a] = node[a] + double(link.fraction)*c[a];
        const double n = domain.size[a];
        if (domain.periodic[a]) x[a] -= n*std::floor((x[a] + 0.5)/n);
    }
    return x;
}


// Of each face the one that lies in the same place, the other side of a wall without
// thickness; -1: none. Sides may have points of their own: edges do not tell.
labelList otherSides(const polyPatch& patch)
{
    labelList result(patch.size(), -1);
    if (patch.empty()) return result;
    const pointField centres(patch.faceCentres());
    const vectorField areas(patch.faceAreas());
    const scalar near = 1e-6*Foam::sqrt(sum(mag(areas))/areas.size());

    // Points equally far from the origin are compared one by one: those of a
    // cylinder or plane are not from here
    const boundBox bounds(centres, false);
    const point origin
    (
        bounds.min() - cmptMultiply(bounds.span(), vector(0.2, 0.5, 0.9))
    );
    labelList place;
    const label places = mergePoints(centres, near, false, place, origin);
    if (places == patch.size()) return result;

    labelList first(places, -1);
    forAll(place, facei)
    {
        label& before = first[place[facei]];
        if (before < 0) before = facei;
        else
        {
            result[facei] = before;
            result[before] = facei;
        }
    }
    return result;
}


// Of a face and its other side, if any, the one that a link in this direction
// comes to from the fluid
label metBy
(
    const polyPatch& patch,
    const labelList& otherSide,
    const label facei,
    const vector& direction
)
{
    const bool away = (patch.faceAreas()[facei] & direction) < 0;
    return away && otherSide[facei] >= 0 ? otherSide[facei] : facei;
}


// Nearer than this share of a spacing counts as in the same place
const scalar samePlace = 1e-6;


// Faces of the patch that have the place on a common edge or point with this one;
// none if it lies within the face
labelList facesAt
(
    const polyPatch& patch,
    const label facei,
    const point& x,
    const scalar tolerance
)
{
    const pointField& points = patch.localPoints();
    for (const label edgei : patch.faceEdges()[facei])
    {
        const edge& e = patch.edges()[edgei];
        const point& a = points[e.start()];
        const vector along(points[e.end()] - a);
        const scalar length = mag(along);
        const scalar way =
            max(scalar(0), min(length, ((x - a) & along)/(length + VSMALL)));
        const point nearest(a + way/(length + VSMALL)*along);
        if (magSqr(x - nearest) >= sqr(tolerance)) continue;

        if (way < tolerance) return patch.pointFaces()[e.start()];
        if (length - way < tolerance) return patch.pointFaces()[e.end()];
        return patch.edgeFaces()[edgei];
    }
    return labelList();
}


// The faces that a link meets at x: the one found there and, on its edge, all
// others that hold the place. Which of them a search finds is chance, and a
// symmetric body's links would not be symmetric.
labelList metTogether
(
    const polyPatch& patch,
    const labelList& otherSide,
    const label found,
    const point& x,
    const vector& direction,
    const scalar tolerance
)
{
    DynamicList<label> met;
    for (const label facei : facesAt(patch, found, x, tolerance))
    {
        const label side = metBy(patch, otherSide, facei, direction);
        const vector normal(patch.faceNormals()[side]);
        const bool ahead = (normal & direction) > samePlace*mag(direction);
        if (ahead && !met.found(side)) met.append(side);
    }
    if (met.empty())
    {
        return labelList(1, metBy(patch, otherSide, found, direction));
    }
    sort(met);
    return labelList(std::move(met));
}


// The nearest place in a face. Most faces of meshes for lattices are rectangles,
// for which that is a look along both sides; others have it from OpenFOAM, triangle
// by triangle.
class NearestPlaces
{
    struct rectangle
    {
        point corner;
        vector a, b;        // unit vectors along sides; none: it is no rectangle
        scalar lengthA, lengthB;
    };

    const polyPatch& patch_;
    std::vector<rectangle> faces_;

    static rectangle of(const face& f, const pointField& points)
    {
        rectangle r{Zero, Zero, Zero, 0, 0};
        if (f.size() != 4) return r;
        r.corner = points[f[0]];
        const vector a(points[f[1]] - r.corner), b(points[f[3]] - r.corner);
        const scalar la = mag(a), lb = mag(b);
        const vector skew(points[f[2]] - r.corner - a - b);
        const scalar straight = 1e-9;
        if (!(mag(skew) < straight*min(la, lb) && mag(a & b) < straight*la*lb)) return r;
        r.a = a/la;
        r.b = b/lb;
        r.lengthA = la;
        r.lengthB = lb;
        return r;
    }

    static scalar within(const scalar x, const scalar length)
    {
        return max(scalar(0), min(length, x));
    }

public:

    explicit NearestPlaces(const polyPatch& patch)
    :
        patch_(patch),
        faces_(std::size_t(patch.size()))
    {
        forAll(patch, facei)
        {
            faces_[facei] = of(patch.localFaces()[facei], patch.localPoints());
        }
    }

    point in(const label facei, const point& x) const
    {
        const rectangle& r = faces_[facei];
        if (r.lengthA > 0)
        {
            const vector d(x - r.corner);
            return r.corner + within(d & r.a, r.lengthA)*r.a
              + within(d & r.b, r.lengthB)*r.b;
        }
        return patch_.localFaces()[facei].nearestPoint
        (
            x, patch_.localPoints()
        ).rawPoint();
    }
};


// How the tree of faces finds the nearest one: those that lie too far are told by
// their centres
class NearestOfSome
{
    const polyPatch& patch_;
    const scalarField& reach_;
    const NearestPlaces& nearest_;

public:

    //- reach: of each face, the distance of its points from its centre, at most
    NearestOfSome
    (
        const polyPatch& patch,
        const scalarField& reach,
        const NearestPlaces& nearest
    )
    :
        patch_(patch),
        reach_(reach),
        nearest_(nearest)
    {}

    void operator()
    (
        const labelUList& faces,
        const point& x,
        scalar& nearestDistSqr,
        label& nearest,
        point& place
    ) const
    {
        scalar most = Foam::sqrt(nearestDistSqr);
        for (const label facei : faces)
        {
            const point& centre = patch_.faceCentres()[facei];
            if (magSqr(x - centre) > sqr(reach_[facei] + most)) continue;
            const point its(nearest_.in(facei, x));
            const scalar distSqr = magSqr(x - its);
            if (distSqr >= nearestDistSqr) continue;
            nearestDistSqr = distSqr;
            most = Foam::sqrt(distSqr);
            nearest = facei;
            place = its;
        }
    }
};


// Where links cross a patch, found from one crossing to the next: most lie in
// the face of the last one or in one beside it. A search in all faces costs many
// times more. Several threads may search at a time.
class CrossedFaces
{
    const polyPatch& patch_;
    const scalar tolerance_;
    const indexedOctree<treeDataFace> tree_;

    //- Distance of points from their face's centre, at most
    scalarField reach_;

    const NearestPlaces nearest_;

    //- OpenFOAM makes these when they are first asked for, which several threads
    //  must not do
    static void demandAddressing(const polyPatch& patch)
    {
        patch.localFaces();
        patch.localPoints();
        patch.faceCentres();
        patch.faceAreas();
        patch.faceNormals();
        patch.faceFaces();
        patch.faceEdges();
        patch.edges();
        patch.edgeFaces();
        patch.pointFaces();
    }

    bool holds(const label facei, const point& x, pointIndexHit& hit) const
    {
        const point& centre = patch_.faceCentres()[facei];
        if (magSqr(x - centre) > sqr(reach_[facei])) return false;
        const point nearest(nearest_.in(facei, x));
        if (magSqr(x - nearest) > sqr(tolerance_)) return false;
        hit = pointIndexHit(true, nearest, facei);
        return true;
    }

    bool nearLast(const point& x, const label last, pointIndexHit& hit) const
    {
        if (last < 0) return false;
        if (holds(last, x, hit)) return true;
        for (const label facei : patch_.faceFaces()[last])
        {
            if (holds(facei, x, hit)) return true;
        }
        for (const label pointi : patch_.localFaces()[last])
        {
            for (const label facei : patch_.pointFaces()[pointi])
            {
                if (holds(facei, x, hit)) return true;
            }
        }
        return false;
    }

    // No farther than the face found before: links cross walls from surfaces off the
    // mesh's faces, and the next one is near
    pointIndexHit search(const point& x, const label last) const
    {
        const scalar rounding = 1e-6;
        scalar most = sqr(GREAT);
        if (last >= 0)
        {
            most = (1 + rounding)*magSqr(x - nearest_.in(last, x)) + sqr(tolerance_);
        }
        return tree_.findNearest(x, most, NearestOfSome(patch_, reach_, nearest_));
    }

    static treeBoundBox boundsOf(const polyPatch& patch, const scalar spacing)
    {
        treeBoundBox bounds(patch.localPoints());
        bounds.inflate(0.01);
        bounds.min() -= vector::uniform(spacing);
        bounds.max() += vector::uniform(spacing);
        return bounds;
    }

public:

    CrossedFaces(const polyPatch& patch, const scalar spacing)
    :
        patch_(patch),
        tolerance_(samePlace*spacing),
        tree_
        (
            treeDataFace(false, patch), boundsOf(patch, spacing), 8, 10, 3.0
        ),
        reach_(patch.size(), Zero),
        nearest_(patch)
    {
        demandAddressing(patch);
        forAll(patch, facei)
        {
            for (const label pointi : patch.localFaces()[facei])
            {
                const scalar away =
                    mag(patch.localPoints()[pointi] - patch.faceCentres()[facei]);
                reach_[facei] = max(reach_[facei], away + tolerance_);
            }
        }
    }

    //- The nearest face, however far (of a region of which the lattice sees more
    //  than the mesh has faces), and the nearest place in it. last: the face
    //  found before, or -1; becomes this one
    pointIndexHit find(const point& x, label& last) const
    {
        pointIndexHit hit;
        if (!nearLast(x, last, hit))
        {
            hit = search(x, last);
            if (!hit.hit()) hit = search(x, -1);
        }
        last = hit.index();
        return hit;
    }
};


// Two directions along a face, from its first corner
struct faceAxes
{
    vector s, t;

    faceAxes(const polyPatch& patch, const label facei)
    {
        const vector n(patch.faceNormals()[facei]);
        t = patch.localPoints()[patch.localFaces()[facei][0]] - patch.faceCentres()[facei];
        t -= (t & n)*n;
        t.normalise();
        s = n ^ t;
    }
};


// Of a face those that share an edge with it, but for its own other side, and the share
// of each in a value at a point of it, over the point's offset: the pseudo-inverse of
// the normal equations of a linear function through their centres' values
void appendSlopes
(
    const polyPatch& patch,
    const label facei,
    const label otherSide,
    DynamicList<label>& faces,
    DynamicList<Vector2D<scalar>>& slopes
)
{
    const faceAxes axes(patch, facei);
    DynamicList<Vector2D<scalar>> places;       // of centres, over their squared distance
    scalar ss = 0, st = 0, tt = 0;
    for (const label facej : patch.faceFaces()[facei])
    {
        if (facej == otherSide) continue;
        const vector d(patch.faceCentres()[facej] - patch.faceCentres()[facei]);
        const scalar weight = 1/magSqr(d), s = d & axes.s, t = d & axes.t;
        ss += weight*s*s;
        st += weight*s*t;
        tt += weight*t*t;
        faces.append(facej);
        places.append(Vector2D<scalar>(weight*s, weight*t));
    }
    const scalar det = ss*tt - sqr(st), sum = ss + tt;
    for (const Vector2D<scalar>& d : places)
    {
        Vector2D<scalar> slope(Zero);
        if (det > onLine*sqr(sum))
        {
            slope = Vector2D<scalar>(tt*d.x() - st*d.y(), ss*d.y() - st*d.x())/det;
        }
        else if (sum > 0)
        {
            slope = Vector2D<scalar>(ss*d.x() + st*d.y(), st*d.x() + tt*d.y())/sqr(sum);
        }
        slopes.append(slope);
    }
}


// Links that one thread follows from face to face: always the same ones, so that
// what is found does not depend on the number of threads
const std::size_t linksInARow = 512;

} // End anonymous namespace


// What is found of some links
struct Foam::lbmPatchLinks::row
{
    DynamicList<label> faces;
    DynamicList<planar> offsets;
    std::vector<further> others;
};


Foam::lbmPatchLinks::lbmPatchLinks
(
    const lbm::Domain& domain,
    const lbm::LinkRuns& runs,
    const lbmAxes& axes,
    const polyPatch& patch,
    const bool interpolates
)
:
    nFaces_(patch.size())
{
    const std::vector<std::size_t> links = runs.of(patch.index());
    if (links.size() && patch.empty())
    {
        FatalErrorInFunction
            << "Patch " << patch.name() << " has " << label(links.size())
            << " links of the lattice and no face of the mesh: it needs finer cells"
            << " there (entry outputMesh of a mesh from surfaces: box and cellSize;"
            << " option -sketch of a plan: more nodes, or 0)"
            << exit(FatalError);
    }
    // A region that no cell meets has neither; OpenFOAM would warn of its bounds
    if (links.empty()) return;

    const CrossedFaces crossed(patch, domain.spacing);
    const labelList otherSide(otherSides(patch));
    const scalar tolerance = samePlace*domain.spacing;
    std::vector<row> rows((links.size() + linksInARow - 1)/linksInARow);

    lbm::inParallel(rows.size(), [&](const std::size_t r)
    {
        row& mine = rows[r];
        label last = -1;
        const std::size_t end = std::min((r + 1)*linksInARow, links.size());
        for (std::size_t i = r*linksInARow; i < end; ++i)
        {
            const lbm::Link& link = domain.links[links[i]];
            const pointIndexHit hit = crossed.find
            (
                axes.position(domain, crossing(domain, link)), last
            );
            const lbm::Int3 c = lbm::directionOf(link.direction);
            const vector direction
            (
                axes.toFoam({double(c[0]), double(c[1]), double(c[2])})
            );
            const labelList faces
            (
                metTogether
                (
                    patch,
                    otherSide,
                    hit.index(),
                    hit.hitPoint(),
                    direction,
                    tolerance
                )
            );
            mine.faces.append(faces[0]);
            if (!interpolates) continue;
            forAll(faces, k)
            {
                const vector offset(hit.hitPoint() - patch.faceCentres()[faces[k]]);
                const faceAxes along(patch, faces[k]);
                const planar place(offset & along.s, offset & along.t);
                if (k == 0) mine.offsets.append(place);
                else mine.others.push_back({label(i), faces[k], place});
            }
        }
    });
    join(rows);
    if (interpolates) findSlopes(patch, otherSide);
}


void Foam::lbmPatchLinks::join(std::vector<row>& rows)
{
    std::vector<std::size_t> firstLink(1, 0), firstFurther(1, 0);
    bool placed = false;
    for (const row& r : rows)
    {
        firstLink.push_back(firstLink.back() + r.faces.size());
        firstFurther.push_back(firstFurther.back() + r.others.size());
        placed = placed || r.offsets.size();
    }
    const std::size_t links = firstLink.back();
    if (links + firstFurther.back() > std::size_t(labelMax))
    {
        FatalErrorInFunction
            << "A patch has more links, or links that meet faces more often, than "
            << labelMax << exit(FatalError);
    }
    labelList faces(links);
    offsets_.setSize(placed ? links : 0);
    hasFurther_.assign(placed ? links : 0, false);
    further_.resize(firstFurther.back());

    #pragma omp parallel for schedule(dynamic)
    for (std::size_t r = 0; r < rows.size(); ++r)
    {
        std::copy(rows[r].faces.begin(), rows[r].faces.end(), faces.begin() + firstLink[r]);
        std::copy(rows[r].offsets.begin(), rows[r].offsets.end(), offsets_.begin() + firstLink[r]);
        std::copy(rows[r].others.begin(), rows[r].others.end(), further_.begin() + firstFurther[r]);
        rows[r] = row();
    }
    faces_ = lbmPackedLabels(faces);
    for (const further& other : further_) hasFurther_[other.link] = true;
}


void Foam::lbmPatchLinks::findSlopes
(
    const polyPatch& patch,
    const labelList& otherSide
)
{
    std::vector<bool> isMet(nFaces_, false);
    for (const label facei : faces_) isMet[facei] = true;
    for (const further& other : further_) isMet[other.face] = true;

    DynamicList<label> faces;
    DynamicList<planar> slopes;
    beginBeside_.setSize(nFaces_ + 1, 0);
    for (label facei = 0; facei < nFaces_; ++facei)
    {
        if (isMet[facei]) appendSlopes(patch, facei, otherSide[facei], faces, slopes);
        beginBeside_[facei + 1] = faces.size();
    }
    beside_ = faces;
    slopes_ = slopes;
}


std::vector<Foam::lbmPatchLinks::further>::const_iterator
Foam::lbmPatchLinks::furtherOf(const label linki) const
{
    return std::lower_bound
    (
        further_.begin(),
        further_.end(),
        linki,
        [](const further& other, const label i){ return other.link < i; }
    );
}


template<class F>
void Foam::lbmPatchLinks::eachMet(const label linki, const F& f) const
{
    f(faces_[linki], offsets_[linki]);
    if (!hasFurther_[linki]) return;
    for (auto it = furtherOf(linki); it != further_.end() && it->link == linki; ++it)
    {
        f(it->face, it->offset);
    }
}


Foam::label Foam::lbmPatchLinks::meets(const label linki) const
{
    label n = 0;
    eachMet(linki, [&](const label, const planar&){ ++n; });
    return n;
}


void Foam::lbmPatchLinks::turnRound() const
{
    begin_.setSize(nFaces_ + 1, 0);
    forAll(faces_, linki)
    {
        eachMet(linki, [&](const label facei, const planar&){ ++begin_[facei + 1]; });
    }
    for (label facei = 0; facei < nFaces_; ++facei)
    {
        begin_[facei + 1] += begin_[facei];
    }
    labelList next(begin_);
    meeting_.setSize(begin_[nFaces_]);
    forAll(faces_, linki)
    {
        eachMet(linki, [&](const label facei, const planar&){ meeting_[next[facei]++] = linki; });
    }
}


const Foam::lbmPatchLinks::planar& Foam::lbmPatchLinks::placeIn
(
    const label linki,
    const label facei
) const
{
    if (faces_[linki] == facei) return offsets_[linki];
    auto it = furtherOf(linki);
    while (it->face != facei) ++it;
    return it->offset;
}


void Foam::lbmPatchLinks::requireValues() const
{
    if (faces_.size() && offsets_.empty())
    {
        FatalErrorInFunction
            << "Links that were found for their faces alone have no values"
            << abort(FatalError);
    }
}


template<class Type>
Type Foam::lbmPatchLinks::interpolated
(
    const label linki,
    const Field<Type>& onFaces
) const
{
    const scalar n = meets(linki);
    Type sum(Zero), least(onFaces[faces_[linki]]), most(least);
    eachMet(linki, [&](const label facei, const planar& offset)
    {
        const Type& own = onFaces[facei];
        Type there(own);
        least = min(least, own);
        most = max(most, own);
        for (label j = beginBeside_[facei]; j < beginBeside_[facei + 1]; ++j)
        {
            const Type& value = onFaces[beside_[j]];
            there += (slopes_[j] & offset)*(value - own);
            least = min(least, value);
            most = max(most, value);
        }
        sum += there/n;
    });
    return max(least, min(most, sum));
}

template Foam::vector
Foam::lbmPatchLinks::interpolated(const label, const vectorField&) const;
template Foam::scalar
Foam::lbmPatchLinks::interpolated(const label, const scalarField&) const;


template<class Type>
Foam::tmp<Foam::Field<Type>> Foam::lbmPatchLinks::interpolate
(
    const Field<Type>& onFaces
) const
{
    requireValues();
    const label n = faces_.size();
    auto result = tmp<Field<Type>>::New(n);
    Field<Type>& values = result.ref();
    #pragma omp parallel for schedule(static) if (n > 10000)
    for (label linki = 0; linki < n; ++linki)
    {
        values[linki] = interpolated(linki, onFaces);
    }
    return result;
}


Foam::tmp<Foam::vectorField> Foam::lbmPatchLinks::atLinks
(
    const vectorField& onFaces
) const
{
    return interpolate(onFaces);
}


Foam::tmp<Foam::scalarField> Foam::lbmPatchLinks::atLinks
(
    const scalarField& onFaces
) const
{
    return interpolate(onFaces);
}


// The transposed sums: of each face the forces of links that meet it, and these times
// their offsets, which its neighbours then have their shares of
Foam::tmp<Foam::vectorField> Foam::lbmPatchLinks::onFaces
(
    const std::function<vector(label)>& atLink,
    int threads
) const
{
    if (faces_.size() && offsets_.empty())
    {
        FatalErrorInFunction
            << "Links that were found for their faces alone bring no forces"
            << abort(FatalError);
    }
    auto result = tmp<vectorField>::New(nFaces_, Zero);
    if (offsets_.empty()) return result;
    if (begin_.empty()) turnRound();
    vectorField& forces = result.ref();
    vectorField alongS(nFaces_, Zero), alongT(nFaces_, Zero);
    if (threads <= 0) threads = omp_get_max_threads();
    #pragma omp parallel for schedule(static) num_threads(threads)
    for (label facei = 0; facei < nFaces_; ++facei)
    {
        for (label i = begin_[facei]; i < begin_[facei + 1]; ++i)
        {
            const label linki = meeting_[i];
            const planar& offset = placeIn(linki, facei);
            const vector force(atLink(linki)/scalar(meets(linki)));
            forces[facei] += force;
            alongS[facei] += offset.x()*force;
            alongT[facei] += offset.y()*force;
        }
    }
    for (label facei = 0; facei < nFaces_; ++facei)
    {
        for (label j = beginBeside_[facei]; j < beginBeside_[facei + 1]; ++j)
        {
            const vector share
            (
                slopes_[j].x()*alongS[facei] + slopes_[j].y()*alongT[facei]
            );
            forces[beside_[j]] += share;
            forces[facei] -= share;
        }
    }
    return result;
}
