// The declarations are those of NCCL's interface, which has not changed since 2.7.
// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/device/Nccl.hpp"

#include <cstdlib>
#include <cstring>

#include <dlfcn.h>

namespace lbm::cuda {
namespace {

struct UniqueId {
    char internal[128];
};
constexpr int success = 0, inProgress = 7, typeOfBytes = 1;
constexpr int oldest = 2700; // 2.7.0; from 2.9 on there are two digits more

struct Library {
    void* handle;
    const char* (*getErrorString)(int);
    int (*getVersion)(int*);
    int (*getUniqueId)(UniqueId*);
    int (*commInitRank)(void**, int, UniqueId, int);
    int (*commDestroy)(void*);
    int (*commGetAsyncError)(void*, int*);
    int (*groupStart)();
    int (*groupEnd)();
    int (*send)(const void*, std::size_t, int, int, void*, StreamHandle);
    int (*recv)(void*, std::size_t, int, int, void*, StreamHandle);
    int version = 0;

    template<class F>
    void find(F*& function, const char* name)
    {
        function = reinterpret_cast<F*>(dlsym(handle, name));
        if (!function) throw Error(std::string("NCCL: the library has no ") + name);
    }

    Library()
    {
        const char* const named = std::getenv("LBM_NCCL_LIBRARY");
        handle = dlopen(named && *named ? named : "libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
        if (!handle) throw Error(std::string("NCCL is not found: ") + dlerror());
        find(getErrorString, "ncclGetErrorString"), find(getVersion, "ncclGetVersion");
        int found = 0;
        if (getVersion(&found) != success || found < oldest) throw Error("NCCL: the library is older than 2.7");
        find(getUniqueId, "ncclGetUniqueId"), find(commInitRank, "ncclCommInitRank");
        find(commDestroy, "ncclCommDestroy"), find(commGetAsyncError, "ncclCommGetAsyncError");
        find(groupStart, "ncclGroupStart"), find(groupEnd, "ncclGroupEnd");
        find(send, "ncclSend"), find(recv, "ncclRecv");
        version = found;
    }

    void check(int status, const std::string& what) const
    {
        if (status != success) throw Error("NCCL, " + what + ": " + getErrorString(status));
    }
};

// Stays until the process ends: the library has threads of its own.
const Library& library()
{
    static const Library* const found = new Library;
    return *found;
}

} // namespace

std::string ncclName()
{
    const int v = library().version, thousand = v < 10000 ? 1000 : 10000;
    return "NCCL " + std::to_string(v / thousand) + '.' + std::to_string(v % thousand / 100) + '.'
        + std::to_string(v % 100);
}

std::string newNcclId()
{
    UniqueId id;
    library().check(library().getUniqueId(&id), "a new identity");
    return {id.internal, sizeof id.internal};
}

// NCCL asks for a group where one thread has several devices join
NcclRanks::NcclRanks(std::vector<Device> devices, const std::string& id, int first, int all) :
    devices_(std::move(devices)), ranks_(devices_.size())
{
    UniqueId name;
    if (id.size() != sizeof name.internal) throw Error("NCCL: no such identity");
    std::memcpy(name.internal, id.data(), sizeof name.internal);
    check(library().groupStart(), "begin of joining");
    for (std::size_t i = 0; i < devices_.size(); ++i) {
        devices_[i].use();
        check(library().commInitRank(&ranks_[i], all, name, first + int(i)), "joining other ranks");
    }
    check(library().groupEnd(), "joining other ranks");
}

// Only one that has failed refuses, and that has been reported. In a group, for each waits for all others
NcclRanks::~NcclRanks()
{
    static_cast<void>(library().groupStart());
    for (void* rank : ranks_) static_cast<void>(library().commDestroy(rank));
    static_cast<void>(library().groupEnd());
}

void NcclRanks::begin()
{
    devices_.front().use();
    check(library().groupStart(), "begin of an exchange");
}

void NcclRanks::send(int device, int to, const char* bytes, std::size_t n, StreamHandle stream)
{
    check(library().send(bytes, n, typeOfBytes, to, ranks_.at(std::size_t(device)), stream), "sending");
}

void NcclRanks::receive(int device, int from, char* bytes, std::size_t n, StreamHandle stream)
{
    check(library().recv(bytes, n, typeOfBytes, from, ranks_.at(std::size_t(device)), stream), "receiving");
}

void NcclRanks::end()
{
    check(library().groupEnd(), "an exchange");
    for (void* rank : ranks_) {
        int later = success;
        check(library().commGetAsyncError(rank, &later), "an exchange");
        if (later != inProgress) check(later, "an exchange before");
    }
}

void NcclRanks::check(int status, const char* what) const
{
    std::string names;
    for (const Device& device : devices_) names += (names.empty() ? "" : ", ") + device.name();
    library().check(status, std::string(what) + " on " + names);
}

} // namespace lbm::cuda
