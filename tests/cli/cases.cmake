# reassemble_cases(LAYER): every folder here that holds a file `command` becomes the test LAYER/<folder> (run_case.cmake).
function(reassemble_cases layer)
  file(GLOB commands CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/command)
  foreach(command ${commands})
    get_filename_component(case ${command} DIRECTORY)
    get_filename_component(name ${case} NAME)
    add_test(NAME ${layer}/${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:reassemble>
      -DSOURCE=${CMAKE_SOURCE_DIR} -DCASE=${case} -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR}/${name}
      -P ${CMAKE_SOURCE_DIR}/tests/cli/run_case.cmake)
    set_tests_properties(${layer}/${name} PROPERTIES TIMEOUT 900 LABELS ${layer})
    if(name MATCHES "^(draw|frame)_" AND NOT REASSEMBLE_GRAPHICS)
      set_tests_properties(${layer}/${name} PROPERTIES DISABLED ON) # these commands are not built
    endif()
  endforeach()
endfunction()
