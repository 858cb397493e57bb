// Agreement: what happened in each of the processes that work on a frame together. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

class Agreement {
public:
    // Of these processes, by all of them
    explicit Agreement(MPI_Comm);

    // By all of them: which of these marks, not 0, one of them has. failure: not empty where this one failed. Others may wait for it
    // in the middle of what it has left, such as a picture that all draw: when they have not come here for half a minute it says what
    // failed, and ends all.
    void share(std::vector<int>& marks, const std::string& failure) const;

private:
    MPI_Comm processes_; // what ParaView's own calls cannot meet
};
