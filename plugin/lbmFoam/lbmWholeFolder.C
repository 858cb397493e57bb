// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmWholeFolder.H"
#include "IFstream.H"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace
{

// How OpenFOAM ends its files (IOobject::writeEndDivider), less the stars
const std::string lastWords("*** //\n");

Foam::string errorOf(const fs::path& file, const int error)
{
    return Foam::string(file.string() + ": " + std::strerror(error));
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
    const std::size_t n = lastWords.size();
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

} // End anonymous namespace


Foam::string Foam::lbmWholeFolder::make() const
{
    std::error_code error;
    fs::remove_all(std::string(path_), error);
    if (!error) fs::create_directory(std::string(path_), error);
    return error ? errorOf(std::string(path_), error.value()) : string();
}


Foam::string Foam::lbmWholeFolder::check(const fileName& name) const
{
    const fs::path file{std::string(name)};
    std::string head;
    const std::string end = tail(file, head);
    const bool banner = head.compare(0, 2, "/*") == 0;
    if (head.empty() || (banner && end != lastWords)) return reason();
    return string();
}


Foam::string Foam::lbmWholeFolder::checkAll() const
{
    std::vector<fs::path> folders{std::string(path_)};
    for (const auto& item : fs::recursive_directory_iterator(folders[0]))
    {
        if (item.is_directory())
        {
            folders.push_back(item.path());
            continue;
        }
        string why(check(fileName(item.path().string())));
        if (why.empty()) why = toDisk(item.path());
        if (!why.empty()) return why;
    }
    for (const fs::path& folder : folders)
    {
        const string why(toDisk(folder));
        if (!why.empty()) return why;
    }
    return string();
}


Foam::string Foam::lbmWholeFolder::finish(const fileName& final) const
{
    string why(checkAll());
    if (!why.empty()) return why;

    const fs::path from{std::string(path_)}, to{std::string(final)};
    try
    {
        if (!fs::exists(to))
        {
            fs::rename(from, to);
            return toDisk(to.parent_path());
        }
        for (const auto& item : fs::recursive_directory_iterator(from))
        {
            const fs::path target = to/fs::relative(item.path(), from);
            if (item.is_directory()) fs::create_directories(target);
            else fs::rename(item.path(), target);
        }
        fs::remove_all(from);
        return toDisk(to);
    }
    catch (const fs::filesystem_error& fault)
    {
        return errorOf(to, fault.code().value());
    }
}


Foam::string Foam::lbmWholeFolder::reason() const
{
    // A stream of OpenFOAM does not tell: write something
    const std::string probe(path_/"probe");
    const std::string bytes(1 << 16, ' ');
    const int descriptor = open
    (
        probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600
    );
    if (descriptor < 0) return errorOf(probe, errno);
    const bool done =
        write(descriptor, bytes.data(), bytes.size()) == ssize_t(bytes.size())
     && fsync(descriptor) == 0;
    const int error = done ? 0 : errno;
    close(descriptor);
    unlink(probe.c_str());
    return string
    (
        std::string(path_) + ": "
      + (error ? std::strerror(error) : "a file was cut short")
    );
}
