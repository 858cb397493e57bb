/*---------------------------------------------------------------------------*\
    Part of lbmFoam, GPL-3.0-or-later.
\*---------------------------------------------------------------------------*/

#include "plugin/lbmVoxelize/snappyCase/blockBox.H"

#include "OSspecific.H"
#include "PtrList.H"
#include "Time.H"
#include "cellModel.H"
#include "cellShape.H"
#include "labelVector.H"
#include "emptyPolyPatch.H"
#include "namedFile.H"
#include "polyMesh.H"

namespace
{

//- Of lengths, areas and volumes that are the same but for rounding
const Foam::scalar shapeTolerance = 1e-6;

} // End anonymous namespace


// * * * * * * * * * * * * * Private Member Functions  * * * * * * * * * * * //

Foam::IOobject Foam::blockBox::file(const Time& runTime)
{
    const auto in = [&](const fileName& folder)
    {
        return IOobject("blockMeshDict", folder, runTime, IOobject::MUST_READ, IOobject::NO_WRITE, false);
    };
    const IOobject old(in(fileName(runTime.constant())/polyMesh::meshSubDir));
    return isFile(old.objectPath()) ? old : in(runTime.system());
}


void Foam::blockBox::readVertices()
{
    const ITstream& given = dict_.lookup("vertices");
    for (const token& t : given)
    {
        if (!t.isWord()) continue;
        FatalIOErrorInFunction(dict_)
            << "Entry vertices has the word " << t.wordToken() << ": vertices with names or on geometry make a mesh that"
            << " need not be a box" << exit(FatalIOError);
    }
    vertices_ = dict_.get<pointField>("vertices");
    // As blockMesh reads them
    scalar scale = 1;
    if (!dict_.readIfPresent("convertToMeters", scale)) dict_.readIfPresent("scale", scale);
    if (!(scale > 0 && scale < GREAT))
    {
        FatalIOErrorInFunction(dict_)
            << "The vertices' scale (convertToMeters, or scale) is " << scale << "; it must be a positive number"
            << exit(FatalIOError);
    }
    vertices_ *= scale;
}


void Foam::blockBox::readBlock(ITstream& is)
{
    labelList corners(is);
    token next(is);
    if (!next.isWord()) is.putBack(next);   // else the name of a zone
    const labelVector cells(is);
    const word grading(is);
    label depth = 0;
    do
    {
        is.read(next);
        if (next == token::BEGIN_LIST) ++depth;
        if (next == token::END_LIST) --depth;
        graded_ = graded_ || (next.isNumber() && next.number() != 1);
    } while (depth > 0 && is.good());

    if (corners.size() != 8 || cmptMin(cells) < 1)
    {
        FatalIOErrorInFunction(dict_)
            << "Entry blocks: a block with the vertices " << flatOutput(corners) << " and the cells " << cells
            << exit(FatalIOError);
    }
    // From vertex 0 along the block's x, y and z
    const label along[] = {1, 3, 4};
    const pointField points(cornersOf(corners));
    for (direction a = 0; a < 3; ++a)
    {
        cellSize_ = min(cellSize_, mag(points[along[a]] - points[0])/cells[a]);
    }
    blocks_.append(corners);
}


void Foam::blockBox::readBlocks()
{
    ITstream& is = dict_.lookup("blocks");
    token next(is);
    if (next.isLabel()) is.read(next);
    for (is.read(next); is.good() && next != token::END_LIST; is.read(next))
    {
        if (!next.isWord() || next.wordToken() != "hex")
        {
            FatalIOErrorInFunction(dict_)
                << "Entry blocks: hex expected, found " << next.info() << exit(FatalIOError);
        }
        readBlock(is);
    }
    if (blocks_.empty()) FatalIOErrorInFunction(dict_) << "Entry blocks has none" << exit(FatalIOError);
}


void Foam::blockBox::refuseCurves() const
{
    for (const word key : {"edges", "faces"})
    {
        if (!dict_.found(key)) continue;
        for (const token& t : dict_.lookup(key))
        {
            if (t.isPunctuation() || t.isLabel()) continue;
            FatalIOErrorInFunction(dict_)
                << "Entry " << key << ": with curved ones the blocks are no box, which lbmFoam needs around the surfaces of"
                << " snappyHexMeshDict" << nl << "Make the mesh (blockMesh, snappyHexMesh)" << exit(FatalIOError);
        }
    }
}


