#include "base/hash_index.h"

/* Moves keys behind the gap into it where their search would otherwise end at the gap. */
static void close_gap(struct hash_index *index, uint32_t gap) {
  struct hash_slot *slots = index->slots;
  for (uint32_t at = (gap + 1) & index->mask; slots[at].value != HASH_INDEX_NONE; at = (at + 1) & index->mask) {
    const uint32_t home = hash_index_home(index, slots[at].key);
    if (((at - home) & index->mask) >= ((at - gap) & index->mask)) {
      slots[gap] = slots[at];
      gap = at;
    }
  }
  slots[gap] = (struct hash_slot){UINT32_MAX, HASH_INDEX_NONE};
}

bool hash_index_remove(struct hash_index *index, uint32_t key) {
  struct hash_slot *slot = hash_index_slot(index, key);
  if (slot->value == HASH_INDEX_NONE)
    return false;
  close_gap(index, (uint32_t)(slot - index->slots));
  return true;
}
