// Part of lbmFoam, GPL-3.0-or-later.

#include "lbmControls.H"
#include "documentedDict.H"
#include "HashSet.H"
#include "lbmModelInterval.H"
#include "lbmSafety.H"
#include "StringStream.H"
#include "lbm/api/Solver.hpp"

namespace
{
    using row = Foam::documentedDict::row;

    // Words of one kind that kernels of this build go by
    Foam::wordList ofKernels(std::string lbm::KernelRow::* member)
    {
        Foam::wordHashSet all;
        for (const lbm::KernelRow& row : lbm::kernels())
        {
            all.insert(Foam::word(row.*member));
        }
        return all.sortedToc();
    }

    Foam::string oneOfKernels(std::string lbm::KernelRow::* member)
    {
        return Foam::documentedDict::oneOf(ofKernels(member));
    }

    // Collisions of kernels that take a node's own viscosity
    Foam::string withClosures()
    {
        Foam::wordHashSet all;
        for (const lbm::KernelRow& row : lbm::kernels())
        {
            if (row.closure != lbm::Config().closure)
            {
                all.insert(Foam::word(row.collision));
            }
        }
        return Foam::documentedDict::oneOf(all.sortedToc());
    }

    // Largest grid Reynolds numbers of each collision
    Foam::string limitsByCollision()
    {
        using around = Foam::lbmSafety::surroundings;
        Foam::OStringStream text;
        const char* separator = "";
        for (const Foam::word& name : ofKernels(&lbm::KernelRow::collision))
        {
            text<< separator << name;
            for
            (
                const around a :
                {around::movingWalls, around::walls, around::periodic}
            )
            {
                text<< ' ' << Foam::lbmSafety::maxGridReynolds(name, a);
            }
            separator = ", ";
        }
        return text.str();
    }

} // End anonymous namespace


