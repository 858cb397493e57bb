// Part of lbmFoam, GPL-3.0-or-later.
#include "meshNode.hpp"

#include <catalyst_conduit_blueprint.hpp>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

// VTK's numbers of cells, which the Blueprint's shape map shares
struct Shape {
    int number;
    const char* name;
};
constexpr Shape shapes[] = {{5, "tri"}, {9, "quad"}, {10, "tet"}, {12, "hex"}, {13, "wedge"}, {14, "pyramid"}};
constexpr int polygon = 7, voxel = 11, hexahedron = 12;
constexpr int voxelToHex[] = {0, 1, 3, 2, 4, 5, 7, 6};

const char* shapeName(int number)
{
    if (number == polygon) return "polygonal";
    for (const Shape& shape : shapes)
        if (shape.number == (number == voxel ? hexahedron : number)) return shape.name;
    throw std::invalid_argument("the Mesh Blueprint has no name for cells of VTK's type " + std::to_string(number));
}

// Nodes are handed on, for a copy of one is another node
void setValues(conduit_cpp::Node&& node, const lbmInsituArray& a, int component)
{
    const conduit_index_t n = a.tuples;
    switch (a.type) {
        case LBM_FLOAT32:
            node.set_external_float32_ptr(static_cast<const float*>(a.values), n, component * sizeof(float),
                                          a.components * sizeof(float));
            return;
        case LBM_FLOAT64:
            node.set_external_float64_ptr(static_cast<const double*>(a.values), n, component * sizeof(double),
                                          a.components * sizeof(double));
            return;
        case LBM_INT32:
            node.set_external_int32_ptr(static_cast<const std::int32_t*>(a.values), n, component * sizeof(std::int32_t),
                                        a.components * sizeof(std::int32_t));
            return;
        default: throw std::invalid_argument(std::string("field ") + a.name + ": no numbers of this type in a mesh");
    }
}

void setComponents(conduit_cpp::Node&& node, const lbmInsituArray& a)
{
    if (a.components == 1) {
        setValues(std::move(node), a, 0);
        return;
    }
    static const char* const axes[] = {"x", "y", "z"};
    for (int c = 0; c < a.components; ++c)
        setValues(node[a.components == 3 ? std::string(axes[c]) : std::to_string(c)], a, c);
}

void setElements(conduit_cpp::Node&& elements, const lbmInsituMesh& mesh, const BlueprintCells& cells)
{
    elements["connectivity"].set_external(cells.connectivity);
    if (cells.uniformType) {
        elements["shape"] = shapeName(cells.uniformType);
        if (cells.uniformType != polygon) return;
    } else {
        elements["shape"] = "mixed";
        for (const Shape& shape : shapes) elements["shape_map"][shape.name] = shape.number;
        elements["shapes"].set_external(cells.types);
    }
    elements["sizes"].set_external(cells.sizes);
    elements["offsets"].set_external_int32_ptr(mesh.offsets, mesh.cells);
}

} // namespace

void BlueprintCells::set(const lbmInsituMesh& mesh)
{
    if (version == mesh.version) return;
    if (mesh.faces)
        throw std::invalid_argument("the back end catalyst has no polyhedra yet: use the back end paraview");
    if (mesh.image) throw std::invalid_argument("the back end catalyst has no images yet: use the back end paraview");
    uniformType = mesh.uniformType;
    types.clear();
    if (mesh.types) {
        types.assign(mesh.types, mesh.types + mesh.cells);
        for (const int type : types) shapeName(type);
        const bool equal = std::adjacent_find(types.begin(), types.end(), std::not_equal_to<>()) == types.end();
        uniformType = equal && !types.empty() ? types[0] : 0;
    }
    const std::int64_t n = mesh.offsets[mesh.cells];
    connectivity.resize(n);
    const bool cubes = !mesh.types && mesh.uniformType == voxel;
    for (std::int64_t i = 0; i < n; ++i) connectivity[i] = mesh.connectivity[cubes ? i - i % 8 + voxelToHex[i % 8] : i];
    sizes.resize(mesh.cells);
    for (std::int64_t i = 0; i < mesh.cells; ++i) sizes[i] = mesh.offsets[i + 1] - mesh.offsets[i];
    version = mesh.version;
}

void setMesh(conduit_cpp::Node& node, const lbmInsituMesh& mesh, const BlueprintCells& cells,
             const lbmInsituArray* fields, int n)
{
    node["coordsets/coords/type"] = "explicit";
    setComponents(node["coordsets/coords/values"], mesh.points);
    node["topologies/mesh/type"] = "unstructured";
    node["topologies/mesh/coordset"] = "coords";
    setElements(node["topologies/mesh/elements"], mesh, cells);
    for (int i = 0; i < n; ++i) {
        const lbmInsituArray& field = fields[i];
        if (field.type == LBM_STRING) {
            const auto* texts = static_cast<const char* const*>(field.values);
            for (std::int64_t k = 0; k < field.tuples; ++k) node["state"][field.name][std::to_string(k)] = texts[k];
            continue;
        }
        conduit_cpp::Node target = node["fields"][field.name];
        target["association"] = field.place == LBM_CELLS ? "element" : "vertex";
        target["topology"] = "mesh";
        target["volume_dependent"] = "false";
        setComponents(target["values"], field);
    }
    conduit_cpp::Node info;
    if (conduit_cpp::Blueprint::verify("mesh", node, info)) return;
    info.print();
    throw std::invalid_argument("the Mesh Blueprint does not accept what was published (its reasons are printed)");
}
