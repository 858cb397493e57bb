// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProcessorCase.H"
#include "lbmCheckpoint.H"
#include "argList.H"
#include "fvFieldReconstructor.H"
#include "Hasher.H"
#include "localIOdictionary.H"
#include "OSspecific.H"
#include "surfaceFields.H"
#include "volFields.H"
#include "lbm/api/Ranks.hpp"
#include "plugin/common/lbmHandBack.H"
#include "plugin/common/lbmThrowing.H"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace fs = std::filesystem;

namespace
{

using namespace Foam;

const word wholeName("lbmFoam.whole");

// Seventeen digits tell every two numbers apart
const unsigned exactDigits = 17;

// To be removed at exit: FatalError leaves through std::exit, which ends no
// object of main's
std::string temporary;

const char* const logName = "log.reconstructParMesh";


unsigned ownersOf(const polyMesh& mesh)
{
    const labelUList& owners = mesh.faceOwner();
    return Hasher(owners.cdata(), owners.byteSize());
}


// That of a mesh which was put together here: it is of no use to others, who
// put one together themselves, and would stand for a mesh that is not there.
// The folder's links are what says so.
void removeAddressing(const fs::path& folder)
{
    std::error_code error;
    for (const auto& item : fs::directory_iterator(folder, error))
    {
        const std::string name(item.path().filename());
        if (name.compare(0, 9, "processor") != 0) continue;
        if (!fs::is_symlink(item.symlink_status())) continue;
        const fs::path mesh = item.path()/"constant"/std::string(polyMesh::meshSubDir);
        for (const char* of : {"point", "face", "cell", "boundary"})
        {
            const std::string file(std::string(of) + "ProcAddressing");
            fs::remove(mesh/file, error);
            fs::remove(mesh/(file + ".gz"), error);
        }
        fs::remove(item.path(), error);
    }
}


void removeTemporary()
{
    std::error_code error;
    if (temporary.size())
    {
        removeAddressing(temporary);
        fs::remove_all(temporary, error);
    }
    temporary.clear();
}


fs::path pathOf(const fileName& name)
{
    return fs::path(std::string(name));
}


fileName processorName(const label i)
{
    return "processor" + Foam::name(i);
}


// Nothing is removed but what has these links
bool madeByUs(const fs::path& folder)
{
    std::error_code error;
    return
        fs::read_symlink(folder/"system", error) == "../system"
     && (
            fs::read_symlink(folder/"constant", error) == "../constant"
         || fs::read_symlink(folder/"processor0", error) == "../processor0"
        );
}


bool hasMesh(const fileName& path)
{
    const fileName mesh(path/"constant"/polyMesh::meshSubDir);
    return isFile(mesh/"faces");
}


// Programs that change meshes in processor directories (snappyHexMesh) remove it
bool hasAddressing(const fileName& path)
{
    return isFile(path/"constant"/polyMesh::meshSubDir/"cellProcAddressing");
}


// The last lines that say something
std::string endOf(const fs::path& file)
{
    std::ifstream is(file);
    std::vector<std::string> lines;
    for (std::string line; std::getline(is, line);)
    {
        if (line.size()) lines.push_back(line);
    }
    const std::size_t most = 8;
    std::string text;
    for (std::size_t i = lines.size() - std::min(most, lines.size()); i < lines.size(); ++i)
    {
        text += "    " + lines[i] + '\n';
    }
    return text;
}


template<class F>
void forVolumeTypes(F&& f)
{
    f(volScalarField::null());
    f(volVectorField::null());
    f(volSphericalTensorField::null());
    f(volSymmTensorField::null());
    f(volTensorField::null());
}


template<class F>
void forSurfaceTypes(F&& f)
{
    f(surfaceScalarField::null());
    f(surfaceVectorField::null());
    f(surfaceSphericalTensorField::null());
    f(surfaceSymmTensorField::null());
    f(surfaceTensorField::null());
}


bool isMapped(const word& className)
{
    bool found = false;
    const auto is = [&](const auto& field)
    {
        found = found || className == std::decay_t<decltype(field)>::typeName;
    };
    forVolumeTypes(is);
    forSurfaceTypes(is);
    return found;
}


//- Files of those fields that are mapped, in a time's folder
fileNameList filesOf(const IOobjectList& fields, const fileName& folder)
{
    fileNameList files;
    for (const word& name : fields.sortedNames())
    {
        if (isMapped(fields[name]->headerClassName()))
        {
            files.append(folder/name);
        }
    }
    return files;
}

//- As fields find it: by the patch's name, by the last of its groups, by a pattern
const dictionary* conditionOf(const dictionary& conditions, const polyPatch& patch)
{
    const dictionary* found = conditions.findDict(patch.name(), keyType::LITERAL);
    if (found) return found;
    for (const entry& of : conditions)
    {
        const bool ofGroup = of.isDict() && !of.keyword().isPattern();
        if (ofGroup && patch.inGroups().found(of.keyword())) found = &of.dict();
    }
    return found ? found : conditions.findDict(patch.name(), keyType::REGEX);
}


//- Conditions of a field's that no library here has. What one process does not ask for
//  may have such; ranks bring all that there is. Entries of no patch, as
//  caseDicts/setConstraintTypes brings them, are nobody's.
template<class Field>
wordHashSet unknownConditions(const IOobject& file)
{
    IOobject io(file);
    io.readOpt() = IOobject::MUST_READ;
    io.registerObject() = false;
    const localIOdictionary field(io, Field::typeName);
    const auto* known = Field::Patch::dictionaryConstructorTablePtr_;
    wordHashSet found;
    const dictionary& conditions = field.subDict("boundaryField");
    for (const polyPatch& patch : refCast<const fvMesh>(file.db()).boundaryMesh())
    {
        const dictionary* of = conditionOf(conditions, patch);
        const word type(of ? of->getOrDefault("type", word()) : word());
        if (!type.empty() && !(known && known->found(type))) found.insert(type);
    }
    return found;
}


//- Whose conditions must be known
bool isOfTheFlow(const word& name)
{
    return name == "U" || name == "p" || name == "p_rgh";
}


//- True if it is, with a warning
template<class Field>
bool isLeftOut(const IOobject& io)
{
    if (isOfTheFlow(io.name())) return false;
    const wordHashSet unknown(unknownConditions<Field>(io));
    if (unknown.empty()) return false;
    std::string conditions;
    for (const word& type : unknown.sortedToc()) conditions += " " + type;
    WarningInFunction
        << "Field " << io.name() << " of time " << io.instance().c_str()
        << " is left out: no library that is loaded has its condition"
        << conditions.c_str() << " (way out: libs in system/controlDict)" << endl;
    return true;
}

} // End anonymous namespace


