/* Limits what a compiler of a stranger's kernel may read: its own files, and the folders that the kernel's source may
 * include files of. Without Landlock (base/process/confine_files.h) it reads what the user may read; then
 * compile_errors.c shows nothing of files elsewhere all the same. Private to tracegen. */
#ifndef TRACEGEN_FRONT_CONFINE_COMPILER_H
#define TRACEGEN_FRONT_CONFINE_COMPILER_H

#include <stdbool.h>

/* In the process that becomes the compiler. `folders`: texts, each with its NUL, and an empty one; NULL: none. Returns
 * 0, or -1 with errno where the system can confine the process but refuses to. */
int confine_compiler(const char *folders);
/* Returns whether the file that a message names lies in one of the folders, or belongs to the compiler. */
bool compiler_may_read(const char *folders, const char *file);

#endif
