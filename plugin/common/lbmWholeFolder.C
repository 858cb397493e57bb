// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWholeFolder.H"
#include "error.H"
#include "IFstream.H"
#include "OSspecific.H"
#include "scalar.H"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace fs = std::filesystem;

const Foam::word Foam::lbmWholeFolder::unfinished(".unfinished");

namespace
{

const char* const marker = "madeByLbmFoam";
const char* const markerBegins = "Made by lbmFoam. Unfinished or replaced: ";
const char* const replaced = "replaced";
const char* const probe = "probe";

// To find out why files of some size could not be written
const Foam::label someBytes = 1 << 16;

// How OpenFOAM ends its files (IOobject::writeEndDivider), less the stars, and
// how VTK does
const std::string lastWords("*** //\n");
const std::string lastWordsVtk("</VTKFile>\n");

// Of several processors' one after the other, as a list of bytes each
const std::string lastWordsCollated(")\n");
const std::string collatedClass("decomposedBlockData");

Foam::string errorOf(const fs::path& file, const int error)
{
    return Foam::string(file.string() + ": " + std::strerror(error));
}


Foam::string errorOf(const fs::filesystem_error& fault)
{
    return errorOf
    (
        fault.path2().empty() ? fault.path1() : fault.path2(),
        fault.code().value()
    );
}


fs::path pathOf(const Foam::fileName& name)
{
    return fs::path{std::string(name)};
}


Foam::string toDisk(const fs::path& path)
{
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errorOf(path, errno);
    const bool done = fsync(descriptor) == 0;
    const int error = errno;
    close(descriptor);
    return done ? Foam::string() : errorOf(path, error);
}


// The end of a file, unpacked if need be
std::string tail(const fs::path& file, std::string& head)
{
    const std::size_t n = std::max(lastWords.size(), lastWordsVtk.size());
    std::string end;
    if (file.extension() == ".gz")
    {
        Foam::IFstream packed{Foam::fileName(file.string())};
        std::string line;
        while (std::getline(packed.stdStream(), line))
        {
            if (head.empty()) head = line;
            if (!line.empty()) end = line;
        }
        end += '\n';
        return end.size() < n ? end : end.substr(end.size() - n);
    }
    std::ifstream is(file, std::ios::binary);
    std::getline(is, head);
    is.clear();
    is.seekg(0, std::ios::end);
    const auto size = std::size_t(is.tellg());
    end.resize(std::min(n, size));
    is.seekg(std::streamoff(size - end.size()));
    is.read(&end[0], std::streamsize(end.size()));
    return end;
}


// By the class in its header, which is short; none is compressed
bool isCollated(const fs::path& file)
{
    if (file.extension() == ".gz") return false;
    std::ifstream is(file, std::ios::binary);
    for (std::string line; std::getline(is, line) && line != "}";)
    {
        if (line.find(collatedClass) != std::string::npos) return true;
    }
    return false;
}


bool endsWith(const std::string& text, const std::string& end)
{
    return text.size() >= end.size()
     && text.compare(text.size() - end.size(), end.size(), end) == 0;
}


Foam::string checkAll(const fs::path& top)
{
    std::vector<fs::path> folders{top};
    for (const auto& item : fs::recursive_directory_iterator(top))
    {
        if (item.is_directory())
        {
            folders.push_back(item.path());
            continue;
        }
        if (!Foam::lbmWholeFolder::whole(Foam::fileName(item.path().string())))
        {
            return Foam::string(item.path().string() + ": was cut short");
        }
        const Foam::string why(toDisk(item.path()));
        if (!why.empty()) return why;
    }
    for (const fs::path& folder : folders)
    {
        const Foam::string why(toDisk(folder));
        if (!why.empty()) return why;
    }
    return Foam::string();
}


// What the marker says: where in the folder things lie. Empty: it is not ours.
fs::path innerOf(const fs::path& container)
{
    if (!fs::is_directory(fs::symlink_status(container))) return {};
    const fs::path file = container/marker;
    if (!fs::is_regular_file(fs::symlink_status(file))) return {};
    std::ifstream is(file);
    std::string line;
    std::getline(is, line);

    // Killed before it said more
    const fs::path byDefault = container.stem();
    if (line.empty()) return byDefault;

    const std::string begin(markerBegins);
    return line.compare(0, begin.size(), begin) == 0
      ? fs::path(line.substr(begin.size())) : fs::path();
}


// The marker goes last: who is killed meanwhile leaves a folder that is ours
void removeContainer(const fs::path& container, const fs::path& inner)
{
    fs::remove_all(container/replaced);
    fs::remove_all(container/(*inner.begin()));
    fs::remove(container/probe);
    fs::remove(container/marker);
    fs::remove(container);
}


// As what is written anew, compressed or not
fs::path key(fs::path name)
{
    if (name.extension() == ".gz") name.replace_extension();
    return name;
}


bool lacksHardLinks(const std::error_code& error)
{
    for (const int code : {EXDEV, EPERM, EMLINK, ENOSYS, EOPNOTSUPP})
    {
        if (error.value() == code) return true;
    }
    return false;
}


void keep(const fs::path& from, const fs::path& to)
{
    std::error_code error;
    fs::create_hard_link(from, to, error);
    if (!error) return;
    if (!lacksHardLinks(error)) throw fs::filesystem_error("", from, to, error);
    fs::copy(from, to, fs::copy_options::copy_symlinks);
    if (fs::is_regular_file(fs::symlink_status(to)))
    {
        const Foam::string why(toDisk(to));
        if (!why.empty())
        {
            throw fs::filesystem_error("", to, {EIO, std::generic_category()});
        }
    }
}


bool lacksExchange(const int error)
{
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}


bool isTime(const fs::path& name)
{
    Foam::scalar value;
    return Foam::readScalar(name.string(), value);
}


void refuseStranger(const fs::path& container)
{
    FatalErrorInFunction
        << Foam::fileName(container.string()) << " is not lbmFoam's, but lbmFoam"
        << " would write time " << Foam::fileName(container.stem().string())
        << " there" << Foam::nl
        << "Move it away, or remove it if nothing in it is needed"
        << Foam::exit(Foam::FatalError);
}

} // End anonymous namespace


