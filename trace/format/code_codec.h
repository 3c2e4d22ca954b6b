/* The code table as bytes. Internal to trace/. Source: docs/trace-format.md, payload "code". */
#ifndef TRACE_CODE_CODEC_H
#define TRACE_CODE_CODEC_H

#include <stddef.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/code.h"

void code_encode(const struct trace_code *code, struct bytes *out);
/* The result has been checked (trace_code_check); clear on failure. */
int code_decode(const unsigned char *data, size_t length, struct trace_code *code, struct error *error);
int code_copy(struct trace_code *to, const struct trace_code *from, struct error *error);

#endif
