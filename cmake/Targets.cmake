# reassemble_library(NAME USES other... PARTS part... LIBRARIES external...): the folder NAME as one static library.
#
# Its headers are reachable only as "NAME/header.h", through an include root that holds nothing but this folder (a link to it),
# and only by targets that name it in USES. So an include against the direction base <- trace <- {tracegen, model} <-
# {tuner, dse} <- cli does not compile; tests/cli/include_direction.cmake checks that this is so.

add_library(reassemble_options INTERFACE)
target_compile_options(reassemble_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wundef -Wwrite-strings -Wvla -fno-math-errno -ffp-contract=off)
target_compile_definitions(reassemble_options INTERFACE _GNU_SOURCE)
# The tables through which library functions are called are filled at the start and then read-only.
include(CheckLinkerFlag)
check_linker_flag(C -Wl,-z,relro,-z,now REASSEMBLE_HAS_RELRO)
if(REASSEMBLE_HAS_RELRO AND REASSEMBLE_HARDENED)
  target_link_options(reassemble_options INTERFACE -Wl,-z,relro,-z,now)
endif()
# Calls of library functions that overrun a buffer whose size is known, and functions that overrun their own frame, end the program.
# Sanitizers watch both themselves. docs/reliability.md has what this costs.
if(REASSEMBLE_HARDENED AND NOT REASSEMBLE_SANITIZE AND CMAKE_BUILD_TYPE MATCHES "Rel")
  target_compile_options(reassemble_options INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong)
endif()
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

# Links the headers of the folder NAME/FOLDER, without those of folders in it, into an include root.
function(reassemble_link_headers root name folder)
  if(IS_SYMLINK ${root}/${name}/${folder})
    file(REMOVE ${root}/${name}/${folder})
  endif()
  file(MAKE_DIRECTORY ${root}/${name}/${folder})
  file(GLOB headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.def)
  foreach(header ${headers})
    get_filename_component(file ${header} NAME)
    if(NOT EXISTS ${root}/${name}/${folder}/${file})
      file(CREATE_LINK ${header} ${root}/${name}/${folder}/${file} SYMBOLIC)
    endif()
  endforeach()
endfunction()

# reassemble_part(NAME PART [FOLDERS folder...] USES other... LIBRARIES external...): the folder PART of the folder NAME as
# object code of its own (target NAME_PART). Its headers are reachable only as "NAME/PART/header.h", and only by targets that name
# NAME_PART in USES. FOLDERS lists the folders that form the part when they are several or nested. The library NAME takes the
# part in (PARTS) and sees all of its headers.
function(reassemble_part name part)
  cmake_parse_arguments(ARG "" "" "FOLDERS;USES;LIBRARIES" ${ARGN})
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${part})
  endif()
  set(root ${CMAKE_BINARY_DIR}/include-roots/${name}_${part})
  file(REMOVE_RECURSE ${root}) # the folders may be others than at the last configuration
  set(sources "")
  foreach(folder ${ARG_FOLDERS})
    file(GLOB here CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.c)
    list(APPEND sources ${here})
    reassemble_link_headers(${root} ${name} ${folder})
  endforeach()
  add_library(${name}_${part} OBJECT ${sources})
  target_include_directories(${name}_${part} PUBLIC ${root})
  target_link_libraries(${name}_${part} PUBLIC ${ARG_USES} PRIVATE ${ARG_LIBRARIES} reassemble_options)
  set_target_properties(${name}_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# reassemble_headers(NAME header...): headers of the folder NAME itself that its parts may include, as "NAME/header.h" (target
# NAME_headers).
function(reassemble_headers name)
  set(root ${CMAKE_BINARY_DIR}/include-roots/${name}_headers)
  file(MAKE_DIRECTORY ${root}/${name})
  foreach(header ${ARGN})
    file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/${header} ${root}/${name}/${header} SYMBOLIC)
  endforeach()
  add_library(${name}_headers INTERFACE)
  target_include_directories(${name}_headers INTERFACE ${root})
endfunction()

function(reassemble_library name)
  cmake_parse_arguments(ARG "" "" "USES;LIBRARIES;PARTS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  list(TRANSFORM ARG_PARTS PREPEND ${name}_)
  add_library(${name} STATIC ${sources})
  reassemble_include_root(${name} root)
  target_include_directories(${name} PUBLIC ${root})
  target_link_libraries(${name} PUBLIC ${ARG_USES} PRIVATE ${ARG_PARTS} ${ARG_LIBRARIES} reassemble_options m)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
