# Runs the program on one case and compares everything it printed, to the byte.
#
#   cmake -DPROGRAM=... -DSOURCE=<repository> -DCASE=<folder of the case> -DSCRATCH=<folder> -P run_case.cmake
#
# A case is a folder with `command` (the arguments, as a shell would read them), input files, and what is expected:
# `stdout`, `stderr` (no such file: nothing may be printed there) and `exit` (no such file: 0). The case is copied and runs
# in the copy. In what is printed, the repository's path becomes <source> and that of the copy <case>.
# `prepare`: a shell script that makes input files first, binary ones for example; it finds $SOURCE and $PROGRAM.
# <seconds> in `command` is a limit of time: 0.2, then 2, then 20, until the program does what is expected. A busy machine may not get
# to what the limit is about within the first. In what is printed the limit becomes <seconds>.
# `stdin`: what the program reads there. `absent`: patterns of files, a line each, none of which may exist afterwards.
# With REASSEMBLE_UPDATE_CASES=1 in the environment the expected files are written instead; the diff is the review.
cmake_minimum_required(VERSION 3.24)

file(REMOVE_RECURSE ${SCRATCH})
file(COPY ${CASE}/ DESTINATION ${SCRATCH})
file(READ ${CASE}/command line)
string(STRIP "${line}" line)
set(ENV{REASSEMBLE_DATA} ${SOURCE})

if(EXISTS ${SCRATCH}/prepare)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env SOURCE=${SOURCE} PROGRAM=${PROGRAM} sh -eu prepare
    WORKING_DIRECTORY ${SCRATCH} COMMAND_ERROR_IS_FATAL ANY)
endif()
set(input /dev/null)
if(EXISTS ${SCRATCH}/stdin)
  set(input ${SCRATCH}/stdin)
endif()

# Runs the command with a limit of time, if it has any. Sets found_exit, found_stdout and found_stderr.
macro(run_command seconds)
  string(REPLACE "<seconds>" "${seconds}" limited "${line}")
  separate_arguments(arguments UNIX_COMMAND "${limited}")
  execute_process(COMMAND ${PROGRAM} ${arguments} WORKING_DIRECTORY ${SCRATCH} INPUT_FILE ${input} RESULT_VARIABLE found_exit
    OUTPUT_VARIABLE found_stdout ERROR_VARIABLE found_stderr)

  foreach(stream stdout stderr)
    string(REPLACE "${SCRATCH}" "<case>" found_${stream} "${found_${stream}}")
    string(REPLACE "${SOURCE}" "<source>" found_${stream} "${found_${stream}}")
    string(REPLACE "more than ${seconds} s" "more than <seconds> s" found_${stream} "${found_${stream}}")
  endforeach()
endmacro()

# Sets `failed` and says what is not as expected.
macro(compare)
  set(failed FALSE)
  if(EXISTS ${CASE}/absent)
    file(STRINGS ${CASE}/absent patterns)
    foreach(pattern ${patterns})
      file(GLOB left ${SCRATCH}/${pattern})
      if(left)
        message("left behind: ${left}")
        set(failed TRUE)
      endif()
    endforeach()
  endif()

  set(expected_exit 0)
  if(EXISTS ${CASE}/exit)
    file(STRINGS ${CASE}/exit expected_exit LIMIT_COUNT 1)
  endif()
  foreach(what exit stdout stderr)
    if(NOT what STREQUAL "exit")
      set(expected_${what} "")
      if(EXISTS ${CASE}/${what})
        file(READ ${CASE}/${what} expected_${what})
      endif()
    endif()
    if(NOT "${found_${what}}" STREQUAL "${expected_${what}}")
      message("${what}: expected\n${expected_${what}}\n${what}: found\n${found_${what}}")
      set(failed TRUE)
    endif()
  endforeach()
endmacro()

set(limits none)
if(line MATCHES "<seconds>")
  set(limits 0.2 2 20)
endif()
foreach(limit ${limits})
  run_command(${limit})
  if(DEFINED ENV{REASSEMBLE_UPDATE_CASES})
    foreach(stream stdout stderr)
      file(REMOVE ${CASE}/${stream})
      if(NOT "${found_${stream}}" STREQUAL "")
        file(WRITE ${CASE}/${stream} "${found_${stream}}")
      endif()
    endforeach()
    file(WRITE ${CASE}/exit "${found_exit}\n")
    return()
  endif()
  compare()
  if(NOT failed)
    break()
  endif()
endforeach()
if(failed)
  message(FATAL_ERROR "reassemble ${line}: not what ${CASE} expects")
endif()