void Foam::blockBox::checkVolume() const
{
    scalar volume = 0;
    for (const labelList& block : blocks_)
    {
        volume += mag(cellShape(cellModel::ref(cellModel::HEX), block).mag(vertices_));
    }
    if (bounds_.volume() > 0 && mag(volume/bounds_.volume() - 1) < shapeTolerance) return;
    FatalIOErrorInFunction(dict_)
        << "Entry blocks: " << blocks_.size() << " blocks hold " << volume << " m3, and the box around them, from "
        << bounds_.min() << " to " << bounds_.max() << " m, " << bounds_.volume() << " m3: they are no box along the axes,"
        << " which lbmFoam needs around the surfaces of snappyHexMeshDict" << nl
        << "Make the mesh (blockMesh, snappyHexMesh)" << exit(FatalIOError);
}


Foam::pointField Foam::blockBox::cornersOf(const labelList& given) const
{
    pointField corners(given.size());
    forAll(given, i)
    {
        if (given[i] < 0 || given[i] >= vertices_.size())
        {
            FatalIOErrorInFunction(dict_)
                << "Vertex " << given[i] << " of " << flatOutput(given) << " is none of the " << vertices_.size()
                << " vertices" << exit(FatalIOError);
        }
        corners[i] = vertices_[given[i]];
    }
    return corners;
}


Foam::string Foam::blockBox::nameOf(const label side) const
{
    return string(side % 2 ? "high" : "low") + " side of " + "xyz"[side/2];
}


Foam::scalar Foam::blockBox::areaOf(const label side) const
{
    return bounds_.volume()/bounds_.span()[side/2];
}


void Foam::blockBox::addFace(const word& patch, const pointField& corners)
{
    for (label side = 0; side < 6; ++side)
    {
        const scalar place = side % 2 ? bounds_.max()[side/2] : bounds_.min()[side/2];
        bool within = true;
        for (const point& p : corners) within = within && mag(p[side/2] - place) < shapeTolerance*bounds_.span()[side/2];
        if (!within) continue;
        if (areas_[side] > 0 && sides_[side] != patch)
        {
            FatalIOErrorInFunction(dict_)
                << "Entry boundary: the " << nameOf(side).c_str() << " has the patches " << sides_[side] << " and " << patch
                << ", and a box around surfaces has one a side" << nl << "Make the mesh (blockMesh, snappyHexMesh)"
                << exit(FatalIOError);
        }
        sides_[side] = patch;
        areas_[side] += face(identity(corners.size())).mag(corners);
        return;
    }
    FatalIOErrorInFunction(dict_)
        << "Entry boundary: a face of patch " << patch << ", " << corners << ", lies on no side of the box from "
        << bounds_.min() << " to " << bounds_.max() << exit(FatalIOError);
}


void Foam::blockBox::readPatches()
{
    ITstream& is = dict_.lookup("boundary");
    const PtrList<entry> all(is);
    for (const entry& e : all)
    {
        const dictionary& given = e.dict();
        dictionary patch(given);
        patch.remove("faces");
        patches_.set(e.keyword(), patch);
        for (labelList corners : given.get<List<labelList>>("faces"))
        {
            // A block and one of its faces
            if (corners.size() == 2)
            {
                const faceList& faces = cellModel::ref(cellModel::HEX).modelFaces();
                if (corners[0] < 0 || corners[0] >= blocks_.size() || corners[1] < 0 || corners[1] >= faces.size())
                {
                    FatalIOErrorInFunction(given)
                        << "Entry faces: block " << corners[0] << " has no face " << corners[1] << exit(FatalIOError);
                }
                corners = labelList(UIndirectList<label>(blocks_[corners[0]], faces[corners[1]]));
            }
            addFace(e.keyword(), cornersOf(corners));
        }
    }
}


void Foam::blockBox::addDefault()
{
    const dictionary& given = dict_.subOrEmptyDict("defaultPatch");
    const word name(given.getOrDefault<word>("name", "defaultFaces"));
    for (label side = 0; side < 6; ++side)
    {
        if (areas_[side] > areaOf(side)*(1 - shapeTolerance)) continue;
        if (areas_[side] > 0)
        {
            FatalIOErrorInFunction(dict_)
                << "Entry boundary: a part of the " << nameOf(side).c_str() << " belongs to patch " << sides_[side]
                << ", the rest to none" << exit(FatalIOError);
        }
        sides_[side] = name;
        if (patches_.found(name, keyType::LITERAL)) continue;
        dictionary patch;
        patch.add("type", given.getOrDefault<word>("type", emptyPolyPatch::typeName));
        patches_.set(name, patch);
    }
}


// * * * * * * * * * * * * * * * * Constructors  * * * * * * * * * * * * * * //

Foam::blockBox::blockBox(const Time& runTime)
:
    dict_(namedFile::contents(file(runTime))),
    areas_(scalar(0))
{
    namedFile::read(dict_.objectPath(), [&]
    {
        readVertices();
        readBlocks();
        DynamicList<point> used;
        for (const labelList& block : blocks_) used.append(cornersOf(block));
        bounds_ = boundBox(used, false);
        refuseCurves();
        checkVolume();
        readPatches();
        addDefault();
    });
}
