/* Programs of users that run on the OpenCL layer below (docs/capture.md): starting one, and seeing how it ends.
 *
 * Ownership: nothing is allocated. Threads: the first. Errors: ERROR_INPUT where the program cannot be started, else
 * ERROR_WORK. */
#ifndef CLI_CHILD_PROGRAM_H
#define CLI_CHILD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* Returns the program's file name, in letters that names of workloads may have; the caller frees it. NULL: memory ran
 * out. */
char *child_program_name(const char *path);

struct child_program {
  pid_t process;
  bool ended;
  int status; /* from waitpid, once it ended */
};

/* Puts the layer into this process' environment, where the program will find it, with the folder of the capture; and
 * takes both out again, because what else this process starts has no use for them. */
int child_layer_set(const char *capture, struct error *error);
void child_layer_unset(void);
/* Sets a variable of the environment to a number. */
int child_set_number(const char *name, uint64_t value, struct error *error);

/* Starts words[0] with these words. `output`: the descriptor that the program gets as its standard output. */
int child_start(struct child_program *child, const char *const *words, size_t count, int output, struct error *error);
/* Returns whether the program has ended. */
bool child_has_ended(struct child_program *child);
/* Asks it to end (SIGTERM), and ends it where it has not done so after a second. */
void child_end(struct child_program *child);
/* Ends it, where what follows of it is of no use. */
void child_stop(struct child_program *child);

#endif
