# FindOpenFOAM: Debian's run-time libraries plus headers unpacked from the matching source package.
#
#   find_package(OpenFOAM COMPONENTS finiteVolume sampling)  ->  OpenFOAM::finiteVolume, OpenFOAM::sampling
#
# OPENFOAM_SRC holds one folder per library with its lnInclude/ (50 header names recur between
# libraries, so one flat folder would not do). cmake/setup.sh puts it where the default points.
# Part of lbmFoam, GPL-3.0-or-later.

if(DEFINED ENV{XDG_CACHE_HOME})
  set(_foam_cache "$ENV{XDG_CACHE_HOME}")
else()
  set(_foam_cache "$ENV{HOME}/.cache")
endif()
set(OPENFOAM_API 1912 CACHE STRING "OpenFOAM version that headers and libraries share")
set(OPENFOAM_SRC "${_foam_cache}/lbmFoam/openfoam-${OPENFOAM_API}/src"
  CACHE PATH "src/ of the OpenFOAM source tree that matches the libraries")
set(OPENFOAM_PROJECT_DIR /usr/share/openfoam
  CACHE PATH "folder with etc/controlDict; WM_PROJECT_DIR where the environment has none")
set(OPENFOAM_TUTORIALS /usr/share/doc/openfoam-examples/examples
  CACHE PATH "OpenFOAM's own tutorial cases, for tests")
mark_as_advanced(OPENFOAM_API OPENFOAM_SRC OPENFOAM_PROJECT_DIR OPENFOAM_TUTORIALS)

# looked up anew each time: the tree may have moved since the last configuration
if(EXISTS "${OPENFOAM_SRC}/OpenFOAM/lnInclude/argList.H")
  set(OpenFOAM_INCLUDE_DIR "${OPENFOAM_SRC}/OpenFOAM/lnInclude")
endif()
find_library(OpenFOAM_LIBRARY OpenFOAM)
find_library(OpenFOAM_Pstream_LIBRARY Pstream)
mark_as_advanced(OpenFOAM_LIBRARY OpenFOAM_Pstream_LIBRARY)

# One row a library: its include folders under OPENFOAM_SRC, then the libraries it builds on.
set(_foam_OpenFOAM "OpenFOAM/lnInclude;OSspecific/POSIX/lnInclude")
set(_foam_fileFormats fileFormats/lnInclude)
set(_foam_fileFormats_needs OpenFOAM)
set(_foam_surfMesh surfMesh/lnInclude)
set(_foam_surfMesh_needs fileFormats)
set(_foam_meshTools meshTools/lnInclude)
set(_foam_meshTools_needs surfMesh)
set(_foam_dynamicMesh dynamicMesh/lnInclude)
set(_foam_dynamicMesh_needs meshTools)
set(_foam_finiteVolume finiteVolume/lnInclude)
set(_foam_finiteVolume_needs meshTools)
set(_foam_lagrangian lagrangian/basic/lnInclude)
set(_foam_lagrangian_needs meshTools)
set(_foam_sampling sampling/lnInclude)
set(_foam_sampling_needs finiteVolume dynamicMesh lagrangian)
set(_foam_forces functionObjects/forces/lnInclude)
set(_foam_forces_needs finiteVolume)
set(_foam_incompressibleTransportModels transportModels transportModels/incompressible/lnInclude)
set(_foam_incompressibleTransportModels_needs finiteVolume)
set(_foam_turbulenceModels TurbulenceModels/turbulenceModels/lnInclude)
set(_foam_turbulenceModels_needs finiteVolume)
set(_foam_incompressibleTurbulenceModels TurbulenceModels/incompressible/lnInclude)
set(_foam_incompressibleTurbulenceModels_needs turbulenceModels incompressibleTransportModels)
# Linked for its conditions, which are chosen by name
set(_foam_atmosphericModels finiteVolume/lnInclude)
set(_foam_atmosphericModels_needs finiteVolume)
set(_foam_fvOptions fvOptions/lnInclude)
set(_foam_fvOptions_needs sampling)

set(_foam_decompose parallel/decompose/decompose/lnInclude)
set(_foam_decompose_needs finiteVolume lagrangian)
set(_foam_reconstruct parallel/reconstruct/reconstruct/lnInclude)
set(_foam_reconstruct_needs finiteVolume lagrangian)

# Sets OpenFOAM_<component>_FOUND for the component and what it builds on, and defines its target.
function(_foam_component component)
  if(TARGET OpenFOAM::${component} OR NOT DEFINED _foam_${component})
    return()
  endif()
  find_library(OpenFOAM_${component}_LIBRARY ${component})
  mark_as_advanced(OpenFOAM_${component}_LIBRARY)
  list(TRANSFORM _foam_${component} PREPEND "${OPENFOAM_SRC}/" OUTPUT_VARIABLE includes)
  foreach(path IN LISTS includes OpenFOAM_${component}_LIBRARY)
    if(NOT EXISTS "${path}")
      return()
    endif()
  endforeach()
  set(links OpenFOAM::flags)
  foreach(needed IN LISTS _foam_${component}_needs)
    _foam_component(${needed})
    if(NOT TARGET OpenFOAM::${needed})
      return()
    endif()
    list(APPEND links OpenFOAM::${needed})
  endforeach()
  if(component STREQUAL OpenFOAM)
    # libOpenFOAM needs libPstream: the one the loader finds, never the stub in <libdir>/dummy
    list(APPEND links "${OpenFOAM_Pstream_LIBRARY}" ${CMAKE_DL_LIBS} m)
  endif()
  add_library(OpenFOAM::${component} SHARED IMPORTED)
  set_target_properties(OpenFOAM::${component} PROPERTIES
    IMPORTED_LOCATION "${OpenFOAM_${component}_LIBRARY}"
    IMPORTED_NO_SONAME TRUE
    INTERFACE_INCLUDE_DIRECTORIES "${includes}"
    INTERFACE_LINK_LIBRARIES "${links}")
endfunction()

if(OpenFOAM_INCLUDE_DIR AND OpenFOAM_LIBRARY)
  if(NOT TARGET OpenFOAM::flags)
    add_library(OpenFOAM::flags INTERFACE IMPORTED)
    target_compile_definitions(OpenFOAM::flags INTERFACE
      OPENFOAM=${OPENFOAM_API} WM_DP WM_LABEL_SIZE=32 NoRepository)
    target_compile_options(OpenFOAM::flags INTERFACE -pthread -ftemplate-depth-100)
    # models register themselves in static constructors: the linker must not drop a library
    target_link_options(OpenFOAM::flags INTERFACE -pthread LINKER:--no-as-needed)
  endif()
  foreach(component IN LISTS OpenFOAM_FIND_COMPONENTS)
    _foam_component(${component})
    if(TARGET OpenFOAM::${component})
      set(OpenFOAM_${component}_FOUND TRUE)
    endif()
  endforeach()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenFOAM HANDLE_COMPONENTS
  REQUIRED_VARS OpenFOAM_LIBRARY OpenFOAM_Pstream_LIBRARY OpenFOAM_INCLUDE_DIR)
