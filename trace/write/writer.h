/* Writes a trace while a kernel is emulated: folds and shares paths, finds affine addresses, compresses.
 *
 * Order of calls: open; for every group in order of id group_begin, item (once for each work-item, in any order),
 * group_end; then close, or abort.
 * Cost: a work-item with the path of an earlier one costs a comparison of the block ids and a pass over its addresses,
 * well below 1 ns an address.
 * Memory: one work-group's compact form, and the tables of paths and shapes, which are emptied when they grow past a
 * fixed size. Sharing with earlier entries is then lost, but the trace stays correct.
 * Files: a file appears under its name when close succeeds; "-" writes to standard output as the trace grows.
 * Threads: a writer belongs to one thread. */
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/write/items.h"
#include "trace/write/affine_items.h"
#include "trace/trace.h"

struct trace_writer;

/* Begins a trace. The writer copies the parts of header and code that it needs. `small`: the trace takes about half the
 * bytes, and its compression several times as long. */
int trace_writer_open_packed(const char *path, const struct trace_header *header, const struct trace_code *code,
                             bool small, struct trace_writer **out, struct error *error);
static inline int trace_writer_open(const char *path, const struct trace_header *header, const struct trace_code *code,
                                    struct trace_writer **out, struct error *error) {
  return trace_writer_open_packed(path, header, code, false, out, error);
}
int trace_writer_group_begin(struct trace_writer *writer, uint32_t group_id);
/* Adds the whole execution of one work-item: the blocks that it ran and the addresses of their memory operations, in
 * order. The arrays are read during the call only. */
int trace_writer_item(struct trace_writer *writer, uint32_t local_id, const uint16_t *blocks, size_t block_count,
                      const uint32_t *addresses, size_t address_count, struct error *error);
/* Add several work-items at once: neighbours (trace/write/items.h), and affine work-items (trace/write/affine_items.h).
 * This is faster than adding them one by one. */
int trace_writer_items(struct trace_writer *writer, const struct trace_items *items, struct error *error);
int trace_writer_affine(struct trace_writer *writer, const struct trace_affine_items *items, struct error *error);
int trace_writer_group_end(struct trace_writer *writer, struct error *error);
/* Adds a whole group as bytes of an encoder (trace/write/encoder.h) for this header and code. An encoder announces each
 * path once, so each encoder has a number, `encoder`, from 0 on, and all of its bytes must be passed here in order.
 * `data` is aligned to 8. */
int trace_writer_group(struct trace_writer *writer, unsigned encoder, uint32_t group_id, const void *data,
                       struct error *error);
/* Sets the limit of instructions of the launch; the group that exceeds it fails; 0: unlimited. */
void trace_writer_limit_instructions(struct trace_writer *writer, uint64_t most);
/* Returns the number of operations of all work-items so far, without those of class OP_MOVE. */
uint64_t trace_writer_instructions(const struct trace_writer *writer);
/* Returns the writer's copy of the header, without the listing. */
const struct trace_header *trace_writer_header(const struct trace_writer *writer);
/* Stores how many loads from outside of their buffers returned zeros. A trace whose header has reads_zero ends with
 * this number. */
void trace_writer_outside_loads(struct trace_writer *writer, uint64_t count);
/* Makes trace_writer_close write the length of the trace to *bytes. */
void trace_writer_count_bytes(struct trace_writer *writer, uint64_t *bytes);
int trace_writer_close(struct trace_writer *writer, struct error *error); /* frees the writer in any case */
void trace_writer_abort(struct trace_writer *writer); /* removes the partial file and frees the writer */

#endif
