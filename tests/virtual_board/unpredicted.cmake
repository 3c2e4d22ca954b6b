# Launches without a time: a program that chooses by time does not choose them, the report names each with its reason, and the
# command fails. The same holds for a launch that does not run on one of several GPUs.
cmake_minimum_required(VERSION 3.24)

# document, errors: what was printed. The command has to fail with exit code 1.
function(run document errors)
  execute_process(COMMAND ${REASSEMBLE} run --host-scale 0 ${ARGN}
    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE printed)
  if(NOT code EQUAL 1)
    message(FATAL_ERROR "exit code ${code}, expected 1: ${printed}${out}")
  endif()
  set(${document} "${out}" PARENT_SCOPE)
  set(${errors} "${printed}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected ${pattern}: ${text}")
  endif()
endfunction()

# expect_row(document gpu row key value): of "without_time"
function(expect_row document gpu row key wanted)
  string(JSON found GET "${document}" gpus ${gpu} without_time ${row} ${key})
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "GPU ${gpu}, row ${row}: ${key} is ${found}, expected ${wanted}: ${document}")
  endif()
endfunction()

# expect_complete(document gpu ON|OFF): whether every launch has a time there
function(expect_complete document gpu wanted)
  string(JSON found GET "${document}" gpus ${gpu} complete)
  if(NOT found STREQUAL wanted)
    message(FATAL_ERROR "GPU ${gpu}: complete is ${found}, expected ${wanted}: ${document}")
  endif()
endfunction()

run(text errors --gpu mali-g71-mp8 --max-instructions 1000000 --report -- ${PROGRAM})
expect("${text}" "fastest: light\n")
expect("${text}" "mali-g71-mp8: [0-9.]+ ms, without the launches that have no time\n")
expect("${text}" "\n +1  heavy +2 +0  kernel heavy: the launch executes more than 1000000")
expect("${text}" "\n +2  heavy +0 +1  kernel heavy: the launch executes more than 1000000")
expect("${errors}" "launch 1 .heavy. has no prediction, and is refused with CL_OUT_OF_RESOURCES")
expect("${errors}" "launch 1 .heavy. has no prediction and was refused")

run(document errors --gpu mali-g71-mp8 --max-instructions 1000000 --json -- ${PROGRAM})
expect_complete("${document}" 0 OFF)
expect_row("${document}" 0 0 refused 2)
expect_row("${document}" 0 1 counted_as_0_ns 1)

# Work-groups of 384 are too large for the second GPU.
run(document errors --gpu mali-g71-mp8,mali-t860-mp4 --json -- ${PROGRAM} group)
expect_complete("${document}" 0 ON)
expect_complete("${document}" 1 OFF)
expect_row("${document}" 1 0 counted_as_0_ns 1)
expect("${errors}" "launch 0 .light. does not run on mali-t860-mp4: .*384")
