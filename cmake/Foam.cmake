# What adapters/ and plugin/ need, and how their targets are made. C++17: OpenFOAM 1912 does not
# compile as C++20.
# Part of lbmFoam, GPL-3.0-or-later.
find_package(OpenFOAM QUIET COMPONENTS finiteVolume meshTools surfMesh sampling fvOptions forces incompressibleTurbulenceModels atmosphericModels decompose reconstruct)
find_package(embree 3 QUIET)
find_package(nlohmann_json 3 QUIET)
if(NOT OpenFOAM_FOUND)
  message(STATUS "OpenFOAM ${OPENFOAM_API}: no libraries, or no headers in ${OPENFOAM_SRC}: "
    "adapters and programs are left out")
  return()
elseif(NOT embree_FOUND)
  message(STATUS "Embree 3: not found: adapters and programs are left out")
  return()
elseif(NOT nlohmann_json_FOUND)
  message(STATUS "nlohmann-json 3: not found: adapters and programs are left out")
  return()
endif()

# foam_library(name source...): shared library
function(foam_library name)
  add_library(${name} SHARED ${ARGN})
  _foam_target(${name})
endfunction()

# foam_executable(name source...): runs with an empty environment and no open descriptor (see foamEnvDefault.C,
# openDescriptors.C); its main function is lbmProgram's
function(foam_executable name)
  set(common "${PROJECT_SOURCE_DIR}/plugin/common")
  set(environment "${common}/foamEnvDefault.C")
  add_executable(${name} ${ARGN} "${environment}" "${common}/openDescriptors.C" "${common}/lbmProgram.C")
  set_property(SOURCE "${environment}" DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
    PROPERTY COMPILE_DEFINITIONS FOAM_DEFAULT_PROJECT_DIR="${OPENFOAM_PROJECT_DIR}")
  _foam_target(${name})
endfunction()

function(_foam_target name)
  set_target_properties(${name} PROPERTIES CXX_STANDARD 17)
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
endfunction()

# env.sh for the build tree, and one for the installed tree, which learns its place on installation; in the system's own folders
# nobody needs it
set(root "${PROJECT_BINARY_DIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/env.sh.in" "${root}/env.sh" @ONLY)
install(CODE "set(root \"\${CMAKE_INSTALL_PREFIX}\")
  set(OPENFOAM_PROJECT_DIR \"${OPENFOAM_PROJECT_DIR}\")
  set(OPENFOAM_TUTORIALS \"${OPENFOAM_TUTORIALS}\")
  if(NOT root STREQUAL \"/usr\")
    configure_file(\"${PROJECT_SOURCE_DIR}/cmake/env.sh.in\" \"\$ENV{DESTDIR}\${root}/env.sh\" @ONLY)
  endif()")
unset(root)
