// Runs tests on the first of several ranks, which the others serve. Part of lbmFoam, GPL-3.0-or-later.
#include "lbm/api/Ranks.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

int main(int argc, char** argv)
{
    ::testing::InitGoogleTest(&argc, argv);
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int status = 0;
    lbm::leadOrServeRanks();
    if (rank == 0) {
        std::printf("%d ranks\n", size);
        status = size > 1 ? RUN_ALL_TESTS() : 1;
        lbm::endRanks();
    }
    MPI_Finalize();
    return status;
}
