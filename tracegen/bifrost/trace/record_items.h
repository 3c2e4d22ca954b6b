/* Gathers what each work-item of a work-group does, in the form that the trace writer takes: ids of blocks, addresses
 * of memory operations.
 *
 * Ownership: item_records_create allocates, item_records_destroy frees. Errors: a work-group whose records need more
 * than ITEM_RECORDS_BYTES is ERROR_WORK when it ends. Threads: none is shared. */
#ifndef TRACEGEN_BIFROST_TRACE_RECORD_ITEMS_H
#define TRACEGEN_BIFROST_TRACE_RECORD_ITEMS_H

#include "trace/write/writer.h"
#include "tracegen/bifrost/exec/listener.h"
#include "tracegen/bifrost/trace/machine_code.h"

#define ITEM_RECORDS_BYTES ((size_t)4 << 30)

struct item_records;

int item_records_create(const struct machine_code *code, uint32_t items, struct item_records **out,
                        struct error *error);
void item_records_destroy(struct item_records *records);
/* Returns what has to listen to the runner. */
struct bifrost_listener item_records_listener(struct item_records *records);
/* Hands the work-group that has run to the writer, and forgets it. */
int item_records_write(struct item_records *records, uint32_t group, struct trace_writer *writer, struct error *error);

#endif
