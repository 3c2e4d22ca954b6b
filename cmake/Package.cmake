# A Debian package: cmake --preset package && cmake --build --preset package --target package
# It depends on the libraries that it was linked with, and on the clang and the built-ins of PoCL that the emulator calls. These
# have other names in each release of Debian, so a package is built on the release that it is for, and its version names that
# release. Parts for 64-bit Arm (tracegen/bifrost/shim) are left out: dpkg-shlibdeps knows the libraries of one architecture only.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME reassemble)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The reassemble developers <reassemble@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Predicts how long OpenCL kernels take on a GPU, from traces")
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
cmake_host_system_information(RESULT distribution QUERY DISTRIB_INFO)
if(distribution_ID STREQUAL debian AND distribution_VERSION_ID)
  set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb${distribution_VERSION_ID})
endif()
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nodejs, node-jsdom") # `reassemble report --svg`
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd, python3, python3-numpy")

# Debian's package that holds the file.
function(package_of file out)
  execute_process(COMMAND dpkg-query -S ${file} OUTPUT_VARIABLE found ERROR_QUIET RESULT_VARIABLE failed)
  string(REGEX REPLACE ":.*" "" found "${found}")
  if(failed)
    set(found "")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
package_of(${REASSEMBLE_POCL_LIBRARY} pocl)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_major}")
if(pocl)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${pocl}")
endif()
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
# The dynamic linker learns of the library when the package comes and goes.
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/triggers)
include(CPack)
