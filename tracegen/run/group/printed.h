/* Collects what the work-items of a work-group print, in order of local id: with barriers they run in turns. Private to
 * run.
 *
 * Ownership: starts from zero; printed_clear frees. Threads: one. */
#ifndef TRACEGEN_RUN_GROUP_PRINTED_H
#define TRACEGEN_RUN_GROUP_PRINTED_H

#include <stdint.h>

#include "trace/format/bytes.h"

#define PRINTED_BYTES (UINT64_C(16) << 20) /* limit of one launch */

/* Neighbouring bytes that one work-item printed. */
struct printed_piece {
  uint32_t item;
  size_t start, length;
};

struct printed {
  struct bytes text;
  struct printed_piece *pieces;
  size_t count, capacity;
  uint64_t total; /* of the launch */
};

/* Notes that text[start] and what follows was printed by work-item `item`. Returns false when out of memory. */
bool printed_add(struct printed *p, uint32_t item, size_t start);
/* Hands the text of the work-group to `print`, item by item, and forgets it. */
void printed_flush(struct printed *p, void (*print)(const char *text, size_t length));
void printed_clear(struct printed *p);

#endif
