// Part of lbmFoam, GPL-3.0-or-later.
#include "Agreement.hpp"

#include <chrono>
#include <iostream>
#include <thread>

Agreement::Agreement(MPI_Comm processes) { MPI_Comm_dup(processes, &processes_); }

void Agreement::share(std::vector<int>& marks, const std::string& failure) const
{
    using namespace std::chrono;
    constexpr seconds patience(30);
    std::vector<int> all(marks.size());
    MPI_Request request;
    MPI_Iallreduce(marks.data(), all.data(), int(marks.size()), MPI_INT, MPI_MAX, processes_, &request);
    const auto begin = steady_clock::now();
    for (int done = 0;;) {
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) break;
        if (!failure.empty() && steady_clock::now() - begin > patience) {
            int rank = 0;
            MPI_Comm_rank(processes_, &rank);
            std::cerr << "\n[" << rank << "] in situ: " << failure << "\n[" << rank
                      << "] This process failed alone; others wait for it, and so the run ends" << std::endl;
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        std::this_thread::sleep_for(microseconds(100));
    }
    marks.swap(all);
}
