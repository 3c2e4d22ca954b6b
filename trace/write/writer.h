/* Writes a trace while a kernel is emulated: folds and shares paths, finds affine addresses, compresses.
 *
 * Order of calls: open; then for every group in order of id: group_begin, item (once per work-item, any order),
 * group_end; then close, or abort. Cost: items is the hot call: an item that ran the path of one before it costs one
 * comparison of the block ids and one pass over its addresses (well below 1 ns an address). Memory: bounded by one
 * work-group's compact form plus the tables of paths and shapes (the interning tables are emptied when they grow past a
 * fixed size: sharing is lost, correctness is not). Files: appear under their name only when close succeeds ("-" writes
 * to standard output as it goes). Threads: one writer belongs to one thread. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/items.h"
#include "trace/write/row.h"
#include "trace/trace.h"

struct trace_writer;

/* Copies what it needs of header and code. */
int trace_writer_open(const char *path, const struct trace_header *header, const struct trace_code *code,
                      struct trace_writer **out, struct error *error);
int trace_writer_group_begin(struct trace_writer *writer, uint32_t group_id);
/* The whole execution of one work-item: the blocks it ran and, concatenated, the addresses of each block's memory
 * operations in order. The arrays are only read during the call. */
int trace_writer_item(struct trace_writer *writer, uint32_t local_id, const uint16_t *blocks, size_t block_count,
                      const uint32_t *addresses, size_t address_count, struct error *error);
/* The same for some work-items at once: neighbours, and those that ran as one (trace/write/row.h). Many are quicker recorded
 * than each for itself: what has just been written is not read at once. */
int trace_writer_items(struct trace_writer *writer, const struct trace_items *items, struct error *error);
int trace_writer_row(struct trace_writer *writer, const struct trace_row *row, struct error *error);
int trace_writer_group_end(struct trace_writer *writer, struct error *error);
/* The same with what a recorder (trace/write/recorder.h) of this header and code made of the group. A recorder tells of each
 * path once, so it is known by a number of its own, `recorder` (from 0), and all that it makes comes here, in order.
 * data: aligned to 8. */
int trace_writer_group(struct trace_writer *writer, unsigned recorder, uint32_t group_id, const void *data,
                       struct error *error);
/* Operations (all classes but OP_MOVE) of all work-items so far. */
uint64_t trace_writer_instructions(const struct trace_writer *writer);
/* The writer's own copy. */
const struct trace_header *trace_writer_header(const struct trace_writer *writer);
/* When the writer is closed, *bytes is the length of the trace. */
void trace_writer_count_bytes(struct trace_writer *writer, uint64_t *bytes);
int trace_writer_close(struct trace_writer *writer, struct error *error); /* frees the writer in any case */
void trace_writer_abort(struct trace_writer *writer);                     /* removes the partial file, frees */

#endif
