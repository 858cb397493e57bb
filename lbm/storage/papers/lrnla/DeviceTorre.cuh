// DeviceTorre: ConeTorre<8, NT> as a block of threads, a cell a thread, its populations in registers for NT steps (Levchenko &
// Perepelkina 2022, sections 3.4 and 4.3). What crosses its slopes lies in device memory: a tower and those on its diagonal share a
// line, where each finds at a step what the one before has left there, at the place where it leaves its own. The eight octants
// of a folded box are the blocks of a cluster, which meet at the ends alone. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "lbm/storage/papers/lrnla/DevicePass.cuh"

namespace lbm::lrnla {

// Walls of a thread's cell at a tier.
template<class L, class S>
struct WallsOfTier {
    const CellWalls<L, S>& cell;
    KeptValues<S> values;
    bool odd; // where groups begin

    template<int q, int sign>
    __device__ LBM_INLINE S exchanged(const S& own, const S& other) const
    {
        return cell.template exchanged<q, sign>(own, other, odd, values);
    }
    __device__ LBM_INLINE void keep(const S (&f)[L::Q]) const { cell.keep(f, odd, values); }
};

template<class L, class S, bool folds, bool walls, class Collide>
class DeviceTorre {
    static constexpr int chunks = chunksOf<L, S>;
    using Shared = TorreShared<L, S>;

public:
    __device__ DeviceTorre(const DevicePass<S>& pass, const Collide& relax, int octant, char* shared, Chunk** lines) :
        pass_(pass),
        relax_(relax),
        octant_(octant),
        arriving_(reinterpret_cast<Chunk*>(shared)),
        buffer_(reinterpret_cast<S*>(shared + Shared::arriving)),
        leaving_(reinterpret_cast<std::uint16_t*>(shared + Shared::bytes - Shared::leaving)),
        lines_(lines)
    {}

    // base: lowest cell of the tower at step 0. Its right neighbours are done.
    __device__ void climb(const int (&base)[3], S* tiles)
    {
        int from = 0, last = pass_.steps - 1;
        insideFrom_ = 0;
        insideTo_ = last;
        for (int a = 0; a < 3; ++a) {
            const int room = pass_.cells[a] - torreSide - base[a];
            from = max(from, 1 - torreSide - base[a]);
            last = min(last, room + torreSide - 1);
            insideFrom_ = max(insideFrom_, -base[a]);
            insideTo_ = min(insideTo_, room);
        }
        if (from > last) return;
        othersRead_ = false;
        tabulate();
        const Partners odd = oddPartners();
        const int begin = max(from - 1, 0);
        S f[L::Q];
        load(f, base, tiles, from == 0);
        if constexpr (walls) walls_ = wallsAt(base, begin);
        locate(base, begin);
        if (begin < pass_.handed) fetch(base, begin);
        for (int step = begin; step <= last; ++step) {
            if (step >= from) tier(f, base, step, odd);
            if (step < pass_.handed) hand(f, step, step >= from);
            if (step == pass_.steps - 1) {
                save(f, base, tiles);
                break;
            }
            locate(base, step + 1);
            if (step + 1 < pass_.handed) fetch(base, step + 1);
        }
        awaitOthers();
    }

private:
    static __device__ int thread() { return int(threadIdx.x); }

    static __device__ Partners oddPartners()
    {
        int slot[3];
        slotOf(thread(), slot);
        return lrnla::oddPartners(slot);
    }

    __device__ bool inBox(const int (&p)[3]) const
    {
        return unsigned(p[0]) < unsigned(pass_.cells[0]) && unsigned(p[1]) < unsigned(pass_.cells[1])
            && unsigned(p[2]) < unsigned(pass_.cells[2]);
    }

    __device__ void placeAt(const int (&base)[3], int step, int (&place)[3]) const
    {
        int slot[3];
        slotOf(thread(), slot);
        for (int a = 0; a < 3; ++a) place[a] = base[a] + step + ((slot[a] - step) & (torreSide - 1));
    }

