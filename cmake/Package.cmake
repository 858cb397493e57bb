# Debian package: cpack -G DEB in a build tree. cmake/package.sh makes one for any x86-64-v3 processor, with a second core for
# x86-64-v4, which the dynamic linker takes by itself where it can.
# Part of lbmFoam, GPL-3.0-or-later.
set(LBM_CORE_V4 "" CACHE FILEPATH "For a package: liblbmCore.so of a build for x86-64-v4")
if(LBM_CORE_V4)
  install(FILES "${LBM_CORE_V4}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/x86-64-v4")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/lbmfoam RENAME copyright)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lbmfoam)
set(CPACK_PACKAGE_CONTACT "The lbmFoam developers <lbmfoam@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Lattice Boltzmann for ordinary OpenFOAM cases")
# Paths within the package are those of the system: the programs find each other and their libraries without any environment
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# By hand: OpenFOAM's libraries tell dpkg-shlibdeps nothing
set(CPACK_DEBIAN_PACKAGE_DEPENDS "openfoam (>= 1912), openfoam (<< 1913), libopenfoam, libembree3-3, libgomp1, libhdf5-103-1, \
libopenmpi3, libboost-program-options1.74.0, libstdc++6 (>= 12), zlib1g")
# In situ and pictures (by EGL or an X server), profiles, and the cases that tutorials start from
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "paraview, python3-paraview, libegl1, xvfb, xauth, python3-numpy, python3-matplotlib, \
openfoam-examples")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/trimPackage.cmake")
include(CPack)
