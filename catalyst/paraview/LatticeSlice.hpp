// LatticeSlice: what ParaView's filter Slice is in this process. Cuts a LatticeGrid by planes in a time that goes with the
// cells that they meet, and computes fields there alone; leaves everything else to the filter that it replaces.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include <vtkPVMetaSliceDataSet.h>

class LatticeGrid;
class vtkPolyData;
class vtkPVCutter;

class LatticeSlice : public vtkPVMetaSliceDataSet {
public:
    static LatticeSlice* New();
    vtkTypeMacro(LatticeSlice, vtkPVMetaSliceDataSet);

    // Slices that scripts make from now on are of this class. To be called when ParaView has started.
    static void takeOver();

    int ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
    using vtkPVMetaSliceDataSet::ProcessRequest;

private:
    LatticeSlice() = default;
    ~LatticeSlice() override = default;

    static void slice(LatticeGrid*, vtkPVCutter*, vtkPolyData* output);
};
