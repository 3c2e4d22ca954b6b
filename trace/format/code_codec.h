/* Converts the code table to bytes and back. Internal to trace/.
 *
 * Ownership: the caller clears the tables that code_decode and code_copy write. Errors: ERROR_INPUT for damage. Source:
 * docs/trace-format.md, payload "code". */
#ifndef TRACE_CODE_CODEC_H
#define TRACE_CODE_CODEC_H

#include <stddef.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/code.h"

/* Appends the code table to `out`. */
void code_encode(const struct trace_code *code, struct bytes *out);
/* Decodes and checks (trace_code_check) a code table. On failure *code is clear. */
int code_decode(const unsigned char *data, size_t length, struct trace_code *code, struct error *error);
/* Makes a deep copy, and appends the code table to `encoded`. */
int code_copy(struct trace_code *to, const struct trace_code *from, struct bytes *encoded, struct error *error);

#endif
