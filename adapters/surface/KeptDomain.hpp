// KeptDomain: the connected Domain of a surface, read from a domain file where one holds it, else made and kept there.
//
// What was made by something else (other triangles, box, directions or options) is not taken: the file holds digests of them.
// C++17. Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "adapters/surface/SurfaceDomain.hpp"

namespace lbm {

struct ConnectedDomain {
    Domain domain;
    SurfaceFacts facts;
    Pockets pockets;
};

// makeDomain and, with the options' insidePoint, keepConnected; the Domain's patches are those of the options. Throws as they do, and
// SurfaceError where the fluid reaches a region that is none of these.
ConnectedDomain connectedDomain(const TriangleMesh&, const LatticeBox&, const std::vector<Int3>& directions,
                                const SurfaceOptions&);

struct KeptDomain {
    ConnectedDomain made; // of what was read: no times, no list of pockets
    bool read = false;
    std::string why;   // what the matter was with the file's
    std::string fault; // it is not kept: what went wrong
};

class DomainKeeper {
public:
    // file: none without a name. writes: what the file lacks is put there.
    DomainKeeper(std::string file, bool writes) : file_(std::move(file)), writes_(writes) {}

    const std::string& file() const { return file_; }

    // record: of the file. Throws as connectedDomain does.
    KeptDomain domain(const std::string& record, const TriangleMesh&, const LatticeBox&,
                      const std::vector<Int3>& directions, const SurfaceOptions&) const;

private:
    std::string file_;
    bool writes_;
};

} // namespace lbm
