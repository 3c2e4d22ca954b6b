# reassemble_library(NAME USES other... LIBRARIES external...): the folder NAME as one static library.
#
# Its headers are reachable only as "NAME/header.h", through an include root that holds nothing but this folder (a link to it),
# and only by targets that name it in USES. So an include against the direction base <- trace <- {tracegen, model} <-
# {tuner, dse} <- cli does not compile; tests/cli/include_direction.cmake checks that this is so.

add_library(reassemble_options INTERFACE)
target_compile_options(reassemble_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wundef -Wwrite-strings -Wvla -fno-math-errno -ffp-contract=off)
target_compile_definitions(reassemble_options INTERFACE _GNU_SOURCE)
if(NOT REASSEMBLE_OPENMP)
  target_compile_options(reassemble_options INTERFACE -Wno-unknown-pragmas)
endif()
if(REASSEMBLE_WERROR)
  target_compile_options(reassemble_options INTERFACE -Werror)
endif()
if(REASSEMBLE_SANITIZE)
  # GCC's OpenMP is not instrumented: the thread sanitizer does not see that its loops wait for each other. LLVM's is watched by
  # libarcher, which comes with it.
  if(REASSEMBLE_SANITIZE MATCHES thread AND REASSEMBLE_OPENMP AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "The thread sanitizer needs clang (-DCMAKE_C_COMPILER=clang) or -DREASSEMBLE_OPENMP=OFF")
  endif()
  # Libraries (LLVM, OpenMP's) are not instrumented; what they do among themselves is not ours to report.
  set(REASSEMBLE_TSAN_OPTIONS ignore_noninstrumented_modules=1:halt_on_error=1)
  target_compile_options(reassemble_options INTERFACE -fsanitize=${REASSEMBLE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_compile_definitions(reassemble_options INTERFACE REASSEMBLE_SANITIZED)
  target_link_options(reassemble_options INTERFACE -fsanitize=${REASSEMBLE_SANITIZE})
endif()

# An include root that holds this folder alone, in `variable`.
function(reassemble_include_root name variable)
  set(root ${CMAKE_BINARY_DIR}/include-roots/${name})
  file(MAKE_DIRECTORY ${root})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${root}/${name} SYMBOLIC)
  set(${variable} ${root} PARENT_SCOPE)
endfunction()

# reassemble_part(NAME PART USES other... LIBRARIES external...): the folder PART in the folder NAME, compiled by itself. Its
# headers are "NAME/PART/header.h"; it reaches those of other parts only if it names them in USES (NAME_OTHER). The
# library NAME takes it in (LIBRARIES NAME_PART), and sees all.
function(reassemble_part name part)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${part}/*.c)
  set(root ${CMAKE_BINARY_DIR}/include-roots/${name}_${part})
  file(MAKE_DIRECTORY ${root}/${name})
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${part} ${root}/${name}/${part} SYMBOLIC)
  add_library(${name}_${part} OBJECT ${sources})
  target_include_directories(${name}_${part} PUBLIC ${root})
  target_link_libraries(${name}_${part} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBRARIES} reassemble_options)
  set_target_properties(${name}_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

function(reassemble_library name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  add_library(${name} STATIC ${sources})
  reassemble_include_root(${name} root)
  target_include_directories(${name} PUBLIC ${root})
  target_link_libraries(${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBRARIES} reassemble_options m)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
