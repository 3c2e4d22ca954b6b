/* Whether a library that is loaded before all others (LD_PRELOAD) answers what a running program asks the C library for: not
 * where the program is statically linked, and not where it is made by Go, which asks Linux itself. The ELF file says so: it
 * names no interpreter, or holds the note of Go's linker (System V ABI, chapter 5: program header, note section).
 *
 * Ownership: nothing is kept. Errors: a file that cannot be read, or that is of another class, counts as shared.
 * Threads: any. Cost: a few reads of the file. */
#ifndef CLI_PROGRAM_BINARY_H
#define CLI_PROGRAM_BINARY_H

#include <sys/stat.h>
#include <sys/types.h>

enum program_binary { BINARY_SHARED, BINARY_STATIC, BINARY_GO };

/* Returns the kind of the file with this path. */
enum program_binary program_binary_of(const char *path);

/* A process, and the file that it runs: both of a program that starts another one in its place (env, stdbuf) are seen. */
struct binary_watch {
  pid_t process;
  struct stat file; /* that was looked at last */
  enum program_binary found;
  char path[4096]; /* of the file that was found to be of this kind */
};

/* Looks at the file that the process runs, where it is another one than before. */
void binary_watch_look(struct binary_watch *watch);

#endif
