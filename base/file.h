/* Output files that appear whole or not at all, and the search for shipped data.
 *
 * file_replace_begin opens a temporary file "<path>.tmp-<pid>". file_replace_commit flushes it, brings it to the disk
 * and renames it to `path`; file_replace_abort removes it. A crash leaves at most the temporary file, which the next
 * begin of that path removes, and never a half-written `path`. A path that is not a regular file is written directly,
 * and of a symbolic link the file that it leads to is replaced (base/file_target.h).
 * Ownership: commit and abort free what begin allocated. Threads: one thread for each struct file_replace. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/file_target.h"

struct file_replace {
  FILE *stream;    /* write here */
  char *path;      /* as the user named it */
  char *temporary; /* NULL: the path is written directly */
  struct file_target target;
  bool is_scratch; /* set after begin: when the machine crashes, the file may be lost; it is not brought to the disk */
};

int file_replace_begin(struct file_replace *f, const char *path, struct error *error);
int file_replace_commit(struct file_replace *f, struct error *error); /* on failure it has been aborted */
void file_replace_abort(struct file_replace *f);

/* Writes the hash (text_hash) of all bytes of the file. */
int file_digest(const char *path, uint64_t *digest, struct error *error);
/* Reads the whole file, of at most `limit` bytes, into memory and puts a NUL behind it. The caller frees *out. */
int file_read(const char *path, size_t limit, char **out, size_t *length, struct error *error);

/* Returns whether the path leads to a folder. */
bool file_is_folder(const char *path);

/* Makes the folder and those above it that do not exist. */
int file_make_directories(const char *path, struct error *error);

enum data_kind { DATA_GPU, DATA_ISA, DATA_WORKLOAD, DATA_BOARD, DATA_SWEEP, DATA_REFERENCE, DATA_FIGURES };

/* Finds the file that a user means by a path or by a shipped name such as "mali-g71-mp8". An existing file of that
 * path is taken first, then <data root>/<folder of kind>/<name>.{yaml,json}. The data roots are $REASSEMBLE_DATA, the
 * source tree that the program was built in, and the installed share folder, in this order. The error lists near
 * names. The caller frees *path. */
int data_find(enum data_kind kind, const char *name, char **path, struct error *error);
/* Finds a shipped file by its name alone, even where a file of that path exists. It serves names that data_list
 * returned. */
int data_find_shipped(enum data_kind kind, const char *name, char **path, struct error *error);
/* Writes the sorted names of all shipped files of the kind: relative to the kind's folder, without ending, with '/'
 * between folders. The caller frees them with data_list_free. */
int data_list(enum data_kind kind, char ***names, size_t *count, struct error *error);
/* Returns the shortest text by which data_find finds the file `path`: its name if it is shipped, else the path. The
 * caller frees it; NULL when memory ran out. */
char *data_name(enum data_kind kind, const char *path);
/* Returns the folder of a kind of kept results, below $REASSEMBLE_CACHE ("none": nothing is kept), else below
 * $XDG_CACHE_HOME/reassemble, else below ~/.cache/reassemble. The caller frees it; NULL: nothing is kept. */
char *data_cache(const char *kind);
void data_list_free(char **names, size_t count);

#endif
