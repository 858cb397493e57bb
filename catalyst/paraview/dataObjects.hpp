// VTK's objects of what is published: they look at the arrays where these are.
// Part of lbmFoam, GPL-3.0-or-later.
#pragma once

#include "catalyst/insitu.h"

#include <vtkImageData.h>
#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

// Throws std::invalid_argument for a type that there is none of.
vtkSmartPointer<vtkUnstructuredGrid> makeGrid(const lbmInsituMesh&);

vtkSmartPointer<vtkImageData> makeImage(const lbmInsituImage&);

// Throws std::invalid_argument for fields whose size is not that of the grid. source: makes the values of fields that have
// none; may be null where all have theirs.
void setFields(vtkDataSet*, const lbmInsituArray* fields, int n, const lbmInsituSource* source = nullptr);

// Marks cells that another process shows, as VTK's filters know them.
void setGhosts(vtkDataSet*, const lbmInsituMesh&);
