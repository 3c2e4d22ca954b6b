# Compares the output of printf in kernels, emulated and in OpenCL, line by line; sorted, because OpenCL orders nothing between work-items.
#   cmake -DREASSEMBLE=... -DCOMPARE=<opencl_compare> -DWORKLOAD=... -DSCRATCH=<folder> -P printed_text.cmake
cmake_minimum_required(VERSION 3.24)
file(REMOVE_RECURSE ${SCRATCH})
execute_process(COMMAND ${REASSEMBLE} trace --quiet -o ${SCRATCH} ${WORKLOAD} OUTPUT_VARIABLE table ERROR_VARIABLE emulated
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${COMPARE} ${WORKLOAD} OUTPUT_VARIABLE opencl ERROR_VARIABLE ours COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "OpenCL device: [^\n]*\n" "" opencl "${opencl}")
string(REGEX REPLACE "[^\n]*: emulation and OpenCL agree[^\n]*\n" "" opencl "${opencl}")
foreach(text emulated opencl)
  string(REGEX REPLACE "[][]" "|" ${text} "${${text}}") # brackets would hide ends of lines from CMake's lists
  string(REPLACE "\n" ";" ${text} "${${text}}")
  list(SORT ${text})
  list(LENGTH ${text} count_${text})
endforeach()
if(count_emulated LESS 50)
  message(FATAL_ERROR "only ${count_emulated} lines were printed")
endif()
foreach(line IN ZIP_LISTS emulated opencl)
  if(NOT "${line_0}" STREQUAL "${line_1}")
    message(FATAL_ERROR "printed in the emulation: ${line_0}\nprinted in OpenCL:        ${line_1}")
  endif()
endforeach()
