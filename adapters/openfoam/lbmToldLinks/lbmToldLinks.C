// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmToldLinks.H"
#include "lbm/api/inParallel.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace
{

constexpr std::size_t numbers = Foam::lbmToldLinks::numbers;

// Links that a thread takes at a time
constexpr std::size_t piece = 4096;

using counts = std::array<std::size_t, numbers>;


double number(const lbm::LinkValue& v, const std::size_t i)
{
    switch (i)
    {
        case 0: return double(v.kind);
        case 4: return v.density;
        case 5: return v.recovery;
        default: return v.velocity[i - 1];
    }
}


// To the bit: restarts are
std::uint64_t bits(const double a)
{
    std::uint64_t result;
    std::memcpy(&result, &a, sizeof a);
    return result;
}


bool begins
(
    const lbm::LinkValue* values,
    const std::size_t i,
    const std::size_t c
)
{
    return i == 0 || bits(number(values[i], c)) != bits(number(values[i - 1], c));
}

} // End anonymous namespace


void Foam::lbmToldLinks::append
(
    const lbm::LinkValue* values,
    const std::size_t n,
    const int threads
)
{
    if (n == 0) return;
    size_ += n;
    parts_.emplace_back();
    parts_.back().size = n;
    column* const columns = parts_.back().columns;
    const std::size_t pieces = (n + piece - 1)/piece;
    const int team = int(std::min(pieces, std::size_t(threads)));
    const auto end = [n](const std::size_t k){ return std::min(n, (k + 1)*piece); };

    // Of each piece the runs that begin there, then those before it
    std::vector<counts> runs(pieces);
    lbm::inParallel
    (
        pieces,
        [&](const std::size_t k)
        {
            counts own{};
            for (std::size_t i = k*piece; i < end(k); ++i)
            {
                for (std::size_t c = 0; c < numbers; ++c) own[c] += begins(values, i, c);
            }
            runs[k] = own;
        },
        team
    );
    counts all{};
    for (counts& its : runs)
    {
        for (std::size_t c = 0; c < numbers; ++c)
        {
            const std::size_t before = all[c];
            all[c] += its[c];
            its[c] = before;
        }
    }

    for (std::size_t c = 0; c < numbers; ++c)
    {
        const bool inRuns = 2*all[c] < n;
        column own;
        own.values.resize(inRuns ? all[c] : n);
        if (inRuns)
        {
            own.ends.resize(all[c]);
            own.ends.back() = n;
        }
        columns[c] = std::move(own);
    }
    lbm::inParallel
    (
        pieces,
        [&](const std::size_t k)
        {
            for (std::size_t c = 0; c < numbers; ++c)
            {
                column& own = columns[c];
                std::size_t run = runs[k][c];
                for (std::size_t i = k*piece; i < end(k); ++i)
                {
                    if (own.ends.empty()) own.values[i] = number(values[i], c);
                    else if (begins(values, i, c))
                    {
                        own.values[run] = number(values[i], c);
                        if (run > 0) own.ends[run - 1] = i;
                        ++run;
                    }
                }
            }
        },
        team
    );
}


std::size_t Foam::lbmToldLinks::kept() const
{
    std::size_t result = 0;
    for (const part& p : parts_)
    {
        for (const column& its : p.columns) result += its.values.size();
    }
    return result;
}


std::vector<double> Foam::lbmToldLinks::all() const
{
    std::vector<double> result(numbers*size_);
    double* to = result.data();
    for (const part& p : parts_)
    {
        for (std::size_t c = 0; c < numbers; ++c)
        {
            const column& its = p.columns[c];
            for (std::size_t i = 0, run = 0; i < p.size; ++i)
            {
                if (!its.ends.empty() && i == its.ends[run]) ++run;
                to[numbers*i + c] = its.values[its.ends.empty() ? i : run];
            }
        }
        to += numbers*p.size;
    }
    return result;
}


std::vector<lbm::LinkValue> Foam::lbmToldLinks::links
(
    const std::vector<double>& all
)
{
    std::vector<lbm::LinkValue> result(all.size()/numbers);
    const double* from = all.data();
    for (lbm::LinkValue& v : result)
    {
        v.kind = lbm::BoundaryKind(int(from[0]));
        v.velocity = {from[1], from[2], from[3]};
        v.density = from[4];
        v.recovery = from[5];
        from += numbers;
    }
    return result;
}
