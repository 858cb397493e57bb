# Targets that see OpenFOAM's headers. C++17: OpenFOAM 1912 does not compile as C++20.
# Part of lbmFoam, GPL-3.0-or-later.

# foam_library(name source...): shared library
function(foam_library name)
  add_library(${name} SHARED ${ARGN})
  _foam_target(${name})
endfunction()

# foam_executable(name source...): runs with an empty environment, see foamEnvDefault.C
function(foam_executable name)
  add_executable(${name} ${ARGN} "${PROJECT_SOURCE_DIR}/plugin/common/foamEnvDefault.C")
  set_property(SOURCE "${PROJECT_SOURCE_DIR}/plugin/common/foamEnvDefault.C"
    DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    PROPERTY COMPILE_DEFINITIONS FOAM_DEFAULT_PROJECT_DIR="${OPENFOAM_PROJECT_DIR}")
  _foam_target(${name})
endfunction()

function(_foam_target name)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
endfunction()