//- While it lives files of a processor go into a folder within its own one. The
//  collated handler takes the whole case's name for what is around that.
class Foam::lbmProcessorCase::redirected
{
    struct names { fileName *name, before; };
    names changed_;

    void change(fileName& name, const fileName& to)
    {
        changed_ = {&name, name};
        name = to;
    }

public:

    redirected
    (
        const lbmProcessorCase& processors,
        const label proci,
        const fileName& container
    )
    {
        TimePaths& paths = const_cast<Time&>(processors.databases_[proci]);
        if (processors.files_.collated())
        {
            change
            (
                const_cast<fileName&>(paths.globalCaseName()),
                processors.case_/processors.files_.folderOf(proci)/container
            );
        }
        else change(paths.caseName(), paths.caseName()/container);
    }

    ~redirected()
    {
        *changed_.name = changed_.before;
    }
};


void Foam::lbmProcessorCase::check(const argList& args)
{
    if (args.distributed())
    {
        FatalErrorInFunction
            << "The case is distributed over several roots: lbmFoam -parallel"
            << " needs all processor directories in " << args.globalPath()
            << exit(FatalError);
    }
}


void Foam::lbmProcessorCase::recover(const argList& args)
{
    const fs::path folder(pathOf(args.globalPath()/wholeName));
    if (fs::exists(fs::symlink_status(folder)))
    {
        if (!madeByUs(folder))
        {
            FatalErrorInFunction
                << fileName(folder.string()) << " is not lbmFoam's, and stands"
                << " where it would put whole fields together: move it away"
                << exit(FatalError);
        }
        removeAddressing(folder);
        fs::remove_all(folder);
    }
    for (const word& name : lbmProcessorFiles::possible(lbm::ranks()))
    {
        lbmWholeFolder::recover(args.globalPath()/name);
    }
}


