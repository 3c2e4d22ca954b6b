/* The work-items of one work-group on their way into a trace: gathered into cohorts, and, when another process does
 * that, carried over as bytes. Internal to trace/.
 *
 * The bytes are those of this machine (words as they lie in memory): they go from a process to the one that started it,
 * and never into a file. */
#ifndef TRACE_RECORD_H
#define TRACE_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "trace/bytes.h"
#include "trace/group.h"
#include "trace/intern.h"

/* Adds one work-item. */
int record_item(struct group *group, struct path_table *paths, const struct trace_code *code, uint32_t group_id,
                uint32_t local_id, const uint16_t *blocks, size_t block_count, const uint32_t *addresses,
                size_t address_count, struct error *error);

/* Appends all cohorts of the group. */
void record_pack(const struct group *group, struct bytes *out);
/* Fills an empty group with what record_pack wrote for one of the same header and code. */
int record_unpack(struct group *group, struct path_table *paths, const struct trace_code *code, const void *data,
                  size_t length, struct error *error);

#endif