Foam::lbmWholeFolder::lbmWholeFolder
(
    const fileName& final,
    const fileName& inner
)
:
    final_(final),
    inner_(inner.empty() ? fileName(final.name()) : inner)
{}


Foam::string Foam::lbmWholeFolder::make() const
{
    const string why(makeContainer());
    if (!why.empty()) return why;
    std::error_code error;
    fs::create_directories(pathOf(path()), error);
    return error ? errorOf(pathOf(path()), error.value()) : string();
}


Foam::string Foam::lbmWholeFolder::makeContainer() const
{
    const fs::path folder(pathOf(container()));
    try
    {
        const fs::path left = innerOf(folder);
        if (!left.empty()) removeContainer(folder, left);

        const fs::file_status status = fs::symlink_status(folder);
        const bool emptyFolder =
            fs::is_directory(status) && fs::is_empty(folder);
        if (fs::exists(status) && !emptyFolder)
        {
            return string
            (
                folder.string() + ": is not lbmFoam's, and stands where it"
                " would write"
            );
        }
        fs::create_directory(folder);
    }
    catch (const fs::filesystem_error& fault)
    {
        return errorOf(fault);
    }

    const fs::path file = folder/marker;
    std::ofstream os(file);
    os  << markerBegins << std::string(inner_) << '\n'
        << "process " << getpid() << " on host " << std::string(hostName())
        << "; the next start removes this folder\n";
    os.close();
    if (os) return string();

    // Without it the folder is nobody's
    const string why(reason());
    std::error_code left;
    fs::remove(file, left);
    fs::remove(folder, left);
    return why;
}


bool Foam::lbmWholeFolder::whole(const fileName& name)
{
    std::string head;
    const std::string end = tail(pathOf(name), head);
    if (head.compare(0, 2, "/*") == 0)
    {
        return endsWith(end, lastWords)
         || (endsWith(end, lastWordsCollated) && isCollated(pathOf(name)));
    }
    if (head.compare(0, 5, "<?xml") == 0) return endsWith(end, lastWordsVtk);
    return !head.empty();
}


Foam::string Foam::lbmWholeFolder::carry
(
    const std::function<bool(const fileName&)>& claimed
) const
{
    const fs::path from(pathOf(final_)), to(pathOf(path()));
    std::vector<fs::path> changed;
    for
    (
        auto item = fs::recursive_directory_iterator(from);
        item != fs::recursive_directory_iterator();
        ++item
    )
    {
        const fs::path name = item->path().lexically_relative(from);
        const bool folder = fs::is_directory(item->symlink_status());
        const fs::path plain = to/key(name);
        const bool anew =
            fs::exists(fs::symlink_status(plain))
         || fs::exists(fs::symlink_status(plain.string() + ".gz"));
        if (folder)
        {
            if (claimed(fileName(name.string())))
            {
                item.disable_recursion_pending();
            }
            else if (!anew) fs::create_directory(to/name, item->path());
            else if (!fs::is_directory(plain)) item.disable_recursion_pending();
            continue;
        }
        if (anew || claimed(fileName(key(name).string()))) continue;
        keep(item->path(), to/name);
        changed.push_back((to/name).parent_path());
    }
    for (const fs::path& folder : changed)
    {
        const string why(toDisk(folder));
        if (!why.empty()) return why;
    }
    return string();
}


