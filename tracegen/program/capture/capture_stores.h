/* The stores of contents (content_file.h), as the reader sees them. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_STORES_H
#define TRACEGEN_PROGRAM_CAPTURE_STORES_H

#include <stdint.h>

#include "base/error.h"
#include "tracegen/program/content_file.h"

struct capture_control;

/* Makes both stores and tells the layer where they are. stores[i] becomes a descriptor, which processes that run
 * kernels close (subprocess_keep_from_children); -1: there is none. */
int content_stores_open(const char *folder, struct capture_control *control, int stores[CONTENT_STORES],
                        struct error *error);
void content_stores_close(int stores[CONTENT_STORES]);

/* Reads header and list of chunks of contents of a buffer of `bytes`, and checks both. The caller frees *chunks. */
int content_read(const int stores[CONTENT_STORES], uint64_t number, uint64_t bytes, struct content_header *header,
                 struct content_chunk **chunks, struct error *error);
/* Reads `bytes` bytes of the contents, from `offset` on. */
int content_read_bytes(const int stores[CONTENT_STORES], uint64_t number, uint64_t offset, uint64_t bytes, char *out,
                       struct error *error);
/* Gives the room of these bytes back, where the file system can. */
void content_punch(const int stores[CONTENT_STORES], uint64_t number, uint64_t offset, uint64_t bytes);

#endif
