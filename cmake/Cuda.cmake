# Part of lbmFoam, GPL-3.0-or-later.
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  message(STATUS "CUDA: no nvcc: GPU kernels are left out")
else()
  # Code for Hopper; -DCMAKE_CUDA_ARCHITECTURES=... for others.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
  enable_language(CUDA)
endif()
