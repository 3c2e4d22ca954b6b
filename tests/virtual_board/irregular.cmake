# A launch that some of its work-groups do not represent is emulated whole, on every GPU that needs it, and the command says
# so once. On a GPU with eight cores the busiest core runs regular work-groups only; on one with nine, others as well.
cmake_minimum_required(VERSION 3.24)

# kernels, errors: the "kernels" of GPU number `index`, and what was printed.
function(run index kernels errors)
  execute_process(COMMAND ${REASSEMBLE} run --host-scale 0 --json ${ARGN} -- ${PROGRAM}
    RESULT_VARIABLE code OUTPUT_VARIABLE document ERROR_VARIABLE printed)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "exit code ${code} with ${ARGN}: ${printed}${document}")
  endif()
  string(JSON found GET "${document}" gpus ${index} kernels)
  set(${kernels} "${found}" PARENT_SCOPE)
  set(${errors} "${printed}" PARENT_SCOPE)
endfunction()

run(0 alone alone_printed --gpu mali-g77-mp9)
run(1 second second_printed --gpu mali-g71-mp8,mali-g77-mp9)
run(0 whole whole_printed --gpu mali-g77-mp9 --compare)
foreach(printed IN ITEMS "${alone_printed}" "${second_printed}")
  string(REGEX MATCHALL "launch 1 .rows. is emulated whole, .* do not represent: [^\n]*they are not alike" told "${printed}")
  list(LENGTH told count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "expected one sentence about a launch that is emulated whole: ${printed}")
  endif()
endforeach()
foreach(key least_ns most_ns)
  string(JSON of_alone GET "${alone}" 0 ${key})
  string(JSON of_second GET "${second}" 0 ${key})
  string(JSON of_whole GET "${whole}" 0 ${key})
  if(NOT of_alone EQUAL of_whole OR NOT of_second EQUAL of_whole OR of_whole EQUAL 0)
    message(FATAL_ERROR "${key}: ${of_alone} alone, ${of_second} beside another GPU, ${of_whole} without samples")
  endif()
endforeach()
