// Session: one client of the module: its scripts, and what it publishes. Channels belong to the process: clients that
// publish one of the same name take turns. Errors: std::runtime_error.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "Agreement.hpp"
#include "Pipeline.hpp"
#include "catalyst/insitu.h"
#include "catalyst/lattice/CubeSlicer.hpp"
#include "catalyst/lattice/FieldValues.hpp"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

class Session {
public:
    // Starts ParaView where it does not run yet
    explicit Session(const lbmInsituSetup&);

    bool due(int step, double time);
    void publish(const std::string& channel, const lbmInsituMesh&, const lbmInsituArray* fields, int n,
                 const lbmInsituSource* source);
    void execute(int step, double time, const std::vector<std::string>& parameters);

    // The scripts' own last words
    void finalize();

    double startSeconds() const;

private:
    struct Channel {
        std::int64_t version = -1;
        vtkSmartPointer<vtkDataSet> topology, current;
        std::shared_ptr<const lbm::CubeSlicer> slicer; // where the mesh is one of cubes
        lbm::FieldValues values;
        bool sampled = false; // fields are computed where something looks at them
    };

    static void describe(Channel&, const lbmInsituMesh&);
    void run(int step, double time, const std::vector<std::string>& parameters);
    void produce(double time);
    void forget();

    std::vector<vtkSmartPointer<Pipeline>> pipelines_;
    std::unique_ptr<Agreement> agreement_; // where there are several processes
    bool begun_ = false;
    std::map<std::string, Channel> channels_;
    double startSeconds_ = 0;
};
