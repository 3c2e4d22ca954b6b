#include "tracegen/run/shadow_accesses.h"

#include <stdlib.h>
#include <string.h>

#include "tracegen/run/diagnose/generated_numbers.h"
#include "tracegen/run/diagnose/mistakes.h"

/* Returns the shadow of `bytes` bytes at the address; NULL: they are defined, or not looked at. */
static char *shadow_of(struct item_context *item, const struct kernel_access *access, uint64_t address,
                       uint64_t bytes) {
  const struct group_run *run = item->run;
  const struct arena *arena = run->request->arena;
  if (access->root.space != SPACE_GLOBAL && !run->shadow.checks_items)
    return NULL;
  switch ((enum trace_space)access->root.space) {
  case SPACE_LOCAL:
    return run->shadow.local +
           generated_distance(item, address, bytes, run->request->local_memory, run->request->local_bytes);
  case SPACE_PRIVATE:
    return run->shadow.private_memory + (item->private_memory - run->private_memory) +
           generated_distance(item, address, bytes, item->private_memory, run->program->private_bytes);
  case SPACE_GLOBAL:
    return arena->undefined ? arena->undefined + generated_distance(item, address, bytes, arena->base, arena->used)
                            : NULL;
  default:
    return NULL;
  }
}

static bool all_undefined(const char *shadow, uint32_t bytes) {
  uint32_t i = 0;
  while (i < bytes && shadow[i])
    i++;
  return i == bytes;
}

/* Returns the shadow of the first element that is undefined; NULL: there is none. An element is undefined when none of
 * its bytes was written, because some of them may be padding. */
static const char *find_undefined(const struct kernel_access *access, const char *shadow) {
  if (access->read == READ_VISIBLE_COPY)
    return all_undefined(shadow, access->bytes) ? shadow : NULL;
  for (uint32_t i = 0; access->read == READ_ELEMENTS && i * access->element_bytes < access->bytes; i++) {
    const char *element = shadow + i * access->element_bytes;
    if (access->elements >> i & 1 && all_undefined(element, access->element_bytes))
      return element;
  }
  return NULL;
}

/* Returns whether each execution of the memory operation in this work-group is handed over. */
static bool is_looked_at(const struct group_run *run, uint32_t access) {
  return run->shadow.checks_items || run->program->accesses[access].root.space == SPACE_GLOBAL;
}

/* Sources of undefined bytes, for messages. */

/* Returns the sources of local or private memory from this shadow byte on; NULL: none is known. `make`: they are
 * needed, and memory for them is taken where there is some. */
static uint16_t *sources_of(struct group_run *run, enum trace_space space, const char *shadow, bool make) {
  struct shadow *s = &run->shadow;
  const bool local = space == SPACE_LOCAL;
  uint16_t **sources = local ? &s->local_source : &s->private_source;
  if (space == SPACE_GLOBAL)
    return NULL;
  if (!*sources && make)
    *sources = calloc((local ? run->request->local_bytes : run->alive * (size_t)run->program->private_bytes) + 1,
                      sizeof **sources);
  return *sources ? *sources + (shadow - (local ? s->local : s->private_memory)) : NULL;
}

static uint16_t number_of(uint32_t access) {
  return access < UINT16_MAX ? (uint16_t)(access + 1) : SHADOW_SOURCE_UNKNOWN;
}

/* Returns the source of the undefined byte that memory operation `index` loads: itself where nothing has been written.
 * `known`: that of the byte where it is a copy, or NULL. */
static uint16_t source_of(uint32_t index, char shadow, const uint16_t *known) {
  return shadow == SHADOW_UNWRITTEN ? number_of(index) : known ? *known : SHADOW_SOURCE_UNKNOWN;
}

static void load_sources(struct group_run *run, uint32_t index, const char *shadow) {
  const struct kernel_access *access = &run->program->accesses[index];
  const uint16_t *known = sources_of(run, (enum trace_space)access->root.space, shadow, false);
  uint16_t *copied = run->shadow.copied_source + (size_t)index * SHADOW_ACCESS_BYTES;
  for (uint32_t i = 0; i < access->bytes; i++)
    if (shadow[i])
      copied[i] = source_of(index, shadow[i], known ? known + i : NULL);
}

static void store_sources(struct group_run *run, const struct kernel_access *access, const char *shadow) {
  uint16_t *sources = NULL;
  const uint16_t *copied = run->shadow.copied_source + (size_t)(access->copy_of - 1) * SHADOW_ACCESS_BYTES;
  for (uint32_t i = 0; i < access->bytes; i++)
    if (shadow[i] && (sources || (sources = sources_of(run, (enum trace_space)access->root.space, shadow, true))))
      sources[i] = copied[i];
}

