// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmCaseLock.H"
#include "clock.H"
#include "error.H"
#include "OSspecific.H"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

const Foam::word Foam::lbmCaseLock::name("lbmFoam.lock");

namespace
{

using namespace Foam;

const std::string firstWords("lbmFoam runs here: process ");

struct holder
{
    std::string text;           // the file's; empty: nobody
    std::string host;
    long process = 0;
};

// To be removed at exit: FatalError leaves through std::exit, which ends no
// object of main's
std::string held;
pid_t owner = 0;

void fail(const std::string& file, const int error)
{
    FatalErrorInFunction
        << "The case cannot be written: " << file.c_str() << ": "
        << std::strerror(error) << nl << "Earlier times are whole"
        << exit(FatalError);
}


holder readHolder(const int descriptor, const std::string& file)
{
    char text[512] = {};
    const ssize_t n = pread(descriptor, text, sizeof(text) - 1, 0);
    if (n < 0) fail(file, errno);
    holder found;
    found.text = text;
    if (found.text.empty()) return found;
    std::istringstream is(found.text.substr(0, found.text.find(", since")));
    std::string word;
    const bool ours = found.text.compare(0, firstWords.size(), firstWords) == 0;
    is.ignore(std::streamsize(firstWords.size()));
    if (!ours || !(is >> found.process >> word >> word >> found.host))
    {
        FatalErrorInFunction
            << file.c_str() << " is not a file of lbmFoam's, which would lock the case"
            << " with it: move it away" << exit(FatalError);
    }
    return found;
}


void refuse(const holder& by, const std::string& file, const char* advice)
{
    FatalErrorInFunction
        << "Another lbmFoam runs in this case: process " << by.process
        << " on host " << by.host.c_str() << nl
        << "File " << file.c_str() << ": " << by.text.c_str() << advice
        << exit(FatalError);
}


// Does the name still lead to the file that is open?
bool sameFile(const int descriptor, const std::string& file)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(file.c_str(), &named) == 0
     && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}


// Of a file that nobody holds, as far as the operating system can tell
void judgeLeft(const holder& left, const std::string& file, const bool locks)
{
    if (left.text.empty()) return;
    if (left.host != hostName())
    {
        refuse
        (
            left, file,
            "Whether that process lives cannot be seen from here: if it has"
            " ended, remove the file"
        );
    }
    if (!locks && kill(pid_t(left.process), 0) == 0)
    {
        refuse
        (
            left, file,
            "Wait for its end; if that process is another program, remove the"
            " file"
        );
    }
    Info<< "Taking over " << file.c_str() << ", left by process " << left.process
        << ", which has ended" << endl;
}


void signFile(const int descriptor, const std::string& file)
{
    std::ostringstream os;
    os  << firstWords << getpid() << " on host " << std::string(hostName())
        << ", since " << clock::dateTime() << '\n';
    const std::string text = os.str();
    if
    (
        ftruncate(descriptor, 0) != 0
     || pwrite(descriptor, text.data(), text.size(), 0) != ssize_t(text.size())
    )
    {
        fail(file, errno ? errno : ENOSPC);
    }
}

} // End anonymous namespace


void Foam::lbmCaseLock::release()
{
    // Not by a child that was forked. The lock itself goes with the process,
    // after the name
    if (!held.empty() && getpid() == owner) unlink(held.c_str());
}


void Foam::lbmCaseLock::take(const fileName& casePath)
{
    const std::string file(casePath/name);
    for (;;)
    {
        // Neither follows a link nor waits at a pipe
        const int descriptor = open
        (
            file.c_str(),
            O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
            0644
        );
        if (descriptor < 0) fail(file, errno);

        const bool locked = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
        const int error = errno;
        holder present = readHolder(descriptor, file);
        if (!locked && error == EWOULDBLOCK)
        {
            // Who has just locked it signs it next
            for (int i = 0; i < 100 && present.text.empty(); ++i)
            {
                usleep(10000);
                present = readHolder(descriptor, file);
            }
            refuse(present, file, "Wait for its end, or copy the case");
        }
        // Another has removed the file since: there may be a new one
        if (!sameFile(descriptor, file))
        {
            close(descriptor);
            continue;
        }
        judgeLeft(present, file, locked);
        owner = getpid();
        held = file;
        std::atexit(release);
        errno = 0;
        signFile(descriptor, file);
        return;         // open to the end of the process
    }
}
