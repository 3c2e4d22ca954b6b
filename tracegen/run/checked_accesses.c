/* Memory operations that generated code does not check, or whose check failed on purpose. */
#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"
#include "tracegen/run/shadow_accesses.h"

static bool is_misaligned(const struct kernel_access *access, uint64_t address) {
  return address % access->alignment != 0;
}

static bool in_a_region(const struct arena *arena, uint64_t offset, uint64_t bytes, bool stores) {
  const struct arena_region *r = arena_region_at(arena, offset);
  return r && r->offset + r->bytes - offset >= bytes && !(stores && r->is_constant);
}

/* Returns whether the access stays in what its pointer was made from; where that is unknown, in any buffer. */
static bool stays_inside(const struct item_context *item, const struct kernel_access *access, uint64_t address) {
  const struct group_run *run = item->run;
  const struct arena *arena = run->request->arena;
  uint64_t bytes = 0, start;
  if (access->root.kind != ROOT_UNKNOWN)
    start = group_run_region(item, access, &bytes);
  else if (access->root.space == SPACE_LOCAL || access->root.space == SPACE_PRIVATE) {
    const bool local = access->root.space == SPACE_LOCAL;
    bytes = local ? run->request->local_bytes : run->program->private_bytes;
    start = (uintptr_t)(local ? run->request->local_memory : item->private_memory);
  } else
    return in_a_region(arena, address - (uintptr_t)arena->base, access->bytes,
                       run->program->code.ops[access->op].op_class != OP_LOAD);
  return bytes >= access->bytes && address - start <= bytes - access->bytes;
}

/* For pointers whose buffer is only known while the kernel runs. */
void emulation_check_access(struct item_context *item, uint64_t index, uint64_t address) {
  const struct kernel_access *access = generated_access(item, index);
  if (!stays_inside(item, access, address) || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (item->run->checked && access->shadowed)
    shadow_access(item, (uint32_t)index, address);
}

/* Called in checked work-groups for every access that concerns the shadow, so the access may be good. */
void emulation_checked_access(struct item_context *item, uint64_t index, uint64_t address) {
  const struct kernel_access *access = generated_access(item, index);
  if (!stays_inside(item, access, address) || is_misaligned(access, address))
    emulation_bad_access(item, index, address);
  else if (item->run->checked)
    shadow_access(item, (uint32_t)index, address);
}

/* A load in a program whose loads from outside of buffers give zeros. Null pointers lead to no buffer. */
uint64_t emulation_readable(struct item_context *item, uint64_t index, uint64_t address) {
  static const _Alignas(128) char zeros[KERNEL_VALUE_BYTES];
  const struct kernel_access *access = generated_access(item, index);
  const bool inside = stays_inside(item, access, address);
  if (is_misaligned(access, address) ||
      (!inside && (access->bytes > sizeof zeros || mistake_is_null(item->run, access, address))))
    emulation_bad_access(item, index, address);
  if (!inside) {
    count_outside_load(item, index, address);
    if (item->run->checked && access->shadowed)
      shadow_copy_is_defined(item, (uint32_t)index);
    return (uintptr_t)zeros;
  }
  if (item->run->checked && access->shadowed)
    shadow_access(item, (uint32_t)index, address);
  return address;
}
