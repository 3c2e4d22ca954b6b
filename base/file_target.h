/* Where an output that a user names goes. A regular file and a new name are replaced when the output is whole (file.h);
 * so is what a symbolic link leads to, and the link stays. Everything else (a device, a pipe, an open descriptor under
 * /dev/fd) is written through: it keeps being what it is.
 * Ownership: file_target_clear frees. Errors: ERROR_INPUT for a folder and for "-", which the commands that have one
 * output take as standard output before they come here. */
#ifndef BASE_FILE_TARGET_H
#define BASE_FILE_TARGET_H

#include <stdbool.h>

#include "base/error.h"

struct file_target {
  char *path; /* behind all symbolic links, unless written through */
  bool is_written_through;
  unsigned mode; /* permissions of the file that is replaced; 0: the name is new */
};

int file_target_find(const char *path, struct file_target *target, struct error *error);
void file_target_clear(struct file_target *target);
/* Whether an output of this name would be written through. */
bool file_target_is_written_through(const char *path);

/* Moves the finished file `from` to where the output `path` goes; what is written through gets its bytes. In any case
 * `from` is gone. */
int file_target_publish(const char *from, const char *path, struct error *error);

#endif