    // After each step modulo 8: through which faces the thread's cell leaves, above eight bits of where among those that do.
    __device__ void tabulate()
    {
        int slot[3];
        slotOf(thread(), slot);
        for (int step = 0; step < torreSide; ++step) {
            int local[3], faces = 0;
            for (int a = 0; a < 3; ++a) {
                local[a] = (slot[a] - step) & (torreSide - 1);
                if (local[a] == 0) faces |= 1 << a;
            }
            const int within = local[2] == 0 ? local[1] * 8 + local[0]
                : local[1] == 0              ? 64 + local[2] * 8 + local[0]
                                             : 128 + local[2] * 8 + local[1];
            leaving_[step * torreThreads + thread()] = std::uint16_t(faces << 8 | within);
        }
    }

    // All of the tower's cells lie in the box before and after the step; where they do not, some may lie beyond its ends.
    __device__ bool inside(int step) const { return step >= insideFrom_ && step < insideTo_; }

    __device__ void locate(const int (&base)[3], int step)
    {
        const int entry = leaving_[(step & (torreSide - 1)) * torreThreads + thread()];
        leaves_ = entry >> 8;
        within_ = entry & 255;
        isThere_ = true;
        arrives_ = leaves_ != 0;
        if (inside(step)) return;
        int place[3];
        placeAt(base, step, place);
        isThere_ = inBox(place);
        for (int a = 0; a < 3; ++a) place[a] += (leaves_ >> a & 1) * torreSide;
        arrives_ = arrives_ && inBox(place);
    }

