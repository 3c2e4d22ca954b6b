/* The first half of a trace writer, for threads that emulate work-groups beside each other: what was recorded of one
 * work-group becomes bytes, which one of them at a time hands to trace_writer_group in order of group id. The trace is
 * then, to the byte, the one that a single thread writes with trace_writer_item.
 *
 * Order of calls: create; then for every group: begin, items and rows (each work-item once, as for the writer), end;
 * then destroy. Cost: as trace_writer_item. Threads: one recorder belongs to one thread. */
#ifndef TRACE_RECORDER_H
#define TRACE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/format/bytes.h"
#include "trace/write/items.h"
#include "trace/write/row.h"
#include "trace/trace.h"

struct trace_recorder;

/* Keeps header and code: they must live as long. */
int trace_recorder_create(const struct trace_header *header, const struct trace_code *code, struct trace_recorder **out,
                          struct error *error);
void trace_recorder_begin(struct trace_recorder *recorder, uint32_t group_id);
int trace_recorder_items(struct trace_recorder *recorder, const struct trace_items *items, struct error *error);
int trace_recorder_row(struct trace_recorder *recorder, const struct trace_row *row, struct error *error);
/* Appends the bytes. They start at a multiple of 8, in `to` and where they are taken from. */
int trace_recorder_end(struct trace_recorder *recorder, struct bytes *to, struct error *error);
void trace_recorder_destroy(struct trace_recorder *recorder);

#endif
