/* Tells whether a preloaded library (LD_PRELOAD) can replace the functions of the C library in a running program. It
 * cannot in a statically linked program, whose ELF file names no interpreter, nor in a program compiled by Go, which
 * makes system calls itself and whose ELF file holds the note of Go's linker (System V ABI, chapter 5: program header,
 * note section).
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

/* A process and the file that it runs. A program that executes another one in its process (env, stdbuf) changes the
 * file, so both files are classified. */
struct binary_watch {
  pid_t process;
  struct stat file; /* the one that was classified last */
  enum program_binary found;
  char path[4096]; /* of the file that was found to be of this kind */
};

/* Classifies the file that the process runs, if it is another one than before. */
void binary_watch_look(struct binary_watch *watch);

#endif
