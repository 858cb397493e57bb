// Runs tests on the first of several ranks, which the others serve. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace {

// What a served rank answers signalOfRanks with, once all of them are asked: its number; -1 where they are not, which a minute tells.
int numberTogether(MPI_Comm served)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    int done = 0, rank = 0;
    MPI_Request all;
    MPI_Ibarrier(served, &all);
    while (!done && std::chrono::steady_clock::now() < end) {
        MPI_Test(&all, &done, MPI_STATUS_IGNORE);
        std::this_thread::yield();
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return done ? rank : -1;
}

} // namespace

int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = 0;
    MPI_Comm served = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &served);
    lbm::leadOrServeRanks([&] { return numberTogether(served); });
    if (rank == 0) {
        std::printf("%d ranks\n", size);
        status = size > 1 ? RUN_ALL_TESTS() : 1;
        lbm::endRanks();
    }
    MPI_Finalize();
    return status;
}
