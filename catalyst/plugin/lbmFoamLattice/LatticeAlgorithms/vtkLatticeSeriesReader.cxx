// Part of lbmFoam, GPL-3.0-or-later.
#include "vtkLatticeSeriesReader.h"

#include "catalyst/lattice/LatticeSeries.hpp"
#include "catalyst/paraview/dataObjects.hpp"

#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkInformation.h>
#include <vtkInformationVector.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <exception>
#include <string>

vtkStandardNewMacro(vtkLatticeSeriesReader);

struct vtkLatticeSeriesReader::Series
{
  explicit Series(const std::string& name)
    : index(name)
  {
  }

  // Cells of a piece, made once
  void make(const lbm::SeriesPiece& wanted)
  {
    if (grid && wanted.number == piece.number && wanted.count == piece.count)
    {
      return;
    }
    piece = wanted;
    index.readNodes(piece);
    const lbm::LatticeCells cells(index.domain, index.frame.caseAxis, index.frame.thickness);
    // The copy outlives this reader's data, which downstream objects may not
    vtkSmartPointer<vtkUnstructuredGrid> view = makeGrid(cells.mesh());
    grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
    grid->DeepCopy(view);
  }

  lbm::SeriesIndex index;
  lbm::SeriesPiece piece;
  vtkSmartPointer<vtkUnstructuredGrid> grid;
};

vtkLatticeSeriesReader::vtkLatticeSeriesReader()
{
  this->SetNumberOfInputPorts(0);
}

vtkLatticeSeriesReader::~vtkLatticeSeriesReader()
{
  this->SetFileName(nullptr);
}

void vtkLatticeSeriesReader::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "FileName: " << (this->FileName ? this->FileName : "(none)") << "\n";
}

int vtkLatticeSeriesReader::RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector* out)
{
  if (!this->FileName)
  {
    vtkErrorMacro("no file name");
    return 0;
  }
  try
  {
    // A run may have gone on since
    this->Read = std::make_unique<Series>(this->FileName);
  }
  catch (const std::exception& fault)
  {
    vtkErrorMacro(<< fault.what());
    return 0;
  }
  std::vector<double> times;
  for (const auto& time : this->Read->index.times)
  {
    times.push_back(time.time);
  }
  vtkInformation* info = out->GetInformationObject(0);
  info->Set(vtkAlgorithm::CAN_HANDLE_PIECE_REQUEST(), 1);
  info->Remove(vtkStreamingDemandDrivenPipeline::TIME_STEPS());
  info->Remove(vtkStreamingDemandDrivenPipeline::TIME_RANGE());
  if (!times.empty())
  {
    double range[] = { times.front(), times.back() };
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_STEPS(), times.data(), int(times.size()));
    info->Set(vtkStreamingDemandDrivenPipeline::TIME_RANGE(), range, 2);
  }
  return 1;
}

int vtkLatticeSeriesReader::RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector* out)
{
  vtkInformation* info = out->GetInformationObject(0);
  auto* grid = vtkUnstructuredGrid::GetData(out);
  try
  {
    this->Read->make({ info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_PIECE_NUMBER()),
      std::max(1, info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_NUMBER_OF_PIECES())) });
  }
  catch (const std::exception& fault)
  {
    vtkErrorMacro(<< fault.what());
    return 0;
  }
  grid->ShallowCopy(this->Read->grid);
  const auto& times = this->Read->index.times;
  if (times.empty())
  {
    return 1;
  }
  // The last one that is not later than what is asked for
  const double wanted = info->Has(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    ? info->Get(vtkStreamingDemandDrivenPipeline::UPDATE_TIME_STEP())
    : times.front().time;
  const auto later = std::upper_bound(
    times.begin(), times.end(), wanted, [](double t, const lbm::SeriesTime& time) { return t < time.time; });
  const auto& time = later == times.begin() ? times.front() : *std::prev(later);
  try
  {
    const std::int64_t n = grid->GetNumberOfCells();
    for (const auto& field : time.fields)
    {
      const std::vector<char> values = this->Read->index.readField(field, this->Read->piece);
      const lbmInsituType type =
        field.type == "float32" ? LBM_FLOAT32 : field.type == "float64" ? LBM_FLOAT64 : LBM_INT32;
      const lbmInsituArray array = { field.name.c_str(), type, LBM_CELLS, field.components, n, values.data() };
      vtkNew<vtkUnstructuredGrid> view;
      view->CopyStructure(grid);
      setFields(view, &array, 1);
      vtkSmartPointer<vtkDataArray> copy;
      copy.TakeReference(view->GetCellData()->GetArray(0)->NewInstance());
      copy->DeepCopy(view->GetCellData()->GetArray(0));
      grid->GetCellData()->AddArray(copy);
    }
  }
  catch (const std::exception& fault)
  {
    vtkErrorMacro(<< fault.what());
    return 0;
  }
  grid->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), time.time);
  return 1;
}
