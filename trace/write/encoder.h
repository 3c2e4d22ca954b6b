/* The first half of a trace writer, for threads that emulate work-groups in parallel. An encoder turns a recorded
 * work-group into bytes; one thread at a time passes these to trace_writer_group in order of group id. The trace
 * equals, to the byte, that of a single thread that calls trace_writer_item.
 *
 * Order of calls: create; for every group begin, items and affine items (each work-item once), end; then destroy.
 * Cost: that of trace_writer_item. Threads: an encoder belongs to one thread. */
#ifndef TRACE_ENCODER_H
#define TRACE_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/write/items.h"
#include "trace/write/affine_items.h"
#include "trace/trace.h"

struct trace_encoder;

/* Creates an encoder. It keeps pointers to header and code, which must exist as long as the encoder. */
int trace_encoder_create(const struct trace_header *header, const struct trace_code *code, struct trace_encoder **out,
                         struct error *error);
void trace_encoder_begin(struct trace_encoder *encoder, uint32_t group_id);
int trace_encoder_items(struct trace_encoder *encoder, const struct trace_items *items, struct error *error);
int trace_encoder_affine(struct trace_encoder *encoder, const struct trace_affine_items *items, struct error *error);
/* Appends the bytes of the work-group. The length of `to` is a multiple of 8, and so is the address that the writer
 * reads them from. */
int trace_encoder_end(struct trace_encoder *encoder, struct bytes *to, struct error *error);
void trace_encoder_destroy(struct trace_encoder *encoder);

#endif
