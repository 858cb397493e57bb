// Reads a lattice series of lbmFoam (series.lbm; catalyst/lattice/LatticeSeries.hpp): the fluid nodes as cubes, made once
// for all times. Of several processes each reads its piece. Part of lbmFoam, GPL-3.0-or-later.
#ifndef vtkLatticeSeriesReader_h
#define vtkLatticeSeriesReader_h

#include "LatticeAlgorithmsModule.h"

#include <vtkUnstructuredGridAlgorithm.h>

#include <memory>

class LATTICEALGORITHMS_EXPORT vtkLatticeSeriesReader : public vtkUnstructuredGridAlgorithm
{
public:
  static vtkLatticeSeriesReader* New();
  vtkTypeMacro(vtkLatticeSeriesReader, vtkUnstructuredGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  vtkSetFilePathMacro(FileName);
  vtkGetFilePathMacro(FileName);

protected:
  vtkLatticeSeriesReader();
  ~vtkLatticeSeriesReader() override;

  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkLatticeSeriesReader(const vtkLatticeSeriesReader&) = delete;
  void operator=(const vtkLatticeSeriesReader&) = delete;

  char* FileName = nullptr;
  struct Series;
  std::unique_ptr<Series> Read;
};

#endif
