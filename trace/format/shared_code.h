/* The code table of a trace that has it in common with another trace of the same folder (docs/trace-format.md).
 * Internal to trace/.
 *
 * Errors: a name that leads to no regular file, a file that is damaged, has no code table of its own, or has another
 * one than the trace was written for. Threads: any. */
#ifndef TRACE_SHARED_CODE_H
#define TRACE_SHARED_CODE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/trace.h"

#define SHARED_CODE_BYTES 8 /* of the code frame of such a trace: the digest of the table, little endian */

/* Returns the digest of a code frame's payload. */
uint64_t shared_code_digest(const void *payload, size_t length);
void shared_code_put(uint64_t digest, unsigned char bytes[SHARED_CODE_BYTES]);

/* Reads the code table with the digest `bytes` and the listing from the trace that header->code_of names, beside
 * `path`, and takes the name out of the header. */
int shared_code_read(const char *path, const unsigned char bytes[SHARED_CODE_BYTES], struct trace_header *header,
                     struct trace_code *code, struct error *error);

#endif