Foam::lbmProcessorCase::lbmProcessorCase(const argList& args, const bool dryRun)
:
    root_(args.rootPath()),
    case_(args.globalCaseName()),
    folder_(dryRun ? word(wholeName + Foam::name(label(::getpid()))) : wholeName),
    mesh_(nullptr),
    files_(lbm::ranks()),
    databases_(lbm::ranks()),
    start_(0)
{
    const fs::path folder(pathOf(root_/caseName()));
    temporary = folder.string();
    std::atexit(removeTemporary);
    std::error_code error;
    fs::create_directory(folder, error);
    if (!error) fs::create_directory_symlink("../system", folder/"system", error);
    if (!error)
    {
        fs::create_directory_symlink("../constant", folder/"constant", error);
    }
    if (error)
    {
        FatalErrorInFunction
            << "Cannot put whole fields together in " << root_/caseName()
            << ": " << error.message().c_str() << exit(FatalError);
    }
}


Foam::lbmProcessorCase::~lbmProcessorCase()
{
    removeTemporary();
    // They watch files of processors
    const lbmProcessorFiles::working theirs(files_);
    databases_.clear();
}


Foam::fileName Foam::lbmProcessorCase::folderOf(const label i) const
{
    return root_/case_/files_.folderOf(i);
}


Foam::fileName Foam::lbmProcessorCase::path
(
    const lbmProcessorFiles::folder& folder
) const
{
    return root_/case_/folder.name;
}


void Foam::lbmProcessorCase::checkTime(const word& time) const
{
    for (label i = 0; i < n(); ++i)
    {
        if (!isDir(folderOf(i)))
        {
            FatalErrorInFunction
                << "There is no " << folderOf(i) << " for process " << i << " of " << n()
                << nl << "numberOfSubdomains " << n() << " in"
                << " system/decomposeParDict and decomposePar -force make it"
                << exit(FatalError);
        }
        if (!isDir(folderOf(i)/time))
        {
            FatalErrorInFunction
                << "The run starts from time " << time << " (entries startFrom"
                << " and startTime of system/controlDict), which "
                << folderOf(i) << " has not" << nl
                << "decomposePar -fields -time " << time << " makes it from the"
                << " whole case's, with the -fileHandler of this run ("
                << fileHandler().type() << ")" << exit(FatalError);
        }
    }
}


void Foam::lbmProcessorCase::checkMeshes(processorMeshes& processors) const
{
    const auto refuse = [&](const label i, const char* what)
    {
        FatalErrorInFunction
            << "The mesh of " << processorName(i) << " in "
            << folderOf(i) << " is no part of the mesh in "
            << root_/case_/"constant" << ": " << what << " of its "
            << "procAddressing do not fit" << nl
            << "decomposePar -force makes processor directories anew, without the times in"
            << " them"
            << exit(FatalError);
    };
    labelList owners(mesh_->nCells(), Zero);
    for (label i = 0; i < n(); ++i)
    {
        const fvMesh& part = processors.meshes()[i];
        const labelList& cells = processors.cellProcAddressing()[i];
        const labelList& faces = processors.faceProcAddressing()[i];
        if (cells.size() != part.nCells()) refuse(i, "cells");
        if (faces.size() != part.nFaces()) refuse(i, "faces");
        for (const label celli : cells)
        {
            if (celli < 0 || celli >= mesh_->nCells()) refuse(i, "cells");
            ++owners[celli];
        }
        forAll(faces, facei)
        {
            const label whole = mag(faces[facei]) - 1;
            if (whole < 0 || whole >= mesh_->nFaces()) refuse(i, "faces");
            // The same face, if not in the same direction
            const scalar far =
                mag(part.faceCentres()[facei] - mesh_->faceCentres()[whole]);
            if (far > 1e-6*mesh_->bounds().mag()) refuse(i, "places of faces");
        }
        for (const label patchi : processors.boundaryProcAddressing()[i])
        {
            if (patchi >= mesh_->boundary().size()) refuse(i, "patches");
        }
        // Fields are mapped by addressing alone
        processors.meshes()[i].clearOut();
    }
    forAll(owners, celli)
    {
        if (owners[celli] == 1) continue;
        FatalErrorInFunction
            << "Cell " << celli << " of the mesh in " << root_/case_/"constant"
            << " is in " << owners[celli] << " of the processor directories"
            << nl << "decomposePar -force makes them anew, without the times in them:"
            << " reconstructPar (with as many processes as there are directories)"
            << " brings those to the whole case first" << exit(FatalError);
    }
}