    // What will take the place of a cell that leaves is on its way while the tier computes.
    __device__ void fetch(const int (&base)[3], int step)
    {
        if constexpr (walls)
            if (arrives_) arrivingWalls_ = wallsAt(base, step + 1);
        if (arrives_) {
            const Chunk* source = lines_[leaves_] + (step * (chunks * slopeCells) + within_);
            const unsigned target = unsigned(__cvta_generic_to_shared(arriving_ + thread()));
#pragma unroll
            for (int c = 0; c < chunks; ++c)
                asm volatile(
                    "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target + c * int(torreThreads * sizeof(Chunk))),
                    "l"(source + c * slopeCells)
                    : "memory");
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }

    __device__ void hand(S (&f)[L::Q], int step, bool computed)
    {
        if (leaves_ == 0) return;
        union Cell {
            S f[chunks * 16 / sizeof(S)];
            Chunk chunk[chunks];
            __device__ Cell() {}
        } cell;
        asm volatile("cp.async.wait_group 0;" ::: "memory");
        if (computed && isThere_) {
            for (int q = 0; q < L::Q; ++q) cell.f[q] = f[q];
            for (int q = L::Q; q < chunks * 16 / int(sizeof(S)); ++q) cell.f[q] = 0;
            Chunk* target = lines_[0] + (step * (chunks * slopeCells) + within_);
#pragma unroll
            for (int c = 0; c < chunks; ++c) target[c * slopeCells] = cell.chunk[c];
        }
        // Where nothing arrives, beyond the box, no walls stay: they would be kept up for a cell that another tower has now
        if constexpr (walls) walls_ = arrives_ ? arrivingWalls_ : CellWalls<L, S>();
        if (!arrives_) return;
#pragma unroll
        for (int c = 0; c < chunks; ++c) cell.chunk[c] = arriving_[c * torreThreads + thread()];
        for (int q = 0; q < L::Q; ++q) f[q] = cell.f[q];
    }

    // Of the cell that the thread has before a step.
    __device__ CellWalls<L, S> wallsAt(const int (&base)[3], int step) const
    {
        CellWalls<L, S> own;
        int place[3];
        placeAt(base, step, place);
        if (!inBox(place)) return own;
        const int* n = pass_.walls.cells;
        const std::size_t cell = (std::size_t(place[2]) * n[1] + place[1]) * n[0] + place[0];
        own.blocked = __ldg(pass_.walls.blocked + std::size_t(octant_) * n[0] * n[1] * n[2] + cell);
        if (own.blocked & linksByThird<L>) own.kept = pass_.walls.kept[cell];
        return own;
    }

    __device__ auto wallsNow(const int (&base)[3], int step) const
    {
        if constexpr (walls) {
            KeptValues<S> values = pass_.walls.values;
            values.values += octant_;
            return WallsOfTier<L, S>{walls_, values, ((base[0] + step) & 1) != 0};
        } else return NoWalls();
    }

    __device__ S* secondBuffer() const { return buffer_ + (Shared::twice ? Shared::exchange / sizeof(S) : 0); }

    __device__ void tier(S (&f)[L::Q], const int (&base)[3], int step, const Partners& odd)
    {
        // Groups begin at odd places, along all axes, and some lie across an end
        if ((base[0] + step & 1) && (step < insideFrom_ || step > insideTo_)) return tierAtEnds(f, base, step);
        const auto met = wallsNow(base, step);
        if (step & 1) {
            awaitOthers();
            exchangeInBlock<L, -1>(f, buffer_, odd, thread(), met);
            relax_(f);
            met.keep(f);
            if constexpr (!Shared::twice) __syncthreads();
            exchangeInBlock<L, 1>(f, secondBuffer(), odd, thread(), met);
            if constexpr (!Shared::twice) __syncthreads();
        } else {
            exchangeInWarp<L, -1>(f, met);
            relax_(f);
            met.keep(f);
            exchangeInWarp<L, 1>(f, met);
        }
    }

    __device__ void tierAtEnds(S (&f)[L::Q], const int (&base)[3], int step)
    {
        const Partners partners = step & 1 ? oddPartners() : evenPartners();
        int place[3], beyond = 0;
        placeAt(base, step, place);
        for (int a = 0; a < 3; ++a) {
            const int lower = place[a] - ((place[a] ^ (base[a] + step)) & 1);
            if (lower == -1 || lower == pass_.cells[a] - 1) beyond |= 1 << a;
        }
        const auto met = wallsNow(base, step);
        exchangeAtEnds<L, -1, folds>(f, buffer_, partners, thread(), beyond, met);
        relax_(f);
        met.keep(f);
        if constexpr (!Shared::twice) syncOctants<folds>();
        exchangeAtEnds<L, 1, folds>(f, secondBuffer(), partners, thread(), beyond, met);
        if constexpr (!Shared::twice) syncOctants<folds>();
        else othersRead_ = folds;
    }

    // Octants read each other's second buffer in a tier at ends. In the next such tier they meet again before it is written.
    __device__ void awaitOthers()
    {
        if constexpr (folds && Shared::twice) {
            if (!othersRead_) return;
            syncOctants<true>();
            othersRead_ = false;
        }
    }

    __device__ std::size_t tile(const int (&p)[3]) const
    {
        const int m = pass_.within;
        return (std::size_t(p[2] & m) * pass_.extent[1] + (p[1] & m)) * pass_.extent[0] + (p[0] & m);
    }
    __device__ std::size_t tilesOfLink() const
    {
        return std::size_t(pass_.extent[0]) * pass_.extent[1] * pass_.extent[2];
    }
    __device__ void load(S (&f)[L::Q], const int (&base)[3], const S* tiles, bool atFirst) const
    {
        int place[3];
        placeAt(base, 0, place);
        if (atFirst && inBox(place))
            for (int q = 0; q < L::Q; ++q) f[q] = tiles[q * tilesOfLink() + tile(place)];
        else
            for (S& value : f) value = 0;
    }
    __device__ void save(const S (&f)[L::Q], const int (&base)[3], S* tiles) const
    {
        int place[3];
        placeAt(base, pass_.handed, place);
        if (!inBox(place)) return;
        for (int q = 0; q < L::Q; ++q) tiles[q * tilesOfLink() + tile(place)] = f[q];
    }

    const DevicePass<S>& pass_;
    const Collide& relax_;
    int octant_;
    CellWalls<L, S> walls_, arrivingWalls_; // of the thread's cell, and of what takes its place
    Chunk* arriving_;                       // [chunk][thread]
    S* buffer_;                             // two, or one for both
    std::uint16_t* leaving_;                // [step modulo 8][thread]
    Chunk** lines_;                         // of the towers whose cells arrive across some axes; of this one for none
    int insideFrom_, insideTo_;
    int leaves_, within_;    // of the thread's cell after the step
    bool isThere_, arrives_; // in the box: it, and what takes its place
    bool othersRead_;        // perhaps still
};

} // namespace lbm::lrnla
