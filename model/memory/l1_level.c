#include "model/memory/l1_level.h"

/* Looks up the lines of a load, and moves those that miss to the front of `lines`. */
static void load_lines(struct cache *l1, struct memory_access *access) {
  uint32_t missed = 0;
  for (uint32_t i = 0; i < access->transactions; i++)
    if (!l1 || !cache_access(l1, access->lines[i])) {
      uint32_t line = access->lines[i];
      access->lines[i] = access->lines[missed];
      access->lines[missed++] = line;
    }
  access->shared = missed;
}

static void store_lines(struct cache *l1, struct memory_access *access) {
  for (uint32_t i = 0; i < access->transactions && l1; i++)
    cache_touch(l1, access->lines[i]);
}

void l1_use(struct memory_system *memory, uint32_t core, struct memory_access *access) {
  struct cache *l1 = memory->l1[core];
  access->shared = access->transactions;
  access->words = access->fetched = access->evicted = 0;
  if (access->cache != GRAPHICS_none) {
    struct cache *own = memory->graphics.of[access->cache][core];
    (access->op_class == OP_STORE ? store_lines : load_lines)(own, access);
    return;
  }
  if (access->op_class == OP_STORE && memory->writes.l1_on)
    write_policy_store(&memory->writes, core, l1, access);
  else if (access->op_class == OP_STORE)
    store_lines(l1, access);
  else if (access->op_class == OP_LOAD && memory->writes.l1_back)
    write_policy_load(&memory->writes, core, l1, access);
  else if (access->op_class == OP_LOAD)
    load_lines(l1, access);
}
