/* Finds where an output that a user names has to go.
 *
 * A regular file and a new name are replaced when the output is whole (base/file.h). Of a symbolic link, the file that
 * it leads to is replaced and the link stays. Anything else (a device, a pipe, an open descriptor under /dev/fd) is
 * written directly and not replaced.
 * Ownership: file_target_clear frees. Errors: ERROR_INPUT for a folder and for "-"; commands with one output take "-"
 * as standard output before they call this. */
#ifndef BASE_FILE_TARGET_H
#define BASE_FILE_TARGET_H

#include <stdbool.h>

#include "base/error.h"

struct file_target {
  char *path; /* the last one of a chain of symbolic links, unless it is written directly */
  bool is_written_through;
  unsigned mode; /* permissions of the file that is replaced; 0: the name is new */
};

int file_target_find(const char *path, struct file_target *target, struct error *error);
void file_target_clear(struct file_target *target);
/* Returns whether an output of this name would be written directly. */
bool file_target_is_written_through(const char *path);

/* Moves the finished file `from` to where the output `path` goes, or copies its bytes there if that is written
 * directly. `from` is removed in any case. */
int file_target_publish(const char *from, const char *path, struct error *error);

/* Removes the unfinished files of `path`, "<path>.tmp-<process>", whose processes are gone. */
void file_target_remove_left(const char *path);

#endif
