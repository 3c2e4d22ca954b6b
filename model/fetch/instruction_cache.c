#include "model/fetch/instruction_cache.h"

#include <stdlib.h>
#include <string.h>

#include "model/warp/warp_uniform.h"

/* The position of a resident warp in its code: before an instruction of its program, or in a walk like that of the
 * replay. */
struct fetch_cursor {
  const struct warp_program *program; /* NULL: the warp is divergent */
  const struct fetch_program *fetches;
  uint32_t *counters;
  uint32_t pc, open_loops;
  struct warp warp; /* for a divergent warp */
};

static int allocate(struct instruction_fetch *fetch, const struct gpu_spec *spec, size_t warps, struct error *error) {
  uint32_t all = (uint32_t)(spec->instruction_cache_bytes / spec->instruction_line_bytes);
  uint32_t used = fetch->lines.count < all ? fetch->lines.count : all; /* more lines would stay empty */
  bool failed = false;
  fetch->cores = (uint32_t)spec->cores;
  fetch->programs = calloc(fetch->path_count + 1u, sizeof *fetch->programs);
  fetch->caches = calloc(fetch->cores, sizeof *fetch->caches);
  fetch->cursors = calloc(warps, sizeof *fetch->cursors);
  fetch->counters = calloc(warps * fetch->context.depth + 1, sizeof *fetch->counters);
  if (fetch->lines.count <= all)
    fetch->there = calloc((size_t)fetch->cores * fetch->path_count + 1, sizeof *fetch->there);
  if (fetch->divergent_bytes)
    fetch->divergent = aligned_alloc(WARP_DIVERGENT_ALIGNMENT, warps * fetch->divergent_bytes);
  for (uint32_t i = 0; i < fetch->cores && fetch->caches; i++)
    failed |= !(fetch->caches[i] = cache_create(CACHE_REUSE_DISTANCE, REPLACEMENT_LRU, used ? used : 1, 1, false));
  if (failed || !fetch->programs || !fetch->caches || !fetch->cursors || !fetch->counters ||
      (fetch->lines.count <= all && !fetch->there) || (fetch->divergent_bytes && !fetch->divergent))
    return error_set(error, ERROR_WORK, "out of memory for the instruction caches");
  for (uint32_t i = 0; i < fetch->path_count; i++)
    if (fetch->context.programs[i].instrs &&
        fetch_program_init(&fetch->programs[i], fetch->context.trace->paths[i], fetch->context.prices, &fetch->lines,
                           used ? used : 1, error))
      return -1;
  return 0;
}

int instruction_fetch_init(struct instruction_fetch *fetch, const struct warp_context *context,
                           const struct gpu_spec *spec, size_t warps, size_t divergent_bytes, struct error *error) {
  *fetch = (struct instruction_fetch){.on = spec->instruction_cache_bytes > 0};
  if (!fetch->on)
    return 0;
  fetch->context = *context;
  fetch->context.counts = NULL; /* the replay's own walk counts */
  fetch->path_count = context->trace->path_count;
  fetch->miss_ticks = cycles_to_ticks(spec->instruction_miss_cycles);
  fetch->divergent_bytes = divergent_bytes;
  if (code_lines_init(&fetch->lines, &context->trace->code, context->isa, context->prices,
                      (uint32_t)spec->instruction_line_bytes, error) ||
      allocate(fetch, spec, warps, error)) {
    instruction_fetch_clear(fetch);
    return -1;
  }
  return 0;
}

void instruction_fetch_clear(struct instruction_fetch *fetch) {
  for (uint32_t i = 0; i < fetch->path_count && fetch->programs; i++)
    fetch_program_clear(&fetch->programs[i]);
  for (uint32_t i = 0; i < fetch->cores && fetch->caches; i++)
    cache_destroy(fetch->caches[i]);
  code_lines_clear(&fetch->lines);
  free(fetch->programs);
  free(fetch->caches);
  free(fetch->cursors);
  free(fetch->counters);
  free(fetch->divergent);
  free(fetch->there);
  *fetch = (struct instruction_fetch){0};
}

void instruction_fetch_start(struct instruction_fetch *fetch, size_t resident, const struct warp *warp) {
  struct fetch_cursor *cursor = &fetch->cursors[resident];
  *cursor = (struct fetch_cursor){.counters = fetch->counters + resident * fetch->context.depth};
  if (warp->at) {
    cursor->program = &fetch->context.programs[warp->path_index];
    cursor->fetches = &fetch->programs[warp->path_index];
    return;
  }
  cursor->warp = *warp;
  cursor->warp.counters = cursor->counters;
  cursor->warp.uses = NULL;
  warp_start(&cursor->warp, &fetch->context, warp->group, fetch->divergent + resident * fetch->divergent_bytes);
}

/* ---- the walk of a warp with one path ---- */

static void pass_instruction(struct fetch_cursor *cursor, const struct instr *instr) {
  if (instr->kind == INSTR_LOOP) {
    cursor->counters[cursor->open_loops++] = 0;
    cursor->pc++;
  } else if (instr->kind == INSTR_END && ++cursor->counters[cursor->open_loops - 1] < instr->repeat) {
    cursor->pc -= instr->back;
  } else {
    cursor->open_loops -= instr->kind == INSTR_END;
    cursor->pc++;
  }
}

static uint64_t uniform_run(struct fetch_cursor *cursor, struct cache *cache) {
  const struct fetch_program *fetches = cursor->fetches;
  uint64_t misses = 0;
  for (bool slots = false;;) {
    const struct instr *instr = &cursor->program->instrs[cursor->pc];
    misses += fetch_items(fetches->items, fetches->begin[cursor->pc], fetches->begin[cursor->pc + 1], cache);
    slots |= instr->slots > 0;
    if (instr->kind == INSTR_FINISH)
      return misses;
    pass_instruction(cursor, instr);
    if (slots && instr->kind != INSTR_LOOP && instr->kind != INSTR_END)
      return misses;
  }
}

/* ---- the walk of a divergent warp ---- */

static uint64_t divergent_run(const struct instruction_fetch *fetch, struct fetch_cursor *cursor, struct cache *cache) {
  struct fetched fetched = {&fetch->lines, cache, 0};
  struct warp_context context = fetch->context;
  enum warp_event event;
  context.fetched = &fetched;
  do
    event = warp_next(&cursor->warp, &context);
  while (event != WARP_RUN && event != WARP_DONE);
  return fetched.misses;
}

/* Notes whether the cache holds all lines of the path. Where no line is ever evicted, they stay there. */
static void look_whether_all_is_there(struct instruction_fetch *fetch, const struct fetch_cursor *cursor,
                                      uint32_t core) {
  const struct fetch_program *fetches = cursor->fetches;
  bool all = true;
  for (uint32_t i = 0; i < fetches->item_count && all; i++)
    for (uint32_t line = fetches->items[i].lines.first; line < fetches->items[i].lines.end && all; line++)
      all = cache_touch(fetch->caches[core], line);
  fetch->there[core * fetch->path_count + (uint32_t)(fetches - fetch->programs)] = all;
}

uint64_t instruction_fetch_look_up(struct instruction_fetch *fetch, size_t resident, uint32_t core) {
  struct fetch_cursor *cursor = &fetch->cursors[resident];
  if (!cursor->program)
    return divergent_run(fetch, cursor, fetch->caches[core]);
  const bool begins = cursor->pc == 0;
  const uint64_t misses = uniform_run(cursor, fetch->caches[core]);
  if (fetch->there && (begins || misses > 0))
    look_whether_all_is_there(fetch, cursor, core);
  return misses;
}
