// Part of lbmFoam, GPL-3.0-or-later.
#include "adapters/checkpoint/GridFile.hpp"

#include <sstream>

namespace lbm {

namespace {

// Of cells or points, as XDMF orders them
template<class Values>
std::string backwards(const Values& values, int more = 0)
{
    std::ostringstream text;
    text.precision(17);
    for (int a = 2; a >= 0; --a) text << values[std::size_t(a)] + more << (a ? " " : "");
    return text.str();
}

std::string attribute(const std::string& cells, const GridField& field, const std::string& file)
{
    const bool scalar = field.components == 1;
    std::ostringstream text;
    text << "        <Attribute Name=\"" << field.name << "\" AttributeType=\"" << (scalar ? "Scalar" : "Vector")
         << "\" Center=\"Cell\">\n          <DataItem Dimensions=\"" << cells;
    if (!scalar) text << ' ' << field.components;
    text << "\" NumberType=\"Float\" Precision=\"4\" Format=\"HDF\">" << file << ":/" << field.name
         << "</DataItem>\n        </Attribute>\n";
    return text.str();
}

} // namespace

std::string xdmfOf(const Grid& grid, const std::vector<GridField>& fields, const std::vector<GridTime>& times)
{
    const std::string points = backwards(grid.cells, 1), cells = backwards(grid.cells);
    std::ostringstream text;
    text.precision(17);
    text << "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n"
            "    <Grid Name=\"series\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
    for (const GridTime& time : times) {
        text << "      <Grid Name=\"lattice\" GridType=\"Uniform\">\n        <Time Value=\"" << time.time << "\"/>\n"
             << "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" << points << "\"/>\n"
             << "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n";
        for (const std::string& values : {backwards(grid.origin), backwards(grid.spacing)})
            text << "          <DataItem Dimensions=\"3\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">"
                 << values << "</DataItem>\n";
        text << "        </Geometry>\n";
        for (const GridField& field : fields) text << attribute(cells, field, time.file);
        text << "      </Grid>\n";
    }
    text << "    </Grid>\n  </Domain>\n</Xdmf>\n";
    return text.str();
}

} // namespace lbm
