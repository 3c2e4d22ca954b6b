/* Keeps on disk, from run to run, what compilers would make again from the same input, each in a file of its own
 * below the folder of its kind (data_cache, base/file.h).
 *
 * The key is all that decides the data: it stands in the file and is compared byte by byte, so that data are never
 * found under another key. A file that is damaged, or that another user owns or may write, counts as none.
 * Ownership: kept_file_find allocates. Errors: none; what cannot be read or written is not kept.
 * Threads and processes: any; files appear whole. */
#ifndef TRACEGEN_KEPT_FILE_H
#define TRACEGEN_KEPT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct kept_data {
  char *memory;     /* the caller frees it */
  const char *data; /* in it */
  size_t length;
};

/* Returns whether there are data under the key. Cost: reading them, and a hash of 64 bits of key and data. */
bool kept_file_find(const char *kind, const void *key, size_t key_length, struct kept_data *out);
/* Keeps the data, in place of others of the key. Where all files of the kind take 256 MiB, they are removed first. */
void kept_file_put(const char *kind, const void *key, size_t key_length, const void *data, size_t length);

#endif
