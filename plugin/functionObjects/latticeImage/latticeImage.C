// Part of lbmFoam, GPL-3.0-or-later.

#include "latticeImage.H"
#include "latticeChannel.H"
#include "addToRunTimeSelectionTable.H"
#include "clockTime.H"
#include "foamVtkOutput.H"
#include "OSspecific.H"
#include "StringStream.H"
#include "Time.H"

#include <algorithm>
#include <sstream>

namespace Foam
{
namespace functionObjects
{
    defineTypeNameAndDebug(latticeImage, 0);
    addToRunTimeSelectionTable(functionObject, latticeImage, dictionary);
}
}

namespace
{
    using namespace Foam;

    const word fluidName("fluid");

    template<class Type>
    std::string listed(const Type& v)
    {
        std::ostringstream text;
        text.precision(17);
        text << v.x() << ' ' << v.y() << ' ' << v.z();
        return text.str();
    }


    // As OpenFOAM's formatter begins a block of raw data
    std::string sizeOf(const std::vector<float>& values)
    {
        const uint64_t bytes = values.size()*sizeof(float);
        return std::string(reinterpret_cast<const char*>(&bytes), sizeof(bytes));
    }
}


Foam::functionObjects::latticeImage::latticeImage
(
    const word& name,
    const Time& runTime,
    const dictionary& dict
)
:
    fvMeshFunctionObject(name, runTime, dict),
    lattice_(latticeChannel::find(mesh_, dict)),
    xdmf_(false),
    continued_{false, false},
    // The image of the time at which a run begins is there
    until_(runTime.value() + 0.5*runTime.deltaTValue())
{
    read(dict);
}


Foam::functionObjects::latticeImage::~latticeImage()
{
    try
    {
        files_.wait();
    }
    catch (const std::exception& fault)
    {
        WarningInFunction
            << type() << ' ' << name() << ": " << fault.what() << endl;
    }
}


Foam::fileName Foam::functionObjects::latticeImage::folder() const
{
    return time_.globalPath()/outputPrefix/name();
}


bool Foam::functionObjects::latticeImage::read(const dictionary& dict)
{
    fvMeshFunctionObject::read(dict);
    reporting([&]{ files_.wait(); });
    view_ = std::make_unique<latticeView>
    (
        lattice_, mesh_, dict, scalar(labelMax)
    );
    fields_ = dict.get<wordList>("fields");
    view_->check(fields_, dict);
    if (!fields_.found(fluidName)) fields_.append(fluidName);

    const word format(dict.getOrDefault<word>("format", "vtk"));
    if (format != "vtk" && format != "xdmf")
    {
        FatalIOErrorInFunction(dict)
            << "Entry format is " << format << "; valid are vtk and xdmf"
            << exit(FatalIOError);
    }
    xdmf_ = format == "xdmf";
    if (xdmf_ && !times_.empty())
    {
        // Not those in the folder: a restart may have left later ones there
        DynamicList<fileName> files;
        for (const lbm::GridTime& image : times_) files.append(image.file);
        times_ = fitting(files);
    }
    return true;
}


lbm::Grid Foam::functionObjects::latticeImage::grid() const
{
    const labelVector cells(view_->size());
    const point origin(view_->origin());
    const vector spacing(view_->spacing());
    return
    {
        {cells.x(), cells.y(), cells.z()},
        {origin.x(), origin.y(), origin.z()},
        {spacing.x(), spacing.y(), spacing.z()}
    };
}


std::vector<lbm::GridField>
Foam::functionObjects::latticeImage::described() const
{
    std::vector<lbm::GridField> result;
    for (const word& field : fields_)
    {
        result.push_back({field, lbm::LatticeWindow::find(field).components});
    }
    return result;
}


void Foam::functionObjects::latticeImage::continueSeries()
{
    if (continued_[xdmf_]) return;
    continued_[xdmf_] = true;
    if (!xdmf_)
    {
        series_.load(folder()/(name() + ".vti"), true, until_);
        return;
    }
    DynamicList<fileName> files;
    for (const fileName& file : readDir(folder(), fileName::FILE))
    {
        const bool own = file.find(name() + '_') == 0 && file.ext() == "h5";
        if (own) files.append(file);
    }
    for (const lbm::GridTime& image : fitting(files))
    {
        if (image.time < until_) times_.push_back(image);
    }
    std::sort
    (
        times_.begin(),
        times_.end(),
        [](const lbm::GridTime& a, const lbm::GridTime& b)
        {
            return a.time < b.time;
        }
    );
}


std::vector<lbm::GridTime> Foam::functionObjects::latticeImage::fitting
(
    const UList<fileName>& files
) const
{
    std::vector<lbm::GridTime> result;
    label others = 0;
    for (const fileName& file : files)
    {
        try
        {
            const auto time =
                lbm::timeOfGridFile(folder()/file, grid(), described());
            if (time)
            {
                result.push_back({file, *time});
            }
            else
            {
                ++others;
            }
        }
        catch (const std::exception& fault)
        {
            WarningInFunction
                << type() << ' ' << name() << ": " << fault.what()
                << ": not in the series" << endl;
        }
    }
    if (others)
    {
        Info<< type() << ' ' << name() << ": " << others
            << " files are not in the series: of another grid, or without"
            << " some of the fields" << endl;
    }
    return result;
}


