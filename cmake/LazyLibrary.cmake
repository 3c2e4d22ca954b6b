# Writes a C file with a stub for each function of LLVM's C interface that some objects use. A stub jumps through a table, whose
# entries load the library at the first call (tracegen/lower/ir/llvm_library.c):
# cmake -DNM=nm -DOBJECTS=LIST -DSOURCE=FILE -P LazyLibrary.cmake
file(STRINGS ${OBJECTS} objects)
execute_process(COMMAND ${NM} --undefined-only --format=posix ${objects} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "LLVM[A-Za-z0-9_]+" names "${symbols}")
list(REMOVE_DUPLICATES names)
list(SORT names)
list(LENGTH names count)
set(text "/* Made by cmake/LazyLibrary.cmake. */\n#include <stddef.h>\nextern const char *const llvm_names[];\nextern const size_t llvm_name_count;\n")
string(APPEND text "const size_t llvm_name_count = ${count};\nconst char *const llvm_names[] = {\n")
set(stubs "")
set(slots "")
set(number 0)
foreach(name ${names})
  string(APPEND text "\"${name}\",\n")
  string(APPEND stubs "\".globl ${name}\\n.hidden ${name}\\n.type ${name}, @function\\n${name}:\\n\"\n"
    "\"  jmp *llvm_slots+8*${number}(%rip)\\n.Lfirst_${number}:\\n  pushq $${number}\\n  jmp llvm_first_call\\n\"\n")
  string(APPEND slots "\"  .quad .Lfirst_${number}\\n\"\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "};\n__asm__(\".text\\n\"\n${stubs}\n\".data\\n.p2align 3\\n.globl llvm_slots\\n.hidden llvm_slots\\nllvm_slots:\\n\"\n${slots}\n\".text\\n\");\n")
file(WRITE ${SOURCE} "${text}")
