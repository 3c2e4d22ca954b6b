# base <- {workload <- measure, trace}; {workload, trace} <- tracegen; trace <- model <- {tuner, dse}; all <- cli: for every pair of folders, an include in the allowed direction
# compiles and one against it does not find its header.
#
#   cmake -DCOMPILER=cc -DINCLUDES=<file that sets includes_<target>> -DSCRATCH=<folder> -P include_direction.cmake
cmake_minimum_required(VERSION 3.24)
include(${INCLUDES})

# What each target may include. The tuner gives a YAML file to the sweep and takes predictions from the model: neither of
# them needs tracegen.
set(may_base base)
set(may_trace base trace)
set(may_workload base workload)
set(may_tracegen base trace workload tracegen)
set(may_measure base workload measure)
set(may_model base trace model)
set(may_tuner base trace model tuner)
set(may_dse base trace model dse)
set(may_reassemble base trace workload tracegen measure model tuner dse)

set(header_base base/error.h)
set(header_trace trace/trace.h)
set(header_workload workload/workload.h)
set(header_tracegen tracegen/emulate.h)
set(header_measure measure/repetitions.h)
set(header_model model/gpu.h)
set(header_tuner tuner/board.h)
set(header_dse dse/rank.h)
set(header_cli cli/command.h)

file(MAKE_DIRECTORY ${SCRATCH})
set(broken 0)
foreach(from base trace workload tracegen measure model tuner dse reassemble)
  set(flags ${includes_${from}})
  list(TRANSFORM flags PREPEND -I)
  foreach(to base trace workload tracegen measure model tuner dse cli)
    if(from STREQUAL "reassemble" AND to STREQUAL "cli")
      continue() # its own folder
    endif()
    set(source ${SCRATCH}/${from}_includes_${to}.c)
    file(WRITE ${source} "#include \"${header_${to}}\"\nextern int nothing;\n")
    execute_process(COMMAND ${COMPILER} -std=gnu11 -D_GNU_SOURCE ${flags} -fsyntax-only ${source}
      RESULT_VARIABLE status ERROR_VARIABLE text)
    string(FIND "${text}" "${header_${to}}" names_the_header)
    if(to IN_LIST may_${from})
      if(NOT status EQUAL 0)
        message("${from} may include ${header_${to}}, but cannot:\n${text}")
        math(EXPR broken "${broken} + 1")
      endif()
    elseif(status EQUAL 0 OR names_the_header EQUAL -1)
      message("${from} must not reach ${header_${to}}, but does: ${text}")
      math(EXPR broken "${broken} + 1")
    endif()
  endforeach()
endforeach()
if(broken GREATER 0)
  message(FATAL_ERROR "${broken} pairs of folders break the direction of includes")
endif()
