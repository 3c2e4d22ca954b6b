# Every external library, found once. A missing one names its Debian package; ./test.sh and ./demo.sh install them.
find_package(PkgConfig REQUIRED)

function(reassemble_find target module package)
  pkg_check_modules(${target} QUIET IMPORTED_TARGET ${module})
  if(NOT ${target}_FOUND)
    message(FATAL_ERROR "${module} was not found. On Debian: apt-get install ${package} (packages.txt lists all)")
  endif()
endfunction()

if(REASSEMBLE_MEASURE_ONLY) # libraries are taken in: a board need not have them. libc stays shared, for OpenCL is loaded at run time
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()
reassemble_find(JANSSON jansson libjansson-dev)
reassemble_find(YAML yaml-0.1 libyaml-dev)
if(REASSEMBLE_MEASURE_ONLY)
  return()
endif()
reassemble_find(GSL gsl libgsl-dev)
reassemble_find(ZSTD libzstd libzstd-dev)
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  reassemble_find(SECCOMP libseccomp libseccomp-dev)
endif()

if(REASSEMBLE_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS C)
endif()

# The LLVM that PoCL was built with: its built-ins are bitcode of that version. Debian 12: 15.
set(REASSEMBLE_LLVM_CONFIG "" CACHE FILEPATH "llvm-config of the LLVM that PoCL's built-ins belong to")
if(NOT REASSEMBLE_LLVM_CONFIG)
  find_program(found_llvm_config NAMES llvm-config-15 llvm-config-16 llvm-config-17 llvm-config-18 llvm-config-19
    NO_CACHE)
  set(REASSEMBLE_LLVM_CONFIG ${found_llvm_config})
endif()
if(NOT REASSEMBLE_LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config was not found. On Debian 12: apt-get install llvm-15-dev clang-15 libpocl2")
endif()
foreach(what version includedir libdir bindir targets-built)
  execute_process(COMMAND ${REASSEMBLE_LLVM_CONFIG} --${what} OUTPUT_VARIABLE LLVM_${what}
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT LLVM_targets-built MATCHES NVPTX) # tracegen/lower/optimise.c asks it which addresses an access can have
  message(FATAL_ERROR "${REASSEMBLE_LLVM_CONFIG}: this LLVM was built without the target NVPTX; expected one that has it, as Debian's")
endif()
string(REGEX MATCH "^[0-9]+" LLVM_major ${LLVM_version})
find_program(REASSEMBLE_CLANG NAMES clang-${LLVM_major} clang HINTS ${LLVM_bindir} REQUIRED)
find_library(LLVM_library NAMES LLVM-${LLVM_major} LLVM HINTS ${LLVM_libdir} REQUIRED)
# The plainest variant that there is, so that results do not depend on the machine that computes them.
foreach(variant sse2 GENERIC generic "*")
  if(NOT pocl_libraries)
    file(GLOB pocl_libraries /usr/share/pocl/kernel-*-${variant}.bc)
  endif()
endforeach()
if(NOT pocl_libraries)
  message(FATAL_ERROR "PoCL's OpenCL built-ins were not found. On Debian: apt-get install libpocl2")
endif()
list(GET pocl_libraries 0 REASSEMBLE_POCL_LIBRARY_DEFAULT)
set(REASSEMBLE_POCL_LIBRARY ${REASSEMBLE_POCL_LIBRARY_DEFAULT} CACHE FILEPATH "PoCL's OpenCL built-ins (bitcode)")

add_library(LLVM_C INTERFACE)
target_include_directories(LLVM_C SYSTEM INTERFACE ${LLVM_includedir})
target_link_libraries(LLVM_C INTERFACE ${LLVM_library})