lbm::LateFiles::File Foam::functionObjects::latticeImage::vtkImage
(
    const fileName& file,
    Values& values
) const
{
    const labelVector size(view_->size());
    const std::string extent = "0 " + std::to_string(size.x())
      + " 0 " + std::to_string(size.y()) + " 0 " + std::to_string(size.z());

    std::ostringstream os;
    autoPtr<vtk::formatter> out
    (
        vtk::newFormatter(os, vtk::formatType::APPEND_BINARY)
    );
    out->xmlHeader();
    out->beginVTKFile("ImageData", "1.0", true);
    out->xmlAttr("WholeExtent", extent);
    out->xmlAttr("Origin", listed(view_->origin()));
    out->xmlAttr("Spacing", listed(view_->spacing()));
    out->closeTag();
    out->openTag(vtk::fileTag::PIECE);
    out->xmlAttr("Extent", extent);
    out->closeTag();
    out->beginCellData();
    const std::vector<lbm::GridField> fields(described());
    for (std::size_t f = 0; f < fields.size(); ++f)
    {
        const word field(fields[f].name);
        const uint64_t bytes = values[f].size()*sizeof(float);
        if (fields[f].components == 3)
        {
            out->beginDataArray<float, 3>(field, bytes);
        }
        else
        {
            out->beginDataArray<float, 1>(field, bytes);
        }
        out->endDataArray();
    }
    out->endCellData();
    out->endPiece();
    out->endTag("ImageData");
    out->beginAppendedData();
    out->flush();

    lbm::LateFiles::File result{file, {}, false};
    uint64_t at = 0;
    const auto add = [&](const std::string& text, std::vector<float> block)
    {
        const uint64_t bytes = text.size() + block.size()*sizeof(float);
        result.pieces.push_back({at, text, std::move(block)});
        at += bytes;
    };
    add(os.str(), {});
    for (std::vector<float>& block : values)
    {
        const std::string size(sizeOf(block));
        add(size, std::move(block));
    }
    os.str("");
    out->endAppendedData();
    out->endVTKFile();
    out->flush();
    add(os.str(), {});
    return result;
}


lbm::LateFiles::File Foam::functionObjects::latticeImage::gridImage
(
    const fileName& file,
    Values& values
) const
{
    const std::vector<uint64_t> places
    (
        lbm::makeGridFile
        (
            lbm::LateFiles::unfinished(file),
            grid(),
            time_.value(),
            described()
        )
    );
    lbm::LateFiles::File result{file, {}, true};
    for (std::size_t f = 0; f < values.size(); ++f)
    {
        result.pieces.push_back({places[f], {}, std::move(values[f])});
    }
    return result;
}


lbm::LateFiles::File Foam::functionObjects::latticeImage::index()
{
    lbm::LateFiles::File result{folder()/(name() + ".xdmf"), {}, false};
    if (xdmf_)
    {
        result.pieces.push_back
        ({
            0, lbm::xdmfOf(grid(), described(), times_), {}
        });
        return result;
    }
    result.name = folder()/(name() + ".vti.series");
    OStringStream text;
    series_.print(text);
    result.pieces.push_back({0, text.str(), {}});
    return result;
}


template<class F>
void Foam::functionObjects::latticeImage::reporting(F&& f)
{
    try
    {
        f();
    }
    catch (const std::exception& fault)
    {
        FatalErrorInFunction
            << type() << ' ' << name() << ": " << fault.what()
            << exit(FatalError);
    }
}


bool Foam::functionObjects::latticeImage::execute()
{
    reporting([&]{ files_.check(); });
    return true;
}


bool Foam::functionObjects::latticeImage::write()
{
    mkDir(folder());
    const fileName stem(folder()/(name() + '_' + time_.timeName()));
    reporting([&]
    {
        continueSeries();
        const clockTime clock;
        Values values(view_->read(fields_));
        const scalar reading = clock.elapsedTime();
        // One image in memory, besides this one
        files_.wait();
        Info<< type() << ' ' << name() << ": " << reading << " s to read, "
            << clock.elapsedTime() - reading
            << " s for the one before to be on the disk" << endl;
        Files files;
        if (xdmf_)
        {
            files.push_back(gridImage(stem + ".h5", values));
            times_.push_back({fileName(stem + ".h5").name(), time_.value()});
        }
        else
        {
            files.push_back(vtkImage(stem + ".vti", values));
            series_.append(time_.value(), fileName(stem + ".vti").name());
        }
        files.push_back(index());
        files_.write(std::move(files));
    });
    return true;
}


bool Foam::functionObjects::latticeImage::end()
{
    reporting([&]{ files_.wait(); });
    return true;
}
