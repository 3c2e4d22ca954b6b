#include "model/cache/dirty_lines.h"

#include <stdlib.h>

bool dirty_lines_init(struct dirty_lines *set, uint32_t most) {
  void *memory = malloc(hash_index_bytes(most));
  *set = (struct dirty_lines){0};
  if (memory)
    hash_index_start(&set->index, memory, most);
  return memory;
}

void dirty_lines_clear(struct dirty_lines *set) {
  free(set->index.buckets);
  *set = (struct dirty_lines){0};
}
