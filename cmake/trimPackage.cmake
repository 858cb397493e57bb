# Before a package is packed: what compilers alone want of ParaView's plug-in is taken out. Part of lbmFoam, GPL-3.0-or-later.
set(root "${CPACK_TEMPORARY_DIRECTORY}/usr")
file(GLOB_RECURSE archives "${root}/lib/*.a")
file(REMOVE ${archives})
file(REMOVE_RECURSE "${root}/include" "${root}/lib/paraview-plugins/lbmFoamLattice/vtk")
