/* The name of a work-item in messages. Private to run/diagnose. */
#ifndef TRACEGEN_RUN_DIAGNOSE_ITEM_NAME_H
#define TRACEGEN_RUN_DIAGNOSE_ITEM_NAME_H

#include <inttypes.h>
#include <stdio.h>

#include "tracegen/abi/kernel_abi.h"

/* Writes "(4, 0, 0)", the global ids, and returns the buffer. */
static inline const char *item_name(const struct item_context *item, char *buffer, size_t size) {
  const uint64_t *id = item->query[QUERY_GLOBAL_ID];
  snprintf(buffer, size, "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")", id[0], id[1], id[2]);
  return buffer;
}

#endif