bool Foam::lbmProcessorCase::meshIsWhole() const
{
    if (!hasMesh(root_/case_)) return false;
    label without = 0;
    for (label i = 0; i < n(); ++i)
    {
        if (hasMesh(folderOf(i)) && !hasAddressing(folderOf(i))) ++without;
    }
    // Of one that lacks it reading says so
    return without < n();
}


void Foam::lbmProcessorCase::linkParts() const
{
    const fs::path folder(pathOf(root_/caseName()));
    fs::remove(folder/"constant");
    fs::create_directory(folder/"constant");
    for (const auto& item : fs::directory_iterator(folder/"../constant"))
    {
        const fs::path name = item.path().filename();
        if (name == std::string(polyMesh::meshSubDir)) continue;
        fs::create_symlink("../../constant"/name, folder/"constant"/name);
    }
    for (const lbmProcessorFiles::folder& parts : files_.folders())
    {
        const std::string name(parts.name);
        fs::create_directory_symlink("../" + name, folder/name);
    }
}


void Foam::lbmProcessorCase::makeMesh(const Time& time) const
{
    if (meshIsWhole()) return;
    if (!hasMesh(folderOf(0)))
    {
        FatalErrorInFunction
            << "There is no mesh in constant/" << polyMesh::meshSubDir
            << ", neither in " << root_/case_ << " nor in " << folderOf(0)
            << exit(FatalError);
    }

    const fileName path(root_/caseName());
    try
    {
        linkParts();
    }
    catch (const fs::filesystem_error& fault)
    {
        FatalErrorInFunction
            << "Cannot put the mesh together in " << path << ": "
            << fault.what() << exit(FatalError);
    }
    Info<< "Mesh: processor directories have one that "
        << (hasMesh(root_/case_) ? "constant/polyMesh is not" : "is nowhere else")
        << "; reconstructParMesh puts it together for this run" << endl;
    // As many digits as the points of a text have
    const scalar exact = 1e-7;
    const scalar tolerance =
        time.writeFormat() == IOstream::ASCII
      ? max(exact, Foam::pow(scalar(10), -scalar(IOstream::defaultPrecision())))
      : exact;
    std::ostringstream command;
    command << "reconstructParMesh -constant -mergeTol " << tolerance
        << " -fileHandler " << lbmProcessorFiles::type()
        << " -case '" << path.c_str() << "' > '" << path.c_str() << '/'
        << logName << "' 2>&1";
    if (Foam::system(command.str()) == 0 && hasMesh(path)) return;
    FatalErrorInFunction
        << "reconstructParMesh cannot put the mesh of the " << n()
        << " processor directories together:" << nl
        << endOf(pathOf(path)/logName).c_str() << exit(FatalError);
}


void Foam::lbmProcessorCase::gather(fvMesh& mesh)
{
    mesh_ = &mesh;
    const Time& time = mesh.time();
    checkTime(time.timeName());
    start_ = time.value();
    {
        // All of them at once, this time: fields are put together of them
        std::unique_ptr<processorMeshes> processors(readProcessors(time));
        removeAddressing(pathOf(root_/caseName()));
        checkMeshes(*processors);
        gatherFields(time.timeName(), *processors);
        addressing_.resize(n());
        for (label i = 0; i < n(); ++i)
        {
            addressing_[i] =
            {
                processors->cellProcAddressing()[i],
                processors->faceProcAddressing()[i],
                processors->boundaryProcAddressing()[i],
                ownersOf(processors->meshes()[i])
            };
        }
        const lbmProcessorFiles::working theirs(files_);
        processors.reset();     // its files are watched by that handler
    }
    lbmHandBack();
    // What the processors have is not to be written over
    news(time.timeName());
    scattered_ = time.timeName();
}


