// Part of lbmFoam, GPL-3.0-or-later.
#include "dataObjects.hpp"
#include "LazyArray.hpp"

#include <vtkAOSDataArrayTemplate.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkFloatArray.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkStringArray.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>

#include <stdexcept>
#include <string>

namespace {

// VTK has no arrays of constants; nobody writes to these
template<class Array>
vtkSmartPointer<Array> wrapped(const void* values, std::int64_t n, int components = 1)
{
    using Value = typename Array::ValueType;
    auto array = vtkSmartPointer<Array>::New();
    array->SetNumberOfComponents(components);
    constexpr int keep = 1;
    array->SetArray(static_cast<Value*>(const_cast<void*>(values)), n * components, keep);
    return array;
}

vtkSmartPointer<vtkAbstractArray> toVtk(const lbmInsituArray& a)
{
    switch (a.type) {
        case LBM_FLOAT32: return wrapped<vtkFloatArray>(a.values, a.tuples, a.components);
        case LBM_FLOAT64: return wrapped<vtkDoubleArray>(a.values, a.tuples, a.components);
        case LBM_INT32: return wrapped<vtkTypeInt32Array>(a.values, a.tuples, a.components);
        case LBM_INT64: return wrapped<vtkTypeInt64Array>(a.values, a.tuples, a.components);
        case LBM_UINT8: return wrapped<vtkUnsignedCharArray>(a.values, a.tuples, a.components);
        case LBM_STRING: {
            auto strings = vtkSmartPointer<vtkStringArray>::New();
            const auto* values = static_cast<const char* const*>(a.values);
            for (std::int64_t i = 0; i < a.tuples; ++i) strings->InsertNextValue(values[i]);
            return strings;
        }
    }
    throw std::invalid_argument(std::string("array ") + a.name + ": unknown type");
}

template<class T>
vtkSmartPointer<vtkAbstractArray> lazy(const lbmInsituArray& a, const lbmInsituSource& source)
{
    auto array = vtkSmartPointer<LazyArray<T>>::New();
    array->set(a, source);
    return array;
}

vtkSmartPointer<vtkAbstractArray> toVtk(const lbmInsituArray& a, const lbmInsituSource* source)
{
    if (a.values) return toVtk(a);
    if (source && a.place == LBM_CELLS) {
        if (a.type == LBM_FLOAT32) return lazy<float>(a, *source);
        if (a.type == LBM_FLOAT64) return lazy<double>(a, *source);
        if (a.type == LBM_INT32) return lazy<std::int32_t>(a, *source);
    }
    throw std::invalid_argument(std::string("array ") + a.name + ": no values, and nothing that makes them");
}

void setCells(vtkUnstructuredGrid* grid, const lbmInsituMesh& mesh)
{
    vtkNew<vtkCellArray> cells;
    cells->SetData(wrapped<vtkTypeInt32Array>(mesh.offsets, mesh.cells + 1),
                   wrapped<vtkTypeInt32Array>(mesh.connectivity, mesh.offsets[mesh.cells]));
    if (!mesh.types) {
        grid->SetCells(mesh.uniformType, cells);
        return;
    }
    auto types = wrapped<vtkUnsignedCharArray>(mesh.types, mesh.cells);
    if (!mesh.faces) {
        grid->SetCells(types, cells);
        return;
    }
    // VTK numbers what polyhedra have with vtkIdType, and wants to know where each begins
    vtkNew<vtkIdTypeArray> faces, begins;
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < mesh.cells; ++i) {
        begins->InsertNextValue(mesh.faceEnds[i] < 0 ? -1 : end);
        if (mesh.faceEnds[i] >= 0) end = mesh.faceEnds[i];
    }
    faces->SetNumberOfValues(end);
    for (std::int64_t i = 0; i < end; ++i) faces->SetValue(i, mesh.faces[i]);
    grid->SetCells(types, cells, begins, faces);
}

// Filters of images ask how many components its scalars have, whichever they look at
void setScalars(vtkDataSet* image, const lbmInsituArray* fields, int n)
{
    for (int i = 0; i < n; ++i) {
        if (fields[i].place != LBM_POINTS || fields[i].components > 1) continue;
        image->GetPointData()->SetActiveScalars(fields[i].name);
        return;
    }
}

} // namespace

vtkSmartPointer<vtkUnstructuredGrid> makeGrid(const lbmInsituMesh& mesh)
{
    auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    vtkNew<vtkPoints> points;
    points->SetDataType(mesh.points.type == LBM_FLOAT32 ? VTK_FLOAT : VTK_DOUBLE);
    points->SetData(vtkDataArray::SafeDownCast(toVtk(mesh.points)));
    grid->SetPoints(points);
    setCells(grid, mesh);
    return grid;
}

vtkSmartPointer<vtkImageData> makeImage(const lbmInsituImage& given)
{
    auto image = vtkSmartPointer<vtkImageData>::New();
    int counts[3];
    for (int a = 0; a < 3; ++a) counts[a] = int(given.counts[a]);
    image->SetDimensions(counts);
    image->SetOrigin(given.origin);
    image->SetSpacing(given.spacing);
    return image;
}

void setFields(vtkDataSet* grid, const lbmInsituArray* fields, int n, const lbmInsituSource* source)
{
    for (int i = 0; i < n; ++i) {
        const lbmInsituArray& field = fields[i];
        vtkFieldData* place = grid->GetFieldData();
        std::int64_t expected = field.tuples;
        if (field.place == LBM_CELLS) {
            place = grid->GetCellData();
            expected = grid->GetNumberOfCells();
        } else if (field.place == LBM_POINTS) {
            place = grid->GetPointData();
            expected = grid->GetNumberOfPoints();
        }
        if (field.tuples != expected)
            throw std::invalid_argument(std::string("field ") + field.name + ": " + std::to_string(field.tuples)
                                        + " tuples where there are " + std::to_string(expected));
        auto array = toVtk(field, source);
        array->SetName(field.name);
        place->AddArray(array);
    }
    if (vtkImageData::SafeDownCast(grid)) setScalars(grid, fields, n);
}

void setGhosts(vtkDataSet* grid, const lbmInsituMesh& mesh)
{
    vtkNew<vtkUnsignedCharArray> marks;
    marks->SetName(vtkDataSetAttributes::GhostArrayName());
    marks->SetNumberOfTuples(mesh.cells);
    for (std::int64_t i = 0; i < mesh.cells; ++i)
        marks->SetValue(i, mesh.ghosts[i] ? vtkDataSetAttributes::DUPLICATECELL : 0);
    grid->GetCellData()->AddArray(marks);
}
