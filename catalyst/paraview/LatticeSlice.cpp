// Part of lbmFoam, GPL-3.0-or-later.
#include "LatticeSlice.hpp"
#include "LatticeGrid.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkClientServerInterpreter.h>
#include <vtkClientServerInterpreterInitializer.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkNonMergingPointLocator.h>
#include <vtkObjectFactory.h>
#include <vtkPVCutter.h>
#include <vtkPVXMLElement.h>
#include <vtkPlane.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSMProxyDefinitionManager.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSmartPointer.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkTypeInt32Array.h>

#include <algorithm>
#include <stdexcept>

vtkStandardNewMacro(LatticeGrid);
vtkStandardNewMacro(LatticeSlice);

namespace {

constexpr const char* className = "LatticeSlice";
constexpr const char* replaced = "vtkPVMetaSliceDataSet";

vtkObjectBase* make(void*) { return LatticeSlice::New(); }

int call(vtkClientServerInterpreter* interpreter, vtkObjectBase* object, const char* method,
         const vtkClientServerStream& message, vtkClientServerStream& result, void*)
{
    return interpreter->CallCommandFunction(replaced, object, method, message, result);
}

void tell(vtkClientServerInterpreter* interpreter)
{
    interpreter->AddNewInstanceFunction(className, &make);
    interpreter->AddCommandFunction(className, &call);
}

// Null where only ParaView's own filter does what it is told to
vtkPVCutter* cutterFor(LatticeGrid* grid, vtkAlgorithm* filter)
{
    auto* cutter = vtkPVCutter::SafeDownCast(filter);
    if (!grid || !grid->slicer() || grid->GetPointData()->GetNumberOfArrays()) return nullptr;
    if (!cutter || cutter->GetGenerateCutScalars()) return nullptr;
    const auto* plane = vtkPlane::SafeDownCast(cutter->GetCutFunction());
    if (!plane || const_cast<vtkPlane*>(plane)->GetTransform()) return nullptr;
    return vtkNonMergingPointLocator::SafeDownCast(cutter->GetLocator()) ? nullptr : cutter;
}

template<class Array, class Value>
vtkSmartPointer<Array> copied(const std::vector<Value>& values, int components = 1)
{
    auto array = vtkSmartPointer<Array>::New();
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(vtkIdType(values.size()) / components);
    std::copy(values.begin(), values.end(), array->GetPointer(0));
    return array;
}

// Polygons as fans of triangles
lbm::SlicePolygons triangulated(lbm::SlicePolygons&& all)
{
    lbm::SlicePolygons result;
    result.points = std::move(all.points);
    for (std::size_t i = 0; i < all.cells.size(); ++i)
        for (std::int32_t k = all.offsets[i] + 2; k < all.offsets[i + 1]; ++k) {
            for (const std::int32_t at : {all.offsets[i], k - 1, k})
                result.connectivity.push_back(all.connectivity[at]);
            result.offsets.push_back(std::int32_t(result.connectivity.size()));
            result.cells.push_back(all.cells[i]);
        }
    return result;
}

} // namespace

void LatticeSlice::takeOver()
{
    vtkClientServerInterpreterInitializer::GetInitializer()->RegisterCallback(&tell);
    auto* manager = vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    vtkPVXMLElement* definition = manager->GetProxyDefinitionManager()->GetProxyDefinition("filters", "Cut");
    if (!definition || definition->GetAttributeOrEmpty("class") != std::string(replaced))
        throw std::runtime_error("this ParaView's filter Slice is not what lbmFoam knows");
    definition->SetAttribute("class", className);
}

int LatticeSlice::ProcessRequest(vtkInformation* request, vtkInformationVector** input, vtkInformationVector* output)
{
    if (request->Has(vtkStreamingDemandDrivenPipeline::REQUEST_DATA())) {
        auto* grid = LatticeGrid::SafeDownCast(vtkDataObject::GetData(input[0]));
        if (vtkPVCutter* cutter = cutterFor(grid, this->GetActiveFilter())) {
            slice(grid, cutter, vtkPolyData::GetData(output));
            return 1;
        }
    }
    return this->Superclass::ProcessRequest(request, input, output);
}

void LatticeSlice::slice(LatticeGrid* grid, vtkPVCutter* cutter, vtkPolyData* output)
{
    auto* plane = vtkPlane::SafeDownCast(cutter->GetCutFunction());
    lbm::Vec3 normal, origin;
    plane->GetNormal(normal.data());
    plane->GetOrigin(origin.data());
    // ParaView's planes have an offset besides
    const double offset = plane->FunctionValue(origin.data());
    std::vector<double> values;
    for (int i = 0; i < cutter->GetNumberOfContours(); ++i) values.push_back(cutter->GetValue(i) - offset);
    lbm::SlicePolygons polygons = grid->slicer()->cut(normal, origin, values);
    if (cutter->GetGenerateTriangles()) polygons = triangulated(std::move(polygons));

    vtkNew<vtkPoints> points;
    points->SetData(copied<vtkFloatArray>(polygons.points, 3));
    vtkNew<vtkCellArray> cells;
    cells->SetData(copied<vtkTypeInt32Array>(polygons.offsets), copied<vtkTypeInt32Array>(polygons.connectivity));
    output->SetPoints(points);
    output->SetPolys(cells);

    vtkNew<vtkIdList> sources;
    sources->SetNumberOfIds(vtkIdType(polygons.cells.size()));
    std::copy(polygons.cells.begin(), polygons.cells.end(), sources->begin());
    vtkCellData* from = grid->GetCellData();
    for (int i = 0; i < from->GetNumberOfArrays(); ++i) {
        vtkAbstractArray* values = from->GetAbstractArray(i);
        if (values == from->GetGhostArray()) continue; // none is cut
        const auto taken = vtkSmartPointer<vtkAbstractArray>::Take(values->NewInstance());
        taken->SetName(values->GetName());
        taken->SetNumberOfComponents(values->GetNumberOfComponents());
        taken->SetNumberOfTuples(sources->GetNumberOfIds());
        values->GetTuples(sources, taken);
        output->GetCellData()->AddArray(taken);
    }
}
