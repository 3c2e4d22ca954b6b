/* The process that runs native code made from a stranger's kernel gives away, before that code runs, all that the code
 * could do harm with: files but for the folder that its trace goes to, the network, other programs, other processes,
 * new privileges. It keeps what it has open. SECURITY.md says what each system enforces. Private to tracegen.
 * Threads: called by a process with one thread; those that it starts later are confined, too. */
#ifndef TRACEGEN_SANDBOX_H
#define TRACEGEN_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct sandbox {
  const char *const *readable; /* files and folders that it may read; NULL-terminated; NULL: none */
  const char *folder;          /* in which the process makes, changes and removes files; NULL: none */
  bool may_fork;               /* for the dry runs of later launches */
  double cpu_s;                /* processor time at most */
};

/* Prepares sandbox_enter while there is nothing else to do. */
void sandbox_prepare(bool may_fork);
/* Called before a stranger's bitcode is optimised: a mistake in LLVM that it makes use of finds a process that starts
 * no program, has no network, and makes and reads files only in these places (NULL-terminated; NULL: none). The process
 * can still fork and enter the sandbox. Returns 0, or -1 with an error where the system can confine processes but
 * refuses to; what the system does not enforce at all is left out. */
int sandbox_enter_compiling(const char *const *readable, const char *const *writable, struct error *error);
/* From here on the process is confined, as far as the system allows: what it does not enforce is left out. A forbidden
 * system call that only an attack makes (a socket, a program, a process) kills the process by SIGSYS; others fail.
 * Returns 0, or -1 with an error where the system can confine processes but refuses to. */
int sandbox_enter(const struct sandbox *sandbox, struct error *error);
/* Returns what this system enforces, in words: "system calls, files, network (seccomp, Landlock)". */
void sandbox_describe(char *text, size_t size);

#endif
