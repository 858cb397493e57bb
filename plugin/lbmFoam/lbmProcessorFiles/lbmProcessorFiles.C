// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmProcessorFiles.H"
#include "collatedFileOperation.H"
#include "decomposedBlockData.H"
#include "masterUncollatedFileOperation.H"
#include "OSspecific.H"
#include "Time.H"
#include "uncollatedFileOperation.H"

namespace
{

using namespace Foam;

//- Goes by the name that was asked for: where controlDict names another one
//  OpenFOAM puts that in place as often as it reads the file
class uncollatedFiles
:
    public fileOperations::uncollatedFileOperation
{
    const word asked_;

public:

    explicit uncollatedFiles(const word& asked)
    :
        uncollatedFileOperation(false),
        asked_(asked)
    {}

    virtual const word& type() const { return asked_; }
};


word nameOf(const label proci)
{
    return "processor" + Foam::name(proci);
}


word nameOfAll(const label n)
{
    return fileOperation::processorsBaseDir + Foam::name(n);
}

} // End anonymous namespace


Foam::lbmProcessorFiles::lbmProcessorFiles(const label n)
:
    n_(n),
    collated_(false)
{
    for (label i = 0; i < n_; ++i)
    {
        folders_.push_back({nameOf(i), labelList(1, i)});
    }
}


void Foam::lbmProcessorFiles::take(const Time& time)
{
    using namespace fileOperations;
    const word type(fileHandler().type());
    if (type == uncollatedFileOperation::typeName) return;

    collated_ = type == collatedFileOperation::typeName;
    const string ioRanks(getEnv("FOAM_IORANKS"));
    if
    (
        (!collated_ && type != masterUncollatedFileOperation::typeName)
     || !ioRanks.empty()
    )
    {
        FatalErrorInFunction
            << "The file handler is " << type;
        if (!ioRanks.empty())
        {
            FatalError<< ", and FOAM_IORANKS is " << ioRanks.c_str();
        }
        FatalError
            << ": lbmFoam -parallel reads and writes one directory a processor"
            << " (-fileHandler uncollated) or one of all (collated)"
            << exit(FatalError);
    }

    // As Time does where controlDict names another one
    auto& dict = dynamic_cast<regIOobject&>
    (
        const_cast<dictionary&>(time.controlDict())
    );
    fileNameList watched;
    for (const label index : dict.watchIndices())
    {
        watched.append(fileHandler().getFile(index));
        fileHandler().removeWatch(index);
    }
    dict.watchIndices().clear();
    other_.reset(new uncollatedFiles(type));
    other_.swap(fileOperation::fileHandlerPtr_);
    fileHandler().addWatches(dict, watched);

    other_->setNProcs(n_);
    if (!collated_) return;
    folders_.assign(1, folder{nameOfAll(n_), identity(n_)});
    Info<< "Files of processors are in " << folders_[0].name
        << ", collated; the first process reads and writes them, without threads"
        << " of MPI" << nl << endl;
}


Foam::word Foam::lbmProcessorFiles::type()
{
    return fileHandler().type();
}


const Foam::word& Foam::lbmProcessorFiles::folderOf(const label proci) const
{
    return folders_[collated_ ? 0 : proci].name;
}


Foam::string Foam::lbmProcessorFiles::cut(const fileNameList& files) const
{
    if (!collated_) return string();
    for (const fileName& file : files)
    {
        const label has = decomposedBlockData::numBlocks(file);
        if (has == n_) continue;
        return
            string(file) + ": has the data of " + Foam::name(has) + " processors of "
          + Foam::name(n_);
    }
    return string();
}


Foam::wordList Foam::lbmProcessorFiles::possible(const label n)
{
    wordList names(1, nameOfAll(n));
    for (label i = 0; i < n; ++i) names.append(nameOf(i));
    return names;
}


Foam::lbmProcessorFiles::working::working(lbmProcessorFiles& files)
:
    other_(files.other_.valid() ? &files.other_ : nullptr)
{
    if (other_) other_->swap(fileOperation::fileHandlerPtr_);
}


Foam::lbmProcessorFiles::working::~working()
{
    if (other_) other_->swap(fileOperation::fileHandlerPtr_);
}
