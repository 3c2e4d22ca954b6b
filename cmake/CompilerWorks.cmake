# A compiler for another processor may be installed without the headers and libraries of its C library (Debian: the package
# libc6-dev-arm64-cross), and then compiles nothing that is built here.

# compiler_works(compiler result): sets `result` to whether `compiler` compiles and links a library and a program.
function(compiler_works compiler result)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/compiler_works)
  file(MAKE_DIRECTORY ${folder})
  file(WRITE ${folder}/tried.c "#include <dlfcn.h>\n#include <pthread.h>\n#include <stdio.h>\n"
    "int main(void) { return printf(\"%p\", dlsym(NULL, \"main\")) < 0 || pthread_self() == 0; }\n")
  set(works FALSE)
  execute_process(COMMAND ${compiler} -D_GNU_SOURCE -o ${folder}/tried ${folder}/tried.c -ldl -lpthread
    RESULT_VARIABLE program_status OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${compiler} -D_GNU_SOURCE -fPIC -shared -o ${folder}/tried.so ${folder}/tried.c -ldl -lpthread
    RESULT_VARIABLE library_status OUTPUT_QUIET ERROR_QUIET)
  if("${program_status}" STREQUAL "0" AND "${library_status}" STREQUAL "0")
    set(works TRUE)
  endif()
  set(${result} ${works} PARENT_SCOPE)
endfunction()
