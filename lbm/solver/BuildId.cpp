// Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/solver/BuildId.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>

namespace lbm {

namespace {

// The build ID in one segment of notes; empty: none
std::string idIn(const char* notes, std::size_t bytes)
{
    const auto padded = [](std::size_t n) { return (n + 3) / 4 * 4; };
    for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= bytes;) {
        ElfW(Nhdr) head;
        std::memcpy(&head, notes + at, sizeof head);
        const char* name = notes + at + sizeof head;
        const char* value = name + padded(head.n_namesz);
        if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
            std::string id;
            for (std::size_t i = 0; i < head.n_descsz; ++i) {
                char hex[3];
                std::snprintf(hex, sizeof hex, "%02x", unsigned(static_cast<unsigned char>(value[i])));
                id += hex;
            }
            return id;
        }
        at += sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
    }
    return {};
}

int addObject(dl_phdr_info* object, std::size_t, void* to)
{
    const std::string file = std::filesystem::path(object->dlpi_name).filename();
    // The program itself has no name here
    if (!file.empty() && file.compare(0, 6, "liblbm") != 0) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        if (segment.p_type != PT_NOTE) continue;
        const auto* notes = reinterpret_cast<const char*>(object->dlpi_addr + segment.p_vaddr);
        const std::string id = idIn(notes, segment.p_memsz);
        if (!id.empty()) static_cast<std::set<std::string>*>(to)->insert(file + " " + id);
    }
    return 0;
}

} // namespace

ProcessBuild buildOfProcess()
{
    ProcessBuild build;
    // In no order of loading
    std::set<std::string> ids;
    dl_iterate_phdr(addObject, &ids);
    for (const std::string& id : ids) build.ids += id + ';';
    std::error_code error;
    build.place = std::filesystem::read_symlink("/proc/self/exe", error).string() + " on host " + host();
    return build;
}

std::string host()
{
    char name[256] = {};
    gethostname(name, sizeof name - 1);
    return name;
}

} // namespace lbm