std::unique_ptr<Foam::processorMeshes> Foam::lbmProcessorCase::readProcessors
(
    const Time& time
)
{
    const lbmProcessorFiles::working theirs(files_);
    forAll(databases_, i)
    {
        databases_.set
        (
            i,
            new Time
            (
                Time::controlDictName,
                root_,
                case_/processorName(i),
                "system",
                "constant",
                false,
                false
            )
        );
        databases_[i].setTime(time);
    }
    return std::make_unique<processorMeshes>(databases_, fvMesh::defaultRegion);
}


void Foam::lbmProcessorCase::gatherFields
(
    const word& time,
    processorMeshes& processors
) const
{
    const lbmProcessorFiles::working theirs(files_);
    const IOobjectList objects(processors.meshes()[0], time);
    const fvFieldReconstructor reconstructor
    (
        *mesh_,
        processors.meshes(),
        processors.faceProcAddressing(),
        processors.cellProcAddressing(),
        processors.boundaryProcAddressing()
    );
    const auto write = [&](const regIOobject& field)
    {
        const lbmProcessorFiles::working oursAgain(files_);
        // No digit is lost, whatever format the case has. What is the same on all faces
        // is text in binary files, too
        const unsigned digits = IOstream::defaultPrecision(exactDigits);
        const bool written = field.writeObject
        (
            IOstream::BINARY,
            IOstream::currentVersion,
            IOstream::UNCOMPRESSED,
            true
        );
        IOstream::defaultPrecision(digits);
        if (written) return;
        FatalErrorInFunction
            << "Cannot write " << field.objectPath() << exit(FatalError);
    };
    forVolumeTypes([&](const auto& field)
    {
        using type = std::decay_t<decltype(field)>;
        for (const word& name : objects.sortedNames<type>())
        {
            const IOobject& io = *objects.cfindObject(name);
            if (isLeftOut<type>(io)) continue;
            write
            (
                reconstructor.reconstructFvVolumeField
                <typename type::value_type>(io)()
            );
        }
    });
    forSurfaceTypes([&](const auto& field)
    {
        using type = std::decay_t<decltype(field)>;
        for (const word& name : objects.sortedNames<type>())
        {
            const IOobject& io = *objects.cfindObject(name);
            if (isLeftOut<type>(io)) continue;
            write
            (
                reconstructor.reconstructFvSurfaceField
                <typename type::value_type>(io)()
            );
        }
    });

    const fs::path uniform(pathOf(folderOf(0)/time/"uniform"));
    if (!fs::exists(uniform)) return;
    const fs::path to(pathOf(root_/caseName()/time));
    fs::create_directories(to);
    fs::copy(uniform, to/"uniform", fs::copy_options::recursive);
}


Foam::HashSet<Foam::fileName> Foam::lbmProcessorCase::news(const word& time)
{
    if (seen_ != time) written_.clear();
    seen_ = time;
    HashSet<fileName> found;
    const fs::path folder(pathOf(root_/caseName()/time));
    if (!fs::exists(folder)) return found;
    for (const auto& item : fs::recursive_directory_iterator(folder))
    {
        if (!item.is_regular_file()) continue;
        const fileName name(item.path().lexically_relative(folder).string());
        const auto before = written_.cfind(name);
        if (before.good() && *before == item.last_write_time()) continue;
        written_.set(name, item.last_write_time());
        found.insert(name);
    }
    return found;
}


void Foam::lbmProcessorCase::decompose
(
    const fvFieldDecomposer& decomposer,
    const IOobjectList& fields
) const
{
    const auto each = [&](const auto& null)
    {
        using type = std::decay_t<decltype(null)>;
        for (const word& name : fields.sortedNames<type>())
        {
            // Conditions make values of their own where they are read, and
            // digits are lost in a file
            std::unique_ptr<type> read;
            const type* whole = mesh_->thisDb().findObject<type>(name);
            if (!whole)
            {
                IOobject file(*fields.cfindObject(name));
                file.readOpt() = IOobject::MUST_READ;
                file.registerObject() = false;
                read.reset(new type(file, *mesh_));
                whole = read.get();
            }
            const auto part = decomposer.decomposeField(*whole);
            const lbmProcessorFiles::working theirs(files_);
            if (!part().write())
            {
                FatalErrorInFunction
                    << "Field " << name << " was not written to its end"
                    << exit(FatalError);
            }
        }
    };
    forVolumeTypes(each);
    forSurfaceTypes(each);
}


