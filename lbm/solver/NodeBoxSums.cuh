// NodeBoxSums: sums over the fluid nodes of boxes (CudaBoxes) by SumBoxes.cuh. Nothing of a node goes through memory but what is stored of
// it: lists, populations and states of a million nodes at a time took 1.6 ms of an H200, most of it one thread's sum of a thousand nodes.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/device/CudaStream.hpp"
#include "lbm/device/NoMemory.hpp"
#include "lbm/device/Window.hpp"
#include "lbm/solver/CudaBoxes.cuh"
#include "lbm/solver/SumBoxes.cuh"

#include <algorithm>
#include <vector>

namespace lbm {

// What is read of boxes, some at a time, so that what they are brought in is little memory. While one piece is worked on, the one before is
// on its way to the host, by way of pinned memory, or where that cannot be had of any, which is slower.
class NodeBoxSums {
public:
    explicit NodeBoxSums(const cuda::Device& device) : device_(&device) {}

    // values: [boxes][valuesOf(reading)]; stateAt: NodeStates.
    template<class TileT, class StateAt>
    Extremes sample(const CudaBoxes& boxes, Reading reading, const StateAt& stateAt, double* values)
    {
        if (reading == Reading::flow) return sum<false, TileT>(boxes, reading, stateAt, values);
        return sum<true, TileT>(boxes, reading, stateAt, values);
    }

private:
    struct Room {
        explicit Room(const cuda::Device& device) : stream(device), arrived(device) {}

        cuda::Stream stream;
        cuda::Event arrived;
        cuda::Array<double> sums;
        cuda::Array<Extremes> found;
        cuda::PinnedMemory pinned; // sums, and behind them what was found
        std::vector<double> pageable;

        double* onHost() { return pageable.empty() ? static_cast<double*>(pinned.data()) : pageable.data(); }

        void holdOnHost(const cuda::Device& device, std::size_t bytes)
        {
            if (pinned.bytes() >= bytes || pageable.size() * sizeof(double) >= bytes) return;
            if (pageable.empty()) try {
                    pinned = {device, bytes};
                    return;
                } catch (const cuda::NoMemory&) {
                    pinned = {};
                }
            pageable.resize((bytes + sizeof(double) - 1) / sizeof(double));
        }
    };

    // What of a call's values is in a room; n: 0: none.
    struct UnderWay {
        double* values = nullptr;
        std::size_t n = 0, blocks = 0;
    };

    template<bool strain, class TileT, class StateAt>
    Extremes sum(const CudaBoxes& boxes, Reading reading, const StateAt& stateAt, double* values)
    {
        using Share = BoxShare<strain>;
        constexpr std::size_t most = std::size_t(1) << 18;
        const std::size_t all = boxes.size(), each = std::size_t(valuesOf(reading));
        while (rooms_.size() < 2) rooms_.emplace_back(*device_);
        device_->synchronize("before means of boxes are read"); // these streams do not wait for those that steps are in
        UnderWay underWay[2];
        Extremes extremes{0, 0, 0, 0};
        for (std::size_t first = 0, piece = 0; first < all; first += most, ++piece) {
            const std::size_t n = std::min(most, all - first), blocks = Share::blocks(n);
            Room& room = rooms_[piece % 2];
            UnderWay& own = underWay[piece % 2];
            finish(room, own, extremes);
            makeRoom(room, n * each, blocks);
            sumBoxes<strain, TileT><<<unsigned(blocks), Share::threads, Share::sharedBytes, room.stream.handle()>>>(
                boxes.view(first), int(n), reading, stateAt, room.sums.data(), room.found.data());
            device_->check("kernel of sums of boxes");
            own = {values + first * each, n * each, blocks};
            double* const to = room.onHost();
            room.stream.toHost(to, room.sums.data(), own.n * sizeof(double));
            room.stream.toHost(to + own.n, room.found.data(), blocks * sizeof(Extremes));
            room.stream.record(room.arrived);
        }
        for (int i = 0; i < 2; ++i) finish(rooms_[i], underWay[i], extremes);
        return extremes;
    }

    void makeRoom(Room& room, std::size_t sums, std::size_t blocks)
    {
        if (room.sums.size() < sums) room.sums = {*device_, sums};
        if (room.found.size() < blocks) room.found = {*device_, blocks};
        const std::size_t bytes = sums * sizeof(double) + blocks * sizeof(Extremes);
        room.holdOnHost(*device_, bytes);
    }

    static void finish(Room& room, UnderWay& own, Extremes& extremes)
    {
        constexpr std::size_t piece = std::size_t(1) << 13;
        if (own.n == 0) return;
        cuda::Stream::wait(room.arrived);
        const double* const from = room.onHost();
#pragma omp parallel for schedule(static) if (own.n > 4 * piece)
        for (std::size_t at = 0; at < own.n; at += piece)
            std::copy_n(from + at, std::min(piece, own.n - at), own.values + at);
        const Extremes* const found = reinterpret_cast<const Extremes*>(from + own.n);
        for (std::size_t i = 0; i < own.blocks; ++i) include(extremes, found[i]);
        own = {};
    }

    const cuda::Device* device_;
    std::vector<Room> rooms_; // two, from when boxes are first read
};

} // namespace lbm
