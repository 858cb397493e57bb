// Part of lbmFoam, GPL-3.0-or-later.
#include "vtkResultDifference.h"

#include <vtkAppendFilter.h>
#include <vtkCellCenters.h>
#include <vtkCellData.h>
#include <vtkCellSizeFilter.h>
#include <vtkDataSet.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkMultiProcessController.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPolyData.h>
#include <vtkStaticCellLocator.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>

#include <cmath>
#include <string>
#include <vector>

vtkStandardNewMacro(vtkResultDifference);

namespace
{

// Cell of the result for each cell of the mesh, or -1
std::vector<vtkIdType> match(vtkDataSet* result, vtkDataSet* mesh)
{
  vtkNew<vtkStaticCellLocator> locator;
  locator->SetDataSet(result);
  locator->BuildLocator();
  vtkNew<vtkCellCenters> centres;
  centres->SetInputData(mesh);
  centres->Update();
  std::vector<vtkIdType> cells(mesh->GetNumberOfCells());
  for (vtkIdType i = 0; i < mesh->GetNumberOfCells(); ++i)
  {
    cells[i] = locator->FindCell(centres->GetOutput()->GetPoint(i));
  }
  return cells;
}

vtkSmartPointer<vtkDataArray> volumesOf(vtkDataSet* mesh)
{
  vtkNew<vtkCellSizeFilter> sizes;
  sizes->SetInputData(mesh);
  sizes->ComputeVertexCountOff();
  sizes->ComputeLengthOff();
  sizes->ComputeAreaOff();
  sizes->Update();
  return vtkDataSet::SafeDownCast(sizes->GetOutput())->GetCellData()->GetArray("Volume");
}

void addNumber(vtkDataSet* mesh, const std::string& name, double value)
{
  vtkNew<vtkDoubleArray> array;
  array->SetName(name.c_str());
  array->InsertNextValue(value);
  mesh->GetFieldData()->AddArray(array);
}

void subtract(vtkDataArray* ours, vtkDataArray* theirs, const std::vector<vtkIdType>& cells, vtkDataArray* volumes,
  vtkDataSet* output)
{
  const std::string name = ours->GetName();
  const int components = ours->GetNumberOfComponents();
  vtkNew<vtkDoubleArray> mapped, difference;
  for (vtkDoubleArray* array : { mapped.Get(), difference.Get() })
  {
    array->SetNumberOfComponents(components);
    array->SetNumberOfTuples(theirs->GetNumberOfTuples());
  }
  double off = 0, all = 0, volume = 0;
  for (vtkIdType i = 0; i < theirs->GetNumberOfTuples(); ++i)
  {
    for (int c = 0; c < components; ++c)
    {
      const double their = theirs->GetComponent(i, c);
      const double our = cells[i] < 0 ? 0 : ours->GetComponent(cells[i], c);
      const double d = cells[i] < 0 ? 0 : our - their;
      mapped->SetComponent(i, c, our);
      difference->SetComponent(i, c, d);
      if (cells[i] >= 0)
      {
        off += volumes->GetTuple1(i) * d * d;
        all += volumes->GetTuple1(i) * their * their;
      }
    }
    volume += cells[i] < 0 ? 0 : volumes->GetTuple1(i);
  }
  mapped->SetName(name.c_str());
  difference->SetName((name + "_difference").c_str());
  output->GetCellData()->AddArray(mapped);
  output->GetCellData()->AddArray(difference);
  addNumber(output, name + "_L2", volume > 0 ? std::sqrt(off / volume) : 0);
  if (all > 0)
  {
    addNumber(output, name + "_relL2", std::sqrt(off / all));
  }
}

} // namespace

vtkResultDifference::vtkResultDifference()
{
  this->SetNumberOfInputPorts(2);
}

int vtkResultDifference::FillInputPortInformation(int, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}

int vtkResultDifference::RequestData(vtkInformation*, vtkInformationVector** in, vtkInformationVector* out)
{
  auto* result = vtkDataSet::GetData(in[0]);
  auto* mesh = vtkDataSet::GetData(in[1]);
  auto* output = vtkUnstructuredGrid::GetData(out);
  // Pieces of the two do not lie in the same places
  const auto* processes = vtkMultiProcessController::GetGlobalController();
  if (processes && const_cast<vtkMultiProcessController*>(processes)->GetNumberOfProcesses() > 1)
  {
    vtkErrorMacro("works in one process, not in several");
    return 0;
  }
  vtkNew<vtkAppendFilter> anyKind;
  anyKind->AddInputData(mesh);
  anyKind->Update();
  output->CopyStructure(anyKind->GetOutput());
  const std::vector<vtkIdType> cells = match(result, mesh);
  const vtkSmartPointer<vtkDataArray> volumes = volumesOf(mesh);

  vtkNew<vtkUnsignedCharArray> outside;
  outside->SetName("outside");
  for (const vtkIdType cell : cells)
  {
    outside->InsertNextValue(cell < 0);
  }
  output->GetCellData()->AddArray(outside);

  int found = 0;
  for (int i = 0; i < mesh->GetCellData()->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* theirs = mesh->GetCellData()->GetArray(i);
    vtkDataArray* ours = theirs ? result->GetCellData()->GetArray(theirs->GetName()) : nullptr;
    if (!ours || ours->GetNumberOfComponents() != theirs->GetNumberOfComponents())
    {
      continue;
    }
    subtract(ours, theirs, cells, volumes, output);
    ++found;
  }
  if (!found)
  {
    vtkErrorMacro("result and mesh have no cell array of the same name and width");
    return 0;
  }
  return 1;
}
