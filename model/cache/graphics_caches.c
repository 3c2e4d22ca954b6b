#include "model/cache/graphics_caches.h"

#include <stdlib.h>
#include <string.h>

/* `sharers` neighbours have one cache; the first of them owns it. */
static bool create(struct graphics_caches *caches, enum graphics_cache kind, int64_t lines, int64_t ways,
                   uint32_t sharers) {
  if (lines == 0)
    return true;
  if (!(caches->of[kind] = calloc(caches->cores, sizeof *caches->of[kind])))
    return false;
  caches->sharers[kind] = sharers;
  for (uint32_t i = 0; i < caches->cores; i++)
    if (i % sharers > 0)
      caches->of[kind][i] = caches->of[kind][i - i % sharers];
    else if (!(caches->of[kind][i] = cache_create(ways ? CACHE_EXACT_SETS : CACHE_REUSE_DISTANCE, REPLACEMENT_LRU,
                                                  (uint32_t)lines, (uint32_t)(ways ? ways : lines), false)))
      return false;
  return true;
}

bool graphics_caches_init(struct graphics_caches *caches, const struct gpu_spec *spec) {
  bool done = true;
  *caches = (struct graphics_caches){.cores = (uint32_t)spec->cores};
#define X(kind)                                                                                                        \
  done = done && create(caches, GRAPHICS_##kind, spec->kind##_cache_bytes / spec->line_bytes, spec->kind##_cache_ways, \
                        GRAPHICS_##kind == GRAPHICS_texture ? (uint32_t)spec->texture_cache_cores : 1);
  GRAPHICS_CACHES(X)
#undef X
  return done;
}

bool graphics_caches_are_shared(const struct gpu_spec *spec) {
  return spec->texture_cache_bytes > 0 && spec->texture_cache_cores > 1 && spec->cores > 1;
}

/* Returns which of the caches an operation uses, which follows from its name. */
static enum graphics_cache kind_of(const struct trace_code *code, const struct trace_op *op) {
  const bool accesses = op->op_class == OP_LOAD || op->op_class == OP_STORE;
  if (!accesses || op->name == TRACE_NO_NAME || (op->space != SPACE_GLOBAL && op->space != SPACE_CONSTANT))
    return GRAPHICS_none;
  const char *name = code->names[op->name];
  return strncmp(name, "read_image", 10) == 0 ? GRAPHICS_texture
         : strcmp(name, "depth") == 0         ? GRAPHICS_depth
         : strcmp(name, "vertex") == 0        ? GRAPHICS_vertex
                                              : GRAPHICS_none;
}

void graphics_caches_leave_out(const struct trace_code *code, struct gpu_spec *spec) {
  bool used[GRAPHICS_KINDS] = {false};
  for (uint32_t i = 0; i < code->op_count; i++)
    used[kind_of(code, &code->ops[i])] = true;
#define X(kind)                                                                                                        \
  if (!used[GRAPHICS_##kind])                                                                                          \
    spec->kind##_cache_bytes = 0;
  GRAPHICS_CACHES(X)
#undef X
}

bool graphics_caches_choose(struct graphics_caches *caches, const struct trace_code *code) {
  bool any = false;
  for (int kind = 0; kind < GRAPHICS_KINDS; kind++)
    any |= caches->of[kind] != NULL;
  if (!any)
    return true;
  if (!(caches->of_op = calloc(code->op_count + 1u, sizeof *caches->of_op)))
    return false;
  for (uint32_t i = 0; i < code->op_count; i++) {
    const enum graphics_cache kind = kind_of(code, &code->ops[i]);
    caches->of_op[i] = (uint8_t)(caches->of[kind] ? kind : GRAPHICS_none);
  }
  return true;
}

void graphics_caches_clear(struct graphics_caches *caches) {
  for (int kind = 0; kind < GRAPHICS_KINDS; kind++) {
    for (uint32_t i = 0; caches->of[kind] && i < caches->cores; i += caches->sharers[kind])
      cache_destroy(caches->of[kind][i]);
    free(caches->of[kind]);
  }
  free(caches->of_op);
  *caches = (struct graphics_caches){0};
}
