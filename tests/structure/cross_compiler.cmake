# cmake/CompilerWorks.cmake takes a compiler that compiles and links, and refuses one without headers, without libraries, and
# one that is not there.
#
#   cmake -DCOMPILER=cc -DMODULES=<folder> -DSCRATCH=<folder> -P cross_compiler.cmake
cmake_minimum_required(VERSION 3.24)
list(APPEND CMAKE_MODULE_PATH ${MODULES})
include(CompilerWorks)
set(CMAKE_CURRENT_BINARY_DIR ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})

function(expect works compiler)
  compiler_works(${compiler} found)
  if(NOT found STREQUAL works)
    message(FATAL_ERROR "${compiler}: works is ${found} instead of ${works}")
  endif()
endfunction()

foreach(part nostdinc nostdlib) # a compiler as it is without a C library's headers, and without its libraries
  file(WRITE ${SCRATCH}/${part} "#!/bin/sh\nexec '${COMPILER}' -${part} \"$@\"\n")
  file(CHMOD ${SCRATCH}/${part} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
expect(TRUE ${COMPILER})
expect(FALSE ${SCRATCH}/nostdinc)
expect(FALSE ${SCRATCH}/nostdlib)
expect(FALSE ${SCRATCH}/absent)
