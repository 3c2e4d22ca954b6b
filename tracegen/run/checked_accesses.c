/* Memory operations that generated code does not check, or whose check failed on purpose. */
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/shadow_accesses.h"

static bool is_misaligned(const struct kernel_access *access, uint64_t address) {
  return address % access->alignment != 0;
}

static bool in_a_region(const struct arena *arena, uint64_t offset, uint64_t bytes, bool stores) {
  const struct arena_region *r = arena_region_at(arena, offset);
  return r && r->offset + r->bytes - offset >= bytes && !(stores && r->is_constant);
}

/* For pointers whose buffer is only known while the kernel runs. */
void emulation_check_access(struct item_context *item, uint64_t index, uint64_t address) {
  struct group_run *run = item->run;
  const struct kernel_access *access = generated_access(item, index);
  const struct arena *arena = run->request->arena;
  bool good;
  if (access->root.space == SPACE_LOCAL || access->root.space == SPACE_PRIVATE) {
    const bool local = access->root.space == SPACE_LOCAL;
    const uint64_t size = local ? run->request->local_bytes : run->program->private_bytes;
    const uint64_t offset = address - (uintptr_t)(local ? run->request->local_memory : item->private_memory);
    good = size >= access->bytes && offset <= size - access->bytes;
  } else
    good = in_a_region(arena, address - (uintptr_t)arena->base, access->bytes,
                       run->program->code.ops[access->op].op_class != OP_LOAD);
  if (!good || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (run->checked && access->shadowed)
    shadow_access(item, (uint32_t)index, address);
}

/* Called in checked work-groups for every access that concerns the shadow, so the access may be good. */
void emulation_checked_access(struct item_context *item, uint64_t index, uint64_t address) {
  const struct kernel_access *access = generated_access(item, index);
  uint64_t bytes;
  const uint64_t offset = address - group_run_region(item, access, &bytes);
  if (bytes < access->bytes || offset > bytes - access->bytes || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (item->run->checked)
    shadow_access(item, (uint32_t)index, address);
}