Foam::string Foam::lbmProcessorCase::copyUniform
(
    const word& time,
    const bool first,
    const fileName& to
) const
{
    const fs::path from(pathOf(root_/caseName()/time/"uniform"));
    if (!fs::exists(from)) return string();
    const fileName checkpoint(lbmCheckpoint::fileIn(fileName()).name());
    try
    {
        for (const auto& item : fs::recursive_directory_iterator(from))
        {
            if (!item.is_regular_file()) continue;
            const fs::path file =
                pathOf(to/"uniform")/item.path().lexically_relative(from);
            fs::create_directories(file.parent_path());
            if (item.path().filename() != std::string(checkpoint))
            {
                fs::copy_file
                (
                    item.path(), file, fs::copy_options::overwrite_existing
                );
                continue;
            }
            if (!first || fs::exists(file)) continue;
            std::error_code noLinks;
            fs::create_hard_link(item.path(), file, noLinks);
            if (noLinks) fs::copy_file(item.path(), file);
        }
    }
    catch (const fs::filesystem_error& fault)
    {
        return fault.what();
    }
    return string();
}


// A processor's mesh, read for the time that it is written
class Foam::lbmProcessorCase::part
{
    lbmProcessorFiles& files_;
    std::unique_ptr<fvMesh> mesh_;

public:

    part(lbmProcessorFiles& files, const Time& time)
    :
        files_(files)
    {
        const lbmProcessorFiles::working theirs(files_);
        mesh_.reset
        (
            new fvMesh(IOobject(fvMesh::defaultRegion, time.timeName(), time))
        );
    }

    // Its files are watched by that handler
    ~part()
    {
        const lbmProcessorFiles::working theirs(files_);
        mesh_.reset();
    }

    part(const part&) = delete;
    void operator=(const part&) = delete;

    const fvMesh& mesh() const { return *mesh_; }

    // FatalError unless it is the mesh that the run began with
    void check(const addressing& of) const
    {
        const bool same =
            mesh_->nCells() == of.cells.size()
         && mesh_->nFaces() == of.faces.size()
         && mesh_->boundaryMesh().size() == of.boundary.size()
         && ownersOf(*mesh_) == of.owners;
        if (same) return;
        FatalErrorInFunction
            << "the mesh of " << mesh_->time().path()
            << " is not the one that this run began with: it was written anew"
            << exit(FatalError);
    }
};


void Foam::lbmProcessorCase::write
(
    const lbmProcessorFiles::folder& folder,
    const fileName& container,
    const IOobjectList& fields
) const
{
    if (fields.empty()) return;
    for (const label proci : folder.processors)
    {
        Time& time = const_cast<Time&>(databases_[proci]);
        const addressing& of = addressing_[proci];
        time.setTime(start_, time.timeIndex());
        part mesh(files_, time);
        time.setTime(mesh_->time());
        mesh.check(of);
        const fvFieldDecomposer decomposer
        (
            *mesh_, mesh.mesh(), of.faces, of.cells, of.boundary
        );
        std::unique_ptr<redirected> elsewhere;
        if (!container.empty())
        {
            elsewhere.reset(new redirected(*this, proci, container));
        }
        decompose(decomposer, fields);
    }
}


Foam::lbmWholeFolder Foam::lbmProcessorCase::wholeFolder
(
    const lbmProcessorFiles::folder& of,
    const word& time
) const
{
    return lbmWholeFolder
    (
        path(of)/time, files_.collated() ? fileName(of.name)/time : fileName()
    );
}


Foam::string Foam::lbmProcessorCase::within
(
    const lbmWholeFolder& folder,
    const std::function<string()>& work
) const
{
    string why;
    try
    {
        const lbmThrowing errorsAreExplained;
        why = work();
    }
    catch (const error& fault)
    {
        why = fault.message();
        const string disk(folder.reason());
        if (!disk.empty()) why = disk;
    }
    if (!why.empty()) folder.discard();
    return why;
}


Foam::string Foam::lbmProcessorCase::begin
(
    const lbmProcessorFiles::folder& of,
    const word& time,
    const IOobjectList& fields
) const
{
    const lbmWholeFolder folder(wholeFolder(of, time));
    const string why(folder.make());
    if (!why.empty()) return why;
    return within(folder, [&]()
    {
        write(of, folder.container().name(), fields);
        return files_.cut(filesOf(fields, folder.path()));
    });
}


