/* Files that appear whole or not at all, and the search for shipped data.
 *
 * file_replace_begin opens "<path>.tmp-<pid>"; commit flushes, fsyncs and renames it to `path`; abort removes it.
 * A crash leaves at most the .tmp- file, never a half-written `path`. What is no regular file is written through, and
 * of a symbolic link what it leads to is replaced (file_target.h). */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "base/file_target.h"

struct file_replace {
  FILE *stream;    /* write here */
  char *path;      /* as the user named it */
  char *temporary; /* NULL: written through */
  struct file_target target;
};

int file_replace_begin(struct file_replace *f, const char *path, struct error *error);
int file_replace_commit(struct file_replace *f, struct error *error); /* on failure it has been aborted */
void file_replace_abort(struct file_replace *f);

/* Whole file into memory with a NUL behind it; the caller frees *out. At most `limit` bytes. */
int file_read(const char *path, size_t limit, char **out, size_t *length, struct error *error);

/* mkdir -p */
int file_make_directories(const char *path, struct error *error);

enum data_kind { DATA_GPU, DATA_ISA, DATA_WORKLOAD, DATA_BOARD, DATA_SWEEP, DATA_REFERENCE };

/* Resolves "mali-g71-mp8" or a path: an existing file wins, else <data root>/<folder of kind>/<name>.{yaml,json}. Data
 * roots: $REASSEMBLE_DATA, the source tree the program was built in, the installed share folder. The error lists near
 * names. The caller frees *path. */
int data_find(enum data_kind kind, const char *name, char **path, struct error *error);
/* The same without "an existing file wins": for names that data_list gave. */
int data_find_shipped(enum data_kind kind, const char *name, char **path, struct error *error);
/* Names of all shipped files of the kind (relative, without ending, '/' between folders), sorted; the caller frees with
 * data_list_free. */
int data_list(enum data_kind kind, char ***names, size_t *count, struct error *error);
/* The shortest text that data_find takes for the file `path`: its name where it is shipped, else the path. The caller
 * frees it; NULL when out of memory. */
char *data_name(enum data_kind kind, const char *path);
void data_list_free(char **names, size_t count);

#endif
