// LatticeGrid: an unstructured grid of cubes that knows where they are (CubeSlicer). ParaView's filters see the grid that
// it also is; LatticeSlice uses what it knows.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/lattice/CubeSlicer.hpp"

#include <vtkCellArray.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include <memory>

class LatticeGrid : public vtkUnstructuredGrid {
public:
    static LatticeGrid* New();
    vtkTypeMacro(LatticeGrid, vtkUnstructuredGrid);

    // Of the cells that this has now
    void setSlicer(std::shared_ptr<const lbm::CubeSlicer> slicer)
    {
        slicer_ = std::move(slicer);
        points_ = this->GetPoints();
        cells_ = this->GetCells();
    }

    // Null where there is none, and where a filter has put other cells or points in place
    const lbm::CubeSlicer* slicer()
    {
        return points_ == this->GetPoints() && cells_ == this->GetCells() ? slicer_.get() : nullptr;
    }

    void ShallowCopy(vtkDataObject* source) override
    {
        this->Superclass::ShallowCopy(source);
        if (const auto* grid = LatticeGrid::SafeDownCast(source)) {
            slicer_ = grid->slicer_;
            points_ = grid->points_;
            cells_ = grid->cells_;
        }
    }

private:
    std::shared_ptr<const lbm::CubeSlicer> slicer_;
    vtkSmartPointer<vtkPoints> points_;
    vtkSmartPointer<vtkCellArray> cells_;
};