/* Buffers are looked at by other launches, for which every undefined byte is an unwritten one. */
static void copy_shadow(char *shadow, const char *copied, const struct kernel_access *access) {
  memcpy(shadow, copied, access->bytes);
  for (uint32_t i = 0; access->root.space != SPACE_GLOBAL && i < access->bytes; i++)
    if (shadow[i] == SHADOW_UNWRITTEN)
      shadow[i] = (char)SHADOW_COPIED;
}

static void load_copy(struct group_run *run, uint32_t index, const char *shadow) {
  const uint32_t bytes = run->program->accesses[index].bytes;
  char *copied = run->shadow.copied + (size_t)index * SHADOW_ACCESS_BYTES;
  if (!shadow) {
    memset(copied, 0, bytes);
    return;
  }
  memcpy(copied, shadow, bytes);
  load_sources(run, index, shadow);
}

static void refuse(struct item_context *item, uint32_t index, uint64_t address, const char *undefined) {
  const enum trace_space space = (enum trace_space)item->run->program->accesses[index].root.space;
  const uint16_t *known = sources_of(item->run, space, undefined, false);
  mistake_undefined_read(item, index, address, (unsigned char)*undefined, source_of(index, *undefined, known));
}

void shadow_access(struct item_context *item, uint32_t index, uint64_t address) {
  struct group_run *run = item->run;
  const struct kernel_access *access = &run->program->accesses[index];
  const struct trace_op *op = &run->program->code.ops[access->op];
  char *shadow = shadow_of(item, access, address, access->bytes);
  const char *undefined = shadow && op->op_class != OP_STORE ? find_undefined(access, shadow) : NULL;
  if (undefined)
    refuse(item, index, address, undefined);
  if (access->read == READ_COPY || access->read == READ_VISIBLE_COPY)
    load_copy(run, index, shadow);
  if (!shadow || op->op_class == OP_LOAD)
    return;
  if (access->copy_of && is_looked_at(run, access->copy_of - 1)) {
    copy_shadow(shadow, run->shadow.copied + (size_t)(access->copy_of - 1) * SHADOW_ACCESS_BYTES, access);
    store_sources(run, access, shadow);
  } else {
    memset(shadow, 0, access->bytes);
  }
}

void shadow_copy_is_defined(struct item_context *item, uint32_t index) {
  const struct group_run *run = item->run;
  const struct kernel_access *access = &run->program->accesses[index];
  if (access->read == READ_COPY || access->read == READ_VISIBLE_COPY)
    memset(run->shadow.copied + (size_t)index * SHADOW_ACCESS_BYTES, 0, access->bytes);
}

void emulation_undefined_store(struct item_context *item, uint64_t bytes_and_origin, uint64_t address) {
  const struct group_run *run = item->run;
  const uint64_t origin = bytes_and_origin & UINT32_MAX;
  const uint32_t which = (uint32_t)(bytes_and_origin >> 32);
  if (!run->shadow.checks_items || !which)
    return;
  const unsigned end = 32 - (unsigned)__builtin_clz(which);
  char *shadow = run->shadow.private_memory + generated_distance(item, address, end, run->private_memory,
                                                                 (uint64_t)run->alive * run->program->private_bytes);
  for (unsigned i = 0; i < end; i++)
    if (which >> i & 1)
      shadow[i] =
          (char)(origin && origin < SHADOW_COPIED - SHADOW_UNWRITTEN ? SHADOW_UNWRITTEN + origin : SHADOW_OF_SOME);
}

bool shadow_lanes_are_defined(struct item_context *lanes, const struct kernel_access *access, uint64_t address,
                              int64_t step) {
  const struct trace_op *op = &lanes->run->program->code.ops[access->op];
  const uint64_t way = (uint64_t)(step < 0 ? -step : step) * (SIMD_LANES - 1), bytes = way + access->bytes;
  char *shadow = shadow_of(lanes, access, step < 0 ? address - way : address, bytes);
  if (!shadow)
    return true;
  if (op->op_class == OP_LOAD)
    return !memchr(shadow, SHADOW_UNWRITTEN, bytes) && !memchr(shadow, SHADOW_COPIED, bytes);
  if (way != (uint64_t)access->bytes * (SIMD_LANES - 1))
    return false;
  memset(shadow, 0, bytes);
  return true;
}
