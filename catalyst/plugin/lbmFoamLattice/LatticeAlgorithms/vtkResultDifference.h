// Maps a result (input 0: a lattice, say) onto the cells of another mesh (input 1) and subtracts what is there: arrays of
// the same name and width. Each cell of the mesh takes the value of the result's cell that holds its centre; where its
// centre lies in none, it is marked in array "outside" and does not count.
//
// Output: the mesh with NAME (mapped), NAME_difference, outside; field data NAME_L2, root mean square of the difference
// weighted by volume, and NAME_relL2, divided by that of the mesh's own values: lbmCompare's norms.
// Works in one process.
// Part of lbmFoam, GPL-3.0-or-later.
#ifndef vtkResultDifference_h
#define vtkResultDifference_h

#include "LatticeAlgorithmsModule.h"

#include <vtkUnstructuredGridAlgorithm.h>

class LATTICEALGORITHMS_EXPORT vtkResultDifference : public vtkUnstructuredGridAlgorithm
{
public:
  static vtkResultDifference* New();
  vtkTypeMacro(vtkResultDifference, vtkUnstructuredGridAlgorithm);

protected:
  vtkResultDifference();
  int FillInputPortInformation(int port, vtkInformation*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkResultDifference(const vtkResultDifference&) = delete;
  void operator=(const vtkResultDifference&) = delete;
};

#endif