Foam::string Foam::lbmProcessorCase::finish
(
    const lbmProcessorFiles::folder& of,
    const word& time,
    const IOobjectList& fields,
    const HashSet<fileName>& names
) const
{
    const lbmWholeFolder folder(wholeFolder(of, time));
    const fileName checkpoint(lbmCheckpoint::fileIn(fileName()));
    return within(folder, [&]()
    {
        write(of, folder.container().name(), fields);
        string why(files_.cut(filesOf(fields, folder.path())));
        if (why.empty()) why = copyUniform(time, isFirst(of), folder.path());
        if (!why.empty()) return why;
        return folder.finish
        (
            [&](const fileName& name)
            {
                return name == checkpoint || names.found(name);
            }
        );
    });
}


Foam::string Foam::lbmProcessorCase::add
(
    const lbmProcessorFiles::folder& of,
    const word& time,
    const IOobjectList& fields
) const
{
    const fileName to(path(of)/time);
    write(of, fileName(), fields);
    string why;
    try
    {
        const lbmThrowing errorsAreExplained;
        why = files_.cut(filesOf(fields, to));
    }
    catch (const error& fault)
    {
        why = fault.message();
    }
    return why.empty() ? copyUniform(time, isFirst(of), to) : why;
}


void Foam::lbmProcessorCase::tellLeft(const IOobjectList& objects) const
{
    forAllConstIters(objects, iter)
    {
        const IOobject& io = *iter.val();
        if (isMapped(io.headerClassName())) continue;
        WarningInFunction
            << io.name() << " of class " << io.headerClassName()
            << " is not mapped to processor directories: time "
            << mesh_->time().timeName() << " there lacks it" << endl;
    }
}


Foam::IOobjectList Foam::lbmProcessorCase::fieldsOf
(
    const word& time,
    const HashSet<fileName>& names
) const
{
    IOobjectList fields(*mesh_, time);
    for (const word& name : fields.sortedNames())
    {
        if (!names.found(name) && !names.found(name + ".gz"))
        {
            fields.erase(name);
        }
    }
    tellLeft(fields);
    return fields;
}


void Foam::lbmProcessorCase::check
(
    const lbmProcessorFiles::folder& folder,
    const word& time,
    const string& why
) const
{
    if (why.empty()) return;
    FatalErrorInFunction
        << "Time " << time << " cannot be written to " << path(folder)
        << ": " << why.c_str() << nl
        << "Earlier times are whole" << exit(FatalError);
}


void Foam::lbmProcessorCase::take(const word& time)
{
    // Of a time that processors have all is added at once
    if (scattered_ == time) return;
    if (seen_ != time) waiting_.clear();
    waiting_ |= news(time);
    const IOobjectList fields(fieldsOf(time, waiting_));
    for (const lbmProcessorFiles::folder& folder : files_.folders())
    {
        check(folder, time, begin(folder, time, fields));
    }
}


void Foam::lbmProcessorCase::scatter(const word& time)
{
    const bool waits = seen_ == time && waiting_.size();
    HashSet<fileName> names(news(time));
    if (names.empty() && !waits) return;
    const bool first = scattered_ != time;
    scattered_ = time;

    const IOobjectList fields(fieldsOf(time, names));
    names |= waiting_;
    waiting_.clear();
    const auto& folders = files_.folders();
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder)
    {
        string why;
        if (!first) why = add(*folder, time, fields);
        else
        {
            if (!waits) why = begin(*folder, time, IOobjectList());
            if (why.empty()) why = finish(*folder, time, fields, names);
        }
        check(*folder, time, why);
    }
    // What other times are here is in the processors' directories
    if (!first) return;
    for (const instant& other : Time::findTimes(root_/caseName(), "constant"))
    {
        if (other.name() != time && other.name() != "constant")
        {
            fs::remove_all(pathOf(root_/caseName()/other.name()));
        }
    }
}


Foam::string Foam::lbmProcessorCase::remove(const word& time) const
{
    for (const lbmProcessorFiles::folder& folder : files_.folders())
    {
        const string why(lbmWholeFolder::remove(path(folder)/time));
        if (!why.empty()) return why;
    }
    return string();
}
