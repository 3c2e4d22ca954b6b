#include "tracegen/run/diagnose/generated_numbers.h"

#include <inttypes.h>
#include <stdio.h>

#include "tracegen/run/diagnose/mistakes.h"

uint64_t generated_index(const struct item_context *item, uint64_t index, uint64_t count, const char *table) {
  char what[160];
  if (index < count)
    return index;
  snprintf(what, sizeof what, "the generated code asks for number %" PRIu64 " of %" PRIu64 " %s; it is stopped", index,
           count, table);
  group_run_mistake(item, 0, what);
  return 0;
}

const struct kernel_access *generated_access(const struct item_context *item, uint64_t index) {
  const struct kernel_program *program = item->run->program;
  return &program->accesses[generated_index(item, index, program->code.mem_count, "memory operations")];
}

uint64_t generated_distance(const struct item_context *item, uint64_t address, uint64_t bytes, const void *start,
                            uint64_t size) {
  const uint64_t distance = address - (uintptr_t)start;
  char what[200];
  if (bytes <= size && distance <= size - bytes)
    return distance;
  snprintf(what, sizeof what,
           "the generated code names %" PRIu64 " bytes at distance %" PRId64 " in memory of %" PRIu64
           " bytes; it is stopped",
           bytes, (int64_t)distance, size);
  group_run_mistake(item, 0, what);
  return 0;
}
