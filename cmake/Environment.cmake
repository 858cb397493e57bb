# env.sh of the build tree and of the installed tree, which learns its place when it is installed.
# Part of lbmFoam, GPL-3.0-or-later.
set(root "${PROJECT_BINARY_DIR}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/env.sh.in" "${PROJECT_BINARY_DIR}/env.sh" @ONLY)

set(root "@CMAKE_INSTALL_PREFIX@")
set(template "${PROJECT_BINARY_DIR}/env.sh.install")
configure_file("${PROJECT_SOURCE_DIR}/cmake/env.sh.in" "${template}" @ONLY)
install(CODE "configure_file(\"${template}\" \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/env.sh\" @ONLY)")
unset(root)