const Foam::documentedDict& Foam::lbmControls::entries()
{
    const lbm::Config c;
    static const documentedDict table
    (
        "lbmDict",
        {
            {
                "cellSize", row::example, "0.005",
                "Distance of nodes [m]; auto: the finest whose run the memory "
                "holds, see the plan. Of cellSize, cells and "
                "cellsPerLength one at most; without any it follows from "
                "the mesh's own cells, such that walls "
                "across axes lie half-way between nodes, where a spacing within a tenth "
                "has them so; finer ones where no collision bears its grid "
                "Reynolds number, at up to 30 times the work"
            },
            {
                "surfaces", row::example,
                "{ surfaces ( \"body.stl\" ); cellSize 0.01; }",
                "Surfaces of constant/triSurface that bound the flow, with the entries "
                "of system/lbmVoxelizeDict, whose place it takes: lbmVoxelize "
                "-help-dict prints them. Without constant/polyMesh the mesh "
                "for fields is made of them in memory; with one they are its walls"
            },
            {
                "cells", row::example, "100",
                "Cells across the longest side of the mesh"
            },
            {
                "cellsPerLength", row::example, "{ length 0.02; cells 20; }",
                "Cells across a length [m]"
            },
            {
                "lattice", row::example, "D3Q19",
                oneOfKernels(&lbm::KernelRow::lattice)
                + ". Default: D2Q9 for cases with empty patches, else "
                + c.lattice
            },
            {
                "collision", row::preset, c.collision,
                oneOfKernels(&lbm::KernelRow::collision)
                + ". Where the case has a viscosity that differs from place "
                "to place (transportModel, LES): " + withClosures()
                + ". Default of cases with a turbulence model on the mesh, and of "
                "those whose grid Reynolds number passes what the collision "
                "bears (half of it with sources by node; trt 14 between openings of less than 10 nodes): "
                "cumulant on D3Q27, else regularized, "
                "which stands beside walls with a wall function oblique to the axes, too; "
                "of those whose eddies follow the gradient of the velocity on the lattice "
                "(WALE, Vreman, QR), and in place of regularized where no such wall is "
                "oblique and a model on the mesh begins with grid Reynolds numbers "
                "above 60 in half of the volume, or the case is of two dimensions (without "
                "a model where it has such a grid Reynolds number): hybridRegularized"
            },
            {
                "equilibrium", row::preset, c.equilibrium,
                oneOfKernels(&lbm::KernelRow::equilibrium)
            },
            {
                "storage", row::preset, c.storage,
                oneOfKernels(&lbm::KernelRow::storage)
                + " auto. auto: what the model of memory traffic thinks "
                "fastest, see the plan; on a CPU moments, or aa or moments "
                "in blocks, where a measurement finds them faster (entry "
                "blocks). moments with collision cumulant (D3Q27): "
                "one viscosity for all nodes"
            },
            {
                "precision", row::preset, c.precision,
                oneOfKernels(&lbm::KernelRow::precision)
                + ". Of steady cases with a model of turbulence on the mesh float where "
                "nothing is said, on processors, without temperature and where this "
                "build has collision regularized (hybridRegularized in two dimensions) so"
            },
            {
                "device", row::preset, c.device,
                "cpu, or of a build with GPU kernels cuda, cuda:1 (its "
                "number), cuda:H200 (a part of its name); of several, which "
                "share the lattice, cuda:0,1 or cuda:all. With -parallel the "
                "processes of a host share out those that are named, in their order and "
                "each as many; with cuda each takes one. A GPU "
                "also traces the lattice's links to surfaces, the first of several"
            },
            {
                "exchange", row::preset, "auto",
                "How GPUs hand each other what lies at their parts' rims. "
                "peer: stored straight into the other one's memory, within a host. nccl: by "
                "NCCL, which is looked for when the run starts (libnccl.so.2, or "
                "what LBM_NCCL_LIBRARY in the environment names), between the "
                "processes of -parallel. mpi: by way of the host's memory, and of MPI "
                "between processes. auto: for each two the first of these that is "
                "possible, see the plan"
            },
            {
                "deviceMemory", row::example, "16 GiB",
                "Memory that each GPU gives: B, MB, MiB, GB or GiB. A lattice "
                "that needs more lies in the host's memory and streams "
                "through the GPU, or the GPUs, see the plan. Of cellSize auto, on the processor, "
                "too, what the run may take. Default: what is free there"
            },
            {
                "arithmetic", row::example, "simd",
                oneOfKernels(&lbm::KernelRow::arithmetic)
                + ". Default: the device's fastest"
            },
            {
                "tile", row::example, "(8 4 4)",
                "Nodes of a tile along x, y, z; see lbmFoam -listKernels."
                " Default: the first that it lists for the other entries"
            },
            {
                "threads", row::preset, Foam::name(c.threads),
                "Of the processor. 0: as many as OpenMP would take, fewer"
                " for small domains. Models on the mesh have one more while the "
                "lattice steps; with 1 the lattice waits for them"
            },
            {
                "blocks", row::preset, "auto",
                "On a CPU several steps of a block of the lattice may be made while it"
                " stays in the second cache. Storage aa (nodes told neither viscosity"
                " nor force one by one): with obstacles, walls and openings that look"
                " no further than a line of nodes; the same to the last bit. Storage"
                " moments (D2Q9, D3Q19; collision"
                " regularized): most boxes with obstacles and openings, too; the same"
                " to rounding, which other threads and other processors change, too,"
                " and restarts keep what was chosen. yes: wherever that is possible;"
                " auto: where the lattice takes more than 96 MiB, the run is a hundred"
                " times as long as a short measurement, and blocks are the faster by"
                " it. The plan says which, and why. Who wants the same bits on every"
                " machine names the storage, and no"
            },
            {
                "parts", row::preset, Foam::name(c.parts),
                "Bricks that the lattice is cut into, each computed by itself"
                " with the same result; 1 or more. Several devices, and processes of"
                " -parallel, take as many each; 1: they take one each"
            },
            {
                "cuts", row::preset, "auto",
                "Of several parts, ranks or devices: pieces of the lattice along x, y and"
                " z, such as (2 1 4), each with as much to do as the others; free: boxes"
                " are cut in two again and again, where that costs least. auto: with"
                " -parallel n of system/decomposeParDict, if its method is simple or"
                " hierarchical, else free"
            },
            {
                "magic", row::example, "0.1875",
                "Magic number of collisions trt and mrt, above 0 and at most "
                + Foam::name(magicLimit) + ". "
                "Default: 3/16, which puts half-way walls exactly, and "
                "less where tau is close to 1/2, and between openings, or where links "
                "meet walls, beyond a grid Reynolds number of 12 (mrt 6; two thirds of "
                "that in three dimensions)"
            },
            {
                "sigma", row::preset, Foam::name(c.sigma),
                "Of collision hybridRegularized: share of the stress that "
                "populations bring, above 0 and at most 1; the rest is by "
                "differences of velocities. Less: calmer; 1: recursiveRegularized. "
                "Where the collision is chosen against rings in two dimensions 0.998"
            },
            {
                "maxMach", row::example, "0.1",
                "Largest Mach number at the reference speed, above 0 and "
                "at most "
                + Foam::name(machLimit)
                + ": bounds the lattice time step. Default: "
                + Foam::name(machOfAll) + "; " + Foam::name(machOfAveraged)
                + " in steady cases with a model of turbulence on the mesh, and "
                "in others with simulationType RAS and no heat"
            },
            {
                "maxTau", row::example, "1",
                "Largest relaxation time in lattice steps, above 0.5: "
                "bounds the lattice time step. Of viscosities by the shear "
                "rate: from the reference speed by the longest side to that by "
                "the node spacing. Default: " + Foam::name(tauOfAll)
                + ", of fluids with an elastic stress " + Foam::name(tauOfElastic)
            },
            {
                "maxGridReynolds", row::example, "100",
                "Speed times cell size by nu beyond which a laminar case is "
                "refused, above 0; with a turbulence model what no node passes, "
                "for viscosity is raised there, as it is in laminar cases that "
                "name neither this nor a collision. Default by collision, beside "
                "moving walls, beside walls or openings, and without any: "
                + limitsByCollision()
            },
            {
                "referenceSpeed", row::example, "1",
                "Largest speed to expect [m/s], above 0. Default: from "
                "the case's fields"
            },
            {
                "deltaT", row::example, "1e-4",
                "Largest lattice time step [s], above 0. Default: the "
                "largest within maxMach and maxTau"
            },
            {
                "force", row::preset, "(0 0 0)",
                "Body force per unit mass [m/s2], beside what fvOptions and "
                "porosityProperties add"
            },
            {
                "startFlow", row::preset, "automatic",
                documentedDict::oneOf(startFlowNames)
                + ". Initial U: as given, made free of divergence together "
                "with p, or (automatic) that only if it misses half of "
                "what inlets impose, as fluid at rest does, or 8 % of what is "
                "to go on behind them; p alone where it is one value in all "
                "cells and U is not. Unless given, p is shifted to the level "
                "that patches hold it to where it is farther off than it "
                "varies"
            },
            {
                "turbulenceOn", row::preset,
                turbulencePlaceNames[turbulencePlace::lattice],
                documentedDict::oneOf(turbulencePlaceNames)
                + ". Smagorinsky and WALE with delta cubeRootVol, between "
                "walls without wall functions, live on the lattice (with "
                "Vreman and QR, which OpenFOAM lacks; function objects find them as "
                "OpenFOAM's turbulence model all the same) or, as all other "
                "models of constant/turbulenceProperties do, on the mesh, "
                "where they are OpenFOAM's own. Where no opening feeds such a flow "
                "(cyclic patches alone) these two live on the mesh, too, with cumulant, unless "
                "this is named, or collision, lattice or storage another one: beside others "
                "turbulence dies in a channel of few nodes. Beside smooth walls with a wall "
                "function they live on the lattice where walls come from surfaces "
                "(system/lbmVoxelizeDict), or this entry says lattice: the law then acts "
                "link by link"
            },
            {
                "temperatureOn", row::preset,
                temperaturePlaceNames[temperaturePlace::mesh],
                documentedDict::oneOf(temperaturePlaceNames)
                + ". Of cases with temperature (buoyantBoussinesqPimpleFoam): "
                "OpenFOAM's equation on the mesh, once in a time step, or, of "
                "cases without fvOptions of T, populations of its own on the "
                "lattice's nodes, in each of its steps"
            },
            {
                "coupleEvery", row::preset, "auto",
                "Models on the mesh are solved once in so many time steps, 1 to "
                + Foam::name(lbmModelInterval::longest)
                + ", over which their equations then march; cases without such take no "
                "number. auto: twice as many "
                "after a solution that changes what the lattice has by less than "
                + Foam::name(lbmModelInterval::calm)
                + " of itself, half as many after one that does by more than "
                + Foam::name(lbmModelInterval::tolerance)
                + "; of steady cases (ddtSchemes steadyState, or SIMPLE alone in "
                "fvSolution) at most " + Foam::name(lbmModelInterval::mostSteady)
                + ", for with 4 and more some flows do not settle (pitzDaily), and "
                "cases whose models take most of the time gain most "
                "(mixerVessel2D); of transient ones at most as many as the flow "
                "takes to pass " + Foam::name(lbmModelInterval::courant)
                + " of a cell, and as lie between two times that are written, or 1 "
                "where ddtSchemes has another default than Euler. "
                "Transient cases with temperature have them solved in each time "
                "step, and take auto and 1"
            },
            {
                "wall", row::preset, "automatic",
                documentedDict::oneOf(wallNames)
                + ", for all walls or by patch: wall { lid halfway; "
                "\"body.*\" interpolated; }. Where walls lie: half-way "
                "between nodes, or where links meet them (interpolated is"
                " linear; quadratic has smaller errors where tau is "
                "moderate, and diverges where it is close to 1/2). "
                "automatic: interpolated on every wall that is not "
                "half-way anyway. Of walls with a wall function the "
                "model decides"
            },
            {
                "openings", row::preset, "{}",
                "By patch: openings { \"out.*\" { type nonReflecting; "
                "lInf 2; } }. Type: "
                + documentedDict::oneOf(openingNames)
                + ". Openings that fix velocity or pressure reflect sound "
                "unless told otherwise, but where OpenFOAM's turbulence "
                "models run, or eddies live on the lattice, in a frame at rest "
                "those that fix pressure let it out, or "
                "velocity where none does: what reflects would ring. The mean "
                "then follows what is "
                "fixed over the time that sound takes along lInf [m], "
                "above 0, by default the domain's longest side; what the flow "
                "gains up to openings that fix pressure is taken back more "
                "slowly, which holds that pressure. In steady cases outlets with a "
                "total pressure reflect, and inlets of given velocity let sound out. "
                "velocityGradient: nodes there take on the whole state "
                "that is fixed, with the stress of the velocities around"
            },
            {
                "sponge", row::preset, spongeNames[spongeUse::automatic],
                documentedDict::oneOf(spongeNames)
                + ", or sponge { length 0.4; left 0.01; patches (\"out.*\"); }. A zone "
                "before openings that fix one pressure, in which what differs from the "
                "mean flow fades, so that eddies leave without an echo: its "
                "length [m], above 0; the share of an eddy that is left at the "
                "opening, between 0 and 1 (default 0.01). automatic: where eddies "
                "are resolved (LES and DES, not steady cases), a tenth of the "
                "domain's extent along the opening's normal, at most 17 million "
                "nodes, at least 10 cells and at most a quarter of it; patches: others that fix the pressure, too"
            },
            {
                "checkEvery", row::preset, "1",
                "Time steps of the case between health checks, at least 1"
            },
            {
                "checkpoint", row::preset, checkpointNames[defaultCheckpoint()],
                documentedDict::oneOf(checkpointNames)
                + ". With each time that is written, the state that a run "
                "continues from bit for bit; latest: the one before goes "
                "when the next is complete. A build without HDF5 knows "
                "none alone"
            },
            {
                "restart", row::preset, restartNames[restartType::automatic],
                documentedDict::oneOf(restartNames)
                + ". A run begins with the checkpoint of its first time, if "
                "there is one. automatic: but with U and p where these were "
                "changed beside it (by setFields, mapFields) after it was "
                "written; checkpoint: with it in any case; fields: with U "
                "and p in any case"
            },
            {
                "iterationsPerPassage", row::preset, "100",
                "Of cases with ddtSchemes steadyState, whose deltaT and endTime "
                "count iterations: how many of them last as long as the "
                "reference speed takes along the longest side, above 0"
            },
            {
                "steadyTolerance", row::example, "1e-3",
                "Ends the run, with the state written, when the root mean"
                " square change of U, in the time that the reference "
                "speed takes along the longest side, falls below this "
                "share of U; above 0. Default: runs to endTime; of steady cases "
                "with residualControl for U that times iterationsPerPassage, "
                "0.01 at most; fields of models of turbulence that residualControl "
                "names (k, omega) are to change by 0.1 of themselves at most. Where "
                "nothing flows through, these have their own of residualControl, 0.1 "
                "at most, and what is still to come of all changes is to be as small. "
                "T on the lattice is to be as near to its own rest: "
                "by residualControl for T, if that is there"
            },
        }
    );
    return table;
}