Foam::string Foam::lbmWholeFolder::exchange() const
{
    const fs::path from(pathOf(path())), to(pathOf(final_));
    if
    (
        renameat2
        (
            AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_EXCHANGE
        ) == 0
    )
    {
        return toDisk(to.parent_path());
    }
    if (!lacksExchange(errno)) return errorOf(to, errno);

    const fs::path aside = pathOf(container())/replaced;
    fs::rename(to, aside);
    std::error_code error;
    fs::rename(from, to, error);
    if (error)
    {
        fs::rename(aside, to);
        return errorOf(to, error.value());
    }
    return toDisk(to.parent_path());
}


Foam::string Foam::lbmWholeFolder::finish
(
    const std::function<bool(const fileName&)>& claimed,
    const bool keepOthers
) const
{
    const fs::path from(pathOf(path())), to(pathOf(final_));
    try
    {
        string why(checkAll(from));
        if (!why.empty())
        {
            const string disk(reason());
            return disk.empty() ? why : disk;
        }
        if (!fs::exists(fs::symlink_status(to)))
        {
            fs::rename(from, to);
            why = toDisk(to.parent_path());
            return why.empty() ? discard() : why;
        }
        const bool folder = fs::is_directory(to);
        if (!folder && !fs::is_symlink(to)) return errorOf(to, ENOTDIR);
        if (folder && keepOthers) why = carry(claimed);
        if (why.empty()) why = exchange();
        return why.empty() ? discard() : why;
    }
    catch (const fs::filesystem_error& fault)
    {
        return errorOf(fault);
    }
}


Foam::string Foam::lbmWholeFolder::discard() const
{
    try
    {
        if (!innerOf(pathOf(container())).empty())
        {
            removeContainer(pathOf(container()), pathOf(inner_));
        }
    }
    catch (const fs::filesystem_error& fault)
    {
        return errorOf(fault);
    }
    return string();
}


Foam::string Foam::lbmWholeFolder::reason() const
{
    // A limit that one large file met may leave room for a small one
    rlimit limit;
    std::error_code error;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    {
        for
        (
            auto item = fs::recursive_directory_iterator
            (
                pathOf(container()), error
            );
            !error && item != fs::recursive_directory_iterator();
            item.increment(error)
        )
        {
            std::error_code gone;
            if (item->is_regular_file(gone) && item->file_size(gone) >= limit.rlim_cur)
            {
                return errorOf(item->path(), EFBIG);
            }
        }
    }
    return reason(container(), someBytes);
}


Foam::string Foam::lbmWholeFolder::reason
(
    const fileName& folder,
    const label n
)
{
    // A stream of OpenFOAM does not tell: write something
    const std::string file = std::string(folder) + '/' + probe;
    const std::string bytes(std::size_t(n), ' ');
    const int descriptor = open
    (
        file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600
    );
    if (descriptor < 0) return errorOf(std::string(folder), errno);
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    int error = written < 0 ? errno : 0;
    // Cut short: the next byte tells why
    if (written >= 0 && written < n && write(descriptor, " ", 1) < 0)
    {
        error = errno;
    }
    if (!error && fsync(descriptor) != 0) error = errno;
    close(descriptor);
    unlink(file.c_str());
    return error ? errorOf(std::string(folder), error) : string();
}


Foam::string Foam::lbmWholeFolder::remove(const fileName& folder)
{
    const lbmWholeFolder leaving(folder);
    std::error_code error;
    if (!fs::exists(fs::symlink_status(pathOf(folder), error))) return string();
    const string why(leaving.makeContainer());
    if (!why.empty()) return why;
    fs::rename(pathOf(folder), pathOf(leaving.path()), error);
    const string left(leaving.discard());
    return error ? errorOf(pathOf(folder), error.value()) : left;
}


void Foam::lbmWholeFolder::recover(const fileName& folder)
{
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& item : fs::directory_iterator(pathOf(folder), error))
    {
        if (item.path().extension() == std::string(unfinished)) found.push_back(item.path());
    }
    for (const fs::path& container : found)
    {
        const fs::path place = container.parent_path()/container.stem();
        const fs::path inner = innerOf(container);
        if (inner.empty())
        {
            if (!isTime(container.stem())) continue;
            if
            (
                !fs::is_directory(fs::symlink_status(container))
             || !fs::is_empty(container)
            )
            {
                refuseStranger(container);
            }
            fs::remove(container, error);
            continue;
        }
        try
        {
            if
            (
                fs::exists(container/replaced) && fs::exists(container/inner)
             && !fs::exists(fs::symlink_status(place))
            )
            {
                Info<< "Completing " << fileName(place.string())
                    << ", which a run that ended was about to replace" << endl;
                fs::rename(container/inner, place);
            }
            Info<< "Removing " << fileName(container.filename().string())
                << ", left by a run that ended while it was writing" << endl;
            removeContainer(container, inner);
        }
        catch (const fs::filesystem_error& fault)
        {
            FatalErrorInFunction
                << errorOf(fault).c_str() << nl << "What an earlier run left in "
                << fileName(container.string()) << " is in the way of this one"
                << exit(FatalError);
        }
    }
}
