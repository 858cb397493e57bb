# add_parts(): every subfolder that has a CMakeLists.txt is part of the build.
# Part of lbmFoam, GPL-3.0-or-later.
function(add_parts)
  file(GLOB parts CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" */CMakeLists.txt)
  foreach(part IN LISTS parts)
    cmake_path(GET part PARENT_PATH folder)
    add_subdirectory("${folder}")
  endforeach()
endfunction()
