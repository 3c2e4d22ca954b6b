/* Reading of the files with chunks of buffers. Private to program/capture. */
#ifndef TRACEGEN_PROGRAM_CAPTURE_CONTENT_FILES_H
#define TRACEGEN_PROGRAM_CAPTURE_CONTENT_FILES_H

#include <stdint.h>

#include "base/error.h"
#include "tracegen/program/content_file.h"

/* Reads the header and the list of chunks of a buffer of `bytes`, and checks both. The caller frees *chunks. */
int content_file_read(const char *path, uint64_t bytes, struct content_header *header, struct content_chunk **chunks,
                      struct error *error);
/* Reads `bytes` bytes from `offset` on. */
int content_file_read_bytes(const char *path, uint64_t offset, uint64_t bytes, char *out, struct error *error);
/* Gives the room of these bytes back, where the file system can. */
void content_file_punch(const char *path, uint64_t offset, uint64_t bytes);

#endif
