// SharedRim: a part of another process of the host as one that takes a rim (RimPassing.cuh): the memory of its ghosts, by the names that
// its process tells (cuda::SharedMemory), and their places there. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/moments/gpu/RimPassing.cuh"

#include <cstring>
#include <type_traits>

namespace lbm {

template<class Tiles>
class SharedRim {
public:
    // What is told. names: of the memory that the taker points to, copy by copy its moments and its faces (empty: it keeps none), and the
    // words of all givers, of which `word` is this one's. Empty where the device shares nothing.
    static std::string told(const RimTaker<Tiles>& taker, const std::vector<std::string>& names, int word,
                            const std::vector<NodePlace>& ghosts)
    {
        Head head{taker, word};
        std::string text(reinterpret_cast<const char*>(&head), sizeof head);
        auto name = names.begin();
        bool all = true;
        eachPointer(head.taker, [&](auto* pointer) {
            all = all && (!pointer || !name->empty());
            text += *name++;
        });
        text.append(reinterpret_cast<const char*>(ghosts.data()), ghosts.size() * sizeof(NodePlace));
        return all ? text : std::string();
    }

    // For kernels of a device. Throws cuda::Error where it does not reach the memory.
    SharedRim(const cuda::Device& device, const std::string& told)
    {
        Head head;
        std::size_t at = sizeof head;
        std::memcpy(&head, told.data(), at);
        eachPointer(head.taker, [&](auto*& pointer) {
            if (!pointer) return;
            memory_.emplace_back(device, told.substr(at, cuda::SharedMemory::nameBytes));
            pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(memory_.back().data());
            at += cuda::SharedMemory::nameBytes;
        });
        taker_ = head.taker;
        taker_.arrived += head.word;
        ghosts_.resize((told.size() - at) / sizeof(NodePlace));
        std::memcpy(ghosts_.data(), told.data() + at, ghosts_.size() * sizeof(NodePlace));
    }

    const RimTaker<Tiles>& taker() const { return taker_; }
    const std::vector<NodePlace>& ghosts() const { return ghosts_; }

private:
    struct Head {
        RimTaker<Tiles> taker;
        int word;
    };
    static_assert(std::is_trivially_copyable_v<Head>, "told byte by byte");

    template<class Visit>
    static void eachPointer(RimTaker<Tiles>& taker, Visit&& visit)
    {
        for (Tiles& copy : taker.copies) visit(copy.data), visit(copy.faces);
        visit(taker.arrived);
    }

    RimTaker<Tiles> taker_;
    std::vector<NodePlace> ghosts_;
    std::vector<cuda::OpenedMemory> memory_;
};

} // namespace lbm
